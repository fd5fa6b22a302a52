# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that come, go, sleep and come back, and benches that die."""
import json

from devtools import Failed
from scene import (CHASE, DEALT, DECISION, OPENED, RUSH, SETTLED, ended, need, says, scenario, settle,
                   shown, sign_in, tile, turn_to, until_asked, until_cards, up_to)


@scenario(("run.counts[line.verdict]=(run.counts", "if(performance.now()>2500)run.counts[line.verdict]=(run.counts"),)
def a_page_opened_in_the_middle_shows_what_the_others_show(world):
    lines = world.played("run", CHASE, RUSH)
    bench = world.bench(lines[:3])
    first = world.page(bench)
    first.until("performance.now()>2500", "time stands still")
    half = up_to(lines, '"kind":"round"', 2)
    bench.append(half[3:])
    second = world.page(bench)
    for page in (first, second):
        says(page, "#playing", "Round 2 of", "it does not catch up")
    bench.append(lines[len(half):])
    ended(first)
    ended(second)
    need(shown(first) == shown(second), "two pages show different things")


@scenario(("isOver&&!run.end&&status.line>run.last", "false"))
def an_end_is_shown_when_all_before_it_has_come(world):
    lines = world.played("run", RUSH)
    first = next(at for at, line in enumerate(lines) if '"kind":"verdict"' in line)
    bench = world.bench(lines[:first])
    page = world.page(bench)
    bench.state("ended", line=len(lines))
    says(page, "#link", "catching up", "a run is told as ended whose last lines have not come")
    bench.append(lines[first:])
    ended(page)
    need(tile(page, "rounds") > 0, "the rounds that came last are not counted")


STATE = "[[...document.querySelectorAll('#table,#results>:not(#links):not(#shuffles)')]" \
        ".map(e=>e.textContent).join('\\n'),...['#asked','#wait','#who','#progress','#orders','#rig']" \
        ".map(e=>document.querySelector(e).innerText),document.body.dataset.view," \
        "...['pause','stop','stop-now','go','reset','doctor'].map(e=>document.getElementById(e).disabled)]"


@scenario(("bench.operator=remember('localStorage','operator');\nshowOperator", "showOperator"),
          ("if(run.question&&run.question.id>run.over)return run.question;", "if(0)return 0;\n  return null;"),
          ("history[isStep?'pushState':'replaceState'](null,'',now)", "0"),
          ("stopping:'Finishing", "slowing:'Finishing"), ("$('stop').disabled=!bench.isReached||!isOn||state==='stopping'", "$('stop').disabled=window.isOld||!isOn"),
          ("state==='resetting'||state==='examining'", "state==='examining'"))
def a_reload_in_any_state_shows_the_same_again(world):
    lines = world.played("run", CHASE)
    bench = world.bench([], state="idle", station=True)
    page = world.page(bench, 800, 1280)

    def again(state, *needed):
        for selector, text in needed:
            says(page, selector, text, f"'{text}' is not shown while {state}")
        settle(page)
        before = page.evaluate(STATE)
        page.reload()
        try:
            page.until(f"document.querySelector('#link').textContent!=='connecting'&&"
                       f"JSON.stringify({STATE})==={json.dumps(json.dumps(before, separators=(',', ':'), ensure_ascii=False))}",
                       "")
        except Failed:
            raise Failed(f"after a reload while {state}: {page.evaluate(STATE)} instead of {before}") from None

    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    again("idle", ("#wait", "Nothing is being played."))
    sign_in(page, "Ann")
    turn_to(page, "table")
    bench.state("playing", rounds=0, total=3)
    dealt = up_to(lines, DEALT, 2)
    bench.append(dealt)
    until_cards(page, 6)
    again("dealing", ("#wait", "Playing."), ("#progress", "0 of 3 rounds"), ("#who", "Ann"))
    bench.ask(DECISION)
    until_asked(page, "seat 3")
    again("a question is open", ("#asked", "seat 3"))
    bench.state("paused")
    again("paused with a question", ("#pause", "Continue"), ("#asked", "seat 3"))
    until_asked(page, "seat 3")
    page.click("#answers button")
    bench.answered(1)
    page.until("document.querySelector('#asked').textContent===''", "the question stays")
    again("paused", ("#wait", "Paused between rounds."))
    turn_to(page, "results")
    bench.state("stopping")
    again("stopping", ("#wait", "Finishing this round"))
    need(page.evaluate("document.querySelector('#stop').disabled&&!document.querySelector('#stop-now').disabled"),
         "it cannot be stopped now")
    bench.append(lines[len(dealt):])
    bench.state("ended")
    ended(page)
    again("ended", ("#wait", "The run has ended: pass."))
    bench.state("resetting")
    page.until("document.querySelector('#reset').disabled", "the bench can be reset while it is reset")
    again("resetting")
    bench.state("ended", said="shuffler: at rest; terminal: at rest")
    again("reset", ("#wait", "terminal: at rest"))


@scenario(("{'Last-Event-ID':String(bench.run.last-1)}", "{'Last-Event-ID':String(bench.run.last+1)}"),
          ("if(id===run.last&&isSame(JSON.parse(data),run.tail))return false;", "return false;"),
          ("'disconnected: '+bench.why", "'live'"), ("classList.toggle('stale',!bench.isReached", "classList.toggle('stale',false"),
          ("if(bench.isReached&&bench.operator&&bench.status.operator===undefined)tellOperator()", ""))
def a_server_that_dies_and_comes_back_is_caught_up_with(world):
    lines = world.played("run", CHASE, RUSH)
    settled = up_to(lines, SETTLED)
    bench = world.bench(settled)
    page = world.page(bench)
    page.allowed.append("net::ERR")
    sign_in(page, "Ann")
    bench.ordered({"do": "operator", "by": "Ann"})
    until_cards(page, 6)
    bench.kill()
    says(page, "#link", "disconnected", "that the bench is gone is not shown")
    need(page.evaluate("document.body.classList.contains('stale')"), "old values look like new ones")
    later = up_to(lines, SETTLED, 2)
    bench.append(later[len(settled):])
    bench.start()
    page.click("#retry")
    page.until("document.querySelector('#link').textContent==='live'", "the page does not come back")
    bench.ordered({"do": "operator", "by": "Ann"})
    bench.kill()
    bench.append(lines[len(later):])
    bench.start()
    ended(page)
    whole = world.page(bench)
    whole.allowed.append("net::ERR")
    ended(whole)
    need(shown(page) == shown(whole), "something was missed")
    # The same address serves another run now, with more lines than the first had.
    bench.kill()
    bench.clear()
    bench.append(world.played("run", "--seed", "2", "fixtures/flush-rush/evening-of-six-seats.shoe"))
    bench.start()
    says(page, "#about", "evening", "another run is not noticed")
    ended(page)
    whole = world.page(bench)
    ended(whole)
    need(shown(page) == shown(whole), "two runs are mixed")


@scenario(("if(!document.hidden)retry()", ""), ("performance.now()-heardAt>SILENT_MS/2", "false"))
def a_tablet_that_slept_is_awake_at_once(world):
    lines = world.played("run", CHASE, RUSH)
    settled = up_to(lines, SETTLED)
    bench = world.bench(settled)
    page = world.page(bench)
    page.allowed.append("net::ERR")
    until_cards(page, 6)
    # A connection that has died while nobody looked: nothing is heard, and no error either.
    page.evaluate("(function(){const now=performance.now.bind(performance),real=window.fetch;"
                  "window.asked=0;window.fetch=(...all)=>{window.asked+=all[0].startsWith('/events');"
                  "return real(...all)};performance.now=()=>now()+13000;"
                  "document.dispatchEvent(new Event('visibilitychange'))})()")
    page.until("window.asked>0", "the connection is not opened anew")
    bench.append(lines[len(settled):])
    ended(page)
    need(tile(page, "rounds") == 5, "something was missed while it slept")
    page.call("Page.setWebLifecycleState", state="frozen")
    page.call("Page.setWebLifecycleState", state="active")
    need(page.text("#link") == "ended", "the page does not wake")


@scenario(("setInterval(()=>{\n  if(document.hidden)drawNow()", "setInterval(()=>{\n  if(0)drawNow()"),)
def a_page_that_nobody_sees_tells_of_a_question_in_its_title(world):
    bench = world.bench(up_to(world.played("run", RUSH), OPENED))
    page = world.page(bench)
    says(page, "#link", "live", "it does not connect")
    # Frames stop in a tab behind another.
    page.evaluate("Object.defineProperty(document,'hidden',{get:()=>true});"
                  "window.requestAnimationFrame=()=>0;0")
    settled = "new Promise(done=>setTimeout(done,300))"
    page.evaluate(settled)
    bench.ask(DECISION)
    page.until("document.title.startsWith('? seat 3')", "the title does not say that somebody is asked")


@scenario(("window.addEventListener('storage',event=>{", "window.addEventListener('stored',event=>{"),
          ("window.addEventListener('popstate',", "window.addEventListener('popped',"), ("if(now!==location.pathname", "if(0&&now!==location.pathname"),
          ("if(answer.status===404&&wanted){", "if(0){"))
def two_tabs_and_the_back_button_do_what_people_expect(world):
    bench = world.bench(world.played("run", CHASE), station=True)
    page = world.page(bench, 800, 1280)
    other = world.page(bench, 800, 1280, beside=page)
    ended(other)
    page.call("Page.bringToFront")
    ended(page)
    sign_in(page, "Ann")
    other.until("document.querySelector('#who').textContent==='Ann'", "the other tab does not know who is there")
    turn_to(page, "results")
    turn_to(page, "start")
    for view in ("results", "table"):
        page.evaluate("history.back()")
        page.until(f"document.body.dataset.view==='{view}'", f"back does not lead to {view}")
    # Away and back again: it is all there.
    page.call("Page.navigate", url="about:blank")
    page.until("location.href==='about:blank'", "it stays")
    page.evaluate("history.back()")
    page.until("document.readyState==='complete'&&Boolean(document.querySelector('#seats li'))",
               "the page does not come back")
    ended(page)
    need(tile(page, "rounds") == 3, "the page does not show the run again")
    # An address of a run that is not there leads to what is played now.
    page = world.page(bench, 800, 1280, after="#results/99")
    page.allowed.append("404")
    page.errors.clear()
    ended(page)
    need(page.evaluate("document.body.dataset.view") == "results", "another part is shown")


@scenario(("bench.run=newRun();\n  bench.dirty", "bench.dirty"), ("isRead=Boolean(bench.wanted);", ""),
          ("one.run===bench.status.run?0:one.run", "0"), ("'/runs/'+number+'/'+name", "'/runs/1/'+name"))
def the_next_run_is_followed_and_older_ones_can_be_seen_again(world):
    bench = world.bench(world.played("run", CHASE), station=True)
    page = world.page(bench)
    ended(page)
    first = shown(page)
    bench.give("runs", {"runs": [
        {"run": 2, "command": "run", "rounds": 2, "failed": 0, "started": "2026-01-31T18:00:00Z"},
        {"run": 1, "command": "run", "verdict": "pass", "rounds": 3, "failed": 0}]})
    bench.give("report", "<!doctype html><title>report</title>")
    lines = world.played("run", RUSH)
    dealt = up_to(lines, DEALT)
    bench.next(dealt)
    says(page, "#playing", "flush-rush", "the next run is not followed")
    need(tile(page, "rounds") == 0, "rounds of the run before are counted")
    need(page.evaluate("document.querySelector('#links a').pathname") == "/runs/2/report",
         "the link leads to another report")
    page.until("document.querySelectorAll('#runs li').length===2", "the runs are not listed")
    page.click("#runs li:nth-child(2) button")
    page.until("document.querySelector('#link').textContent==='run 1, ended'", "the first run is not shown")
    page.until("[...document.querySelectorAll('#tiles b')][0].textContent==='3'", "it has other rounds")
    need(shown(page).split("Runs of this bench")[0] == first.split("Runs of this bench")[0],
         "the first run is shown otherwise than before")
    bench.ask(DECISION)
    until_asked(page, "seat 3")
    page.click("#answers button")
    bench.answered(1)
    bench.append(lines[len(dealt):])
    page.evaluate("new Promise(done=>setTimeout(done,2500))")
    need(page.text("#link") == "run 1, ended", "the run that is looked at goes away")
    need(page.evaluate("performance.getEntriesByType('resource').filter(e=>e.name.includes('run=1'))"
                       ".length") <= 2, "a run that is over is asked for again and again")
    page.reload()
    page.until("document.querySelector('#link').textContent==='run 1, ended'",
               "after a reload another run is shown")
    page.click("#links button")
    ended(page)
    need(tile(page, "rounds") == 2, "the current run is not caught up with")


@scenario(("headers.Authorization='Bearer '+bench.token", "0"),
          ("history.replaceState(null,'',location.pathname+location.search)", "0"),
          ("bench.token=remember('sessionStorage','token')", "bench.token=''"),
          ("if(bench.token)return button('Save '", "if(0)return button('Save '"))
def a_token_is_asked_for_and_leaves_the_address(world):
    bench = world.bench(world.played("run", RUSH), token="a-token-of-24-characters", station=True)
    page = world.page(bench)
    page.allowed.append("401")
    page.until("!document.querySelector('#token').hidden", "the token is not asked for")
    page.errors.clear()
    page.click("#secret")
    page.type("a-token-of-24-characters")
    page.key("Enter")
    ended(page)
    page = world.page(bench, after="#token=a-token-of-24-characters")
    ended(page)
    need("token" not in page.evaluate("location.href"), "the token stays in the address")
    says(page, "#links", "Save report", "a report is linked to where no token goes with it")
    page.reload()
    ended(page)
