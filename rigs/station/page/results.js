/* Results: what was counted, what failed, and the reports of this run and of those before. */
import {$,button,count,make,paint,plain,said,write} from './text.js';
import {ask,bench,isPlaying,reason,wrong} from './link.js';
import {say} from './desk.js';
import {SEATS,failures,worth} from './table.js';
import {turnTo} from './views.js';

const VERDICTS=['pass','fail','device','rig','timeout','aborted','skipped'];
const ROWS=25,LISTED=50;

let page=0;
function showTiles(run){
  const total=VERDICTS.reduce((sum,verdict)=>sum+(run.counts[verdict]||0),0);
  const shown=VERDICTS.filter(verdict=>run.counts[verdict]||verdict==='pass'||verdict==='fail');
  paint($('tiles'),[run.counts,run.checks,run.retries],()=>[['rounds',total,''],
    ...shown.map(verdict=>[verdict,run.counts[verdict]||0,
      verdict==='pass'?'pass':run.counts[verdict]&&verdict!=='skipped'?'bad':'']),
    ['checks passed',run.checks.pass,''],['checks failed',run.checks.fail,run.checks.fail?'bad':''],
    ['retries',run.retries,'']].map(([name,number,kind])=>
    make('li',kind,make('b','',number.toLocaleString('en')),name)));
  paint($('share'),run.counts,()=>shown.filter(verdict=>run.counts[verdict]).map(verdict=>{
    const made=make('span',verdict);
    made.style.flexGrow=run.counts[verdict];
    return made
  }))
}
function where(check){
  return [check.seat&&'seat '+check.seat,check.wager,check.device!==check.wager&&check.device]
    .filter(Boolean).join(', ')
}
function wide(text,columns){
  const cell=make('td','',text);
  cell.colSpan=columns;
  return make('tr','',cell)
}
function showFailures(run){
  const groups=[...run.groups.values()].slice(0,LISTED),more=run.groups.size-groups.length;
  paint($('failures'),[groups.map(group=>[group.times,group.last]),more,run.ungrouped],()=>[
    ...groups.map(({times,check,first,last})=>make('tr','',
      make('td','n',times.toLocaleString('en')),make('td','',said(check.name)),
      make('td','',said(where(check))),make('td','',...worth(check,check.expected)),
      make('td','',...worth(check,check.got)),make('td','',said(check.why||'')),
      make('td','',first===last?first:first+' \u2026 '+last))),
    ...more||run.ungrouped?[wide('and '+count(more,'other')+' besides'+
      (run.ungrouped?', and '+count(run.ungrouped,'failure')+' that are not kept apart':''),7)]:[],
    ...groups.length?[]:[wide('none so far',7)]])
}
function options(select,values){
  const missing=values.filter(value=>![...select.options].some(one=>one.value===value));
  for(const value of missing)select.add(new Option(plain(value),value))
}
function fits(entry){
  const form=$('filter'),check=form.check.value,seat=form.seat.value,device=form.device.value;
  if(!check&&!seat&&(!device||entry.device===device))return true;
  return entry.fails.some(one=>(!check||one.name===check)&&(!seat||String(one.seat)===seat)&&
    (!device||one.device===device))
}
function failedRow(entry){
  return make('tr','',
    make('td','',entry.recording+'/'+entry.from+(entry.times>1?' \u2026 '+entry.to+', '+
      count(entry.times,'time'):'')),
    make('td','',make('b','v '+entry.verdict,said(entry.verdict))),
    make('td','',...entry.why?[said(entry.why)]:[],...failures(entry.fails),
      entry.more>0?'and '+count(entry.more,'other')+' in the report':''))
}
function showFailed(run){
  options($('filter').check,[...run.names]);
  options($('filter').device,run.devices.map(one=>one.name));
  const found=run.failed.filter(fits),pages=Math.max(1,Math.ceil(found.length/ROWS));
  page=Math.min(page,pages-1);
  const rows=found.slice(page*ROWS,(page+1)*ROWS);
  paint($('failed'),rows.map(entry=>[entry.sign,entry.from,entry.times]),()=>rows.length?
    rows.map(failedRow):[wide(run.failed.length?'none that fit':'none so far',3)]);
  $('earlier').disabled=page===0;
  $('later').disabled=page>=pages-1;
  $('pages').hidden=pages<2&&!run.lost;
  write($('page'),'page '+(page+1)+' of '+pages+(run.lost?'; '+count(run.lost,'earlier round')+
    ' are in the report':''))
}

/* Reports. */

async function save(path,name){
  try{
    const answer=await ask(path,{signal:undefined});
    if(!answer.ok)throw new Error(await wrong(answer));
    const link=make('a');
    link.href=URL.createObjectURL(await answer.blob());
    link.download=name;
    link.click();
    setTimeout(()=>URL.revokeObjectURL(link.href),10000)
  }catch(error){
    say('Not saved: '+reason(error)+'.',true)
  }
}
// A link cannot carry the token, so with one the page is saved instead.
function pageOfRun(number,name,label){
  const path='/runs/'+number+'/'+name;
  if(bench.token)return button('Save '+label.toLowerCase(),()=>save(path,name+'-'+number+'.html'));
  const link=make('a','',label);
  link.href=path;
  link.target='_blank';
  return link
}
function showAbout(run){
  const {start,end,operators}=run,number=bench.wanted||bench.status.run;
  paint($('about'),[start&&start.command,start&&start.seed,end&&end.verdict,operators],()=>!start?
    ['No run yet.']:[make('b',end?'v '+end.verdict:'',end?said(end.verdict):'running'),' ',
    said(start.command.join(' ')),
    make('small','',' seed '+plain(start.seed)+', '+plain(start.clock)+' clock'+
      (start.date?', '+plain(start.date):''),
    ...operators.length?[', by ',said(operators.join(', then '))]:[])]);
  paint($('links'),[number,Boolean(start),Boolean(bench.token),bench.wanted],()=>!number||!start?[]:[
    pageOfRun(number,'report','Report'),pageOfRun(number,'shuffles','Shuffles'),
    ...historyPages(start.command),
    ...bench.wanted?[button('Back to what is played now',
      ()=>turnTo(document.body.dataset.view,0))]:[]])
}
// As the report does: the pages of the history are where the command line says.
function historyPages(command){
  const at=command.findIndex(word=>word.startsWith('--history-p'));
  if(at<0)return [];
  const where=command[at].includes('=')?command[at].slice(command[at].indexOf('=')+1):command[at+1];
  if(!/^(https?:\/\/|file:\/\/\/)./.test(where||''))return [];
  const link=make('a','','History');
  link.href=where.replace(/\/?$/,'/index.html');
  link.rel='noreferrer';
  return [link]
}
function runItem(one,isPlayed){
  const facts=make('span','',make('b','','Run '+one.run),' ',
    make('b','v '+one.verdict,said(one.verdict||(isPlayed?'running':'without an end'))),' ',
    said(one.command),
    make('small','',' '+count(one.rounds||0,'round')+', '+(one.failed||0)+' failed'+
      (one.started?', '+plain(one.started):'')));
  return make('li','',facts,make('span','links',button('Show',()=>
    turnTo('results',one.run===bench.status.run?0:one.run)),pageOfRun(one.run,'report','Report'),pageOfRun(one.run,'shuffles','Shuffles')))
}
export function showRuns(runs){
  const shown=runs.slice(0,LISTED),{run,state}=bench.status,isOn=isPlaying(state);
  $('history').hidden=!shown.length;
  paint($('runs'),[shown,isOn,Boolean(bench.token)],()=>
    shown.map(one=>runItem(one,isOn&&one.run===run)))
}
export function showResults(){
  const run=bench.run;
  showAbout(run);
  showTiles(run);
  showFailures(run);
  showFailed(run)
}
function turnPage(by){
  page=Math.max(0,page+by);
  bench.dirty=true
}
for(const seat of SEATS)$('filter').seat.add(new Option(seat,seat));
$('filter').addEventListener('submit',event=>event.preventDefault());
$('filter').addEventListener('input',()=>turnPage(-page));
$('earlier').addEventListener('click',()=>turnPage(-1));
$('later').addEventListener('click',()=>turnPage(1));
