# SPDX-License-Identifier: GPL-3.0-or-later
"""A bench that a test plays: tests/station/stage.c, a journal and what the page has sent."""
import glob
import json
import os
import socket
import subprocess
import threading
import time

from devtools import Failed

DOCTOR = {"doctor": [{"what": "clock", "ok": True},
                     {"what": "/dev/ttyUSB0", "ok": False, "why": "no permission",
                      "remedy": "add the user to the group dialout"}]}


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


def recordings():
    """The fixtures as a station lists them."""
    return [{"path": path, "game": path.split("/")[1], "rounds": 2, "note": "as <b>played</b>",
             "last": "pass"} for path in sorted(glob.glob("fixtures/*/*.shoe"))]


class Bench:
    """Served on one port for as long as it lives, also after it was killed and started again."""

    def __init__(self, build, journal, station=False, state="playing", token=None, patience=20):
        self.patience = patience  # seconds until what is awaited is missing
        self.program = os.path.join(build, "tests", "station", "stage")
        self.folder = journal + ".lists"
        self.journals, self.port = [journal], free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.command, self.first = "station" if station else "run", state
        self.answers, self.orders, self.asked, self.lines = {}, [], 0, 0
        self.process, self.token = None, []
        os.mkdir(self.folder)
        self.clear()
        if token:
            self.token = [journal + ".token"]
            with open(os.open(self.token[0], os.O_CREAT | os.O_WRONLY, 0o600), "w",
                      encoding="utf-8") as out:
                out.write(token + "\n")
        self.give("doctor", DOCTOR)
        if station:
            self.give("recordings", {"recordings": recordings()})
            self.give("runs", {"runs": []})

    def give(self, name, value):
        """What the bench answers to GET /NAME from now on."""
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(value if isinstance(value, str) else json.dumps(value))

    def start(self):
        self.process = subprocess.Popen(
            [self.program, f"127.0.0.1:{self.port}", self.folder, *self.token],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        if not ready.startswith("ready "):
            raise Failed(f"the server does not start: {ready}")
        threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True).start()
        self.asked = 0
        for journal in self.journals:
            self._tell({"play": journal})
        self.state(self.first)

    def _listen(self, out):
        for line in out:
            told = json.loads(line)
            if "order" in told:
                self.orders.append(told["order"])
            else:
                self.answers[self.asked] = told

    def _tell(self, what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def state(self, state, **more):
        self.first = state
        fields = {"version": "0.1.0", "rig": "bench", "clock": "real", "command": self.command,
                  "state": state, **more}
        self._tell({"status": json.dumps(fields)[1:-1]})

    def ask(self, question):
        """A question and its line in the journal; its answer has one too, when the test asks."""
        self.asked += 1
        self.answers.pop(self.asked, None)
        fields = {**question, "id": self.asked, "from": ["page"]}
        self._tell({"ask": question})
        self.append([json.dumps({"n": 0, "prev": "", "t": 0, "kind": "question", **fields},
                                separators=(",", ":"))])

    def answered(self, number):
        given = self.until(lambda: self.answers.get(number), f"question {number} is not answered")
        self.append([json.dumps({"n": 0, "prev": "", "t": 0, "kind": "answer", "id": number, **given},
                                separators=(",", ":"))])
        return given

    def ordered(self, order):
        self.until(lambda: order in self.orders, f"{order} was not ordered, but {self.orders}")
        self.orders.remove(order)

    def until(self, what, otherwise):
        until = time.monotonic() + self.patience
        while not what():
            if time.monotonic() > until:
                raise Failed(otherwise)
            time.sleep(0.02)
        return what()

    def append(self, lines):
        with open(self.journals[-1], "a", encoding="utf-8") as journal:
            for line in lines:
                journal.write(line + "\n")

    def next(self, lines):
        """Another run."""
        self.journals.append(self.journals[0] + f".{len(self.journals)}")
        self.append(lines)
        self._tell({"play": self.journals[-1]})

    def clear(self):
        with open(self.journals[0], "w", encoding="utf-8"):
            pass

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


RIG = """rig: bench
clock: virtual
seats: 7
devices:
  shuffler: {driver: open, address: emu:shuffler}
  terminal: {driver: open, address: emu:terminal, code: "4711", admin: "86420"}
order: load
"""


class Station:
    """The program's own station, on emulated devices, also after it was killed and started again."""

    def __init__(self, build, folder, rig=RIG):
        self.runs, self.rig = os.path.join(folder, "runs"), os.path.join(folder, "bench.yaml")
        with open(self.rig, "w", encoding="utf-8") as out:
            out.write(rig)
        self.port = free_port()
        self.command = [os.path.join(build, "dealproof"), "station", "--rig", self.rig, "--listen",
                        str(self.port), "--recordings", "fixtures/flush-rush", "--runs", self.runs]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        if not ready.startswith("ready "):
            raise Failed(f"the station does not start: {ready}")
        self.address = ready.split()[1]

    def folder(self, run):
        return os.path.join(self.runs, str(run))

    def cut(self):
        """As a power cut does."""
        self.process.kill()
        self.process.wait()

    def kill(self):
        """Ends it as a person would: it leaves with 0."""
        if self.process.poll() is not None:
            return
        for seconds in (5, 60):  # the first lets the round end, the second cuts it short
            self.process.terminate()
            try:
                if self.process.wait(seconds):
                    raise Failed(f"the station has ended with {self.process.returncode}")
                return
            except subprocess.TimeoutExpired:
                continue
        self.process.kill()
        raise Failed("the station does not end")
