/*
 * What the journal of a run has told so far, as far as it is shown. Nothing here draws: take() is
 * given a run and one line after the other. Cards come from what devices and people said, never from
 * what a recording will deal. What is kept is bounded, however long the run is.
 */
import {houseBurn} from './deal.js';
import {cardsOf,count,plain,table} from './text.js';

const OF_DEALING=['packet-order','packet-size','dealt-cards','draws','burned-cards',
  'card-conservation','order-leak','shuffle','dealt-lines'];
const OF_TERMINAL=['lights','key-refusals','meter-values','must-hit-seat','must-hit-ceiling',
  'must-hit-random','sign-amount','jackpots','authorization','amount-hidden','procedure'];
const KEPT_ROUNDS=2000,KEPT_GROUPS=500,MANY=150;
export const KEPT_CHECKS=12;

export function newRun(){
  return {number:undefined,last:0,tail:null,raw:'',start:null,devices:[],recording:null,burn:null,round:null,
    counts:table(),checks:{pass:0,fail:0,skipped:0},retries:0,groups:new Map(),ungrouped:0,failed:[],
    lost:0,names:new Set(),end:null,wait:null,question:null,over:0,meters:null,
    screen:null,sign:null,lights:[],sensed:new Set(),state:table(),outside:[],operators:[]}
}
const stateOf=(run,device)=>run.state[device]=run.state[device]||{};
function tell(run,device,text){
  stateOf(run,device).text=text
}
function addCards(run,device,cards,packet){
  const round=run.round;
  if(!round)return;
  round.dealing=device;
  const again=round.packets.findIndex(one=>packet!==undefined&&one.packet===packet);
  if(again>=0)round.packets.splice(again);
  if(round.packets.length<MANY)round.packets.push({packet,cards})
}
// The cards of the round that have been seen, and where: those cannot come again.
export function seenCards(run){
  const seen=new Map(),round=run.round;
  if(!round||round.verdict)return seen;
  for(const typed of round.typed)for(const card of typed)seen.set(card,'in an answer before');
  for(const {packet,cards} of round.packets)
    for(const card of cards)seen.set(card,packet===undefined?'drawn before':'in packet '+packet);
  return seen
}

/* What each kind of device says. */

function eventOfShuffler(run,event,details){
  if(event==='shuffled')
    tell(run,'shuffler','shuffled, number '+details.shuffle+(details.loaded?', order loaded':''));
  else if(event==='packet-present'){
    addCards(run,'shuffler',details.cards===null?[]:String(details.cards).split(' '),details.packet);
    tell(run,'shuffler','packet '+details.packet+' is out')
  }else if(event==='packet-taken')tell(run,'shuffler','packet '+plain(details)+' taken');
  else if(event==='button')
    tell(run,'shuffler',details?'button refused: '+plain(details):'button pressed')
}
function eventOfShoe(run,event,told){
  // What people read is told with how; what a shoe says is the card alone.
  const details=told&&told.card||told;
  const packets=run.round?run.round.packets:[];
  const last=packets.length?packets[packets.length-1].cards[0]:'';
  if(event==='card'||event==='card-again'&&details!==last){
    addCards(run,'shoe',[details]);
    tell(run,'shoe',count(packets.length||1,'card')+' drawn')
  }else if(event==='locked')tell(run,'shoe',details?'locked':'unlocked');
  else if(event!=='card-again')tell(run,'shoe',event+(details===undefined?'':' '+plain(details)))
}
function eventOfTerminal(run,event,details){
  if(event==='meters')run.meters=details;
  else if(event==='lights')run.lights=Array.isArray(details)?details:[];
  else if(event==='sign')run.sign=details;
  else if(event==='screen'||event==='power-up')run.screen=details;
  else if(event==='key')tell(run,'terminal','key '+plain(details));
  else if(event==='key-refused')tell(run,'terminal','key '+plain(details)+' refused');
  else if(event==='refused')tell(run,'terminal','refused: '+plain(details&&details.why));
  else if((event==='jackpot-paid'||event==='must-hit')&&run.round&&run.round.paid.length<MANY)
    run.round.paid.push({...details})
}
function eventOfSensors(run,event,details){
  for(const seat of Array.isArray(details)?details:[]){
    if(event==='wager placed')run.sensed.add(seat);
    else{
      if(/^wager lifted/.test(event))run.sensed.delete(seat);
      if(event!=='wager lifted'&&run.round&&run.round.notes.length<MANY)
        run.round.notes.push([seat,event])
    }
  }
  if(event==='power-up')run.sensed.clear()
}
function eventOfRig(run,event,details){
  if(event==='operator')onOperator(run,{name:details})
}
const readers={shuffler:eventOfShuffler,shoe:eventOfShoe,terminal:eventOfTerminal,
  sensors:eventOfSensors,rig:eventOfRig};

function onEvent(run,line){
  const {device,event,details}=line,state=stateOf(run,device);
  if(event==='fault')state.fault=details;
  else if(event==='cleared')state.fault=null;
  else if(event==='test-mode')state.test=details;
  else if(Object.hasOwn(readers,device))readers[device](run,event,details);
  // Wagers are taken one by one, and waited for until all are.
  const isThere=run.wait&&run.wait.for==='collected'&&run.sensed.size;
  if(run.wait&&run.wait.device===device&&!isThere)run.wait=null
}
function onOperator(run,line){
  const last=run.operators[run.operators.length-1];
  if(line.name!==last&&run.operators.length<MANY)run.operators.push(line.name)
}
// It was away, and has come back: how often in this run, and for how long in all.
function onReconnect(run,line){
  const state=stateOf(run,line.device),gone=state.gone||{times:0,tries:0,ms:0,isOther:false};
  state.gone={times:gone.times+(line.times||1),tries:gone.tries+(line.tries||0),
    ms:gone.ms+(line['away-ms']||0),isOther:gone.isOther||line.same===false}
}

/* Checks and verdicts. */

function named(run,why){
  const words=why.split(/[^\w-]+/);
  const found=run.devices.find(device=>words.includes(device.name)||
    device.address&&why.startsWith(device.address));
  return found?found.name:''
}
// Which device a failed check is about; '' where it is about none.
function deviceOf(run,check){
  const names=run.devices.map(device=>device.name),why=String(check.why||'');
  if(names.includes(check.wager))return check.wager;
  if(OF_TERMINAL.includes(check.name)||check.wager==='ledger')return 'terminal';
  if(check.name==='wagers-sensed')return 'sensors';
  if(OF_DEALING.includes(check.name)||why.startsWith('the device dealt other'))
    return run.round&&run.round.dealing||'shuffler';
  return named(run,why)
}
function onCheck(run,line){
  if(line.result!=='fail')return;
  const check={name:line.name,seat:line.seat,wager:line.wager,expected:line.expected,got:line.got,
    why:line.why,device:deviceOf(run,line)};
  const where=line.round===undefined?'after the rounds':line.recording+'/'+line.round;
  const key=[check.name,check.seat,check.wager,check.device].join('\n');
  let group=run.groups.get(key);
  if(run.names.size<MANY)run.names.add(check.name);
  if(!group&&run.groups.size<KEPT_GROUPS)run.groups.set(key,group={times:0,first:where});
  if(group){
    group.times++;
    group.last=where;
    group.check=check
  }else run.ungrouped++;
  if(line.round===undefined){
    if(run.outside.length<MANY)run.outside.push(check)
  }else if(run.round){
    run.round.failures++;
    if(run.round.fails.length<KEPT_CHECKS*4)run.round.fails.push(check)
  }
}
function onVerdict(run,line){
  const round=run.round;
  run.counts[line.verdict]=(run.counts[line.verdict]||0)+1;
  for(const result in line.checks)run.checks[result]+=line.checks[result];
  run.wait=run.question=null;
  if(!round)return;
  round.verdict=line.verdict;
  round.why=line.why;
  if(line.verdict!=='pass'&&line.verdict!=='skipped')keepFailed(run,line,round)
}
// Rounds in a row that failed in the same way are one entry.
function keepFailed(run,line,round){
  const fails=round.fails.slice(0,KEPT_CHECKS),last=run.failed[run.failed.length-1];
  const sign=JSON.stringify([line.recording,line.verdict,line.why,
    fails.map(check=>[check.name,check.seat,check.wager])]);
  if(last&&last.sign===sign){
    last.to=line.round;
    last.times++;
    return
  }
  run.failed.push({sign,recording:line.recording,from:line.round,to:line.round,times:1,
    verdict:line.verdict,why:line.why,device:line.why?named(run,line.why):'',fails,
    more:round.failures-fails.length});
  if(run.failed.length>KEPT_ROUNDS)run.lost+=run.failed.shift().times
}

/* Recordings, rounds, questions. */

// How many cards are burned first, as far as the command line says; null: it does not.
function orderedBurn(command){
  const at=command.findIndex(word=>word==='--burn'||word.startsWith('--burn='));
  if(at<0)return 0;
  return Number(command[at].includes('=')?command[at].split('=')[1]:command[at+1])
}
function onRecording(run,line){
  run.recording=line;
  run.burn=line.burn!==undefined?line.burn:
    line.expect===null?orderedBurn(run.start&&run.start.command||[]):null;
  run.round=null
}
function onRound(run,line){
  run.round={recording:line.recording,number:line.round,bets:line.played&&line.played.bets||{},
    packets:[],typed:[],notes:[],fails:[],failures:0,paid:[],decisions:table(),dealing:''}
}
function onAnswer(run,line){
  const asked=run.question,round=run.round;
  if(Number.isInteger(line.id))run.over=Math.max(run.over,line.id);
  run.question=null;
  if(!asked||asked.id!==line.id||!round)return;
  if(asked.ask==='decision'&&asked.seat)
    (round.decisions[asked.seat]=round.decisions[asked.seat]||[]).push(line.answer);
  if(asked.ask!=='cards'||typeof line.answer!=='string')return;
  const cards=cardsOf(line.answer);
  if(cards&&round.typed.length<MANY)round.typed.push(cards);
  else if(line.answer.toLowerCase()==='undo')round.typed.pop()
}
const kinds={
  start(run,line){run.start=line},
  device(run,line){
    if(run.devices.length<MANY)run.devices.push(line);
    run.state[line.name]={text:'',test:line['test-mode']}
  },
  recording:onRecording,round:onRound,event:onEvent,
  retry(run,line){
    run.retries++;
    tell(run,line.device,'tried again: '+plain(line.what)+', '+plain(line.why))
  },
  reconnect:onReconnect,
  settled(run,line){
    if(!run.round||!line.settlement)return;
    run.round.settled=line.settlement;
    run.burn=houseBurn(run.recording&&run.recording.game,line.settlement,run.burn)
  },
  check:onCheck,verdict:onVerdict,
  question(run,line){run.question={...line,run:run.number}},
  answer:onAnswer,operator:onOperator,
  wait(run,line){run.wait={...line,at:performance.now()}},
  // A round that was cut off is played again.
  resumed(run){
    run.wait=run.question=null;
    if(run.round&&!run.round.verdict)run.round=null
  },
  end(run,line){
    run.end=line;
    run.wait=run.question=null
  }
};

// A line that is not as rigs/JOURNAL.md has it may throw; the run stays usable.
export function take(run,line){
  if(Object.hasOwn(kinds,line.kind))kinds[line.kind](run,line)
}
