/*
 * The connection to the bench: follows the journal of a run over /events, comes back to it whatever
 * happens, and sends what is answered and ordered. The other parts read `bench`, and draw when it is
 * dirty.
 */
import {plain} from './text.js';
import {newRun,take} from './run.js';

const SILENT_MS=25000;  // a comment line comes every 10 seconds
const PATIENCE_MS=15000;  // with a reply to anything but the stream
const BEHIND=200;  // lines, from which on it is said how far they are

export const bench={
  run:newRun(),
  status:{},statusAt:0,  // what the bench has said last of itself, and when
  wanted:0,  // the run that is looked at; 0: what is played now
  isReached:false,isBehind:false,
  why:'',nextTry:0,  // why it is not reached, and when it is tried again
  token:'',operator:'',
  isTokenAsked:false,
  dirty:true
};

export const isPlaying=state=>['playing','paused','stopping'].includes(state);
export function attempt(done){
  try{
    done()
  }catch(error){
    console.warn(error)
  }
}

/* Requests. */

export async function ask(path,options={}){
  const headers={...options.headers};
  if(bench.token)headers.Authorization='Bearer '+bench.token;
  const answer=await fetch(path,{cache:'no-store',signal:AbortSignal.timeout(PATIENCE_MS),...options,
    headers});
  if(answer.status===401){
    bench.isTokenAsked=bench.dirty=true;
    throw new Error('this bench asks for its token')
  }
  return answer
}
export async function wrong(answer){
  try{
    return plain((await answer.json()).why||'the bench says '+answer.status)
  }catch(error){
    return 'the bench says '+answer.status
  }
}
export function reason(error){
  return error.name==='TimeoutError'?'the bench does not answer':
    error.name==='TypeError'?'the bench cannot be reached':plain(error.message)
}
export function post(path,body,patience=PATIENCE_MS){
  if(bench.operator)body.by=bench.operator;
  return ask(path,{method:'POST',headers:{'Content-Type':'application/json'},
    body:JSON.stringify(body),signal:AbortSignal.timeout(patience)})
}
function setStatus(told){
  bench.status=told;
  bench.statusAt=performance.now();
  bench.dirty=true
}
async function readStatus(){
  const before=bench.statusAt,answer=await ask('/status');
  if(!answer.ok)throw new Error(await wrong(answer));
  const told=await answer.json();
  // What the stream has told meanwhile is newer.
  if(bench.statusAt===before)setStatus(told)
}
let refreshing=null;
export function refresh(){
  if(!refreshing)refreshing=readStatus().catch(()=>wake()).finally(()=>{
    refreshing=null
  })
}

/* The stream. */

function forget(){
  bench.run=newRun();
  bench.dirty=true
}
const turn=new MessageChannel();
const breathe=()=>new Promise(done=>{
  turn.port1.onmessage=done;
  turn.port2.postMessage(0)
});
const isSame=(one,other)=>one.prev===other.prev&&one.t===other.t&&one.kind===other.kind;

// A run of long ago has been read to its end, after which nothing comes.
let isRead=false;
// One event of the stream; true when the stream is to be opened anew, from what is known then.
function receive(id,event,data){
  const run=bench.run;
  if(event==='next'){
    isRead=Boolean(bench.wanted);
    if(!bench.wanted)forget();
    return true
  }
  if(event==='status')setStatus(JSON.parse(data));
  if(!id)return false;
  if(id>run.last+1)return true;
  if(id<=run.last){
    if(id===run.last&&isSame(JSON.parse(data),run.tail))return false;
    forget();
    return true
  }
  run.last=id;
  bench.dirty=true;
  // Passed checks are many and long; their verdict counts them.
  if(event==='check'&&data.includes('"result":"pass"')){
    run.tail=null;
    run.raw=data;
    return false
  }
  run.tail=JSON.parse(data);
  attempt(()=>take(run,run.tail));
  return false
}
async function read(body,heard){
  const reader=body.getReader(),decoder=new TextDecoder();
  let rest='',id=0,event='',data='',started=performance.now();
  for(;;){
    const {done,value}=await reader.read();
    if(done)return false;
    heard();
    rest+=decoder.decode(value,{stream:true});
    let from=0;
    for(let to;(to=rest.indexOf('\n',from))>=0;from=to+1){
      const text=rest.slice(from,rest[to-1]==='\r'?to-1:to);
      if(text.startsWith('data:'))data+=text.slice(text[5]===' '?6:5);
      else if(text.startsWith('id:'))id=Number(text.slice(3));
      else if(text.startsWith('event:'))event=text.slice(6).trim();
      else if(text===''&&data!==''){
        if(receive(id,event,data)){
          reader.cancel();
          return true
        }
        data=event='';
        id=0;
        if(performance.now()-started>12){
          await breathe();
          started=performance.now()
        }
      }
    }
    rest=rest.slice(from)
  }
}
let stream=null,isReopened=false,heardAt=0;
async function open(heard){
  await readStatus();
  const run=bench.run,{wanted,status}=bench;
  if(!wanted&&status.line!==undefined&&status.line<run.last)forget();
  if(run.last&&!run.tail)run.tail=JSON.parse(run.raw);
  // Its number goes with every answer, so that none is of another run.
  const number=bench.run.number=wanted||status.run;
  const more=bench.run.last>1?{'Last-Event-ID':String(bench.run.last-1)}:{};
  heardAt=performance.now();
  const answer=await ask('/events'+(number?'?run='+number:''),{signal:stream.signal,headers:more});
  if(answer.status===404&&wanted){
    bench.wanted=0;
    forget()
  }
  if(!answer.ok)throw new Error(await wrong(answer));
  bench.isTokenAsked=false;
  bench.isReached=bench.dirty=true;
  heard();
  return answer.body
}
let wake=()=>{};
const rest=milliseconds=>new Promise(done=>{
  wake=done;
  if(milliseconds)setTimeout(done,milliseconds)
});
export async function follow(){
  let pause=500;
  const heard=()=>{
    heardAt=performance.now();
    pause=500
  };
  for(;;){
    stream=new AbortController();
    isReopened=isRead=false;
    try{
      isReopened=await read(await open(heard),heard)||isReopened;
      bench.why='the bench closed the connection'
    }catch(error){
      bench.why=error.name==='AbortError'?'nothing was heard for '+SILENT_MS/1000+' seconds':
        reason(error)
    }
    if(isRead)await rest();
    if(isReopened)continue;
    bench.isReached=false;
    bench.dirty=true;
    const wait=pause*(.8+Math.random()*.4);
    bench.nextTry=performance.now()+wait;
    await rest(wait);
    pause=Math.min(pause*2,15000)
  }
}
export function reopen(){
  isReopened=true;
  if(stream)stream.abort();
  wake()
}
// At once, where it was not reached, or may not be any more.
export function retry(){
  if(bench.isReached&&!isRead&&performance.now()-heardAt>SILENT_MS/2)reopen();
  else wake()
}
export function view(number){
  bench.wanted=number;
  forget();
  reopen()
}
// Whether so many lines are missing that what the status says of the bench is newer than they are.
export function look(){
  const isBehind=bench.isReached&&!bench.wanted&&(bench.status.line||0)-bench.run.last>BEHIND;
  if(isBehind!==bench.isBehind)bench.dirty=true;
  bench.isBehind=isBehind
}
setInterval(()=>{
  if(!isRead&&performance.now()-heardAt>SILENT_MS)stream.abort();
  else if(bench.isReached&&(bench.isBehind||bench.wanted))refresh()
},2000);
