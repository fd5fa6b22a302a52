/* Start, of a station only: what is played next, resetting the bench, and looking for faults. */
import {$,count,make,paint,plain,repaint,said,write} from './text.js';
import {ask,bench} from './link.js';
import {say} from './desk.js';
import {once,order,twice} from './now.js';
import {showRuns} from './results.js';
import {turnTo} from './views.js';

const LISTED=50,BODY_MAX=4096,DOCTOR_MS=45000;

let recordings=[];
const chosen=new Set();

/* Recordings. */

function found(){
  const words=$('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  return recordings.filter(one=>{
    const text=[one.path,one.game,one.note,one.last].join(' ').toLowerCase();
    return words.every(word=>text.includes(word))
  })
}
function recordingItem(one,fit){
  const box=make('input'),facts=make('small','',said(one.game),
    ', '+(one.why?plain(one.why):count(one.rounds||0,'round')));
  box.type='checkbox';
  box.checked=chosen.has(one.path);
  box.addEventListener('change',()=>{
    chosen[box.checked?'add':'delete'](one.path);
    repaint($('recordings'));
    showChosen(fit)
  });
  if(one.last)facts.append(', last: ',make('b','v '+one.last,said(one.last)));
  if(one.note)facts.append(' \u2013 ',said(one.note));
  return make('li','',make('label','',box,make('span','',said(one.path),facts)))
}
function showRecordings(){
  const fit=found(),shown=fit.slice(0,LISTED);
  paint($('recordings'),shown.map(one=>[one,chosen.has(one.path)]),()=>
    shown.map(one=>recordingItem(one,fit)));
  showChosen(fit)
}
function showChosen(fit){
  write($('chosen'),count(chosen.size,'recording')+' chosen, '+fit.length+' found'+
    (fit.length>LISTED?', the first '+LISTED+' are listed':''))
}
async function readLists(){
  try{
    const answer=await ask('/recordings');
    if(answer.ok){
      const list=await answer.json();
      recordings=list.recordings;
      const games=list.games||[...new Set(recordings.map(one=>one.game))].sort();
      paint($('game'),games,()=>games.map(game=>new Option(plain(game),game)));
      showRecordings()
    }
    const runs=await ask('/runs');
    if(runs.ok)showRuns((await runs.json()).runs)
  }catch(error){
    // The connection's state is shown at the top, and the lists are read again with it.
  }
}

/* Orders. */

const folderOf=path=>path.slice(0,Math.max(0,path.lastIndexOf('/')));
// A folder stands for all that is in it: an order has room for 4,096 bytes.
function byFolder(list){
  const whole=new Set(recordings.map(one=>folderOf(one.path)));
  for(const one of recordings)if(!chosen.has(one.path))whole.delete(folderOf(one.path));
  whole.delete('');
  return [...new Set(list.map(one=>whole.has(folderOf(one.path))?folderOf(one.path):one.path))].sort()
}
function inOrder(){
  const list=recordings.filter(one=>chosen.has(one.path)),sequence=$('sequence').value;
  if(sequence==='chosen')return [...chosen];
  if(sequence!=='failed')return byFolder(list);
  return list.sort((a,b)=>(a.last==='pass')-(b.last==='pass')||(a.path<b.path?-1:1))
    .map(one=>one.path)
}
function startOrder(){
  const body={do:'start',command:$('command').value};
  if($('seed').value)body.seed=$('seed').value;
  if(body.command==='run'){
    body.recordings=inOrder();
    if(Number($('repeat').value)>1)body.repeat=Number($('repeat').value)
  }else{
    body.game=$('game').value;
    body.play=$('play').value;
    if($('count').value)body.rounds=Number($('count').value)
  }
  return body
}
async function start(){
  const body=startOrder();
  if(body.recordings&&!body.recordings.length)return say('Choose a recording first.',true);
  if(new TextEncoder().encode(JSON.stringify({...body,by:bench.operator})).length>BODY_MAX)
    return say('These are too many to name in one order: choose fewer, or whole folders by name.',true);
  if(await order(body,''))turnTo('table',0)
}
async function examine(){
  $('found').replaceChildren();
  const answer=await order({do:'doctor'},'Looked for faults.',DOCTOR_MS);
  if(!answer)return;
  const rows=(await answer.json()).doctor||[];
  $('found').replaceChildren(...rows.map(row=>make('li',row.ok?'':'bad',
    make('b','',row.ok?'fine: ':'wrong: '),said(row.what),...row.why?[': ',said(row.why)]:[],
    ...row.remedy?[make('div','','To do: ',said(row.remedy))]:[])))
}

/* What is shown, and pressed. */

let isStation=false,listed='';
export function showStart(){
  const {status,isReached}=bench;
  if(status.command==='station'&&!isStation){
    isStation=true;
    $('start').hidden=document.querySelector('[data-to=start]').hidden=false;
    if(status.state==='idle'&&!location.hash)turnTo('start',0,false)
  }
  const now=[status.run,status.state,isReached].join();
  if(!isStation||!isReached||now===listed)return;
  listed=now;
  readLists()
}
$('order').addEventListener('submit',event=>{
  event.preventDefault();
  start()
});
$('search').addEventListener('input',showRecordings);
// Enter in the search would start a run.
$('search').addEventListener('keydown',event=>{
  if(event.key==='Enter')event.preventDefault()
});
$('all').addEventListener('click',()=>{
  for(const one of found())chosen.add(one.path);
  showRecordings()
});
$('none').addEventListener('click',()=>{
  chosen.clear();
  showRecordings()
});
$('command').addEventListener('change',()=>{
  $('replayed').hidden=$('command').value!=='run';
  $('observed').hidden=$('command').value==='run'
});
once($('doctor'),examine);
twice($('reset'),()=>order({do:'reset'},'The bench is being reset.'));
