# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions and orders, as people with gloves answer and give them."""
import json
import time

from scene import (CARDS, CHASE, DEALT, DECISION, OPENED, RUSH, need, on_real_clock, line, says,
                   scenario, sign_in, too_wide, until_asked, up_to)


def over(page):
    page.until("document.querySelector('#asked').textContent===''", "the question stays")


@scenario(("if(answer.ok||answer.status===409||answer.status===410)", "if(answer.ok||answer.status===410)"),
          ("' was first, at the '", "' was there, at the '"), ("inWords(asked,first.answer)", "''"))
def of_two_who_answer_at_once_the_second_is_told_who_was_first(world):
    bench = world.bench(up_to(world.played("run", RUSH), OPENED))
    pages = {}
    for name in ("Ann", "Bob"):
        pages[name] = world.page(bench)
        pages[name].allowed.append("409")
        sign_in(pages[name], name)
    bench.ask(DECISION)
    for page in pages.values():
        until_asked(page, "seat 3")
    # Both have their finger down before either has heard of the other.
    moment = (time.time_ns() // 1000000 // 1000 + 2) * 1000
    for name, page in pages.items():
        page.evaluate("setTimeout(()=>document.querySelector("
                      f"'#answers button:nth-child({1 if name == 'Ann' else 2})').click(),"
                      f"{moment}-Date.now());0")
    given = bench.until(lambda: bench.answers.get(1), "nobody has answered")
    first, second = ("Ann", "Bob") if given["by"] == "Ann" else ("Bob", "Ann")
    says(pages[first], "#said", "Taken: seat 3, " + given["answer"], "the first is not told that it counts")
    says(pages[second], "#said", first + " was first, at the page: seat 3, " + given["answer"],
         "the second is not told who was first, and with what")
    # Neither needs the journal to know that it is over.
    for page in pages.values():
        over(page)
    bench.answered(1)
    # The next question comes at once, and what was said of the last one can still be read.
    bench.ask({**DECISION, "text": "seat 4: bet or fold?", "seat": 4})
    until_asked(pages[second], "seat 4")
    need("was first" in pages[second].text("#said"), "who was first is gone before it was read")


@scenario(("isSeen=seen.has(card)", "isSeen=false"), ("enter([...words,card])", "enter([card])"),
          ("if(words.includes(card))return enter", "if(0)return enter"), ("replace(/^10/,'T')", "replace(/^11/,'T')"),
          ("else if(line.answer.toLowerCase()==='undo')round.typed.pop()", ""),
          ("(typedCards($('entry').value)||entered()).slice(0,-1)", "[]"),
          ("'in packet '+packet", "'somewhere'"))
def cards_are_tapped_or_typed_and_those_seen_are_greyed_out(world):
    bench = world.bench(up_to(world.played("run", RUSH), DEALT))
    page = world.page(bench)

    def grey():
        return page.evaluate("[...document.querySelectorAll('#deck [aria-disabled=true]')]"
                             ".map(e=>e.dataset.card).sort().join(' ')")

    bench.ask(CARDS)
    until_asked(page, "packet 2")
    need(grey() == "8s 9s As Ts", f"greyed out are {grey()}")
    page.tap("#deck [data-card='As']")
    says(page, "#said", "The ace of spades was in packet 1", "that it was seen is not said")
    for card in ("2d", "3h", "9c", "4c"):
        page.tap(f"#deck [data-card='{card}']")
        page.until(f"document.querySelector(\"#deck [data-card='{card}']\").ariaPressed==='true'",
                   "a tapped card is not marked")
    need(page.evaluate("[...document.querySelectorAll('#picked .card')].map(e=>e.ariaLabel).join()") ==
         "two of diamonds,three of hearts,nine of clubs,four of clubs", "what is tapped is not shown")
    page.tap("#deck [data-card='9c']")
    page.tap("#undo")
    page.until("document.querySelector('#entry').value==='2d 3h'", "nothing is taken back")
    page.tap("#deck [data-card='4c']")
    page.tap("#send")
    need(bench.answered(1)["answer"] == "2d 3h 4c", "the tapped cards were not sent")
    bench.ask({**CARDS, "text": "packet 3: which cards?"})
    until_asked(page, "packet 3")
    page.until("document.querySelectorAll('#deck [aria-disabled=true]').length===7",
               "what was answered before is not greyed out")
    page.click("#entry")
    page.type("js, QS10h2c")
    page.key("Enter")
    need(bench.answered(2)["answer"] == "Js Qs Th 2c", "cards as people type them were sent otherwise")
    bench.ask({**CARDS, "text": "packet 4: which cards?"})
    until_asked(page, "packet 4")
    page.click("#entry")
    page.type("undo")
    page.key("Enter")
    need(bench.answered(3)["answer"] == "undo", "a word instead of cards was not sent as it is")
    bench.ask({**CARDS, "text": "packet 3 again: which cards?"})
    until_asked(page, "packet 3 again")
    page.until("document.querySelectorAll('#deck [aria-disabled=true]').length===7",
               "cards that were taken back are still greyed out")


LONG = "Which cards are in packet 2 of 7? Turn the packet over, top card first; a card that was seen is " \
       "refused, and a fault is named by its word: jam, door, empty tray. Do not put the packet down " \
       "before the answer has been taken, and wait for the light at the exit.."[:255]


@scenario(("asked.ask==='wager'&&hasEmpty(asked)", "false"), ("one||EMPTY[asked.ask]", "one||''"),
          ("if(isRefused)return say('Type an answer, or tap it.',true);", ""),
          ("found?found[1]||found[2]", "found?''"),
          ("/\\bdone\\b/.test(asked.text||'')?['done','undo']", "0?['done','undo']"),
          ("!asked.answers||!asked.answers.length||asked.ask==='cards'", "!asked.answers"),
          ("plain(emptyOf(asked))||'Send'", "0||'Send'"),
          ("#answers button{\n  flex:1 1 8rem;min-height:4.5rem", "#answers button{\n  flex:1 1 8rem;min-height:1rem"))
def every_kind_of_question_can_be_answered(world):
    bench = world.bench(up_to(world.played("run", CHASE), DEALT, 2))
    page = world.page(bench, 800, 1280)
    asked = 0

    def ask(**question):
        nonlocal asked
        asked += 1
        question["text"] = f"#{asked} {question['text']}"
        bench.ask({"id": asked, "from": ["page"], **question})
        until_asked(page, f"#{asked} ")
        need(too_wide(page) <= 0, f"question {asked} is too wide")

    def answers():
        return page.evaluate("[...document.querySelectorAll('#answers bdi')].map(e=>e.textContent)")

    def is_shown(where):
        return page.evaluate(f"document.querySelector('{where}').getClientRects().length>0")

    def need_answer(answer):
        given = bench.answered(asked)["answer"]
        need(given == answer, f"question {asked} is answered '{given}', not '{answer}'")

    ask(ask="cards", text=LONG[:252])
    need(page.text("#asked") == "#1 " + LONG[:252], "a long question is not shown as it is")
    need(is_shown("#deck") and is_shown("#typed"), "cards cannot be tapped")
    page.tap("#deck [data-card='2d']")
    page.tap("#send")
    need_answer("2d")
    # An empty answer is given where it is allowed, and only there.
    ask(ask="cards", text="packet 3: its cards?")
    page.tap("#send")
    says(page, "#said", "Type an answer", "an empty answer is sent")
    page.tap("#deck [data-card='3d']")
    page.tap("#send")
    need_answer("3d")
    ask(ask="cards", text="take packet 2 of 3: its 3 cards? (Enter, as recorded: As Jd 9h)")
    need(page.text("#send") == "as recorded", "it is not said what an empty answer means")
    page.tap("#send")
    need_answer("")
    says(page, "#said", "Taken: as recorded.", "what was sent is not said")
    ask(ask="cards", text="packet 1: all 3 cards, after As; say done, or scan what more there is")
    page.tap("#words button:nth-child(1)")
    need_answer("done")
    ask(ask="cards", text="take packet 3 of 3: its 3 cards?")
    need(page.text("#words") == "undo", f"the words are {page.text('#words')}")
    page.tap("#words button")
    need_answer("undo")
    ask(ask="wager", text="seat 3: its wagers in cents? (Enter: ante 1000 x-tra 500)", seat=3)
    need(page.text("#send") == "ante 1000 x-tra 500", "it is not said what is sent")
    page.tap("#send")
    need_answer("")
    ask(ask="cards", text="packet 5: is it as recorded?", answers=["", "jam"])
    need(answers() == ["as recorded", "jam"], f"the answers are {answers()}")
    need(is_shown("#deck"), "other cards than recorded cannot be told")
    page.tap("#answers button:nth-child(1)")
    need_answer("")
    says(page, "#said", "Taken: as recorded.", "what was sent is not said")
    ask(ask="wager", text="seat 1: how many cents are on ante?", seat=1)
    need(is_shown("#typed") and not is_shown("#deck"), "a wager cannot be typed")
    page.tap("#entry")
    page.type("2500")
    page.tap("#send")
    need_answer("2500")
    ask(ask="wager", text="seat 1: which wager?", seat=1, answers=["500", "1000"])
    need(not is_shown("#typed"), "what is not allowed can be typed")
    page.tap("#answers button:nth-child(2)")
    need_answer("1000")
    ask(ask="wager", text="seat 2: what lies on ante?", seat=2, answers=["", "none"])
    need(answers() == ["as recorded", "none"] and is_shown("#typed"), "it can only be nodded")
    page.tap("#answers button:nth-child(1)")
    need_answer("")
    ask(ask="step", text="put deck 2 into the shuffler and press the green button", answers=["done"])
    size = page.evaluate("document.querySelector('#answers button').getBoundingClientRect().height")
    need(size >= 64, f"the answer is {size} pixels high")
    page.tap("#answers button")
    need_answer("done")
    ask(ask="step", text="press the green button", answers=["", "jam", "door open"])
    need(answers() == ["done", "jam", "door open"], f"the answers are {answers()}")
    page.tap("#answers button:nth-child(3)")
    need_answer("door open")
    ask(ask="step", text="type what the display shows")
    page.tap("#entry")
    page.type("E 17")
    page.key("Enter")
    need_answer("E 17")
    ask(ask="fault", text="what does the shuffler show?",
        answers=["jam", "door open", "card missing", "card twice", "motor", "paper", "other", "none"])
    need(len(answers()) == 8, "not all answers are there")
    world.picture(page, "tablet-fault")
    page.tap("#answers button:nth-child(8)")
    need_answer("none")
    ask(ask="fault", text="which fault?")
    page.tap("#entry")
    page.type("jam")
    page.tap("#send")
    need_answer("jam")


@scenario(("const FRESH_MS=400;", "const FRESH_MS=0;"), ("if(performance.now()-last<BOUNCE_MS)return;", ""),
          ("if(answer.status===410)return say('Too late", "if(0)return say('Too late"))
def a_finger_that_taps_twice_or_too_late_does_nothing_else(world):
    bench = world.bench([], station=True, state="idle")
    page = world.page(bench, 800, 1280)
    page.allowed += ["410", "422"]
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    page.tap("#recordings label")
    page.tap("#go", 2)
    bench.ordered({"do": "start", "command": "run", "recordings": [page.evaluate(
        "document.querySelector('#recordings bdi').textContent")]})
    bench.state("playing")
    bench.append(up_to(world.played("run", RUSH), OPENED))
    page.until("!document.querySelector('#pause').disabled", "a run cannot be paused")
    page.tap("#pause", 2)
    bench.ordered({"do": "pause"})
    bench.state("paused")
    page.until("document.querySelector('#pause').textContent==='Continue'", "the pause is not shown")
    page.tap("#stop-now", 2)
    says(page, "#stop-now", "Press again", "it is not asked whether that is meant")
    need(not bench.orders, f"two quick taps have ordered {bench.orders}")
    # The second tap of an answer falls upon the question after it.
    bench.ask(DECISION)
    until_asked(page, "seat 3")
    place = page.place("#answers button:nth-child(1)")
    page.tap("#answers button:nth-child(1)")
    need(bench.answered(1)["answer"] == "bet", "the tap does not answer")
    bench.ask({**DECISION, "text": "seat 4: bet or fold?", "seat": 4})
    page.until("document.querySelector('#asked').textContent.includes('seat 4')", "seat 4 is not asked")
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[place])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    until_asked(page, "seat 4")
    need(2 not in bench.answers, "a second tap has answered the next question")
    page.tap("#answers button:nth-child(2)")
    need(bench.answered(2)["answer"] == "fold", "the next question cannot be answered")
    # What was typed when the question's time was over is of no other question.
    bench.ask({"id": 3, "ask": "wager", "text": "how many cents?", "from": ["page"], "limit-ms": 6000,
               "otherwise": "0"})
    until_asked(page, "how many")
    page.tap("#entry")
    page.type("2500")
    bench.until(lambda: 3 in bench.answers, "the question is not over after its time")
    page.key("Enter")
    says(page, "#said", "Too late", "that it is over is not said")
    bench.answered(3)
    over(page)
    bench.ask({"id": 4, "ask": "wager", "text": "and now?", "from": ["page"]})
    until_asked(page, "and now?")
    need(page.evaluate("document.querySelector('#entry').value") == "", "an answer of before is still there")


@scenario(("signal:AbortSignal.timeout(patience)", "signal:undefined"),
          ("say('Not sent: '+reason(error)+'.',true)\n  }\n  isSending=false", "}\n  isSending=false"),
          ("if(first.answer===text&&first.by===bench.operator&&bench.operator)", "if(0)"))
def a_slow_or_dead_network_loses_no_answer_and_says_so(world):
    bench = world.bench(up_to(world.played("run", RUSH), OPENED))
    page = world.page(bench, 800, 1280)
    page.allowed += ["net::ERR", "409", "Failed to load resource"]
    sign_in(page, "Ann")
    # A reply that takes longer than the page waits: the answer arrives, and its taking does not.
    page.evaluate("(function(){const plain=window.fetch;window.fetch=(path,options)=>{"
                  "if(path!=='/answer'||window.isFast)return plain(path,options);"
                  "return new Promise((done,fail)=>{plain(path,{...options,signal:undefined});"
                  "options.signal&&options.signal.addEventListener('abort',()=>fail(options.signal.reason))"
                  "})};AbortSignal.timeout=ms=>{const c=new AbortController();setTimeout(()=>c.abort("
                  "new DOMException('late','TimeoutError')),Math.min(ms,700));return c.signal}})()")
    bench.ask(DECISION)
    until_asked(page, "seat 3")
    page.tap("#answers button:nth-child(2)")
    says(page, "#said", "Sending", "that it is being sent is not said", 2)
    says(page, "#said", "Not sent: the bench does not answer", "that nothing came back is not said")
    page.evaluate("window.isFast=true")
    # The journal has not told yet that it was taken, so it is tapped again.
    page.tap("#answers button:nth-child(2)")
    says(page, "#said", "Taken: seat 3, fold", "who has answered is told that somebody else was first")
    need(bench.answered(1)["answer"] == "fold", "the answer is lost")
    page.reload()
    page.network(latency=400, kilobytes=20)
    bench.ask(DECISION)
    until_asked(page, "seat 3")
    page.tap("#answers button:nth-child(1)")
    need(bench.answered(2)["answer"] == "bet", "a slow network loses the answer")
    page.network(offline=True)
    bench.ask(DECISION)
    page.network()
    until_asked(page, "seat 3")
    page.tap("#answers button:nth-child(1)")
    need(bench.answered(3)["answer"] == "bet", "nothing is answered after the network was away")


@scenario(("limit:desk.question['limit-ms']", "limit:0"), ("at:performance.now()}", "at:0}"),
          ("desk.since=left===undefined?", "desk.since=left?"),
          ("since:statusAt-(told['since-ms']||0)", "since:statusAt"))
def what_is_awaited_has_its_clock(world):
    lines = on_real_clock(world.played("run", RUSH))
    before = up_to(lines, OPENED)
    bench = world.bench(before)
    page = world.page(bench)
    page.until("performance.now()>3000", "time stands still")
    bench.append([line("wait", **{"for": "shuffled", "device": "shuffler", "limit-ms": 3000000})])
    says(page, "#wait", "Waiting for the shuffle from the shuffler.", "the wait is not shown")
    page.until("/^[0-2]\\.\\d s of 3000 s$/.test(document.querySelector('#clock').textContent)",
               "the clock does not begin with the wait")
    page.until("/^[1-9]\\d*\\.\\d s of 3000 s$/.test(document.querySelector('#clock').textContent)",
               "the clock stands")
    # Who comes later is told by the status since when.
    bench.state("playing", wait={"for": "shuffled", "device": "shuffler", "since-ms": 100000,
                                 "limit-ms": 3000000})
    late = world.page(bench)
    late.until("/^1\\d\\d\\.\\d s of 3000 s$/.test(document.querySelector('#clock').textContent)",
               "opened in the middle, the clock of a wait begins anew")
    bench.state("playing")
    says(page, "#wait", "Waiting", "what has not come is not awaited any more")
    bench.append([lines[len(before)]])
    page.until("!document.querySelector('#wait').textContent.startsWith('Waiting')",
               "what has come is still awaited")
    bench.ask({**DECISION, "limit-ms": 3000000, "otherwise": "fold"})
    until_asked(page, "seat 3")
    page.until("/^[4-9]\\.\\d s of 3000 s, then fold$/.test(document.querySelector('#clock').textContent)",
               "the deadline is not shown")
    late = world.page(bench)
    until_asked(late, "seat 3")
    need(late.evaluate("parseFloat(document.querySelector('#clock').textContent)") >= 4,
         "opened in the middle, the clock of a question begins anew")
    page.tap("#answers button")
    bench.answered(1)
    over(page)


@scenario(("left-(performance.now()-statusAt)", "left"), ("rounds.toLocaleString('en')+' of '", "''+' of '"),
          ("$('done').value=Math.min(1,rounds/total)", "0"))
def how_far_the_run_is_and_when_it_ends_is_shown(world):
    bench = world.bench(up_to(world.played("run", RUSH), OPENED))
    page = world.page(bench)
    bench.state("playing", rounds=1200, total=9000, **{"ends-ms": 90000})
    page.until("/^1,200 of 9,000 rounds, about 1 min [0-9]+ s left, until \\d\\d:\\d\\d/.test("
               "document.querySelector('#progress').textContent)", "the expected end is not shown")
    page.until("/about [0-7]?[0-9] s left$|about 1 min 2[0-7] s/.test("
               "document.querySelector('#progress').textContent)", "the time that is left stands still")
    need(abs(page.evaluate("document.querySelector('#done').value") - 1200 / 9000) < 0.001,
         "the bar shows something else")
    bench.state("playing", rounds=7)
    page.until("document.querySelector('#progress').textContent==='7 rounds'", "rounds are not counted")
    bench.state("ended", rounds=7)
    page.until("document.querySelector('#progress').textContent===''", "a run that is over goes on")


@scenario(("hit.click()", "0"), ("to.focus()", "0"), ("if(timer){", "if(true){"),
          ("(INPUT|SELECT|TEXTAREA)", "(SELECT|TEXTAREA)"), (":focus-visible{outline:3px", ":focus-visible{outline:0px"))
def all_can_be_done_by_keyboard_alone(world):
    bench = world.bench(up_to(world.played("run", RUSH), DEALT), station=True)
    page = world.page(bench)
    page.until("document.querySelector('#link').textContent==='live'", "it does not connect")

    def tab_to(selector):
        for _ in range(120):
            page.key("Tab")
            if page.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
                return
        raise_failed(f"{selector} cannot be reached with the tab key")

    def raise_failed(why):
        need(False, why)

    tab_to("#name")
    page.type("Ann")
    page.key("Enter")
    page.until("document.querySelector('#who').textContent==='Ann'", "the operator is not shown")
    bench.ask(DECISION)
    until_asked(page, "seat 3")
    need("f" in page.text("#answers button:nth-child(2) kbd"), "the key is not on the button")
    page.key("f")
    given = bench.answered(1)
    need(given["answer"] == "fold" and given["by"] == "Ann", f"the key answered {given}")
    bench.ask({**DECISION, "text": "seat 4: bet or fold?"})
    until_asked(page, "seat 4")
    tab_to("#answers button:nth-child(1)")
    width = page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    need(width >= 2, "the focus is not seen")
    page.key("Enter")
    need(bench.answered(2)["answer"] == "bet", "the button does not answer")
    bench.ask(CARDS)
    until_asked(page, "packet 2")
    tab_to("#deck button")
    page.key("ArrowRight")
    page.key("ArrowDown")
    page.key("Enter")
    page.until("document.querySelector('#entry').value==='Kh'", "the arrow keys do not move")
    tab_to("#entry")
    page.key("Enter")
    need(bench.answered(3)["answer"] == "Kh", "the cards were not sent")
    # A letter that is typed is no answer.
    bench.ask({"id": 4, "ask": "cards", "text": "packet 3: which cards?", "answers": ["", "jam"],
               "from": ["page"]})
    until_asked(page, "packet 3")
    tab_to("#entry")
    for key in "jd":
        page.key(key)
    need(4 not in bench.answers, "a letter that was typed has answered")
    tab_to("#send")
    page.evaluate("document.querySelector('#entry').value=''")
    page.key("j")
    need(bench.answered(4)["answer"] == "jam", "a letter does not answer")
    bench.state("playing")
    page.until("!document.querySelector('#stop-now').disabled", "the run cannot be stopped")
    tab_to("#stop-now")
    page.key("Enter")
    says(page, "#stop-now", "Press again", "it is not asked whether that is meant")
    need({"do": "stop-now", "by": "Ann"} not in bench.orders, "one press stops the run now")
    page.evaluate("new Promise(done=>setTimeout(done,700))")
    page.key("Enter")
    bench.ordered({"do": "stop-now", "by": "Ann"})
