/*
 * Which part is shown where there is no room for all of them. The address says it after its #, with
 * the run that is looked at (#results/3), so that a reload and the back button lead to the same.
 */
import {bench,view} from './link.js';

const parts=[...document.querySelectorAll('nav button')];

function show(name){
  document.body.dataset.view=name;
  for(const one of parts)one.setAttribute('aria-pressed',one.dataset.to===name)
}
const address=()=>location.pathname+location.search+'#'+document.body.dataset.view+
  (bench.wanted?'/'+bench.wanted:'');
// `isStep`: the back button returns to what was shown before.
export function turnTo(name,run=bench.wanted,isStep=true){
  show(name);
  if(run!==bench.wanted)view(run);
  const now=address();
  if(now!==location.pathname+location.search+location.hash)
    history[isStep?'pushState':'replaceState'](null,'',now)
}
// What the address says; false: nothing.
export function readAddress(){
  const found=/^#([a-z]+)(?:\/([1-9][0-9]{0,8}))?$/.exec(location.hash);
  if(!found||!parts.some(one=>one.dataset.to===found[1]))return false;
  show(found[1]);
  if(Number(found[2]||0)!==bench.wanted)view(Number(found[2]||0));
  return true
}
for(const one of parts)one.addEventListener('click',()=>turnTo(one.dataset.to));
window.addEventListener('popstate',()=>{
  if(!readAddress())turnTo('table',0,false)
});
