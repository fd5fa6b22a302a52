# SPDX-License-Identifier: GPL-3.0-or-later
"""Starting, stopping and judging: on a bench that a test plays, and on the program's own station."""
import json
import os

from scene import (RUSH, choose, ended, need, read_lines, says, scenario, settle, sign_in, tile, turn_to,
                   until_asked)


def until_free(page, button):
    """It can be pressed, also when what was pressed before is on its way."""
    settle(page)
    page.until(f"!document.querySelector('{button}').disabled", f"{button} cannot be pressed")


@scenario(("body.recordings=inOrder()", "body.recordings=[]"), ("if(bench.operator)body.by=bench.operator", "0"),
          ("if(event.key==='Enter')event.preventDefault()", ""), ("body.rounds=Number($('count').value)", "0"),
          ("make('div','','To do: '", "make('div','',''"), ("$('go').disabled=$('reset').disabled", "$('reset').disabled"))
def a_station_is_started_paused_and_examined_from_the_page(world):
    bench = world.bench([], state="idle", station=True)
    page = world.page(bench)
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    sign_in(page, "Ann")
    bench.ordered({"do": "operator", "by": "Ann"})
    page.click("#go")
    says(page, "#said", "Choose a recording", "a run of nothing is ordered")
    page.click("#search")
    page.type("rush last-seat")
    page.until("document.querySelectorAll('#recordings li').length===1", "the search finds another number")
    page.click("#recordings input")
    page.click("#search")
    page.key("Enter")
    page.click("#seed")
    page.type("7")
    page.evaluate("new Promise(done=>setTimeout(done,700))")
    need(not bench.orders, "searching has started a run")
    page.click("#go")
    bench.ordered({"do": "start", "command": "run", "seed": "7", "by": "Ann",
                   "recordings": ["fixtures/flush-rush/last-seat-alone.shoe"]})
    choose(page, "#command", "observe")
    choose(page, "#game", "flush-rush")
    page.click("#count")
    page.type("5")
    until_free(page, "#go")
    page.click("#go")
    bench.ordered({"do": "start", "command": "observe", "game": "flush-rush", "play": "ask",
                   "rounds": 5, "seed": "7", "by": "Ann"})
    until_free(page, "#doctor")
    page.click("#doctor")
    bench.ordered({"do": "doctor", "by": "Ann"})
    says(page, "#found", "To do: add the user to the group dialout", "no remedy is shown")
    bench.state("playing")
    until_free(page, "#pause")
    need(page.evaluate("document.querySelector('#go').disabled"), "a second run can be started")
    page.click("#pause")
    bench.ordered({"do": "pause", "by": "Ann"})
    bench.state("paused")
    page.until("document.querySelector('#pause').textContent==='Continue'", "the pause is not shown")
    page.evaluate("new Promise(done=>setTimeout(done,700))")
    page.click("#pause")
    bench.ordered({"do": "continue", "by": "Ann"})
    page.click("#stop")
    bench.ordered({"do": "stop", "by": "Ann"})
    bench.state("ended")
    until_free(page, "#reset")
    page.click("#reset")
    says(page, "#reset", "Press again", "one press resets the bench")
    page.evaluate("new Promise(done=>setTimeout(done,700))")
    page.click("#reset")
    bench.ordered({"do": "reset", "by": "Ann"})


@scenario(("return [...new Set(list.map(one=>whole.has", "return [...new Set(list.map(one=>0&&whole.has"),
          ("if(sequence==='chosen')return [...chosen];", ""),
          ("(a.last==='pass')-(b.last==='pass')", "0"), ("body.repeat=Number($('repeat').value)", "0"),
          (".length>BODY_MAX)", ".length>9e9)"))
def recordings_are_played_in_the_order_that_was_chosen(world):
    bench = world.bench([], state="idle", station=True)
    bench.give("recordings", {"games": ["stax"], "recordings": [
        {"path": f"r/{folder}/{name}.shoe", "game": "stax", "rounds": 1, "note": None,
         "last": None if name == "a" else "fail" if name == "c" else "pass"}
        for folder in ("one", "two") for name in "abc"]})
    page = world.page(bench)
    page.until("document.querySelectorAll('#recordings li').length===6", "the recordings are not listed")

    def start(*paths, **more):
        until_free(page, "#go")
        page.click("#go")
        bench.ordered({"do": "start", "command": "run", "recordings": list(paths), **more})

    for number in (6, 4, 5, 2):
        page.click(f"#recordings li:nth-child({number}) label")
    start("r/one/b.shoe", "r/two")
    choose(page, "#sequence", "chosen")
    start("r/two/c.shoe", "r/two/a.shoe", "r/two/b.shoe", "r/one/b.shoe")
    choose(page, "#sequence", "failed")
    page.click("#repeat")
    page.evaluate("document.querySelector('#repeat').value=3")
    start("r/two/a.shoe", "r/two/c.shoe", "r/one/b.shoe", "r/two/b.shoe", repeat=3)
    bench.give("recordings", {"games": [], "recordings": [
        {"path": f"r/{number}-{'x' * 60}.shoe", "game": "stax", "rounds": 1, "note": None, "last": None}
        for number in range(90)]})
    page.reload()
    page.until("document.querySelector('#chosen').textContent.includes('90 found, the first 50')",
               "how many there are is not said")
    page.click("#all")
    choose(page, "#sequence", "failed")
    page.click("#go")
    says(page, "#said", "too many to name in one order", "an order is sent that does not fit")


@scenario(("body.game=$('game').value", "body.game=''"), ("body.recordings=inOrder()", "body.recordings=['x']"),
          ("order({do:'stop'}", "order({do:'pause'}"))
def a_real_station_plays_what_it_is_told(world):
    station = world.station()
    page = world.page(station)
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    sign_in(page, "Ann")
    page.click("#search")
    page.type("last-seat")
    page.until("document.querySelectorAll('#recordings li').length===1", "the search finds another number")
    page.click("#recordings input")
    page.click("#go")
    ended(page)
    need(tile(page, "rounds") == 1, "another number of rounds is shown")
    says(page, "#runs", "pass", "the run is not listed")
    choose(page, "#command", "observe")
    choose(page, "#game", "flush-rush")
    choose(page, "#play", "plain")
    page.evaluate("document.querySelector('#count').value='1000000000'")
    until_free(page, "#go")
    page.click("#go")
    says(page, "#rig", "run 2", "the next run is not followed")
    page.until("!document.querySelector('#stop').disabled", "the run cannot be stopped")
    page.click("#stop")
    says(page, "#runs", "aborted", "the stop is not listed")
    # The round that was begun has its verdict, and who pressed it stands in a journal that verifies.
    journal = os.path.join(station.folder(2), "run.journal")
    lines = read_lines(journal)
    need('"kind":"end","verdict":"aborted"' in lines[-1], f"the journal ends with {lines[-1]}")
    begun, judged = ([text for text in lines if f'"kind":"{kind}"' in text] for kind in ("round", "verdict"))
    need(len(begun) == len(judged) > 0, f"{len(begun)} rounds were begun and {len(judged)} judged")
    need('"name":"Ann"' in "".join(lines), "the journal has another operator")
    status, said = world.dealproof("verify", journal)
    need(status == 0, f"the journal of a stopped run does not verify: {said}")
    until_free(page, "#doctor")
    page.click("#doctor")
    says(page, "#found", "fine", "the doctor says nothing")


def settlements(journal):
    """As they stand in the lines, to the byte."""
    return [text[text.index('"settlement":'):] for text in read_lines(journal)
            if '"kind":"settled"' in text]


@scenario(("()=>answerWith(answer)", "()=>answerWith(asked.answers[0])"), ("body.play=$('play').value", "body.play='plain'"))
def an_observed_evening_with_tapped_decisions_replays_to_the_byte(world):
    station = world.station()
    page = world.page(station, 800, 1280)
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    sign_in(page, "Ann")
    choose(page, "#command", "record")
    choose(page, "#game", "chase-the-flush")
    choose(page, "#play", "ask")
    page.tap("#count")
    page.type("2")
    page.tap("#seed")
    page.type("7")
    page.tap("#go")
    tapped = {}
    while True:
        page.until("document.querySelector('#link').textContent==='ended'||"
                   "document.querySelector('#answers button')&&"
                   "!document.querySelector('#now').classList.contains('fresh')",
                   "the evening does not go on")
        if page.text("#link") == "ended":
            break
        number = sum(map(len, tapped.values()))
        asked = page.text("#asked")
        where = f"#answers button:nth-child({1 + (number * 5 + number // 3) % 2})"
        answer = page.text(where + " bdi")
        key = (page.text("#playing").split(",")[0], int(asked.split()[1]))
        tapped.setdefault(key, []).append(answer)
        page.tap(where)
        page.until(f"document.querySelector('#asked').innerText!=={json.dumps(asked)}",
                   f"'{asked}' stays after '{answer}'")
    until_free(page, "#go")
    shoe = os.path.join(station.folder(1), "recorded.shoe")
    journal = os.path.join(station.folder(1), "run.journal")
    rounds = [json.loads(text) for text in read_lines(shoe)[1:]]
    need(len(rounds) == 2, f"{len(rounds)} rounds were recorded")
    played = {(f"Round {one['round']} of 2", int(seat)): decisions for one in rounds
              for seat, decisions in one["play"].items()}
    need(played == tapped, f"recorded is {played}, tapped was {tapped}")
    answers = [json.loads(text) for text in read_lines(journal) if '"kind":"answer"' in text]
    need(answers and all((one["by"], one["from"]) == ("Ann", "page") for one in answers),
         "the journal does not say who answered, and where")
    need(len(answers) == sum(map(len, tapped.values())), "there are other answers than were tapped")
    again = os.path.join(world.folder, "again.journal")
    status, said = world.dealproof("run", "--rig", station.rig, "--journal", again, shoe)
    need(status == 0, f"the recording does not pass: {said}")
    need(len(settlements(journal)) == 2, "the evening has other settlements")
    need(settlements(journal) == settlements(again), "the recording is settled otherwise")
    need(all(json.dumps(decision)[1:-1] in read_lines(shoe)[1] for decision in tapped[("Round 1 of 2", 1)]),
         "the decisions are not in the recording")


def tap_cards(page, *cards):
    for card in cards:
        page.tap(f"#deck [data-card='{card}']")
        page.until(f"document.querySelector(\"#deck [data-card='{card}']\").ariaPressed==='true'",
                   "a tapped card is not marked")
    page.tap("#send")


def tap_answer(page, answer):
    number = page.evaluate("[...document.querySelectorAll('#answers button')].findIndex(e=>e.textContent."
                           f"includes({json.dumps(answer)}))+1")
    need(number, f"'{answer}' cannot be tapped: {page.text('#answers')}")
    page.tap(f"#answers button:nth-child({number})")


@scenario(("'Not taken: ')+await wrong(answer)+'.',true)", "'Not taken')+'.',true)"),
          ("['done','undo']:['undo']", "['done','undo']:[]"))
def a_machine_without_a_data_port_is_worked_by_who_sits_at_the_page(world):
    station = world.station(rig="rig: by hand\nclock: virtual\nseats: 1\ndevices:\n"
                                "  shuffler: {driver: hands}\norder: compare\n")
    page = world.page(station, 800, 1280)
    page.allowed.append("422")
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    sign_in(page, "Ann")
    choose(page, "#command", "record")
    choose(page, "#game", "three-card-poker")
    choose(page, "#play", "plain")
    page.tap("#count")
    page.type("1")
    page.tap("#go")

    page.until("document.querySelectorAll('#answers button').length>0", "nothing is asked")
    settle(page)
    until_asked(page, "")
    page.tap("#answers button")
    until_asked(page, "packet 1 of 2: its 3 cards?")
    tap_cards(page, "As", "Kd")
    # The run's own reason, while the cards are still in hand; what was tapped stays.
    says(page, "#said", "2 cards where 3 belong", "why it is not taken is not said")
    tap_cards(page, "Th")
    until_asked(page, "packet 2 of 2: its 3 cards?")
    page.until("document.querySelectorAll('#deck [aria-disabled=true]').length===3", "seen cards can be tapped")
    page.tap("#words button")
    until_asked(page, "packet 1 of 2: its 3 cards?")
    tap_cards(page, "As", "Kd", "9h")
    until_asked(page, "packet 2 of 2: its 3 cards?")
    tap_cards(page, "2c", "Qd", "3c")
    while not page.until("document.querySelector('#link').textContent==='ended'&&2||"
                         "document.querySelector('#answers button')&&"
                         "!document.querySelector('#now').classList.contains('fresh')&&1",
                         "the round does not end") == 2:
        asked = page.text("#asked")
        page.tap("#answers button")
        page.until(f"document.querySelector('#asked').innerText!=={json.dumps(asked)}", f"'{asked}' stays")
    ended(page)
    until_free(page, "#go")
    need(tile(page, "pass") == 1, "the round does not pass")
    shoe = read_lines(os.path.join(station.folder(1), "recorded.shoe"))
    need('"As Kd 9h","2c Qd 3c"' in shoe[1], f"recorded is {shoe[1]}")


@scenario(("answerWith(cards?cards.join(' '):text)", "answerWith(cards?cards.join(' '):'')"),
          ("if(event==='fault')state.fault=details", "if(0)state.fault=details"),
          ("['done','undo']:['undo']", "['done','undo']:[]"))
def a_run_by_hand_with_a_slip_and_a_jam_is_recorded_and_replays(world):
    with open("rigs/by-hand.yaml", encoding="utf-8") as rig:
        station = world.station(rig=rig.read())
    page = world.page(station, 800, 1280)
    page.allowed.append("422")
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    sign_in(page, "Ann")
    choose(page, "#command", "record")
    choose(page, "#game", "three-card-poker")
    choose(page, "#play", "plain")
    page.tap("#count")
    page.type("2")
    page.tap("#go")
    # The first round: a card that does not exist is refused in place, and a packet taken back.
    until_asked(page, "gather all 52 cards")
    tap_answer(page, "done")
    until_asked(page, "packet 1 of 4")
    page.tap("#entry")
    page.type("as kd 1x")
    page.tap("#send")
    says(page, "#said", "'1x' is no card", "why it is not taken is not said")
    need(page.evaluate("document.querySelector('#entry').value") == "as kd 1x", "what was typed is gone")
    page.evaluate("document.querySelector('#entry').select()")
    page.type("as kd 10h")
    page.tap("#send")
    until_asked(page, "packet 2 of 4")
    page.tap("#words button")
    until_asked(page, "packet 1 of 4")
    tap_cards(page, "As", "Kd", "9h")
    until_asked(page, "packet 2 of 4")
    page.tap("#entry")
    page.type("2c kd 3c")
    page.tap("#send")
    says(page, "#said", "Kd was seen in packet 1 already", "a card that was dealt before is taken")
    page.evaluate("document.querySelector('#entry').value=''")
    tap_cards(page, "2c", "Qd", "3c")
    until_asked(page, "packet 3 of 4")
    tap_cards(page, "4c", "5c", "6c")
    until_asked(page, "packet 4 of 4")
    tap_cards(page, "7c", "8c", "9c")
    until_asked(page, "is it right?")
    tap_answer(page, "done")
    # The second: the machine jams.
    until_asked(page, "gather all 52 cards")
    tap_answer(page, "done")
    until_asked(page, "packet 1 of 4")
    tap_cards(page, "Ah", "Kh", "Qh")
    until_asked(page, "packet 2 of 4")
    page.tap("#entry")
    page.type("jam")
    page.tap("#send")
    until_asked(page, "clear the fault at the shuffler: jam")
    says(page, "#devices", "fault: jam", "the fault is not shown")
    tap_answer(page, "done")
    for number, cards in ((2, ("2s", "3s", "5s")), (3, ("6d", "7d", "9d")), (4, ("Jc", "Td", "4h"))):
        until_asked(page, f"packet {number} of 4")
        tap_cards(page, *cards)
    until_asked(page, "is it right?")
    tap_answer(page, "done")
    ended(page)
    until_free(page, "#go")
    need((tile(page, "pass"), tile(page, "device")) == (1, 1), "the rounds have other verdicts")
    journal = "\n".join(read_lines(os.path.join(station.folder(1), "run.journal")))
    for refused in ("as kd 1x", "2c Kd 3c"):
        need(f'"answer":"{refused}"' not in journal, "what was refused stands in the journal as an answer")
        need(f'"refused":1,"last-refused":"{refused}"' in journal, "what was refused before is not in the journal")
    need('"answer":"jam","by":"Ann"' in journal, "who has named the jam is not in the journal")
    shoe = os.path.join(station.folder(1), "recorded.shoe")
    need('"dealt":["As Kd 9h","2c Qd 3c","4c 5c 6c","7c 8c 9c"]' in read_lines(shoe)[1],
         f"recorded is {read_lines(shoe)[1]}")
    status, said = world.dealproof("run", "--rig", "rigs/emulated.yaml", shoe)
    need(status == 0 and "2 rounds" in said, f"the recording does not replay: {said}")


@scenario(("if(bench.isReached&&bench.operator&&bench.status.operator===undefined)tellOperator()", ""),
          ("'next try in '", "'again in '"))
def a_station_that_is_cut_off_and_started_again_is_followed(world):
    station = world.station()
    page = world.page(station)
    page.allowed.append("net::ERR")
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    sign_in(page, "Ann")
    page.click("#recordings label")
    page.click("#go")
    ended(page)
    station.cut()
    says(page, "#far", "next try", "that the station is gone is not shown")
    station.start()
    page.until("document.querySelector('#retry').hidden||document.querySelector('#retry').click()",
               "the station is not found again")
    page.until("document.querySelectorAll('#runs li').length===1", "what was played is not listed again")
    until_free(page, "#go")
    says(page, "#recordings", "pass", "what was played is not known any more")
    # It knows again who is there, and goes on with the next number.
    page.until("fetch('/status').then(a=>a.json()).then(s=>s.operator==='Ann')",
               "the station does not know who is there")
    page.until("document.querySelectorAll('#recordings :checked').length===1", "nothing is chosen any more")
    until_free(page, "#go")
    page.click("#go")
    says(page, "#rig", "run 2", "the next run is not followed")
    ended(page)
    need(page.evaluate("document.querySelectorAll('#runs li').length") >= 1, "the runs are gone")


SHUFFLES = """<!DOCTYPE html><html><head><style>:root{--h0:#123456}.map svg{width:100px}</style></head>
<body><header class="top"><h1>no evidence against, %s shuffles</h1></header>
<figure class="map"><svg role="img" width="100" height="50" viewBox="0 0 100 50" aria-label="places">
<path class="h0" d="M0 0h9"/><text x="1" y="2">A</text></svg></figure>
<script>window.hit=1</script><img src="x" onerror="window.hit=1"><p onclick="window.hit=1" style="color:red">
<a href="javascript:window.hit=1">words</a></p><form action="/control"><button>press</button></form>
</body></html>"""


@scenario(("root.replaceChildren(...[...parsed.body.childNodes].map(copy))", "0"),
          (".replaceAll(':root',':host')", ""), ("!TAGS.has(node.localName)", "false"),
          ("if(ATTRIBUTES.has(name))", ""), ("key===shownOf)return;", "true)return;"),
          ("!box.open||box.hidden||", ""), ("performance.now()-askedAt>=EVERY_MS", "true"))
def the_shuffles_are_judged_with_pictures_while_orders_come_in(world):
    lines = world.played("run", RUSH)
    bench = world.bench(lines[:6], station=True)
    bench.give("shuffles", SHUFFLES % "260")
    page = world.page(bench)
    page.allowed.append("Content Security Policy")
    says(page, "#playing", "flush-rush", "nothing is played")
    asked = "performance.getEntriesByType('resource').filter(e=>e.name.endsWith('/shuffles')).length"
    bench.append(lines[6:8])
    need(page.evaluate(asked) == 0, "it is asked for though nobody looks")
    page.click("#shuffles summary")
    root = "document.querySelector('#judged').shadowRoot"
    page.until(f"Boolean({root})&&{root}.textContent.includes('260 shuffles')", "the verdict is not shown")
    need(page.evaluate(f"{root}.querySelector('svg[role=img] path').getBoundingClientRect().width>0"),
         "the picture is not drawn")
    need(page.evaluate(f"getComputedStyle({root}.querySelector('path')).getPropertyValue('--h0')") == "#123456",
         "the picture has no colours")
    need(page.evaluate(f"{root}.querySelectorAll('script,img,form,button,[onclick],[style],[href]').length")
         == 0, "more is taken than what shows")
    need(not page.evaluate("window.hit"), "a script of that page was run")
    bench.give("shuffles", SHUFFLES % "261")
    at = next(i for i, text in enumerate(lines) if '"kind":"verdict"' in text)
    bench.append(lines[8:at + 1])
    page.until("document.querySelector('#tiles b').textContent==='1'", "the round does not end")
    need("260" in page.evaluate(root + ".textContent"), "the bench is asked again at once")
    page.until(f"{root}.textContent.includes('261 shuffles')", "the verdict is not brought up to date")
    # Once for each verdict, and not for each line.
    need(page.evaluate(asked) <= 3, "the bench is asked again and again")
    bench.append(lines[at + 1:])
    ended(page)


@scenario(("'/runs/'+number+'/shuffles'", "'/runs/'+number+'/report'"),)
def a_real_observation_shows_its_shuffles(world):
    station = world.station(rig="rig: bench\nclock: virtual\nseats: 7\ndevices:\n"
                                "  shuffler: {driver: open, address: emu:shuffler}\n")
    page = world.page(station)
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    choose(page, "#command", "observe")
    choose(page, "#game", "flush-rush")
    choose(page, "#play", "plain")
    page.click("#count")
    page.type("300")
    page.click("#go")
    ended(page)
    turned = page.evaluate("document.querySelector('#shuffles summary').scrollIntoView();1")
    need(turned, "there is no verdict to be opened")
    page.click("#shuffles summary")
    root = "document.querySelector('#judged').shadowRoot"
    page.until(f"Boolean({root})&&{root}.querySelectorAll('svg').length>0", "there are no pictures")
    need("300 shuffles" in page.evaluate(root + ".querySelector('h1').textContent"),
         "another number of shuffles is judged")
    world.picture(page, "shuffles", True)
