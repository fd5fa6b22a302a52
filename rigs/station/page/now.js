/* What is awaited, with its clock; the orders that a run takes; and the state of the connection. */
import {$,count,duration,paint,plain,said,write} from './text.js';
import {bench,isPlaying,post,reason,refresh,retry,wrong} from './link.js';
import {desk,say} from './desk.js';

const SURE_MS=4000;  // within which it is pressed again
const BOUNCE_MS=600;  // a second tap of the same finger
const STATES={idle:'Nothing is being played.',playing:'Playing.',paused:'Paused between rounds.',
  stopping:'Finishing this round; stop now cuts it short.',ended:'The run has ended.',
  resetting:'The bench is being reset.',examining:'The bench is being examined.'};
const AWAITED={shuffled:'the shuffle',packet:'a packet',deck:'the deck',card:'a card',
  event:'word'};
const DONE_BY_PEOPLE={taken:'somebody to take the packet',wager:'somebody to place a wager',
  collected:'somebody to take the wagers'};

/* What is awaited. */

// The wait, and since when. The status is asked where it is not older than the lines.
function currentWait(){
  const {run,status,statusAt,wanted,isBehind}=bench,told=status.wait;
  if(told&&(wanted||isBehind||status.line>=run.last))
    return {wait:told,since:statusAt-(told['since-ms']||0)};
  return run.wait&&!wanted&&!isBehind?{wait:run.wait,since:run.wait.at}:null
}
function waitText(wait){
  const from=plain(wait.device);
  if(wait.for==='return')
    return 'The '+from+' is away: waiting for it to come back'+(wait.try?', try '+wait.try:'')+'.';
  if(Object.hasOwn(DONE_BY_PEOPLE,wait.for))return 'Waiting for '+DONE_BY_PEOPLE[wait.for]+'.';
  const what=Object.hasOwn(AWAITED,wait.for)?AWAITED[wait.for]:plain(wait.for);
  return 'Waiting for '+what+(from?' from the '+from:'')+'.'
}
function stateText(awaited){
  const {run,status,wanted}=bench;
  if(!bench.isReached&&bench.why&&!run.end)return 'Not connected: what is below is how it was.';
  if(desk.question)return 'A person is asked.';
  if(awaited)return waitText(awaited.wait);
  if(run.end&&!wanted)return 'The run has ended: '+plain(run.end.verdict)+'.';
  return Object.hasOwn(STATES,status.state)?STATES[status.state]:''
}
// Of what the clock shows: since when, and for how long at most.
function clockOf(awaited){
  if(desk.question)return {since:desk.since,limit:desk.question['limit-ms'],
    then:desk.question.otherwise};
  return awaited&&{since:awaited.since,limit:awaited.wait['limit-ms']}
}
export function showWait(){
  const {run,status}=bench,awaited=currentWait(),clock=bench.isReached?clockOf(awaited):null;
  const isVirtual=run.start&&run.start.clock==='virtual';
  const limit=clock&&!isVirtual?clock.limit:0,waited=clock?performance.now()-clock.since:0;
  write($('wait'),stateText(awaited)+(status.said&&!desk.question?' '+plain(status.said):''));
  $('wait').className=run.end&&!bench.wanted&&!desk.question?'v '+plain(run.end.verdict):'';
  write($('clock'),!clock?'':(waited/1000).toFixed(limit?1:0)+' s'+
    (limit?' of '+limit/1000+' s'+(clock.then?', then '+plain(clock.then):''):''));
  $('time').hidden=!limit;
  if(limit)$('time').value=Math.min(1,waited/limit);
  showProgress()
}
// Rounds of the run that is played, and when they are expected to be over.
function showProgress(){
  const {status,statusAt}=bench,isOn=isPlaying(status.state);
  const rounds=status.rounds,total=status.total,left=status['ends-ms'];
  let text=!isOn||rounds===undefined?'':total?
    rounds.toLocaleString('en')+' of '+count(total,'round'):count(rounds,'round');
  if(text&&left!==undefined){
    const rest=Math.max(0,left-(performance.now()-statusAt));
    text+=', about '+duration(rest)+' left'+(rest<60000?'':', until '+
      new Date(Date.now()+rest).toLocaleTimeString([],{hour:'2-digit',minute:'2-digit'}))
  }
  write($('progress'),text);
  $('done').hidden=!text||!total;
  if(total)$('done').value=Math.min(1,rounds/total)
}

/* Orders. */

const pending=new Set();
export async function order(body,done,patience){
  pending.add(body.do);
  bench.dirty=true;
  say('Sending\u2026');
  let answer=null;
  try{
    answer=await post('/control',body,patience);
    if(answer.ok)say(done||'');
    else say('Refused: '+await wrong(answer)+'.',true)
  }catch(error){
    say('Not sent: '+reason(error)+'.',true)
  }
  pending.delete(body.do);
  bench.dirty=true;
  refresh();
  return answer&&answer.ok?answer:null
}
// A glove taps twice where it meant to tap once.
export function once(pressed,done){
  let last=-BOUNCE_MS;
  pressed.addEventListener('click',()=>{
    if(performance.now()-last<BOUNCE_MS)return;
    last=performance.now();
    done()
  })
}
// What cannot be undone is pressed again within four seconds.
export function twice(pressed,done){
  const label=pressed.textContent;
  let timer=0;
  function calm(){
    clearTimeout(timer);
    timer=0;
    pressed.textContent=label;
    pressed.classList.remove('sure')
  }
  once(pressed,()=>{
    if(timer){
      calm();
      done();
      return
    }
    pressed.textContent='Press again: '+label.toLowerCase();
    pressed.classList.add('sure');
    timer=setTimeout(calm,SURE_MS)
  })
}
export function showOrders(){
  const state=bench.status.state,isOn=isPlaying(state);
  const isBusy=['start','reset','doctor'].some(what=>pending.has(what));
  document.body.dataset.state=state||'';
  $('orders').hidden=!isOn;
  write($('pause'),state==='paused'?'Continue':'Pause');
  $('pause').disabled=!bench.isReached||!isOn||state==='stopping'||pending.has('pause')||
    pending.has('continue');
  $('stop').disabled=!bench.isReached||!isOn||state==='stopping'||pending.has('stop');
  $('stop-now').disabled=!bench.isReached||!isOn||pending.has('stop-now');
  $('go').disabled=$('reset').disabled=$('doctor').disabled=!bench.isReached||isOn||
    state==='resetting'||state==='examining'||isBusy
}

/* The connection. */

export function showLink(){
  const {run,status,wanted}=bench,isOver=run.end||status.state==='ended'&&!wanted;
  // A status may overtake the last lines of its run: what is shown has ended when they are here.
  const isShort=bench.isBehind||isOver&&!run.end&&status.line>run.last;
  let kind='live',text='live',far='';
  if(!bench.isReached){
    kind=run.end?'over':'lost';
    text=!bench.why?'connecting':run.end?'ended':'disconnected: '+bench.why;
    far=bench.why?'next try in '+duration(bench.nextTry-performance.now()):''
  }else if(isShort){
    kind='behind';
    text='catching up';
    far=run.last.toLocaleString('en')+' of '+(status.line||0).toLocaleString('en')
  }else if(isOver){
    kind='over';
    text=wanted?'run '+wanted+', ended':'ended'
  }else if(wanted)text='run '+wanted;
  $('link').className='link '+kind;
  write($('link'),text);
  write($('far'),far);
  document.title=(desk.question?'? '+plain(desk.question.text)+' \u2013 ':'')+'dealproof';
  $('retry').hidden=bench.isReached||!bench.why;
  $('token').hidden=!bench.isTokenAsked;
  document.body.classList.toggle('stale',!bench.isReached&&Boolean(bench.why)&&!run.end);
  write($('rig'),status.rig?plain(status.rig)+(status.run?', run '+status.run:''):'');
  paint($('others'),[status.operator,bench.operator],()=>
    status.operator&&status.operator!==bench.operator?['(bench: ',said(status.operator),')']:[])
}

once($('pause'),()=>order({do:bench.status.state==='paused'?'continue':'pause'}));
once($('stop'),()=>order({do:'stop'},'Stopping after this round.'));
twice($('stop-now'),()=>order({do:'stop-now'},'Stopping now.'));
$('retry').addEventListener('click',retry);
window.addEventListener('online',retry);
window.addEventListener('pageshow',event=>{
  if(event.persisted)retry()
});
document.addEventListener('visibilitychange',()=>{
  if(!document.hidden)retry()
});
