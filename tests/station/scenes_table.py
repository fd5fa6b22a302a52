# SPDX-License-Identifier: GPL-3.0-or-later
"""What the table and the results show of a run."""
import json
import threading
import time

from scene import (CHASE, DEALT, DECISION, OPENED, RUSH, cards, chained, choose, ended, first_at,
                   line, need, on_real_clock, says, scenario, settle, tile, until_asked, until_cards, up_to)


def watch_jumps(page):
    page.evaluate("window.jumps=0;window.jumped=[];new PerformanceObserver(list=>{for(const e of "
                  "list.getEntries())if(!e.hadRecentInput){window.jumps+=e.value;for(const one of e.sources)"
                  "window.jumped.push(one.node&&(one.node.id||one.node.textContent.slice(0,40)))}})"
                  ".observe({type:'layout-shift'})")


def need_calm(page):
    jumps = page.evaluate("window.jumps")
    need(jumps < 0.01, f"the layout jumps by {jumps}: {page.evaluate('window.jumped')}")


@scenario(("deal=Object.hasOwn(DEALS,game)?DEALS[game]:null;\n  const hands", "deal=null;\n  const hands"),
          ("packets:[],typed", "packets:run.round?run.round.packets:[],typed"))
def a_run_is_seen_from_its_start_and_cards_not_before_they_are_dealt(world):
    lines = world.played("run", RUSH)
    bench = world.bench()
    page = world.page(bench)
    for text in lines:
        bench.append([text])
        told = json.loads(text)
        if told["kind"] == "round":
            says(page, "#playing", f"Round {told['round']} of", "the round is not shown")
            need(not page.evaluate("document.querySelectorAll('#table .card').length"),
                 "cards are shown before they are dealt")
            need("ante $10.00" in page.text("#seats li:nth-child(3)"), "the wager is not shown")
        if told.get("event") == "packet-present" and told["round"] == 1 and told["details"]["packet"] <= 2:
            until_cards(page, 4 * told["details"]["packet"],
                        "a packet is not at its seat when it is dealt")
    ended(page)
    need(cards(page, "#seats li:nth-child(3)") == ["ace of diamonds", "ten of diamonds",
                                                   "two of clubs", "five of hearts"],
         "the cards of the last round are not at seat 3")
    need(cards(page, "#board") == ["jack of diamonds", "queen of diamonds", "king of diamonds"],
         "the board is another")
    need("5-card straight flush" in page.text("#seats li:nth-child(3)"), "the hand is not named")
    need(tile(page, "pass") == 2 and tile(page, "rounds") == 2, "the rounds are not counted")


def as_replayed(lines):
    """Where nobody has said how many cards are burned."""
    return chained([text.replace('"--burn"', '"--cut"') if '"kind":"start"' in text else
                    text.replace('"expect":null', '"expect":"unknown"') for text in lines])


def follow_burns(world, lines, expected):
    """Feeds a run and notes where its cards lie before the engine has settled each round."""
    bench = world.bench()
    page = world.page(bench)
    at, seen = 0, []
    for number, text in enumerate(lines):
        if '"kind":"settled"' in text:
            bench.append(lines[at:number])
            at = number
            dealt = sum(len(json.loads(one)["details"]["cards"].split())
                        if '"packet-present"' in one else 1
                        for one in lines[:number] if '"round":%d,' % (len(seen) + 1) in one and
                        ('"packet-present"' in one or '"event":"card"' in one))
            says(page, "#playing", f"Round {len(seen) + 1}", "the round is not shown")
            page.until(f"document.querySelectorAll('#table .cards .card').length==={dealt}",
                       f"not all {dealt} cards of round {len(seen) + 1} are on the table")
            seen.append((len(cards(page, "#burned")), len(cards(page, "#pile"))))
            if len(seen) == len(expected):
                break
    need(seen == expected, f"burned and not yet placed are {seen} cards, not {expected}")
    return page


@scenario(("if(packets[0].length!==deal.hand)return true;", ""),
          ("return deal.board!==deal.hand||packets.length>hands.length+1", "return false"),
          ("laid.burned=rest.splice(0,burn);", ""),
          ("if(at<0)return 0;", "return 0;"),
          ("run.burn=houseBurn(", "houseBurn("), ("settlement.burned.length-(deal.lastBurned?1:0)", "settlement.burned.length"))
def burned_cards_are_shown_when_they_are_dealt(world):
    # A packet of another size than a hand is the house's as soon as it is there.
    lines = world.played("run", "fixtures/flush-rush/house-burn-of-three.shoe")
    page = world.page(world.bench(up_to(lines, DEALT)))
    page.until("document.querySelectorAll('#table .cards .card').length===3", "nothing is dealt")
    need(len(cards(page, "#burned")) == 3, "a burned packet is taken for a hand")
    # The bottom card of the community packet is burned as well, and is no house burn in the next round.
    follow_burns(world, world.played("run", RUSH), [(1, 0), (1, 0)])
    follow_burns(world, world.played("run", "fixtures/flush-rush/house-burn-of-three.shoe"), [(4, 0)])
    # As many as a hand has: known once the packet after the hands comes.
    observe = ("observe", "--seats", "1-2", "--rounds", "1", "--game")
    burned = world.played(*observe, "chase-the-flush", "--burn", "3")
    follow_burns(world, burned, [(3, 0)])
    follow_burns(world, as_replayed(burned), [(3, 0)])
    # Card by card nobody knows in the first round of a recording, and from then on everybody does.
    burned = world.played("observe", "--game", "chase-the-flush", "--seats", "1-2", "--rounds", "2",
                          "--deal", "cards", "--burn", "2")
    follow_burns(world, burned, [(2, 0), (2, 0)])
    follow_burns(world, as_replayed(burned), [(0, 15), (2, 0)])


@scenario(("run.meters=details", "run.meters=null"), ("run.lights=Array.isArray(details)?details:[]", "run.lights=[]"),
          ("run.sign=details", "0"), ("run.screen=details", "0"), ("run.sensed.add(seat)", "0"))
def the_terminal_and_the_sensors_are_shown(world):
    lines = world.played("run", CHASE)
    placed, signed = first_at(lines, '"event":"wager placed"') + 1, first_at(lines, '"event":"sign"') + 2
    bench = world.bench(lines[:placed])
    page = world.page(bench)
    says(page, "#seats li:nth-child(2)", "wager on the sensor", "a sensed wager is not shown")
    bench.append(lines[placed:signed])
    says(page, "#devices", "sign: seat 1, $150.00", "the sign is not shown")
    text = page.text("#devices")
    for part in ("meter star: $10000.000000", "screen: signed, seat 1, 4-card straight flush, $150.00",
                 "paid: seat 1, $150.00", "in test mode"):
        need(part in text, f"'{part}' is not shown: {text}")
    need(page.evaluate("document.querySelector('#seats li:nth-child(2)').className.includes('lit')"),
         "a light is not shown")
    need("wager on the sensor" not in page.text("#seats li:nth-child(2)"), "a collected wager lies there")


@scenario(("away:wait&&wait.for==='return'", "away:wait&&wait.for==='never'"),
          ("ms:gone.ms+(line['away-ms']||0)", "ms:0"), ("isOther:gone.isOther||line.same===false", "isOther:false"),
          ("if(event==='fault')state.fault=details", "if(0)state.fault=details"))
def who_is_away_who_is_back_and_who_has_a_fault_is_seen(world):
    lines = on_real_clock(world.played("run", RUSH))
    bench = world.bench(up_to(lines, OPENED))
    page = world.page(bench)
    bench.append([line("wait", **{"for": "return", "device": "terminal", "try": 3, "limit-ms": 30000})])
    says(page, "#devices", "away, try 3", "who is away is not shown")
    says(page, "#wait", "The terminal is away", "what is awaited is not said")
    bench.append([line("event", device="terminal", event="lights", details=[])])
    page.until("!document.querySelector('#devices').textContent.includes('away')",
               "a device that speaks is still away")
    bench.append([line("reconnect", device="terminal", times=1, tries=2, **{"away-ms": 1300}, same=True)])
    says(page, "#devices", "was away, 1.3 s, opened at try 2", "that it was away is not shown")
    bench.append([line("reconnect", device="terminal", times=1, tries=1, **{"away-ms": 200}, same=False)])
    says(page, "#devices", "was away 2 times, 1.5 s, opened at try 3: another device has come back",
         "that it is another one is not shown")
    bench.append([line("event", device="shuffler", event="fault", details="jam")])
    says(page, "#devices", "fault: jam", "the fault is not shown")
    bench.append([line("event", device="shuffler", event="cleared", details="jam")])
    page.until("!document.querySelector('#devices').textContent.includes('fault')", "the fault stays")


@scenario(("run.wait.for==='collected'&&run.sensed.size", "false"),
          ("if(/^wager lifted/.test(event))run", "if(event==='wager lifted')run"))
def wagers_are_awaited_until_all_are_collected(world):
    bench = world.bench(up_to(on_real_clock(world.played("run", RUSH)), OPENED))
    page = world.page(bench)

    def sensors(event, *seats):
        bench.append([line("event", device="sensors", event=event, details=list(seats))])

    sensors("wager placed", 1, 2)
    bench.append([line("wait", **{"for": "collected", "device": "sensors", "limit-ms": 3000000})])
    says(page, "#wait", "Waiting for somebody to take the wagers.", "the wait is not shown")
    sensors("wager lifted while locked", 2)
    says(page, "#seats li:nth-child(2)", "wager lifted", "that it was lifted is not shown")
    need("wager on the sensor" not in page.text("#seats li:nth-child(2)"), "a wager that was taken lies there")
    says(page, "#wait", "Waiting for somebody", "the first wager that is taken ends the wait")
    sensors("wager lifted while locked", 1)
    page.until("!document.querySelector('#wait').textContent.startsWith('Waiting')",
               "taken wagers are still awaited")


@scenario((" #now{min-height:18.7rem}", " #now{}"),
          ("  #devices .tall{min-height:14.5rem}\n", ""))
def nothing_jumps_while_a_round_is_played_and_a_question_is_asked(world):
    lines = up_to(world.played("run", CHASE), '"kind":"verdict"')
    began = up_to(lines, '"kind":"round"')
    for width, height in ((360, 640), (1280, 900), (1920, 1080)):
        bench = world.bench(began)
        page = world.page(bench, width, height, prefers_reduced_motion="reduce")
        says(page, "#playing", "Round 1", "no round is shown")
        page.until("!document.querySelector('#stop').disabled", "the run is not playing")
        settle(page)
        watch_jumps(page)
        for text in lines[len(began):]:
            bench.append([text])
            settle(page)
            if '"packet":3' in text:
                bench.ask(DECISION)
                until_asked(page, "seat 3")
                page.click("#answers button")
                bench.answered(1)
        page.until("document.querySelector('#tiles b').textContent==='1'", "the round does not end")
        settle(page)
        need_calm(page)


@scenario(("fails:round?round.fails.filter(check=>check.seat===number):[]", "fails:[]"),
          ("group.times++", "group.times=1"),
          ("(!seat||String(one.seat)===seat)", "true"))
def what_differs_is_shown_in_its_place(world):
    where = "tests/failing/dealt-cards/another-card"
    page = world.page(world.bench(world.played("run", "--rig", where + ".yaml", where + ".shoe")))
    ended(page)
    seat = "#seats li:nth-child(7)"
    need("wager-outcome" in page.text(seat), "the failed check is not at its seat")
    need(page.evaluate(f"[...document.querySelectorAll('{seat} .wrong')].some(e=>"
                       "e.textContent.startsWith('ante'))"), "the wager is not marked")
    need(not page.evaluate("document.querySelectorAll('#seats li:nth-child(1) .fails').length"),
         "another seat has it too")
    need(page.evaluate("document.querySelector('#failures tr').firstChild.textContent") == "2",
         "the same failure is not counted")
    choose(page, "#filter [name=seat]", "1")
    page.until("document.querySelector('#failed').textContent==='none that fit'", "the filter filters nothing")
    choose(page, "#filter [name=device]", "shuffler")
    choose(page, "#filter [name=check]", "hand-name")
    choose(page, "#filter [name=seat]", "7")
    says(page, "#failed", "1/1", "the filter finds nothing")


@scenario(("run.failed.length>KEPT_ROUNDS", "run.failed.length>1e9"), ("const ROWS=25", "const ROWS=1e9"))
def a_hundred_thousand_rounds_stay_responsive(world):
    """Every second round fails, each time otherwise than the one before."""
    lines = world.played("run", RUSH)
    head = lines[:first_at(lines, '"kind":"round"')]
    first = up_to(lines, '"kind":"verdict"')[len(head):]
    bad = [line("check", recording=1, round=0, result="fail", name="wager-outcome", seat=3,
                wager=wager, expected=1, got=2, why="another amount") for wager in ("ante", "bet-1")]
    verdict = first[-1].replace('"verdict":"pass"', '"verdict":"fail"')

    def rounds():
        yield from head
        for number in range(1, 100001):
            extra = [bad[number // 2 % 2], verdict] if number % 2 else [first[-1]]
            for text in [*first[:-1], *extra]:
                yield text.replace('"round":1,', f'"round":{number},').replace('"round":0,', f'"round":{number},')
        yield lines[-1]

    bench = world.bench()
    page = world.page(bench)
    writer = threading.Thread(target=lambda: bench.append(rounds()), daemon=True)
    writer.start()
    slowest, most = 0, 0
    end = time.monotonic() + 15 * world.browser.patience
    while page.text("#link") != "ended":
        need(time.monotonic() < end, "the end is not reached: " + page.text("#link"))
        asked = time.monotonic()
        most = max(most, page.evaluate("document.querySelectorAll('*').length"))
        slowest = max(slowest, time.monotonic() - asked)
        time.sleep(0.1)
    writer.join()
    ended(page)
    need(tile(page, "rounds") == 100000 and tile(page, "fail") == 50000, "rounds are missing")
    need(most < 2500, f"{most} elements")
    need(slowest < world.browser.patience / 4, f"the page does not answer for {slowest:.1f} s")
    need(page.evaluate("document.querySelectorAll('#failed tr').length") == 25, "the rows are not bounded")
    need(page.evaluate("document.querySelectorAll('#failures tr').length") == 2, "a failure is listed twice")
    need("are in the report" in page.text("#page"), "that older rounds are left out is not said")
    page.click("#later")
    page.until("document.querySelector('#page').textContent.startsWith('page 2')", "there is no second page")
    print(f"check-station: 100000 rounds: {most} elements, answers within {slowest * 1000:.0f} ms")
