/*
 * The verdict on the shuffles of the run so far, with its pictures: the bench's own page of them,
 * copied element by element, for as long as somebody looks at it. It is asked for again when rounds
 * have ended. Its style stays within a shadow root; of its markup nothing is taken but what shows.
 */
import {$,make,write} from './text.js';
import {ask,bench,reason} from './link.js';

const EVERY_MS=5000;  // at most: judging many shuffles takes the bench a while
const TAGS=new Set(('a b br caption circle code div em figcaption figure g h1 h2 h3 header i li line ol '+
  'p path polyline rect section small span svg table tbody td text th thead title tr tspan ul')
  .split(' '));
const ATTRIBUTES=new Set(('aria-label class colspan cx cy d height points r role rowspan scope text-anchor '+
  'transform viewBox width x x1 x2 y y1 y2').split(' '));

function copy(node){
  if(node.nodeType===Node.TEXT_NODE)return document.createTextNode(node.data);
  if(node.nodeType!==Node.ELEMENT_NODE||!TAGS.has(node.localName))return '';
  // What was a link leads nowhere here.
  const made=node.localName==='a'?make('span'):
    document.createElementNS(node.namespaceURI,node.localName);
  for(const {name,value} of node.attributes)if(ATTRIBUTES.has(name))made.setAttribute(name,value);
  made.append(...[...node.childNodes].map(copy));
  return made
}
// Its style is taken out of the text first: a parsed one would be refused, as any within a page.
function put(text){
  const style=new CSSStyleSheet(),styles=[];
  const parsed=new DOMParser().parseFromString(
    text.replace(/<style>([^]*?)<\/style>/g,(all,one)=>styles.push(one)&&''),'text/html');
  const root=$('judged').shadowRoot||$('judged').attachShadow({mode:'open'});
  style.replaceSync(styles.join('\n').replaceAll(':root',':host'));
  root.adoptedStyleSheets=[style];
  root.replaceChildren(...[...parsed.body.childNodes].map(copy))
}
function empty(why){
  if($('judged').shadowRoot)$('judged').shadowRoot.replaceChildren();
  write($('unjudged'),why)
}
let shownOf='',isAsking=false,askedAt=-EVERY_MS;
async function bring(number,key){
  isAsking=true;
  askedAt=performance.now();
  try{
    const answer=await ask('/runs/'+number+'/shuffles');
    if(answer.ok){
      put(await answer.text());
      write($('unjudged'),'')
    }else empty('No shuffle of this run can be judged: none that the device made itself is over.');
    shownOf=key
  }catch(error){
    write($('unjudged'),'What is below is how it was: '+reason(error)+'.');
    askedAt+=EVERY_MS
  }
  isAsking=false
}
export function showShuffles(){
  const {run,wanted,status}=bench,number=wanted||status.run,box=$('shuffles');
  const rounds=Object.values(run.counts).reduce((sum,one)=>sum+one,0);
  const key=[number,rounds,Boolean(run.end)].join();
  box.hidden=!number||!run.start;
  if(!box.open||box.hidden||!box.getClientRects().length||document.hidden||!bench.isReached||
      bench.isBehind||isAsking||key===shownOf)return;
  const isOther=shownOf.split(',')[0]!==String(number);
  if(isOther)empty('');
  if(isOther||run.end||performance.now()-askedAt>=EVERY_MS)bring(number,key)
}
