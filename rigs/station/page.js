/*
 * The bench page: follows the journal of a run over /events, shows the table as its lines tell it,
 * and sends what the people at the bench answer and order. Each part is a file of page/; this one
 * starts them, knows who is at the bench, and draws.
 */
import {$,plain,remember,write} from './page/text.js';
import {attempt,bench,follow,look,post,reason,refresh,reopen,wrong} from './page/link.js';
import {say,showFresh,showQuestion} from './page/desk.js';
import {showLink,showOrders,showWait} from './page/now.js';
import {showTable} from './page/table.js';
import {showResults} from './page/results.js';
import {showShuffles} from './page/shuffles.js';
import {showStart} from './page/start.js';
import {readAddress} from './page/views.js';

/* Who is at the bench. */

const NAME_MAX=63;
async function tellOperator(){
  try{
    const answer=await post('/control',{do:'operator'});
    if(!answer.ok)say('The name is refused: '+await wrong(answer)+'.',true)
  }catch(error){
    say('The name is not sent: '+reason(error)+'.',true)
  }
  refresh()
}
function showOperator(){
  $('operator').hidden=Boolean(bench.operator);
  $('shift').hidden=!bench.operator;
  write($('who'),plain(bench.operator))
}
$('operator').addEventListener('submit',event=>{
  event.preventDefault();
  const name=$('name').value.replace(/\p{Cc}/gu,' ').trim();
  if(!name)return;
  if(new TextEncoder().encode(name).length>NAME_MAX)
    return say('A name has at most '+NAME_MAX+' bytes.',true);
  bench.operator=name;
  remember('localStorage','operator',name);
  showOperator();
  $('change').focus();
  tellOperator()
});
$('change').addEventListener('click',()=>{
  $('name').value=bench.operator;
  bench.operator='';
  showOperator();
  $('name').focus()
});
// Another tab of the same tablet.
window.addEventListener('storage',event=>{
  if(event.key!=='operator'||!event.newValue)return;
  bench.operator=event.newValue;
  showOperator()
});
// A bench that was started anew does not know who is there.
let toldIn='';
function showBenchOperator(){
  const now=[bench.isReached,bench.status.operator===undefined].join();
  if(now===toldIn)return;
  toldIn=now;
  if(bench.isReached&&bench.operator&&bench.status.operator===undefined)tellOperator()
}

/* The token. */

$('token').addEventListener('submit',event=>{
  event.preventDefault();
  bench.token=$('secret').value.trim();
  $('secret').value='';
  remember('sessionStorage','token',bench.token);
  reopen()
});
function readToken(){
  const given=/^#token=(.+)$/.exec(location.hash);
  if(!given){
    bench.token=remember('sessionStorage','token');
    return
  }
  bench.token=decodeURIComponent(given[1]);
  remember('sessionStorage','token',bench.token);
  history.replaceState(null,'',location.pathname+location.search)
}

/* Drawing: once a frame at most, and seldom while lines of long ago come in. */

let drawn=0;
function drawNow(){
  look();
  if(bench.dirty){
    bench.dirty=false;
    // What one part cannot show keeps no other from being shown.
    for(const show of [showQuestion,showTable,showResults,showOrders,showStart,showBenchOperator])
      attempt(show)
  }
  for(const show of [showFresh,showLink,showWait,showShuffles])attempt(show)
}
function draw(now){
  requestAnimationFrame(draw);
  if(now-drawn<(bench.isBehind?250:bench.dirty?0:100))return;
  drawn=now;
  drawNow()
}
// Frames stop while nobody sees the page, but its title tells of a question.
setInterval(()=>{
  if(document.hidden)drawNow()
},1000);

readToken();
bench.operator=remember('localStorage','operator');
showOperator();
readAddress();
requestAnimationFrame(draw);
follow();
