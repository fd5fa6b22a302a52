/* The open question: what is asked, the answers that are allowed, and what is sent. */
import {$,button,cardFace,cardName,face,isRed,make,paint,plain,said,typedCards,write} from './text.js';
import {seenCards} from './run.js';
import {bench,post,reason,refresh,wrong} from './link.js';

const FRESH_MS=400;  // a finger that was meant for something else is no answer
const EMPTY={cards:'as recorded',wager:'as recorded',decision:'as recorded',step:'done',
  fault:'none'};

// `since` and `shown` are moments of performance.now(): when it was asked, and first seen here.
export const desk={question:null,since:0,shown:0};
let isSending=false,isRefused=false;

export function say(text,isBad){
  write($('said'),text);
  $('said').className=isBad?'bad':''
}
const isFresh=()=>performance.now()-desk.shown<FRESH_MS;

function openQuestion(){
  const {run,status,wanted,isBehind}=bench;
  const told=status.question&&status.question.id>run.over?
    {run:status.run,...status.question}:null;
  if(wanted||isBehind)return told;
  if(run.question&&run.question.id>run.over)return run.question;
  return told&&status.line>=run.last?told:null
}
// A station has its page answer what the program that plays asks of a script.
function isMine(asked){
  return !asked.from||asked.from.includes('page')||
    bench.status.command==='station'&&asked.from.includes('script')
}
const hasEmpty=asked=>Boolean(asked.answers)&&asked.answers.includes('');
const isTyped=asked=>!asked.answers||!asked.answers.length||asked.ask==='cards'||
  asked.ask==='wager'&&hasEmpty(asked);
// What an empty answer means, by the text: "(Enter, as recorded: As Kd 2c)", "(Enter: ante 500)".
function emptyOf(asked){
  const found=/\(Enter(?:, ([^:()]*))?: ?([^()]*)\)/.exec(asked.text||'');
  return found?found[1]||found[2]:/\bEnter\b/.test(asked.text||'')?'Enter':''
}
const takesEmpty=asked=>hasEmpty(asked)||emptyOf(asked)!=='';
// Words that may be said instead of cards.
const wordsOf=asked=>asked.ask!=='cards'?[]:/\bdone\b/.test(asked.text||'')?['done','undo']:['undo'];

/* Sending. */

// An answer in words, with its seat, for it stays in sight when the next question comes.
const inWords=(asked,text)=>(asked.seat?'seat '+asked.seat+', ':'')+
  (plain(text)||(hasEmpty(asked)?EMPTY[asked.ask]:plain(emptyOf(asked)))||'nothing')+'.';
async function sent(asked,text,answer){
  if(answer.ok||answer.status===409||answer.status===410)
    if(asked.run===bench.run.number)bench.run.over=Math.max(bench.run.over,asked.id);
  isRefused=!answer.ok&&answer.status!==409&&answer.status!==410;
  if(answer.ok)return say('Taken: '+inWords(asked,text));
  if(isRefused)
    return say((answer.status===504?'Not sure: ':'Not taken: ')+await wrong(answer)+'.',true);
  if(answer.status===410)return say('Too late: the question is over.',true);
  const first=await answer.json();
  if(first.answer===undefined)return say(plain(first.why),true);
  // What was sent again because the network was slow had arrived the first time.
  if(first.answer===text&&first.by===bench.operator&&bench.operator)
    return say('Taken: '+inWords(asked,text));
  say(plain(first.by||'Somebody')+' was first, at the '+plain(first.from)+': '+
    inWords(asked,first.answer),true)
}
async function answerWith(text){
  const asked=desk.question;
  if(isSending||!asked||isFresh())return;
  isRefused=text===''&&!takesEmpty(asked);
  if(isRefused)return say('Type an answer, or tap it.',true);
  isSending=bench.dirty=true;
  say('Sending\u2026');
  try{
    await sent(asked,text,await post('/answer',{run:asked.run,id:asked.id,answer:text}))
  }catch(error){
    isRefused=true;
    say('Not sent: '+reason(error)+'.',true)
  }
  isSending=false;
  bench.dirty=true;
  refresh()
}

/* Cards and words that are typed or tapped. */

const entered=()=>$('entry').value.trim().split(/\s+/).filter(Boolean);
function enter(words){
  $('entry').value=words.join(' ');
  bench.dirty=true
}
function pick(card){
  const seen=seenCards(bench.run).get(card),words=typedCards($('entry').value)||entered();
  if(words.includes(card))return enter(words.filter(word=>word!==card));
  isRefused=Boolean(seen);
  say(seen?'The '+cardName(card)+' was '+seen+'. Type it if it is here again.':'',isRefused);
  if(!seen)enter([...words,card])
}
function makeDeck(){
  for(const suit of 'shdc')for(const rank of 'AKQJT98765432'){
    const card=rank+suit,made=button(cardFace(card),()=>pick(card));
    made.dataset.card=card;
    made.tabIndex=card==='As'?0:-1;
    if(isRed(card))made.className='red';
    $('deck').append(made)
  }
}
function showDeck(){
  const seen=seenCards(bench.run),cards=typedCards($('entry').value)||[],picked=new Set(cards);
  if(!$('deck').childElementCount)makeDeck();
  for(const made of $('deck').children){
    const card=made.dataset.card,isSeen=seen.has(card);
    made.setAttribute('aria-disabled',isSeen);
    made.setAttribute('aria-pressed',picked.has(card));
    made.setAttribute('aria-label',cardName(card)+(isSeen?', already seen':''))
  }
  paint($('picked'),cards,()=>cards.map(face))
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

/* Showing. */

function begin(asked){
  const told=bench.status.question,left=told&&told.id===asked.id?told['left-ms']:undefined;
  desk.shown=performance.now();
  desk.since=left===undefined?desk.shown:bench.statusAt+left-asked['limit-ms'];
  $('entry').value='';
  if(isRefused)say('');
  isRefused=false
}
function showAnswers(asked,mine){
  const answers=mine&&asked.answers||[],labels=answers.map(one=>one||EMPTY[asked.ask]||'nothing');
  const keys=keysOf(labels);
  paint($('answers'),[asked&&[asked.run,asked.id],answers],()=>answers.map((answer,at)=>{
    const made=button(said(labels[at]),()=>answerWith(answer));
    made.append(make('kbd','',keys[at]));
    made.dataset.key=keys[at];
    made.setAttribute('aria-keyshortcuts',keys[at]);
    return made
  }))
}
function showTyped(asked,mine){
  const isShown=mine&&isTyped(asked),isCards=isShown&&asked.ask==='cards';
  const words=isShown?wordsOf(asked):[],isEmpty=isShown&&!$('entry').value.trim();
  $('typed').hidden=!isShown;
  paint($('words'),[asked&&[asked.run,asked.id],words],()=>words.map(word=>button(word,()=>answerWith(word))));
  $('deck').hidden=$('picked').hidden=!isCards;
  if(isCards)showDeck();
  write($('send'),isEmpty&&!hasEmpty(asked)&&plain(emptyOf(asked))||'Send')
}
function focusOn(asked){
  const first=asked.answers&&asked.answers.length?$('answers').firstChild:
    asked.ask==='cards'?$('deck').firstChild:$('entry');
  first.focus({preventScroll:true})
}
const isSame=(one,other)=>Boolean(one)&&one.id===other.id&&one.run===other.run;
export function showQuestion(){
  const asked=openQuestion(),before=desk.question,isNew=asked&&!isSame(before,asked);
  const mine=Boolean(asked)&&isMine(asked);
  if(isNew)begin(asked);
  desk.question=asked;
  $('now').classList.toggle('asking',Boolean(asked));
  paint($('asked'),asked&&[asked.run,asked.id,asked.text,mine],()=>!asked?[]:[said(asked.text),
    ...mine?[]:[make('small','','To be answered at the '+plain(asked.from.join(' or '))+'.')]]);
  showAnswers(asked,mine);
  showTyped(asked,mine);
  if(isNew&&mine&&document.activeElement===document.body)focusOn(asked)
}
// Time alone changes this.
export function showFresh(){
  $('now').classList.toggle('fresh',Boolean(desk.question)&&(isSending||isFresh()))
}

/* What is pressed. */

function moveInDeck(event){
  const step={ArrowLeft:-1,ArrowRight:1,ArrowUp:-13,ArrowDown:13}[event.key];
  const cards=[...$('deck').children],to=cards[cards.indexOf(document.activeElement)+step];
  if(!to)return;
  event.preventDefault();
  for(const card of cards)card.tabIndex=card===to?0:-1;
  to.focus()
}
// A letter or digit answers, unless it is typed into something.
function answerByKey(event){
  const at=document.activeElement;
  if(!desk.question||!$('keys').checked||event.ctrlKey||event.altKey||event.metaKey||event.repeat||
      /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)&&at.type!=='checkbox')return;
  const hit=[...$('answers').children].find(one=>one.dataset.key===event.key.toLowerCase());
  if(!hit)return;
  event.preventDefault();
  hit.click()
}
$('typed').addEventListener('submit',event=>{
  event.preventDefault();
  const text=$('entry').value.trim(),asked=desk.question;
  const cards=asked&&asked.ask==='cards'?typedCards(text):null;
  answerWith(cards?cards.join(' '):text)
});
$('undo').addEventListener('click',()=>enter((typedCards($('entry').value)||entered()).slice(0,-1)));
$('entry').addEventListener('input',()=>{
  bench.dirty=true
});
$('deck').addEventListener('keydown',moveInDeck);
document.addEventListener('keydown',answerByKey);
