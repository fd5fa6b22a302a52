/* Where the cards of a round lie. */
import {table} from './text.js';

// How packets go round before the engine has settled them; of other games they lie in one row.
const DEALS={
  'flush-rush':{hand:4,dealer:false,board:4,lastBurned:true},
  'chase-the-flush':{hand:3,dealer:true,board:4},
  'three-card-catch':{hand:3,dealer:true,board:0},
  'three-card-poker':{hand:3,dealer:true,board:0}};

export const nothing=()=>({seats:table(),dealer:[],board:[],burned:[],pile:[]});

// How many cards the house burns before the first hand, by a round that is settled.
export function houseBurn(game,settlement,before){
  const deal=Object.hasOwn(DEALS,game)?DEALS[game]:null;
  if(!deal||!settlement.burned||settlement.void)return before;
  return settlement.burned.length-(deal.lastBurned?1:0)
}
function settled({seats,dealer,board,burned}){
  const laid={...nothing(),dealer:dealer?dealer.cards:[],board:board||[],burned:burned||[]};
  for(const seat in seats)laid.seats[seat]=seats[seat].cards;
  return laid
}
function give(laid,hand,cards){
  if(hand==='dealer')laid.dealer.push(...cards);
  else (laid.seats[hand]=laid.seats[hand]||[]).push(...cards)
}
// Whether the first packet is the house's. Where nobody has said so, its size or what comes after
// the hands tells it.
function isBurned(packets,hands,deal,burn){
  if(burn!==null)return burn>0;
  if(packets[0].length!==deal.hand)return true;
  const after=packets[hands.length];
  if(!after||after.length!==deal.hand)return false;
  return deal.board!==deal.hand||packets.length>hands.length+1
}
function layPackets(packets,hands,deal,burn){
  const laid=nothing(),rest=[...packets];
  if(rest.length&&isBurned(rest,hands,deal,burn))laid.burned.push(...rest.shift());
  for(const hand of hands)give(laid,hand,rest.shift()||[]);
  if(deal.board&&rest.length){
    laid.board=[...rest.shift()];
    if(deal.lastBurned&&laid.board.length===deal.board)laid.burned.push(laid.board.pop())
  }
  laid.pile=rest.flat();
  return laid
}
function laySingle(cards,hands,deal,burn){
  const laid=nothing(),inHands=hands.length*deal.hand,rest=[...cards];
  laid.burned=rest.splice(0,burn);
  rest.splice(0,inHands).forEach((card,at)=>give(laid,hands[at%hands.length],[card]));
  laid.board=rest.splice(0,deal.board);
  laid.pile=rest;
  return laid
}
// By the engine once it has settled the round, by the deal before.
export function lay(run){
  const round=run.round;
  if(!round)return nothing();
  if(round.settled&&round.settled.seats)return settled(round.settled);
  const packets=round.packets.map(packet=>packet.cards);
  const game=run.recording&&run.recording.game,deal=Object.hasOwn(DEALS,game)?DEALS[game]:null;
  const hands=Object.keys(round.bets).sort((a,b)=>a-b);
  const isSingle=round.dealing==='shoe'||
    packets.length>1&&packets[0].length+packets[1].length===2;
  const isOpen=run.burn===null&&(isSingle||packets.length===1&&packets[0].length===1);
  if(!deal||!hands.length||isOpen)return {...nothing(),pile:packets.flat()};
  if(deal.dealer)hands.push('dealer');
  return isSingle?laySingle(packets.flat(),hands,deal,run.burn):
    layPackets(packets,hands,deal,run.burn)
}
