/* The table: seats, cards, devices, and what differs in its place. */
import {$,cardsOf,count,face,make,money,paint,plain,said} from './text.js';
import {KEPT_CHECKS} from './run.js';
import {lay} from './deal.js';
import {bench} from './link.js';

export const SEATS=[1,2,3,4,5,6,7];
const SHOWN=6,PAID=8;
// The checks of no seat that have a place on the table; others stand with their device, or below.
const PLACES={'burned-cards':'burned','dealer-qualifies':'dealer'};

export function worth(check,value){
  if(check.name==='wager-outcome'&&typeof value==='number')return [money(value)];
  const cards=cardsOf(value);
  return cards?cards.map(face):[said(value===null?'nothing':value)]
}
const cardRow=cards=>make('div','cards',...cards.map(face));
function failure(check){
  return make('li','',make('b','',said(check.name)),...check.wager?[' ',said(check.wager)]:[],
    ': expected ',...worth(check,check.expected),', got ',...worth(check,check.got),
    ...check.why?[' \u2013 ',said(check.why)]:[])
}
export const failures=fails=>fails.length?[make('ul','fails',...fails.slice(0,SHOWN).map(failure),
  ...fails.length>SHOWN?[make('li','','and '+count(fails.length-SHOWN,'other'))]:[])]:[];

/* Seats. */

const signed=cents=>(cents>0?'+':'')+money(cents);
function wager(seat,name){
  const isWrong=seat.fails.some(check=>check.wager===name),net=seat.net&&seat.net[name];
  const made=make('span',isWrong?'wrong':'',said(name));
  if(seat.bets[name]!==undefined)made.append(' '+money(seat.bets[name]));
  if(net!==undefined)made.append(' ',make('b',net>0?'plus':'minus',net===0?'push':signed(net)));
  return made
}
function seatChildren(seat){
  const lamp=make('span','lamp'),result=make('div','result');
  const sign=[seat.lit?'lit':'',seat.sensed?'wager on the sensor':'',...seat.notes].filter(Boolean);
  lamp.setAttribute('aria-hidden','true');
  if(seat.hand)result.append(said(seat.hand),' ');
  if(seat.total!==undefined)result.append(make('b',seat.total>0?'plus':'minus',signed(seat.total)),' ');
  if(seat.decisions.length)result.append(make('small','',said(seat.decisions.join(', '))));
  return [make('h3','',make('span','','Seat '+seat.number),lamp,
    make('small','',said(sign.join(', ')))),
  make('div','wagers',...Object.keys({...seat.bets,...seat.net}).map(name=>wager(seat,name))),
  cardRow(seat.cards),result,...failures(seat.fails)]
}
function seatOf(run,laid,number){
  const round=run.round,own=round&&round.settled&&round.settled.seats&&round.settled.seats[number]||{};
  return {number,lit:run.lights.includes(number),sensed:run.sensed.has(number),
    bets:round&&round.bets[number]||{},cards:laid.seats[number]||[],net:own.net,hand:own.hand,
    total:own.total,decisions:round&&round.decisions[number]||[],
    notes:round?round.notes.filter(note=>note[0]===number).map(note=>note[1]):[],
    fails:round?round.fails.filter(check=>check.seat===number):[]}
}
function showSeats(run,laid){
  for(const number of SEATS){
    const where=$('seats').children[number-1],seat=seatOf(run,laid,number);
    where.className=[seat.lit?'lit':'',seat.decisions.includes('fold')?'folded':'',
      Object.keys(seat.bets).length||seat.cards.length?'':'empty'].join(' ');
    paint(where,seat,()=>seatChildren(seat))
  }
}

/* The middle of the table. */

function spot(where,title,cards,more,fails){
  where.classList.toggle('empty',!cards.length&&!fails.length);
  paint(where,[title,cards,more,fails],()=>[make('h3','',title),cardRow(cards),
    make('div','result',said(more)),...failures(fails)])
}
function dealerText(dealer){
  if(!dealer||!dealer.hand)return '';
  return dealer.hand+(dealer.qualifies===undefined?'':
    dealer.qualifies?', qualifies':', does not qualify')
}
function showMiddle(run,laid){
  const round=run.round,settled=round&&round.settled||{},fails=round?round.fails:[];
  const at=place=>fails.filter(check=>!check.seat&&PLACES[check.name]===place);
  spot($('dealer'),'Dealer',laid.dealer,dealerText(settled.dealer),at('dealer'));
  spot($('board'),'Board',laid.board,'',[]);
  spot($('burned'),'Burned',laid.burned,'',at('burned'));
  spot($('pile'),'Drawn',laid.pile,'',[]);
  const loose=[...fails.filter(check=>!check.seat&&!PLACES[check.name]&&!check.device),
    ...run.outside.slice(0,KEPT_CHECKS)];
  const why=round&&round.verdict&&round.verdict!=='pass'?round.why:'';
  paint($('loose'),[loose,why,settled.error],()=>[
    ...why?[make('li','',make('b','',said(round.verdict)),': ',said(why))]:[],
    ...settled.error?[make('li','','The engine: ',said(settled.error))]:[],...loose.map(failure)])
}

/* Devices. */

function screenLine({state,seat,hand,cents,'wrong-codes':wrong}){
  return 'screen: '+[state,seat&&'seat '+seat,hand,cents!==undefined&&money(cents),
    wrong&&count(wrong,'wrong code')].filter(Boolean).join(', ')
}
function terminalLines(run){
  const lines=[],round=run.round,sign=run.sign;
  const due=round&&round.verdict&&round.settled&&round.settled.meters||{};
  if(run.screen&&run.screen.state)lines.push(screenLine(run.screen));
  if(sign)lines.push('sign: '+(sign.seat?'seat '+sign.seat+', '+money(sign.pays):'no award'));
  for(const paid of round?round.paid.slice(0,PAID):[])
    lines.push('paid: seat '+paid.seat+', '+money(paid.pays)+(paid.hand?', '+paid.hand:''));
  for(const [meter,value] of Object.entries(run.meters||{}))
    lines.push('meter '+meter+': $'+value+
      (Object.hasOwn(due,meter)&&due[meter]!==value?' (engine: $'+due[meter]+')':''));
  return lines
}
// How often it was away, and for how long in all.
function goneText({times,tries,ms,isOther}){
  return 'was away'+(times>1?' '+count(times,'time'):'')+', '+(ms/1000).toFixed(1)+' s'+
    (tries>1?', opened at try '+tries:'')+(isOther?': another device has come back':'')
}
function deviceOf(run,device){
  const state=run.state[device.name]||{},round=run.round;
  const wait=run.wait&&run.wait.device===device.name?run.wait:null;
  return {name:device.name,model:[device.model||device.driver,device.firmware].filter(Boolean),
    text:state.text,gone:state.gone,fault:state.fault,test:state.test,
    away:wait&&wait.for==='return'?'away'+(wait.try?', try '+wait.try:''):'',
    wait:wait&&wait.for!=='return'?wait.for:'',
    lines:device.name==='terminal'?terminalLines(run):[],
    fails:round?round.fails.filter(check=>!check.seat&&check.device===device.name&&
      !PLACES[check.name]):[]}
}
function deviceChildren(one){
  return make('div',(one.away||one.fault?'bad ':'')+(one.name==='terminal'?'tall':''),
    make('dt','',said(one.name),' ',make('small','',said(one.model.join(', ')))),
    ...one.away?[make('dd','wrong',one.away)]:[],
    ...one.fault?[make('dd','wrong','fault: ',said(one.fault))]:[],
    make('dd','',...one.wait?['awaited: '+plain(one.wait)]:[said(one.text||'')]),
    ...one.gone?[make('dd',one.gone.isOther?'wrong':'soft',goneText(one.gone))]:[],
    ...one.test?[make('dd','soft','in test mode')]:[],
    ...one.lines.map(line=>make('dd','',said(line))),
    ...one.fails.length?[make('dd','',...failures(one.fails))]:[])
}
function showPlaying(run){
  const {round,recording}=run;
  const data=[round&&round.number,round&&round.verdict,recording&&recording.recording,
    recording&&recording.path];
  paint($('playing'),data,()=>!recording?['Nothing has been dealt yet.']:[
    round?'Round '+round.number+(recording.rounds?' of '+recording.rounds:'')+', ':'',
    said(recording.game),' ',
    ...round&&round.verdict?[make('b','v '+round.verdict,said(round.verdict)),' ']:[],
    make('small','',said(recording.path))])
}
export function showTable(){
  const run=bench.run,laid=lay(run),devices=run.devices.map(device=>deviceOf(run,device));
  showPlaying(run);
  showMiddle(run,laid);
  showSeats(run,laid);
  paint($('devices'),devices,()=>devices.map(deviceChildren))
}
for(const seat of SEATS)$('seats').append(make('li','',make('h3','','Seat '+seat)));
