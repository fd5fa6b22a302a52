'use strict';
/*
 * The bench page: follows the journal of a run over /events, shows the table as its lines tell it,
 * and sends what the people at the bench answer and order. All that is shown comes from lines that
 * have been written; cards come from what devices said, never from what a recording will deal.
 */
(function(){
  const $=id=>document.getElementById(id);
  const SEATS=[1,2,3,4,5,6,7];
  const RANKS={2:'two',3:'three',4:'four',5:'five',6:'six',7:'seven',8:'eight',9:'nine',T:'ten',
    J:'jack',Q:'queen',K:'king',A:'ace'};
  const SUITS={c:['\u2663','clubs'],d:['\u2666','diamonds'],h:['\u2665','hearts'],
    s:['\u2660','spades']};
  // How packets go round before the engine has settled them; of other games they lie in one row.
  const DEALS={
    'flush-rush':{hand:4,dealer:false,board:4,lastBurned:true},
    'chase-the-flush':{hand:3,dealer:true,board:4},
    'three-card-catch':{hand:3,dealer:true,board:0},
    'three-card-poker':{hand:3,dealer:true,board:0}};
  const OF_DEALING=['packet-order','packet-size','dealt-cards','draws','burned-cards',
    'card-conservation','order-leak','shuffle'];
  const OF_TERMINAL=['lights','key-refusals','meter-values','must-hit-seat','must-hit-ceiling',
    'must-hit-random','sign-amount','jackpots','authorization','amount-hidden','procedure'];
  const VERDICTS=['pass','fail','device','rig','timeout','aborted','skipped'];
  const KEPT_ROUNDS=2000,KEPT_GROUPS=500,KEPT_CHECKS=12,SHOWN=6,ROWS=25,LISTED=50,MANY=150;

  /* Texts and elements. */

  // What cannot be seen, or would turn the text around it, is written as its number.
  function plain(value){
    let text=typeof value==='string'?value:value===undefined?'':JSON.stringify(value);
    if(text.length>300)text=text.slice(0,300)+'\u2026 ('+text.length+' characters)';
    return text.replace(
      /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      one=>'\u2039U+'+one.charCodeAt(0).toString(16).toUpperCase().padStart(4,'0')+'\u203a')
  }
  function make(tag,classes,...children){
    const made=document.createElement(tag);
    if(classes)made.className=classes;
    made.append(...children);
    return made
  }
  function button(label,done){
    const made=make('button','',label);
    made.type='button';
    made.addEventListener('click',done);
    return made
  }
  // Text as another program wrote it, which keeps its direction to itself.
  const said=value=>make('bdi','',plain(value));
  function write(where,text){
    if(where.textContent!==text)where.textContent=text
  }
  const painted=new WeakMap();
  // Makes the children of an element anew when `data`, all that they show, has changed.
  function paint(where,data,children){
    const key=JSON.stringify(data);
    if(painted.get(where)===key)return;
    painted.set(where,key);
    where.replaceChildren(...children())
  }
  const money=cents=>(cents<0?'\u2212':'')+'$'+Math.floor(Math.abs(cents)/100).toLocaleString('en')+
    '.'+String(Math.abs(cents)%100).padStart(2,'0');
  const count=(number,what)=>number.toLocaleString('en')+' '+what+(number===1?'':'s');
  const isCard=text=>typeof text==='string'&&/^[2-9TJQKA][cdhs]$/.test(text);
  const cardName=card=>RANKS[card[0]]+' of '+SUITS[card[1]][1];
  const cardFace=card=>(card[0]==='T'?'10':card[0])+'\n'+SUITS[card[1]][0];
  function cardsOf(value){
    const cards=typeof value==='string'?value.split(' '):value;
    return Array.isArray(cards)&&cards.length&&cards.every(isCard)?cards:null
  }
  function face(card){
    if(!isCard(card))return said(card);
    const made=make('span','card'+('dh'.includes(card[1])?' red':''),cardFace(card));
    made.setAttribute('role','img');
    made.setAttribute('aria-label',cardName(card));
    return made
  }
  function worth(check,value){
    if(check.name==='wager-outcome'&&typeof value==='number')return [money(value)];
    const cards=cardsOf(value);
    return cards?cards.map(face):[said(value===null?'nothing':value)]
  }

  /* What a run has told so far. */

  // For names that others chose: "__proto__" is one like any other.
  const table=()=>Object.create(null);

  function newRun(){
    return {last:0,tail:null,start:null,devices:[],recording:null,burn:null,single:null,round:null,
      counts:table(),checks:{pass:0,fail:0,skipped:0},retries:0,groups:new Map(),ungrouped:0,failed:[],
      lost:0,names:new Set(),end:null,wait:null,waitSince:0,question:null,over:0,paused:false,
      meters:null,screen:null,sign:null,lights:[],sensed:new Set(),state:table(),outside:[]}
  }
  let run=newRun(),wanted=0,status={},reached=false,behind=0,lostWhy='',nextTry=0,token='';
  let statusAt=0,operator='',question=null,questionSince=0,questionShown=0,sending=false,dirty=true;

  function tell(device,text){
    const state=run.state[device]=run.state[device]||{};
    state.text=text;
    state.away=null
  }
  function addCards(device,cards,packet){
    const round=run.round;
    if(!round)return;
    round.dealing=device;
    const again=round.packets.findIndex(one=>packet!==undefined&&one.packet===packet);
    if(again>=0)round.packets.splice(again);
    if(round.packets.length>=MANY)return;
    round.packets.push({packet,cards});
    for(const card of cards)round.seen.add(card)
  }
  function eventOfShuffler(event,details){
    if(event==='shuffled')
      tell('shuffler','shuffled, number '+details.shuffle+(details.loaded?', order loaded':''));
    else if(event==='packet-present'){
      addCards('shuffler',String(details.cards).split(' '),details.packet);
      tell('shuffler','packet '+details.packet+' is out')
    }else if(event==='packet-taken')tell('shuffler','packet '+plain(details)+' taken');
    else if(event==='button')tell('shuffler',details?'button refused: '+plain(details):'button pressed')
  }
  function eventOfShoe(event,details){
    const round=run.round;
    const last=round&&round.packets.length?round.packets[round.packets.length-1].cards[0]:'';
    if(event==='card'||event==='card-again'&&details!==last){
      addCards('shoe',[details]);
      tell('shoe',count(round?round.packets.length:1,'card')+' drawn')
    }else if(event==='locked')tell('shoe',details?'locked':'unlocked');
    else if(event!=='card-again')tell('shoe',event+(details===undefined?'':' '+plain(details)))
  }
  function eventOfTerminal(event,details){
    if(event==='meters')run.meters=details;
    else if(event==='lights')run.lights=Array.isArray(details)?details:[];
    else if(event==='sign')run.sign=details;
    else if(event==='screen'||event==='power-up')run.screen=details;
    else if(event==='key')tell('terminal','key '+plain(details));
    else if(event==='key-refused')tell('terminal','key '+plain(details)+' refused');
    else if(event==='refused')tell('terminal','refused: '+plain(details&&details.why));
    else if((event==='jackpot-paid'||event==='must-hit')&&run.round&&run.round.paid.length<MANY)
      run.round.paid.push({...details})
  }
  function eventOfSensors(event,details){
    for(const seat of Array.isArray(details)?details:[]){
      if(event==='wager placed')run.sensed.add(seat);
      else if(event==='wager lifted')run.sensed.delete(seat);
      else if(run.round&&run.round.notes.length<MANY)run.round.notes.push([seat,event])
    }
    if(event==='power-up')run.sensed.clear()
  }
  const readers={shuffler:eventOfShuffler,shoe:eventOfShoe,terminal:eventOfTerminal,
    sensors:eventOfSensors};

  function onEvent(line){
    const {device,event,details}=line;
    const state=run.state[device]=run.state[device]||{};
    if(run.wait&&run.wait.device===device)run.wait=null;
    state.away=null;
    if(event==='fault')state.fault=details;
    else if(event==='cleared')state.fault=null;
    else if(event==='test-mode')state.test=details;
    else if(Object.hasOwn(readers,device))readers[device](event,details)
  }
  // Which device a failed check is about; '' where it is about none.
  function deviceOf(check){
    const names=run.devices.map(device=>device.name),why=String(check.why||'');
    if(names.includes(check.wager))return check.wager;
    if(OF_TERMINAL.includes(check.name)||check.wager==='ledger')return 'terminal';
    if(check.name==='wagers-sensed')return 'sensors';
    if(OF_DEALING.includes(check.name)||why.startsWith('the device dealt other'))
      return run.round&&run.round.dealing||'shuffler';
    return named(why)
  }
  function named(why){
    const words=why.split(/[^\w-]+/);
    const found=run.devices.find(device=>words.includes(device.name)||
      device.address&&why.startsWith(device.address));
    return found?found.name:''
  }
  function onCheck(line){
    if(line.result!=='fail')return;
    const check={name:line.name,seat:line.seat,wager:line.wager,expected:line.expected,got:line.got,
      why:line.why,device:deviceOf(line)};
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
  function onVerdict(line){
    const round=run.round;
    run.counts[line.verdict]=(run.counts[line.verdict]||0)+1;
    for(const result in line.checks)run.checks[result]+=line.checks[result];
    run.wait=run.question=null;
    if(!round)return;
    round.verdict=line.verdict;
    round.why=line.why;
    if(line.verdict==='pass'||line.verdict==='skipped')return;
    const fails=round.fails.slice(0,KEPT_CHECKS),last=run.failed[run.failed.length-1];
    const sign=JSON.stringify([line.recording,line.verdict,line.why,
      fails.map(check=>[check.name,check.seat,check.wager])]);
    if(last&&last.sign===sign){
      last.to=line.round;
      last.times++;
      return
    }
    run.failed.push({sign,recording:line.recording,from:line.round,to:line.round,times:1,
      verdict:line.verdict,why:line.why,device:line.why?named(line.why):'',fails,
      more:round.failures-fails.length});
    if(run.failed.length>KEPT_ROUNDS)run.lost+=run.failed.shift().times
  }
  function onRecording(line){
    const command=run.start&&run.start.command||[],at=command.indexOf('--burn');
    run.recording=line;
    run.single=null;
    run.burn=line.expect===null?at<0?0:Number(command[at+1]):null;
    run.round=null
  }
  function onSettled(line){
    if(!run.round||!line.settlement)return;
    run.round.settled=line.settlement;
    if(!line.settlement.burned)return;
    const deal=DEALS[run.recording&&run.recording.game];
    run.burn=line.settlement.burned.length-(deal&&deal.lastBurned?1:0)
  }
  function onAnswer(line){
    const asked=run.question;
    run.over=Math.max(run.over,line.id);
    if(asked&&asked.id===line.id&&run.round){
      if(asked.ask==='decision'&&asked.seat)
        (run.round.decisions[asked.seat]=run.round.decisions[asked.seat]||[]).push(line.answer);
      for(const card of asked.ask==='cards'&&cardsOf(line.answer)||[])run.round.seen.add(card)
    }
    run.question=null
  }
  const kinds={
    start(line){run.start=line},
    device(line){
      if(run.devices.length<MANY)run.devices.push(line);
      run.state[line.name]={text:'',test:line['test-mode']}
    },
    recording:onRecording,
    round(line){
      const bets=line.played&&line.played.bets||{};
      run.round={recording:line.recording,number:line.round,bets,packets:[],seen:new Set(),notes:[],
        fails:[],failures:0,paid:[],decisions:table(),dealing:''};
      run.paused=false
    },
    event:onEvent,
    retry(line){
      run.retries++;
      const state=run.state[line.device]=run.state[line.device]||{};
      state.text='tried again: '+plain(line.what)+', '+plain(line.why)
    },
    reconnect(line){
      const state=run.state[line.device]=run.state[line.device]||{};
      state.away='away'+(line.attempt?', try '+line.attempt:'')+(line.why?': '+plain(line.why):'')
    },
    settled:onSettled,check:onCheck,verdict:onVerdict,
    question(line){run.question=line},
    answer:onAnswer,
    wait(line){
      run.wait=line;
      run.waitSince=performance.now()
    },
    pause(){run.paused=true},
    end(line){
      run.end=line;
      run.wait=run.question=null
    }
  };

  /* Following the journal. */

  function attempt(done,given){
    try{
      done(given)
    }catch(error){
      console.warn(error)
    }
  }
  const headers=more=>token?{...more,Authorization:'Bearer '+token}:more;
  async function ask(path,options){
    const answer=await fetch(path,{cache:'no-store',...options,
      headers:headers(options&&options.headers||{})});
    if(answer.status===401){
      $('token').hidden=false;
      throw new Error('this bench asks for its token')
    }
    return answer
  }
  async function wrong(answer){
    try{
      return plain((await answer.json()).why||'the bench says '+answer.status)
    }catch(error){
      return 'the bench says '+answer.status
    }
  }
  async function readStatus(){
    const before=statusAt,answer=await ask('/status');
    if(!answer.ok)throw new Error(await wrong(answer));
    const told=await answer.json();
    // What the stream has told meanwhile is newer.
    if(statusAt===before)setStatus(told)
  }
  function setStatus(told){
    status=told;
    statusAt=performance.now();
    dirty=true
  }
  function forget(){
    run=newRun();
    question=null;
    page=0;
    dirty=true
  }
  const turn=new MessageChannel();
  const breathe=()=>new Promise(done=>{
    turn.port1.onmessage=done;
    turn.port2.postMessage(0)
  });
  const same=(one,other)=>one.prev===other.prev&&one.t===other.t&&one.kind===other.kind;

  // One event of the stream; true when the stream is to be opened anew, from what is known then.
  function receive(id,event,data){
    if(event==='next'){
      isRead=Boolean(wanted);
      if(!wanted)forget();
      return true
    }
    if(event==='status'){
      setStatus(JSON.parse(data));
      return false
    }
    if(!id)return false;
    if(id>run.last+1)return true;
    if(id<=run.last){
      if(id===run.last&&same(JSON.parse(data),run.tail))return false;
      forget();
      return true
    }
    run.last=id;
    // Passed checks are many and long; their verdict counts them.
    if(event==='check'&&data.includes('"result":"pass"')){
      run.tail=null;
      run.raw=data;
      return false
    }
    const line=JSON.parse(data);
    run.tail=line;
    // A line that is not as rigs/JOURNAL.md has it is left out, and no reason to end.
    if(Object.hasOwn(kinds,line.kind))attempt(kinds[line.kind],line);
    dirty=true;
    return false
  }
  async function read(body,heard){
    const reader=body.getReader(),decoder=new TextDecoder();
    let rest='',id=0,event='',data='',started=performance.now();
    for(;;){
      const {done,value}=await reader.read();
      if(done)return;
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
            again=true;
            return
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
  // A run of long ago has been read to its end, after which nothing comes.
  let isRead=false;
  let stream=null,again=false,heardAt=0;
  async function follow(){
    let pause=500;
    for(;;){
      stream=new AbortController();
      again=isRead=false;
      try{
        await readStatus();
        if(!wanted&&status.line!==undefined&&status.line<run.last)forget();
        if(run.last&&!run.tail)run.tail=JSON.parse(run.raw);
        const more=run.last>1?{'Last-Event-ID':String(run.last-1)}:{};
        const answer=await ask('/events'+(wanted?'?run='+wanted:''),
          {signal:stream.signal,headers:more});
        if(!answer.ok)throw new Error(await wrong(answer));
        $('token').hidden=true;
        reached=true;
        heardAt=performance.now();
        dirty=true;
        await read(answer.body,()=>{
          heardAt=performance.now();
          pause=500
        });
        lostWhy='the bench closed the connection'
      }catch(error){
        lostWhy=error.name==='AbortError'?'nothing was heard for 25 seconds':
          error.name==='TypeError'?'the bench cannot be reached':error.message
      }
      if(isRead)await new Promise(done=>{
        wake=done
      });
      if(again)continue;
      reached=false;
      dirty=true;
      nextTry=performance.now()+pause*(.8+Math.random()*.4);
      await new Promise(done=>{
        wake=done;
        setTimeout(done,nextTry-performance.now())
      });
      pause=Math.min(pause*2,15000)
    }
  }
  let wake=()=>{};
  function reopen(){
    again=true;
    if(stream)stream.abort();
    wake()
  }

  /* Answers and orders. */

  function say(text,isBad){
    write($('said'),text);
    $('said').className=isBad?'bad':''
  }
  async function post(path,body){
    if(operator)body.by=operator;
    try{
      return await ask(path,{method:'POST',headers:{'Content-Type':'application/json'},
        body:JSON.stringify(body)})
    }catch(error){
      say('Not sent: '+(error.name==='TypeError'?'the bench cannot be reached':error.message)+'.',true);
      return null
    }
  }
  async function answerWith(text){
    if(sending||!question||performance.now()-questionShown<250)return;
    const asked=question;
    sending=true;
    const answer=await post('/answer',{id:asked.id,answer:text});
    sending=false;
    if(!answer)return;
    if(answer.ok){
      run.over=Math.max(run.over,asked.id);
      $('entry').value='';
      say('Taken: '+plain(text)+'.')
    }else if(answer.status===409){
      const first=await answer.json();
      run.over=Math.max(run.over,asked.id);
      say(first.answer===undefined?plain(first.why):plain(first.by||'Somebody')+' was first, at the '+
        plain(first.from)+': '+plain(first.answer)+'.',true)
    }else if(answer.status===410){
      run.over=Math.max(run.over,asked.id);
      say('The question is over.',true)
    }else say('Not taken: '+await wrong(answer)+'.',true);
    dirty=true;
    refresh()
  }
  async function order(body,done){
    say('');
    const answer=await post('/control',body);
    if(!answer)return;
    if(!answer.ok){
      say('Refused: '+await wrong(answer)+'.',true);
      return
    }
    if(done)say(done);
    refresh();
    return answer
  }
  let refreshing=null;
  function refresh(){
    if(!refreshing)refreshing=readStatus().catch(()=>wake()).finally(()=>{
      refreshing=null
    })
  }
  // What cannot be undone is pressed twice within four seconds.
  function twice(pressed,done){
    const label=pressed.textContent;
    let timer=0;
    function calm(){
      clearTimeout(timer);
      timer=0;
      pressed.textContent=label;
      pressed.classList.remove('sure')
    }
    pressed.addEventListener('click',()=>{
      if(timer){
        calm();
        done();
        return
      }
      pressed.textContent='Press again: '+label.toLowerCase();
      pressed.classList.add('sure');
      timer=setTimeout(calm,4000)
    })
  }

  /* Now. */

  function openQuestion(){
    if(status.question&&status.question.id>run.over&&(wanted||behind))return status.question;
    if(wanted||behind)return null;
    if(run.question&&run.question.id>run.over)return run.question;
    return status.question&&status.question.id>run.over&&status.line>=run.last?status.question:null
  }
  // A letter or digit for each answer: its first letter that is free, or its place.
  function keysOf(answers){
    const used=new Set();
    return answers.map((answer,at)=>{
      const key=[...plain(answer).toLowerCase()].find(one=>/[a-z0-9]/.test(one)&&!used.has(one))||
        String(at+1);
      used.add(key);
      return key
    })
  }
  function showDeck(asked){
    $('deck').hidden=asked.ask!=='cards';
    if(asked.ask!=='cards')return;
    const seen=run.round?run.round.seen:new Set();
    const picked=new Set($('entry').value.split(/\s+/));
    if(!$('deck').childElementCount)
      for(const suit of 'shdc')for(const rank of 'AKQJT98765432'){
        const card=rank+suit,made=button(cardFace(card),()=>pick(card));
        made.dataset.card=card;
        made.tabIndex=card==='As'?0:-1;
        if('dh'.includes(suit))made.className='red';
        $('deck').append(made)
      }
    for(const made of $('deck').children){
      const card=made.dataset.card,isSeen=seen.has(card);
      made.setAttribute('aria-disabled',isSeen);
      made.setAttribute('aria-pressed',picked.has(card));
      made.setAttribute('aria-label',cardName(card)+(isSeen?', already seen':''))
    }
  }
  function pick(card){
    const cards=$('entry').value.trim().split(/\s+/).filter(Boolean);
    if(run.round&&run.round.seen.has(card))return;
    $('entry').value=(cards.includes(card)?cards.filter(one=>one!==card):[...cards,card]).join(' ');
    dirty=true
  }
  function showQuestion(){
    const asked=openQuestion(),isNew=asked&&(!question||question.id!==asked.id);
    // A station has its page answer what the program that plays asks of a script.
    const mine=asked&&(!asked.from||asked.from.includes('page')||
      status.command==='station'&&asked.from.includes('script'));
    if(isNew){
      questionShown=performance.now();
      const left=status.question&&status.question.id===asked.id?status.question['left-ms']:undefined;
      questionSince=left===undefined?questionShown:statusAt+left-asked['limit-ms'];
      $('entry').value='';
      say('')
    }
    question=asked;
    $('now').classList.toggle('asking',Boolean(asked));
    paint($('asked'),asked&&[asked.id,asked.text,mine],()=>!asked?[]:[said(asked.text),
      ...mine?[]:[make('small','','To be answered at the '+asked.from.join(' or ')+'.')]]);
    const answers=mine&&asked.answers||[],keys=keysOf(answers);
    paint($('answers'),[asked&&asked.id,answers],()=>answers.map((answer,at)=>{
      const made=button(said(answer),()=>answerWith(answer));
      made.append(make('kbd','',keys[at]));
      made.dataset.key=keys[at];
      made.setAttribute('aria-keyshortcuts',keys[at]);
      return made
    }));
    $('typed').hidden=!mine||answers.length>0;
    if(asked&&mine)showDeck(asked);
    else $('deck').hidden=true;
    if(isNew&&mine&&document.activeElement===document.body)
      (answers.length?$('answers').firstChild:asked.ask==='cards'?$('deck').firstChild:$('entry'))
        .focus({preventScroll:true})
  }
  const STATES={idle:'Nothing is being played.',playing:'Playing.',paused:'Paused between rounds.',
    stopping:'Finishing this round; stop now cuts it short.',ended:'The run has ended.',
    resetting:'The bench is being reset.'};
  function showWait(){
    const wait=behind||wanted?status.wait:run.wait||status.state==='playing'&&status.wait;
    const clock=wait||question;
    let limit=clock&&clock['limit-ms'],since=0;
    if(question)since=performance.now()-questionSince;
    else if(wait)since=wait===run.wait?performance.now()-run.waitSince:
      (wait['since-ms']||0)+performance.now()-statusAt;
    if(question)limit=question['limit-ms'];
    if(run.start&&run.start.clock==='virtual')limit=0;
    let text=question?'A person is asked.':wait?
      'Waiting for '+plain(wait.for)+(wait.device?' from the '+plain(wait.device):'')+'.':
      run.end&&!wanted?'The run has ended: '+plain(run.end.verdict)+'.':
      run.paused?STATES.paused:STATES[status.state]||'';
    if(status.said)text+=' '+plain(status.said);
    if(!reached&&lostWhy)text=run.end?'The run has ended: '+plain(run.end.verdict)+'.':
      'Not connected: what is below is how it was.';
    write($('wait'),text);
    const seconds=since/1000,runs=Boolean(clock)&&reached;
    write($('clock'),runs?seconds.toFixed(limit?1:0)+' s'+(limit?' of '+limit/1000+' s':''):'');
    $('time').hidden=!runs||!limit;
    if(limit)$('time').value=Math.min(1,since/limit);
    if(question&&limit&&question.otherwise)write($('clock'),$('clock').textContent+
      ', then '+plain(question.otherwise))
  }
  function showOrders(){
    const state=status.state,isOn=reached&&(state==='playing'||state==='paused'||state==='stopping');
    $('pause').disabled=!isOn||state==='stopping';
    write($('pause'),state==='paused'?'Continue':'Pause');
    $('stop').disabled=!isOn||state==='stopping';
    $('stop-now').disabled=!isOn;
    $('go').disabled=!reached||isOn;
    $('reset').disabled=$('doctor').disabled=!reached||isOn
  }
  function showLink(){
    let kind='live',text='live',far='';
    const total=status.line||0;
    if(!reached){
      const seconds=Math.max(0,Math.ceil((nextTry-performance.now())/1000));
      kind=run.end?'over':'lost';
      text=!lostWhy?'connecting':run.end?'ended':'disconnected: '+lostWhy;
      far=lostWhy?'next try in '+seconds+' s':''
    }else if(behind){
      kind='behind';
      text='catching up';
      far=run.last.toLocaleString('en')+' of '+total.toLocaleString('en')
    }else if(run.end||status.state==='ended'){
      kind='over';
      text=wanted?'run '+wanted+', ended':'ended'
    }else if(wanted)text='run '+wanted;
    $('link').className='link '+kind;
    write($('link'),text);
    write($('far'),far);
    document.title=(question?'? '+plain(question.text)+' \u2013 ':'')+'dealproof';
    $('retry').hidden=reached||!lostWhy;
    document.body.classList.toggle('stale',!reached&&Boolean(lostWhy)&&!run.end);
    write($('rig'),status.rig?plain(status.rig)+(status.run?', run '+status.run:''):'');
    write($('others'),status.operator&&status.operator!==operator?'(bench: '+plain(status.operator)+')':'')
  }

  /* Table. */

  // Where the cards of the round lie: by the engine once it has settled it, by the deal before.
  function lay(round){
    const settled=round.settled;
    if(settled&&settled.seats){
      const seats=table();
      for(const seat in settled.seats)seats[seat]=settled.seats[seat].cards;
      return {seats,dealer:settled.dealer?settled.dealer.cards:[],board:settled.board,
        burned:settled.burned,pile:[]}
    }
    const laid={seats:table(),dealer:[],board:[],burned:[],pile:[]};
    const packets=round.packets.map(packet=>packet.cards);
    const deal=DEALS[run.recording&&run.recording.game];
    const hands=Object.keys(round.bets).sort((a,b)=>a-b);
    if(deal&&deal.dealer)hands.push('dealer');
    const single=round.dealing==='shoe'||packets.length>1&&packets[0].length+packets[1].length===2;
    if(!deal||!hands.length||single&&run.burn===null||packets.length===1&&packets[0].length===1&&
        run.burn===null){
      laid.pile=packets.flat();
      return laid
    }
    const give=(hand,cards)=>{
      if(hand==='dealer')laid.dealer.push(...cards);
      else (laid.seats[hand]=laid.seats[hand]||[]).push(...cards)
    };
    if(single){
      const cards=packets.flat(),inHands=hands.length*deal.hand;
      laid.burned=cards.splice(0,run.burn);
      cards.slice(0,inHands).forEach((card,at)=>give(hands[at%hands.length],[card]));
      laid[deal.board?'board':'pile']=cards.slice(inHands);
      return laid
    }
    if(packets.length&&(run.burn===null?packets[0].length!==deal.hand:run.burn>0))
      laid.burned=packets.shift();
    hands.forEach((hand,at)=>give(hand,packets[at]||[]));
    const rest=packets.slice(hands.length);
    if(deal.board&&rest.length){
      laid.board=rest.shift();
      if(deal.lastBurned&&laid.board.length===deal.board)
        laid.burned=[...laid.burned,laid.board[deal.board-1]],laid.board=laid.board.slice(0,-1)
    }
    laid.pile=rest.flat();
    return laid
  }
  const cardRow=cards=>make('div','cards',...cards.map(face));
  function failure(check){
    return make('li','',make('b','',said(check.name)),check.wager?[' ',plain(check.wager)].join(''):'',
      ': expected ',...worth(check,check.expected),', got ',...worth(check,check.got),
      check.why?' \u2013 ':'',said(check.why||''))
  }
  const failures=fails=>fails.length?[make('ul','fails',...fails.slice(0,SHOWN).map(failure),
    ...fails.length>SHOWN?[make('li','','and '+count(fails.length-SHOWN,'other'))]:[])]:[];
  function seatChildren(seat){
    const sign=[seat.lit?'lit':'',seat.sensed?'wager on the sensor':'',...seat.notes].filter(Boolean);
    const head=make('h4','','Seat '+seat.number);
    const lamp=make('span','lamp');
    lamp.setAttribute('aria-hidden','true');
    head.append(lamp,make('small','',plain(sign.join(', '))));
    const wagers=Object.keys({...seat.bets,...seat.net}).map(name=>{
      const isWrong=seat.fails.some(check=>check.wager===name);
      const made=make('span',isWrong?'wrong':'',said(name),' ',
        seat.bets[name]===undefined?'':money(seat.bets[name]));
      if(seat.net&&seat.net[name]!==undefined){
        const net=seat.net[name];
        made.append(' ',make('b',net>0?'plus':'minus',net===0?'push':net>0?'+'+money(net):money(net)))
      }
      return made
    });
    return [head,make('div','wagers',...wagers),cardRow(seat.cards),
      make('div','',seat.hand?said(seat.hand):'',seat.total===undefined?'':
        make('b',seat.total>0?'plus':'minus',' '+(seat.total>0?'+':'')+money(seat.total)),
      seat.decisions.length?make('small','',' '+plain(seat.decisions.join(', '))):''),
      ...failures(seat.fails)]
  }
  function showSeats(round,laid){
    const settled=round&&round.settled&&round.settled.seats||{};
    for(const number of SEATS){
      const where=$('seats').children[number-1],own=settled[number]||{};
      const seat={number,lit:run.lights.includes(number),sensed:run.sensed.has(number),
        bets:round&&round.bets[number]||{},cards:laid.seats[number]||[],net:own.net,hand:own.hand,
        total:own.total,decisions:round&&round.decisions[number]||[],
        notes:round?round.notes.filter(note=>note[0]===number).map(note=>note[1]):[],
        fails:round?round.fails.filter(check=>check.seat===number):[]};
      where.className=(seat.lit?'lit ':'')+(seat.decisions.includes('fold')?'folded':'');
      paint(where,seat,()=>seatChildren(seat))
    }
  }
  function spot(where,title,cards,more,fails){
    paint(where,[title,cards,more,fails],()=>[make('h4','',title),cardRow(cards),
      make('div','',more||'\u00a0'),...failures(fails)])
  }
  const PLACES={'burned-cards':'burned','dealer-qualifies':'dealer'};
  function showMiddle(round,laid){
    const settled=round&&round.settled||{},fails=round?round.fails:[],dealer=settled.dealer;
    const at=place=>fails.filter(check=>!check.seat&&PLACES[check.name]===place);
    spot($('dealer'),'Dealer',laid.dealer,dealer?plain(dealer.hand)+(dealer.qualifies===undefined?'':
      dealer.qualifies?', qualifies':', does not qualify'):'',at('dealer'));
    spot($('board'),'Board',laid.board,'',[]);
    spot($('burned'),'Burned',laid.burned,'',at('burned'));
    spot($('pile'),'Drawn',laid.pile,'',[]);
    const loose=[...fails.filter(check=>!check.seat&&!PLACES[check.name]&&!check.device),
      ...run.outside.slice(0,KEPT_CHECKS)];
    const why=round&&round.verdict&&round.verdict!=='pass'?round.why:'';
    const error=settled.error;
    paint($('loose'),[loose,why,error],()=>[
      ...why?[make('li','',make('b','',said(round.verdict)),': ',said(why))]:[],
      ...error?[make('li','','The engine: ',said(error))]:[],...loose.map(failure)])
  }
  function deviceLines(name){
    const lines=[];
    if(name!=='terminal')return lines;
    const screen=run.screen||{};
    if(screen.state)lines.push('screen: '+[screen.state,screen.seat&&'seat '+screen.seat,screen.hand,
      screen.cents!==undefined&&money(screen.cents),
      screen['wrong-codes']&&count(screen['wrong-codes'],'wrong code')].filter(Boolean).join(', '));
    const sign=run.sign||{};
    if(run.sign)lines.push('sign: '+(sign.seat?'seat '+sign.seat+', '+money(sign.pays):'no award'));
    for(const paid of run.round?run.round.paid.slice(0,8):[])
      lines.push('paid: seat '+paid.seat+', '+money(paid.pays)+(paid.hand?', '+paid.hand:''));
    for(const meter in run.meters||{}){
      const due=run.round&&run.round.verdict&&run.round.settled&&run.round.settled.meters;
      lines.push('meter '+meter+': $'+run.meters[meter]+(due&&due[meter]!==undefined&&
        due[meter]!==run.meters[meter]?' (engine: $'+due[meter]+')':''))
    }
    return lines
  }
  function showDevices(round){
    const shown=run.devices.map(device=>{
      const state=run.state[device.name]||{};
      return {name:device.name,model:[device.model||device.driver,device.firmware].filter(Boolean),
        text:state.text,away:state.away,fault:state.fault,test:state.test,
        wait:run.wait&&run.wait.device===device.name?run.wait.for:'',
        lines:deviceLines(device.name),
        fails:round?round.fails.filter(check=>!check.seat&&check.device===device.name&&
          !PLACES[check.name]):[]}
    });
    paint($('devices'),shown,()=>shown.map(one=>make('div','',
      make('dt','',said(one.name),' ',make('small','',said(one.model.join(', ')))),
      ...one.away?[make('dd','wrong',one.away)]:[],
      ...one.fault?[make('dd','wrong','fault: ',said(one.fault))]:[],
      make('dd','',one.wait?'awaited: '+plain(one.wait):said(one.text||'')),
      ...one.test?[make('dd','','in test mode')]:[],
      ...one.lines.map(line=>make('dd','',said(line))),
      ...one.fails.length?[make('dd','',...failures(one.fails))]:[])))
  }
  function showTable(){
    const round=run.round,recording=run.recording;
    const laid=round?lay(round):{seats:{},dealer:[],board:[],burned:[],pile:[]};
    const data=[round&&round.number,round&&round.verdict,recording&&recording.recording,
      recording&&recording.path];
    paint($('playing'),data,()=>!recording?['Nothing has been dealt yet.']:[
      round?'Round '+round.number+(recording.rounds?' of '+recording.rounds:'')+', ':'',
      said(recording.game),' ',round&&round.verdict?make('b','v '+round.verdict,round.verdict):'',
      ' ',make('small','',said(recording.path))]);
    showMiddle(round,laid);
    showSeats(round,laid);
    showDevices(round)
  }

  /* Results. */

  let page=0;
  function showTiles(){
    const total=VERDICTS.reduce((sum,verdict)=>sum+(run.counts[verdict]||0),0);
    const shown=VERDICTS.filter(verdict=>run.counts[verdict]||verdict==='pass'||verdict==='fail');
    paint($('tiles'),[run.counts,run.checks,run.retries],()=>[['rounds',total,''],
      ...shown.map(verdict=>[verdict,run.counts[verdict]||0,
        verdict==='pass'?'pass':run.counts[verdict]&&verdict!=='skipped'?'bad':'']),
      ['checks passed',run.checks.pass,''],['failed',run.checks.fail,run.checks.fail?'bad':''],
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
  function showFailures(){
    const groups=[...run.groups.values()].slice(0,LISTED);
    const more=run.groups.size-groups.length;
    paint($('failures'),[groups.map(group=>[group.times,group.last]),more,run.ungrouped],()=>[
      ...groups.map(group=>make('tr','',make('td','n',group.times.toLocaleString('en')),
        make('td','',said(group.check.name)),make('td','',said(where(group.check))),
        make('td','',...worth(group.check,group.check.expected)),
        make('td','',...worth(group.check,group.check.got)),
        make('td','',said(group.check.why||'')),
        make('td','',group.first===group.last?group.first:group.first+' \u2026 '+group.last))),
      ...more||run.ungrouped?[wide('and '+count(more,'other')+' besides'+
        (run.ungrouped?', and '+count(run.ungrouped,'failure')+' that are not kept apart':''),7)]:[],
      ...groups.length?[]:[wide('none so far',7)]])
  }
  function wide(text,columns){
    const cell=make('td','',text);
    cell.colSpan=columns;
    return make('tr','',cell)
  }
  function options(select,values){
    const missing=values.filter(value=>![...select.options].some(one=>one.value===value));
    for(const value of missing)select.add(new Option(plain(value),value))
  }
  function showFailed(){
    const form=$('filter'),check=form.check.value,seat=form.seat.value,device=form.device.value;
    options(form.check,[...run.names]);
    options(form.device,run.devices.map(one=>one.name));
    const fits=entry=>!check&&!seat&&!device||!check&&!seat&&entry.device===device||
      entry.fails.some(one=>(!check||one.name===check)&&(!seat||String(one.seat)===seat)&&
        (!device||one.device===device));
    const found=run.failed.filter(fits),pages=Math.max(1,Math.ceil(found.length/ROWS));
    page=Math.min(page,pages-1);
    const rows=found.slice(page*ROWS,(page+1)*ROWS);
    paint($('failed'),[rows.map(entry=>[entry.sign,entry.from,entry.times])],()=>rows.length?
      rows.map(entry=>make('tr','',
        make('td','',entry.recording+'/'+entry.from+(entry.times>1?' \u2026 '+entry.to+', '+
          count(entry.times,'time'):'')),
        make('td','',make('b','v '+entry.verdict,said(entry.verdict))),
        make('td','',entry.why?said(entry.why):'',...failures(entry.fails),
          entry.more>0?'and '+count(entry.more,'other')+' in the report':''))):
      [wide(run.failed.length?'none that fit':'none so far',3)]);
    $('earlier').disabled=page===0;
    $('later').disabled=page>=pages-1;
    write($('page'),'page '+(page+1)+' of '+pages+(run.lost?'; '+count(run.lost,'earlier round')+
      ' are in the report':''))
  }
  async function save(path,name){
    try{
      const answer=await ask(path);
      if(!answer.ok)throw new Error(await wrong(answer));
      const link=make('a');
      link.href=URL.createObjectURL(await answer.blob());
      link.download=name;
      link.click();
      setTimeout(()=>URL.revokeObjectURL(link.href),10000)
    }catch(error){
      say('Not saved: '+error.message+'.',true)
    }
  }
  // A link cannot carry the token, so with one the page is saved instead.
  function pageOfRun(number,name,label){
    const path='/runs/'+number+'/'+name;
    if(token)return button('Save '+label,()=>save(path,name+'-'+number+'.html'));
    const link=make('a','',label);
    link.href=path;
    link.target='_blank';
    return link
  }
  function showAbout(){
    const start=run.start,number=wanted||status.run;
    paint($('about'),[start&&start.command,start&&start.seed,run.end&&run.end.verdict],()=>!start?
      ['No run yet.']:[make('b',run.end?'v '+run.end.verdict:'',
        run.end?said(run.end.verdict):'running'),' ',said(start.command.join(' ')),
      make('small','',' seed '+plain(start.seed)+', '+plain(start.clock)+' clock'+
        (start.date?', '+plain(start.date):''))]);
    paint($('links'),[number,Boolean(start),Boolean(token),wanted],()=>!number||!start?[]:[
      pageOfRun(number,'report','Report'),pageOfRun(number,'shuffles','Shuffles'),
      ...wanted?[button('Back to what is played now',()=>view(0))]:[]])
  }
  function view(number){
    wanted=number;
    forget();
    reopen()
  }
  function showResults(){
    showAbout();
    showTiles();
    showFailures();
    showFailed()
  }

  /* Start: of a station only. */

  let recordings=[];
  const chosen=new Set();
  function found(){
    const words=$('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    return recordings.filter(one=>{
      const text=[one.path,one.game,one.note,one.last].join(' ').toLowerCase();
      return words.every(word=>text.includes(word))
    })
  }
  function showRecordings(){
    const fit=found(),shown=fit.slice(0,LISTED);
    paint($('recordings'),shown.map(one=>[one,chosen.has(one.path)]),()=>shown.map(one=>{
      const box=make('input'),facts=make('small','',said(one.game),', '+count(one.rounds||0,'round'));
      box.type='checkbox';
      box.checked=chosen.has(one.path);
      box.addEventListener('change',()=>{
        if(box.checked)chosen.add(one.path);
        else chosen.delete(one.path);
        painted.delete($('recordings'));
        showChosen(fit)
      });
      if(one.last)facts.append(', last: ',make('b','v '+one.last,said(one.last)));
      if(one.note)facts.append(' \u2013 ',said(one.note));
      return make('li','',make('label','',box,' ',said(one.path),facts))
    }));
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
  function showRuns(runs){
    const shown=runs.slice(0,LISTED);
    $('history').hidden=!shown.length;
    paint($('runs'),[shown,Boolean(token)],()=>shown.map(one=>make('li','','Run '+one.run+' ',
      make('b','v '+one.verdict,said(one.verdict||'running')),' ',said(one.command),
      make('small','',' '+count(one.rounds||0,'round')+', '+(one.failed||0)+' failed'+
        (one.started?', '+plain(one.started):'')+' '),
      button('Show',()=>view(one.run===status.run?0:one.run)),
      pageOfRun(one.run,'report','Report'),pageOfRun(one.run,'shuffles','Shuffles'))))
  }
  // A folder stands for all that is in it: an order has room for 4,096 bytes.
  function inOrder(){
    const list=recordings.filter(one=>chosen.has(one.path));
    const sequence=$('sequence').value;
    if(sequence==='chosen')return [...chosen];
    if(sequence==='failed')
      return list.sort((a,b)=>(a.last==='pass')-(b.last==='pass')||(a.path<b.path?-1:1))
        .map(one=>one.path);
    const folderOf=path=>path.slice(0,Math.max(0,path.lastIndexOf('/')));
    const whole=new Set(recordings.map(one=>folderOf(one.path)));
    for(const one of recordings)if(!chosen.has(one.path))whole.delete(folderOf(one.path));
    whole.delete('');
    return [...new Set(list.map(one=>whole.has(folderOf(one.path))?folderOf(one.path):one.path))].sort()
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
  async function start(event){
    event.preventDefault();
    const body=startOrder();
    if(body.recordings&&!body.recordings.length)return say('Choose a recording first.',true);
    if(new TextEncoder().encode(JSON.stringify({...body,by:operator})).length>4096)
      return say('These are too many to name in one order: choose fewer, or whole folders by name.',true);
    if(await order(body,'Started.')){
      if(wanted)view(0);
      turnTo('table')
    }
  }
  async function examine(){
    const answer=await order({do:'doctor'},'Looked for faults.');
    if(!answer)return;
    const rows=(await answer.json()).doctor||[];
    $('found').replaceChildren(...rows.map(row=>make('li',row.ok?'':'bad',
      make('b','',row.ok?'fine: ':'wrong: '),said(row.what),row.why?': ':'',said(row.why||''),
      row.remedy?make('div','','To do: ',said(row.remedy)):'')))
  }
  function turnTo(name){
    document.body.dataset.view=name;
    for(const one of document.querySelectorAll('nav button'))
      one.setAttribute('aria-pressed',one.dataset.to===name)
  }
  let isStation=false,listedRun='';
  function showStart(){
    if(status.command==='station'&&!isStation){
      isStation=true;
      $('start').hidden=document.querySelector('[data-to=start]').hidden=false;
      if(!run.start)turnTo('start')
    }
    const now=[status.run,status.state,reached].join();
    if(isStation&&reached&&now!==listedRun){
      listedRun=now;
      readLists()
    }
  }

  /* The operator, and everything that is pressed. */

  function remember(where,name,value){
    try{
      if(value===undefined)return where.getItem(name)||'';
      where.setItem(name,value)
    }catch(error){
      // A browser that keeps nothing asks again after a reload.
    }
    return ''
  }
  function showOperator(){
    $('operator').hidden=Boolean(operator);
    $('shift').hidden=!operator;
    write($('who'),plain(operator))
  }
  function listen(id,event,done){
    $(id).addEventListener(event,done)
  }
  function submit(id,done){
    listen(id,'submit',event=>{
      event.preventDefault();
      done()
    })
  }
  submit('operator',()=>{
    operator=$('name').value.trim();
    if(!operator)return;
    remember(localStorage,'operator',operator);
    showOperator();
    $('change').focus();
    if(isStation)order({do:'operator'},'')
  });
  listen('change','click',()=>{
    $('name').value=operator;
    operator='';
    showOperator();
    $('name').focus()
  });
  submit('token',()=>{
    token=$('secret').value.trim();
    $('secret').value='';
    remember(sessionStorage,'token',token);
    reopen()
  });
  submit('typed',()=>answerWith($('entry').value.trim()));
  submit('filter',()=>{});
  listen('order','submit',start);
  listen('undo','click',()=>{
    $('entry').value=$('entry').value.trim().split(/\s+/).slice(0,-1).join(' ');
    dirty=true
  });
  listen('entry','input',()=>{
    dirty=true
  });
  listen('retry','click',()=>wake());
  listen('pause','click',()=>order({do:status.state==='paused'?'continue':'pause'}));
  listen('stop','click',()=>order({do:'stop'},'Stopping after this round.'));
  twice($('stop-now'),()=>order({do:'stop-now'},'Stopping now.'));
  twice($('reset'),()=>order({do:'reset'},'The bench is being reset.'));
  listen('doctor','click',examine);
  listen('search','input',showRecordings);
  listen('all','click',()=>{
    for(const one of found())chosen.add(one.path);
    showRecordings()
  });
  listen('none','click',()=>{
    chosen.clear();
    showRecordings()
  });
  listen('command','change',()=>{
    $('replayed').hidden=$('command').value!=='run';
    $('observed').hidden=$('command').value==='run'
  });
  listen('filter','input',()=>{
    page=0;
    dirty=true
  });
  listen('earlier','click',()=>{
    page--;
    dirty=true
  });
  listen('later','click',()=>{
    page++;
    dirty=true
  });
  for(const one of document.querySelectorAll('nav button'))
    one.addEventListener('click',()=>turnTo(one.dataset.to));
  listen('deck','keydown',event=>{
    const step={ArrowLeft:-1,ArrowRight:1,ArrowUp:-13,ArrowDown:13}[event.key];
    const cards=[...$('deck').children],to=cards[cards.indexOf(document.activeElement)+step];
    if(!to)return;
    event.preventDefault();
    for(const card of cards)card.tabIndex=card===to?0:-1;
    to.focus()
  });
  document.addEventListener('keydown',event=>{
    if(!question||!$('keys').checked||event.ctrlKey||event.altKey||event.metaKey||event.repeat||
        /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)&&
        document.activeElement.type!=='checkbox')return;
    const hit=[...$('answers').children].find(one=>one.dataset.key===event.key.toLowerCase());
    if(!hit)return;
    event.preventDefault();
    hit.click()
  });
  window.addEventListener('online',()=>wake());

  /* Drawing: once a frame at most, and seldom while lines of long ago come in. */

  let drawn=0;
  function draw(now){
    requestAnimationFrame(draw);
    const isBehind=reached&&(status.line||0)-run.last>200&&!wanted;
    if(isBehind!==Boolean(behind)){
      behind=isBehind;
      dirty=true
    }
    if(now-drawn<(behind?250:dirty?0:100))return;
    drawn=now;
    if(dirty){
      dirty=false;
      // What one part cannot show keeps no other from being shown.
      for(const show of [showQuestion,showTable,showResults,showOrders,showStart])attempt(show)
    }
    if(question&&!$('deck').hidden)showDeck(question);
    showLink();
    showWait()
  }
  setInterval(()=>{
    if(!reached)return;
    if(!isRead&&performance.now()-heardAt>25000)stream.abort();
    else if(behind||wanted)refresh()
  },2000);

  const given=/^#token=(.+)$/.exec(location.hash);
  if(given){
    token=decodeURIComponent(given[1]);
    remember(sessionStorage,'token',token);
    history.replaceState(null,'',location.pathname+location.search)
  }else token=remember(sessionStorage,'token');
  operator=remember(localStorage,'operator');
  for(const seat of SEATS){
    $('seats').append(make('li'));
    $('filter').seat.add(new Option(seat,seat))
  }
  showOperator();
  requestAnimationFrame(draw);
  follow()
})();
