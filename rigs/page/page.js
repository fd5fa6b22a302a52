'use strict';
(function(){
  const form=document.getElementById('filter'),count=document.getElementById('count');
  const sections=Array.from(document.querySelectorAll('section.recording'));
  const suits={'\u2663':'c','\u2666':'d','\u2665':'h','\u2660':'s'};
  const texts=new WeakMap(),dealt=new WeakMap();
  for(const section of sections)
    form.recording.add(new Option(section.querySelector('h3').textContent,section.id));
  function text(round){
    if(!texts.has(round))texts.set(round,round.textContent.toLowerCase());
    return texts.get(round)
  }
  function card(drawn){
    const parts=drawn.textContent.split('\n');
    return (parts[0]==='10'?'t':parts[0].toLowerCase())+suits[parts[1]]
  }
  function cards(round){
    if(!dealt.has(round))dealt.set(round,new Set(Array.from(round.querySelectorAll('i'),card)));
    return dealt.get(round)
  }
  function matches(round,words){
    if(!/^([2-9tjqka][cdhs]\s*)+$/.test(words))return text(round).includes(words);
    return words.match(/\S\S/g).every(function(one){
      return cards(round).has(one)
    })
  }
  function apply(){
    const verdict=form.verdict.value,recording=form.recording.value,
      words=form.words.value.trim().toLowerCase();
    let shown=0;
    for(const section of sections){
      const here=!recording||section.id===recording;
      let any=0;
      for(const round of section.querySelectorAll('details.round')){
        const match=here&&(!verdict||round.dataset.verdict===verdict)&&
          (!words||matches(round,words));
        round.hidden=!match;
        any+=match?1:0
      }
      section.hidden=!here||(!any&&Boolean(verdict||words));
      shown+=any
    }
    count.textContent=shown+' rounds shown'
  }
  function openAll(open){
    for(const round of document.querySelectorAll('details.round'))
      if(!round.hidden)round.open=open
  }
  function follow(){
    const round=document.getElementById(location.hash.slice(1));
    if(!round||!round.matches('details.round'))return;
    if(round.hidden){
      form.reset();
      apply()
    }
    round.open=true;
    round.scrollIntoView()
  }
  form.hidden=false;
  form.addEventListener('input',apply);
  form.addEventListener('submit',function(event){
    event.preventDefault()
  });
  document.getElementById('open').addEventListener('click',function(){
    openAll(true)
  });
  document.getElementById('close').addEventListener('click',function(){
    openAll(false)
  });
  window.addEventListener('hashchange',follow);
  window.addEventListener('beforeprint',function(){
    for(const round of document.querySelectorAll('details.round'))
      if(!round.hidden&&round.dataset.verdict!=='pass'&&!round.matches('.brief'))round.open=true
  });
  apply();
  follow()
})();
