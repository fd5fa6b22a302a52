# SPDX-License-Identifier: GPL-3.0-or-later
"""What scenarios of the bench page are made of: a world that ends with them, and what they look at."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import traceback

from bench import Bench, Station
from devtools import Failed, Page

SCENARIOS = []

DECISION = {"id": 1, "ask": "decision", "text": "seat 3: bet or fold?", "seat": 3,
            "answers": ["bet", "fold"], "from": ["page"]}
CARDS = {"id": 1, "ask": "cards", "text": "packet 2: which cards?", "from": ["page"]}
RUSH = "fixtures/flush-rush/ace-is-high-in-a-broadway-run.shoe"
CHASE = "fixtures/chase-the-flush/ace-is-low-and-high-in-straight-flushes.shoe"
# In the journals of both: the shuffler is asked for a deck, a packet lies there, what the round
# comes to, and an award stands on the sign no more.
OPENED, DEALT, SETTLED = '"event":"test-mode"', '"event":"packet-present"', '"kind":"settled"'
SIGNED = '"event":"sign","details":{}'


def scenario(*breaks):
    """Each break is (text of the page, what is put there instead): the scenario must fail with it."""
    def keep(function):
        SCENARIOS.append((function, breaks))
        return function
    return keep


def need(is_so, otherwise):
    if not is_so:
        raise Failed(otherwise)


class World:
    """What a scenario has: a folder, journals, benches and pages, all of which end with it. Pictures
    go to `kept`. `changed` is a change to the page's files that every page gets."""

    def __init__(self, build, kept, browser, changed):
        self.build, self.kept, self.browser, self.changed = build, kept, browser, changed
        self.folder = tempfile.mkdtemp()
        self.pages, self.benches = [], []

    def page(self, bench, width=1280, height=900, after="", **options):
        page = Page(self.browser, bench.address + after, width, height, self.changed, **options)
        self.pages.append(page)
        return page

    def bench(self, lines=(), **options):
        bench = Bench(self.build, os.path.join(self.folder, f"{len(self.benches)}.journal"),
                      patience=self.browser.patience, **options)
        self.benches.append(bench)
        bench.append(lines)
        bench.start()
        return bench

    def station(self, *options, **fields):
        station = Station(self.build, self.folder, *options, **fields)
        self.benches.append(station)
        return station

    def dealproof(self, *arguments):
        """Its exit status and what it says."""
        ended = subprocess.run([os.path.join(self.build, "dealproof"), *arguments], check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return ended.returncode, ended.stdout

    def played(self, command, *arguments):
        """The lines of a run's journal."""
        name = tempfile.mktemp(dir=self.folder)
        self.dealproof(command, "--quiet", "--journal", name, *arguments)
        return read_lines(name)

    def picture(self, page, name, whole=False):
        page.picture(os.path.join(self.kept, name + ".png"), whole)

    def end(self):
        """Ends all of it, whatever of it fails; the first failure is told."""
        errors = [error for page in self.pages for error in page.errors]
        why = f"the console says: {errors[:3]}" if errors else ""
        for one in [*(page.close for page in self.pages), *(bench.kill for bench in self.benches)]:
            try:
                one()
            except Failed as failure:
                why = why or str(failure)
        shutil.rmtree(self.folder, ignore_errors=True)
        need(not why, why)


def play(function, world):
    """None, or why it failed."""
    why = None
    try:
        function(world)
    except Failed as failure:
        why = str(failure)
    except Exception:  # pylint: disable=broad-except
        why = traceback.format_exc()
    try:
        world.end()
    except Failed as failure:
        why = why or str(failure)
    return why


# Lines of journals.

def read_lines(path):
    with open(path, encoding="utf-8") as journal:
        return journal.read().splitlines()


def chained(lines):
    """The same lines with numbers and digests as a journal has them."""
    out, prev = [], "0" * 64
    for number, line_ in enumerate(lines, 1):
        line_ = re.sub(r'^\{"n":\d+,"prev":"\w*"', f'{{"n":{number},"prev":"{prev}"', line_)
        prev = hashlib.sha256(line_.encode()).hexdigest()
        out.append(line_)
    return out


def line(kind, **fields):
    return json.dumps({"n": 0, "prev": "", "t": 0, "kind": kind, **fields}, separators=(",", ":"))


def on_real_clock(lines):
    """The same run, as if people and machines had taken their time."""
    return chained([lines[0].replace('"clock":"virtual"', '"clock":"real"'), *lines[1:]])


def first_at(lines, text, times=1):
    """Where the first line is that has a text, or the one that has it as often as that before and then."""
    return [at for at, line_ in enumerate(lines) if text in line_][times - 1]


def up_to(lines, text, times=1):
    """The lines until something has happened, with its own: journals have more lines with every check."""
    return lines[:first_at(lines, text, times) + 1]


# What a page shows.

def shown(page):
    """The table and the results, as text."""
    return page.evaluate("[...document.querySelectorAll('#table,#results>:not(#links):not(#shuffles)')]"
                         ".map(e=>e.textContent).join('\\n')")


def ended(page, seconds=None):
    page.until("document.querySelector('#link').textContent==='ended'", "the end is not shown", seconds)
    settle(page)


def settle(page):
    """Waits until what has come is drawn: two frames in which nothing was left to do."""
    page.evaluate("new Promise(done=>document.hidden?setTimeout(done,1500):requestAnimationFrame(()=>"
                  "requestAnimationFrame(()=>requestAnimationFrame(done))))")


def says(page, where, text, otherwise, seconds=None):
    page.until(f"document.querySelector({json.dumps(where)}).textContent.includes({json.dumps(text)})",
               otherwise, seconds)


def cards(page, where):
    return page.evaluate(f"[...document.querySelectorAll('{where} .cards .card')]"
                         ".map(e=>e.getAttribute('aria-label'))")


def until_cards(page, number, otherwise="nothing is dealt"):
    page.until(f"document.querySelectorAll('#seats .card').length==={number}", otherwise)


def tile(page, name):
    return page.evaluate("Number([...document.querySelectorAll('#tiles li')].find(e=>e.lastChild."
                         f"textContent==={json.dumps(name)}).firstChild.textContent.replace(/,/g,''))")


def too_wide(page):
    return page.evaluate("document.documentElement.scrollWidth-document.documentElement.clientWidth")


def too_small(page, least=44):
    """What can be pressed and is smaller than that, in pixels."""
    return page.evaluate(
        "[...document.querySelectorAll('button,select,input:not([type=checkbox]),.links a,summary,"
        "label:has(>[type=checkbox])')].map(e=>[e,e.getBoundingClientRect()])"
        f".filter(([e,b])=>b.width&&(Math.round(b.height)<{least}||Math.round(b.width)<{least}))"
        ".map(([e,b])=>(e.id||e.textContent)+' '+Math.round(b.width)+'x'+Math.round(b.height))")


def overlapping(page):
    """What lies upon its neighbour, so that a finger hits the wrong one."""
    return page.evaluate(
        "[...document.querySelectorAll('button,select,input')].map(e=>[e,e.getBoundingClientRect()])"
        ".filter(([e,b])=>b.width).flatMap(([e,b],i,all)=>all.slice(i+1).filter(([f,c])=>"
        "e.parentNode===f.parentNode&&b.right>c.left+1&&c.right>b.left+1&&b.bottom>c.top+1&&"
        "c.bottom>b.top+1).map(([f])=>(e.ariaLabel||e.id)+' and '+(f.ariaLabel||f.id)))")


def until_asked(page, text):
    says(page, "#asked", text, f"'{text}' is not asked")
    # A finger that was meant for something else is not an answer.
    page.until("!document.querySelector('#now').classList.contains('fresh')", "no answer is taken")


def sign_in(page, name):
    page.click("#name")
    page.type(name)
    page.key("Enter")
    page.until(f"document.querySelector('#who').textContent==={json.dumps(name)}",
               "the operator is not shown")


def choose(page, where, value):
    """As a person does in a list."""
    page.evaluate(f"(function(){{const e=document.querySelector({json.dumps(where)});"
                  f"e.value={json.dumps(value)};e.dispatchEvent(new Event('input',{{bubbles:true}}));"
                  "e.dispatchEvent(new Event('change',{bubbles:true}))})()")


def turn_to(page, view):
    page.click(f"nav [data-to={view}]")
    page.until(f"document.body.dataset.view==='{view}'", f"{view} is not shown")
