/* Texts, cards and elements: what every part of the page writes with. */

const RANKS={2:'two',3:'three',4:'four',5:'five',6:'six',7:'seven',8:'eight',9:'nine',T:'ten',
  J:'jack',Q:'queen',K:'king',A:'ace'};
const SUITS={c:['\u2663','clubs'],d:['\u2666','diamonds'],h:['\u2665','hearts'],
  s:['\u2660','spades']};
const LONGEST=300;

export const $=id=>document.getElementById(id);

// For names that others chose: "__proto__" is one like any other.
export const table=()=>Object.create(null);

const number=one=>'\u2039U+'+one.codePointAt(0).toString(16).toUpperCase().padStart(4,'0')+'\u203a';
// What cannot be seen, or would turn the text around it, is written as its number; marks that are
// stacked upon a letter stop at the second.
const visible=text=>text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,number)
  .replace(/(\p{M}{2})\p{M}+/gu,'$1\u2026');
// A text of another program, or any other value, as one line of a bounded length.
export function plain(value){
  let text=typeof value==='string'?value:value===undefined?'':JSON.stringify(value);
  if(text.length>LONGEST)text=text.slice(0,LONGEST)+'\u2026 ('+text.length+' characters)';
  return visible(text)
}
export function make(tag,classes,...children){
  const made=document.createElement(tag);
  if(classes)made.className=classes;
  made.append(...children);
  return made
}
export function button(label,done){
  const made=make('button','',label);
  made.type='button';
  made.addEventListener('click',done);
  return made
}
// Text as another program wrote it, which keeps its direction to itself.
export const said=value=>make('bdi','',plain(value));
export function write(where,text){
  if(where.textContent!==text)where.textContent=text
}
const painted=new WeakMap();
// Makes the children of an element anew when `data`, all that they show, has changed.
export function paint(where,data,children){
  const key=JSON.stringify(data);
  if(painted.get(where)===key)return;
  painted.set(where,key);
  where.replaceChildren(...children())
}
export const repaint=where=>painted.delete(where);

export const money=cents=>(cents<0?'\u2212':'')+'$'+
  Math.floor(Math.abs(cents)/100).toLocaleString('en')+'.'+String(Math.abs(cents)%100).padStart(2,'0');
export const count=(many,what)=>many.toLocaleString('en')+' '+what+(many===1?'':'s');
// "12 s", "3 min 5 s", "2 h 10 min"
export function duration(milliseconds){
  const seconds=Math.max(0,Math.round(milliseconds/1000)),minutes=Math.floor(seconds/60);
  if(minutes>=60)return Math.floor(minutes/60).toLocaleString('en')+' h '+minutes%60+' min';
  return minutes?minutes+' min '+seconds%60+' s':seconds+' s'
}

export const isCard=text=>typeof text==='string'&&/^[2-9TJQKA][cdhs]$/.test(text);
export const isRed=card=>'dh'.includes(card[1]);
export const cardName=card=>RANKS[card[0]]+' of '+SUITS[card[1]][1];
export const cardFace=card=>(card[0]==='T'?'10':card[0])+'\n'+SUITS[card[1]][0];
export function cardsOf(value){
  const cards=typeof value==='string'?value.split(' '):value;
  return Array.isArray(cards)&&cards.length&&cards.every(isCard)?cards:null
}
// Cards as people type them: "as kd 10h", in any case, with or without blanks; null: other words.
export function typedCards(text){
  const parts=text.trim().replace(/[,;]/g,' ').match(/(?:10|[2-9tjqka])[cdhs]|\S+/gi)||[];
  const cards=parts.map(part=>part.replace(/^10/,'T'))
    .map(part=>part[0].toUpperCase()+part.slice(1).toLowerCase());
  return cards.length&&cards.every(isCard)?cards:null
}
export function face(card){
  if(!isCard(card))return said(card);
  const made=make('span','card'+(isRed(card)?' red':''),cardFace(card));
  made.setAttribute('role','img');
  made.setAttribute('aria-label',cardName(card));
  return made
}

// What the browser keeps: `where` is 'localStorage' or 'sessionStorage'.
export function remember(where,name,value){
  try{
    if(value===undefined)return window[where].getItem(name)||'';
    window[where].setItem(name,value)
  }catch(error){
    // A browser that keeps nothing asks again after a reload.
  }
  return ''
}
