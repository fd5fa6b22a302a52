# SPDX-License-Identifier: GPL-3.0-or-later
"""Screens, paper, screen readers, and texts that were written to do harm."""
import os

from scene import (CARDS, CHASE, DEALT, DECISION, RUSH, SETTLED, SIGNED, chained, ended, first_at, line,
                   need, overlapping, says, scenario, settle, too_small, too_wide, turn_to, until_asked,
                   until_cards, up_to)

HOSTILE = "<script>window.hit=1</script><img src=x onerror=window.hit=1>"


@scenario(("export const said=value=>make('bdi','',plain(value));",
           "export const said=value=>{const e=make('bdi');e.innerHTML=value;return e};"),
          ("[\\p{Cc}\\p{Cf}", "[\\p{Cc}"), ("overflow-wrap:anywhere}\nh1", "}\nh1"),
          ("if(text.length>LONGEST)", "if(0)"), ("done()\n  }catch(error){\n    console", "done();\n  }finally{}try{}catch(error){\n    console"),
          (".replace(/(\\p{M}{2})\\p{M}+/gu,'$1\\u2026')", ""))
def hostile_texts_are_shown_as_text(world):
    lines = world.played("run", CHASE)
    at = first_at(lines, SETTLED)
    bad = [HOSTILE, "evil\u202e\u2066txt.exe\U000e0041", "x" * 10000, "z" + "\u0335\u0310" * 400,
           "\x00\x07\x1b[2J\x9b\r\n\t"]
    extra = [line("check", recording=1, round=1, result="fail", name=text, seat=seat, wager=text,
                  expected=text, got={"deep": text}, why=text)
             for seat in (1, None) for text in bad]
    extra += [line("event", recording=1, round=1, device="shuffler", event="fault", details=text)
              for text in [*bad, "x" * 60000]]
    extra += [line("event", recording=1, round=1, device="terminal", event="screen",
                   details={"state": HOSTILE, "hand": bad[2]}),
              line("event", recording=1, round=1, device="__proto__", event="constructor", details=HOSTILE),
              line("event", device="rig", event="operator", details=HOSTILE),
              line("operator", name={"not": "a name"}), line("operator", name=bad[1]),
              line("retry", recording=1, round=1, device=HOSTILE, what=HOSTILE, attempt=1, why=bad[1]),
              line("reconnect", device="shuffler", times="many", tries=[], same="no", **{"away-ms": HOSTILE}),
              line("a-kind-of-tomorrow", text=HOSTILE), line("wait", **{"for": HOSTILE, "device": bad[1]}),
              line("wait", **{"for": "__proto__", "device": None, "limit-ms": "soon", "try": HOSTILE}),
              line("verdict", recording=1, round=1, verdict="fail", why=HOSTILE + bad[1] + bad[2],
                   checks={"pass": 1, "fail": 6, "skipped": 0}, timings=[])]
    wrong = [line("event", recording=1, round=1, device=device, event=event, details=details)
             for device, event in (("shuffler", "packet-present"), ("shuffler", "shuffled"),
                                   ("terminal", "lights"), ("terminal", "sign"), ("terminal", "screen"),
                                   ("terminal", "meters"), ("terminal", "jackpot-paid"),
                                   ("sensors", "wager placed"), ("shoe", "card"))
             for details in (None, 7, "", [], {}, {"seat": None, "pays": None})]
    wrong += [line("device", name="((", address="((", driver="*"), line("round"), line("settled"),
              line("settled", settlement={"burned": 7, "seats": {"1": {"cards": 3}}}),
              line("check", result="fail"), line("verdict"), line("recording"), line("question"),
              line("answer"), line("device", name=None), lines[7]]
    device = lines[1].replace('"DP-SHUF1"', '"<script>window.hit=1</script>\u202e"')
    bench = world.bench(chained(lines[:1] + [device] + lines[2:7] + wrong + lines[8:at + 1] + extra))
    page = world.page(bench, 360, 640)
    says(page, "#failed", "onerror", "nothing is shown")
    bench.ask({"id": 1, "ask": "step", "text": HOSTILE + "\u202e" + "y" * 150,
               "answers": ["<b>done</b>", "d\u202eone", "z" * 200], "from": ["page"]})
    until_asked(page, "<script>")
    for view in ("table", "results"):
        turn_to(page, view)
        need(too_wide(page) <= 0, f"a long text makes the {view} too wide")
    need(page.evaluate("performance.getEntriesByType('resource').filter(e=>e.name.endsWith('/status'))"
                       ".length") == 1, "a strange line ends the stream")
    need(not page.evaluate("window.hit"), "a script of the journal was run")
    text = page.evaluate("document.documentElement.textContent")
    need("<script>window.hit=1</script>" in text, "the text is not shown as it is")
    need("\u202e" not in text and "U+202E" in text, "U+202E turns the text around")
    need("\U000e0041" not in text and "\x1b" not in text, "what cannot be seen is there")
    need("\u0335\u0310" * 3 not in text, "marks are stacked upon marks")
    need(len(text) < 80000, "a very long text is shown in full")
    need(page.evaluate("document.querySelectorAll('main script,main img').length") == 0,
         "a text of the journal became an element")


def need_fits(page, what):
    need(too_wide(page) <= 0, f"{what} is wider than the screen by {too_wide(page)} pixels")
    small = too_small(page)
    need(not small, f"too small for a finger: {small}")
    need(not overlapping(page), f"one upon the other: {overlapping(page)[:3]}")


@scenario(("<button id=\"go\" class=\"strong\">Start</button>\n      </div>", "</div>"),
          ("section:not(#now){display:none}\n", "\n"), (".spot{min-height:7.4rem}", ".spot{width:500px;min-height:7.4rem}"),
          ("font:inherit;min-height:2.75rem;min-width:2.75rem", "font:inherit;min-height:2rem"),
          ("gap:2px;margin:.4rem -.5rem", "gap:2px;margin:.4rem 1rem"), ("position:sticky;bottom:0;\n", "\n"))
def a_small_phone_shows_everything_without_scrolling_sideways(world):
    bench = world.bench([], state="idle", station=True)
    page = world.page(bench, 320, 568)
    page.until("document.querySelectorAll('#recordings li').length>3", "the recordings are not listed")
    box = page.evaluate("(function(){const b=document.querySelector('#go').getBoundingClientRect();"
                        "return [b.top,b.bottom]})()")
    need(box[0] >= 0 and box[1] <= 568, f"the start button is not in sight: {box}")
    world.picture(page, "phone-idle")
    bench.state("playing", rounds=1, total=3)
    bench.give("runs", {"runs": [{"run": 1, "command": "run", "verdict": "pass", "rounds": 3, "failed": 0,
                                  "started": "2026-01-31T18:00:00Z"}]})
    bench.append(up_to(world.played("run", CHASE), DEALT, 4))
    until_cards(page, 6)
    bench.ask({**CARDS, "text": "packet 2 of 7, for seat 3: its 3 cards? (Enter, as recorded: As Jd 9h)"})
    until_asked(page, "packet 2")
    # Whatever part of the deck is in sight, what was tapped can be sent.
    page.tap("#deck [data-card='Ks']")
    page.until("document.querySelectorAll('#picked .card').length===1", "the tapped card is not shown")
    page.place("#send")
    seen = page.evaluate("(function(){document.querySelector('#asked').scrollIntoView();"
                         "const b=document.querySelector('#send').getBoundingClientRect();return b.bottom})()")
    need(seen <= 568, f"what was tapped cannot be sent without scrolling: {seen}")
    for view in ("table", "start", "results"):
        turn_to(page, view)
        need_fits(page, view)
        world.picture(page, f"phone-{view}", True)
    turn_to(page, "table")
    page.evaluate("document.querySelector('#asked').scrollIntoView()")
    world.picture(page, "phone-cards")
    page.tap("#send")
    bench.answered(1)
    bench.ask(DECISION)
    until_asked(page, "bet or fold")
    box = page.evaluate("document.querySelector('#answers button:last-child').getBoundingClientRect().bottom")
    page.evaluate("scrollTo(0,0)")
    settle(page)
    need(box <= 568, f"an answer is out of sight: {box}")
    world.picture(page, "phone-question")
    need_fits(page, "a question")


@scenario(("html{font-size:max(100%,.84vw)}", "html{font-size:100%}"), ("body{\n  margin:0 auto;max-width:120rem", "body{\n  margin:0 auto;min-width:250rem"),
          ("#asked{font-size:2.2rem}", "#asked{font-size:1rem}"))
def a_wall_is_read_from_afar(world):
    bench = world.bench(up_to(world.played("run", CHASE), SIGNED), station=True)
    page = world.page(bench, 3840, 2160)
    until_cards(page, 6)
    bench.state("playing", rounds=1, total=3, **{"ends-ms": 600000})
    bench.ask(DECISION)
    until_asked(page, "seat 3")
    need_fits(page, "the wall")
    sizes = page.evaluate("['#asked','#seats .wagers','#board .card'].map(e=>parseFloat(getComputedStyle("
                          "document.querySelector(e)).fontSize))")
    need(sizes[0] >= 64 and min(sizes[1:]) >= 28, f"the letters have {sizes} pixels")
    # The whole table is in sight, and uses the wall.
    box = page.evaluate("(function(){const b=e=>document.querySelector(e).getBoundingClientRect();"
                        "return [Math.max(b('#table').bottom,b('#machines').bottom),b('body').width]})()")
    need(box[0] <= 2160 and box[1] >= 3600, f"the table ends at {box[0]}, the page is {box[1]} wide")
    world.picture(page, "wall-4k")


@scenario(("made.setAttribute('aria-label',cardName(card));", ""), ("<main>", "<div>"),
          ("<label for=\"entry\">Answer</label>", ""), (" role=\"alert\"", ""),
          ("<p id=\"said\" role=\"status\"></p>", "<p id=\"said\"></p>"), ("made.setAttribute('aria-pressed',picked.has(card));", ""),
          ("aria-labelledby=\"results-title\"", ""), ("aria-label=\"Seats\"", ""),
          ("one.setAttribute('aria-pressed',one.dataset.to===name)", "0"))
def a_screen_reader_has_names_for_everything(world):
    lines = world.played("run", RUSH)
    bench = world.bench(lines[:first_at(lines, SETTLED)], station=True)
    page = world.page(bench)
    until_cards(page, 8)
    bench.ask({**CARDS, "answers": ["", "jam"]})
    until_asked(page, "packet 2")
    page.tap("#deck [data-card='7c']")
    page.until("document.querySelectorAll('#picked .card').length===1", "the tapped card is not shown")
    tree = [node for node in page.call("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
    nodes = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree]

    def has(name, key, value):
        return any(node.get("name", {}).get("value") == name and any(
            one["name"] == key and str(one["value"].get("value")).lower() == value
            for one in node.get("properties", [])) for node in tree)

    need(("image", "ace of spades") in nodes or ("img", "ace of spades") in nodes, "a card has no name")
    for role in ("banner", "main", "alert"):
        need(any(node[0] == role for node in nodes), f"there is no {role}")
    for name in ("Now", "Table", "Devices", "Results"):
        need(("region", name) in nodes, f"there is no region called {name}")
    for role, name in (("list", "Seats"), ("group", "Allowed answers"), ("group", "Cards, arrow keys move"),
                       ("heading", "Dealer"), ("heading", "Now")):
        need((role, name) in nodes, f"there is no {role} called {name}")
    need(has("seven of clubs", "pressed", "true"), "that a card is chosen is not told")
    need(has("ace of spades, already seen", "disabled", "true"), "that a card was seen is not told")
    named = ("button", "textbox", "combobox", "checkbox", "searchbox", "spinbutton", "link", "progressbar",
             "image", "img", "DisclosureTriangle")
    nameless = [node for node in nodes if node[0] in named and not node[1].strip()]
    need(not nameless, f"without a name: {nameless}")
    need(page.evaluate("[...document.querySelectorAll('table')].every(t=>t.querySelector('th[scope]'))"),
         "a table has no headings")
    # What changes is said: questions at once, states when there is time.
    live = page.evaluate("['asked','wait','said','link','chosen'].map(id=>document.getElementById(id).role)")
    need(live == ["alert", "status", "status", "status", "status"], f"what is said by itself: {live}")
    page.size(800, 1280)
    turn_to(page, "results")
    need(page.evaluate("[...document.querySelectorAll('nav button')].map(e=>e.ariaPressed).join()") ==
         "false,false,true", "which part is shown is not told")
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(e=>Number(e.tagName[1]))")
    need(all(after <= before + 1 for before, after in zip(levels, levels[1:])), "a level of headings is left out")


def contrast(page, selector):
    """Between the letters and what is behind them, as WCAG has it."""
    return page.evaluate(
        "(function(){const light=c=>{const [r,g,b]=c.match(/[\\d.]+/g).slice(0,3).map(v=>{v/=255;"
        "return v<=.03928?v/12.92:Math.pow((v+.055)/1.055,2.4)});return .2126*r+.7152*g+.0722*b};"
        f"const e=document.querySelector({selector!r});let b=e;while(/, 0\\)$|transparent/.test("
        "getComputedStyle(b).backgroundColor)&&b.parentElement)b=b.parentElement;"
        "const one=light(getComputedStyle(e).color),two=light(getComputedStyle(b).backgroundColor);"
        "return (Math.max(one,two)+.05)/(Math.min(one,two)+.05)})()")


@scenario(("<link rel=\"stylesheet\" href=\"page/colors.css\">", ""),
          ("prefers-reduced-motion:no-preference", "min-width:1px"),
          ("nav,#start,#orders", "#nothing"), ("small,.soft{color:var(--soft)", "small,.soft{color:#888"),
          (".scroll{max-height:none;overflow:visible}", ""))
def dark_light_tablet_and_paper(world):
    where = "tests/failing/dealt-cards/another-card"
    lines = world.played("run", CHASE)
    failing = world.played("run", "--rig", where + ".yaml", where + ".shoe")
    grounds = []
    for scheme in ("light", "dark"):
        bench = world.bench(up_to(lines, SIGNED), station=True)
        page = world.page(bench, 1920, 1080, prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        until_cards(page, 6)
        bench.ask(DECISION)
        until_asked(page, "seat 3")
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        need(page.evaluate("getComputedStyle(document.querySelector('#seats .card')).animationName") == "none",
             "cards move where people want no motion")
        need(too_wide(page) <= 0, "the screen is too narrow")
        for selector in ("#asked", "#answers button", "#wait", "#seats small", "#seats .minus", "#seats .plus",
                         "#link", "#devices dd", "#pause", "#tiles li", "#about", ".links a"):
            need(contrast(page, selector) >= 4.5,
                 f"{selector} is hard to read when it is {scheme}: {contrast(page, selector):.1f}")
        world.picture(page, f"screen-{scheme}")
        for name, size in (("tablet", (800, 1280)), ("tablet-wide", (1280, 800)), ("phone", (360, 640))):
            page.size(*size)
            settle(page)
            need_fits(page, f"a {name}")
            world.picture(page, f"{name}-{scheme}")
    need(grounds[0] != grounds[1], "dark and light are the same")
    page = world.page(world.bench(failing, station=True), 1280, 900, prefers_color_scheme="dark")
    ended(page)
    need(contrast(page, ".fails li") >= 4.5, "what differs is hard to read")
    world.picture(page, "failing", True)
    data = page.print(os.path.join(world.kept, "page.pdf"))
    need(len(data) > 15000, "the page cannot be printed")
    page.media("print")
    for part, is_there in (("#table", True), ("#results", True), ("#failures", True), ("nav", False),
                           ("#orders", False), ("#start", False)):
        need(page.evaluate(f"document.querySelector('{part}').getClientRects().length>0") == is_there,
             f"{part} is {'missing' if is_there else 'there'} on paper")
    need(page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX") == "visible",
         "what does not fit a box is cut off on paper")
