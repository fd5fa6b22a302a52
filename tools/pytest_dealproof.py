# SPDX-License-Identifier: GPL-3.0-or-later
"""A pytest plugin: recordings as tests, rigs and emulated devices as fixtures (tools/PYTEST.md).

It starts the program ``dealproof`` with ``--json`` and trusts nothing of it: what is cut off, contradicts
itself or the exit status, or is not what this file knows, is a ``DealproofError`` and never a pass.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

import pytest

MINIMUM_VERSION = (0, 1, 0)
STATUSES = {"pass": 0, "fail": 1, "device": 3, "rig": 4, "timeout": 5, "aborted": 130}
VERDICTS = (*STATUSES, "skipped")
DEVICES = ("shuffler", "shoe", "terminal", "sensors")
LONGEST_S = 604800

JsonObject = Mapping[str, Any]


class DealproofError(Exception):
    """Nothing is proved: the program is missing, old, was killed, or says what cannot be."""


@dataclass(frozen=True)
class Failure:
    """A check that failed. ``round`` is None after the last one."""

    check: str
    sentence: str
    round: int | None
    seat: int | None
    wager: str | None
    expected: Any
    got: Any
    why: str | None


@dataclass(frozen=True)
class Round:
    """A round of a run: ``why`` is the program's sentence, where the verdict has one."""

    recording: str
    number: int
    verdict: str
    passed: int
    failed: int
    why: str | None
    failures: tuple[Failure, ...]


@dataclass(frozen=True)
class Run:
    """What a run, or an observation, came to. Money is in cents."""

    verdict: str
    rounds: tuple[Round, ...]
    after: tuple[Failure, ...]
    paid_from_tray: int
    paid_from_meters: int
    void: int
    journal: str | None

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(failure for one in self.rounds for failure in one.failures) + self.after

    @property
    def is_all_skipped(self) -> bool:
        return all(one.verdict == "skipped" for one in self.rounds)

    def sentences(self) -> list[str]:
        """What did not pass, in the program's words."""
        said = []
        for one in self.rounds:
            said += [f"{one.recording}: {failure.sentence}" for failure in one.failures]
            if one.verdict not in ("pass", "skipped") and one.why:
                said.append(f"{one.recording}: round {one.number}: {one.verdict}: {one.why}")
        return said + [failure.sentence for failure in self.after]

    def must_pass(self) -> Run:
        """Itself, or an AssertionError that lists what did not pass."""
        if self.verdict == "aborted":
            raise DealproofError("the run was aborted: nothing is proved\n" + "\n".join(self.sentences()))
        if self.verdict != "pass":
            raise AssertionError(f"{self.verdict}\n" + "\n".join(self.sentences()))
        return self


@dataclass(frozen=True)
class Seat:
    cards: tuple[str, ...]
    hand: str | None
    net: Mapping[str, int]
    total: int


@dataclass(frozen=True)
class Settlement:
    """What the rules make of a round; one that they refuse has an ``error`` and nothing else."""

    round: int | None
    error: str | None = None
    board: tuple[str, ...] = ()
    burned: tuple[str, ...] = ()
    seats: Mapping[int, Seat] = field(default_factory=dict)
    jackpots: tuple[JsonObject, ...] = ()
    meters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Component:
    name: str
    digest: str | None
    expected: str | None
    result: str


@dataclass(frozen=True)
class Authentication:
    """What a device says that its software comes to. It computes its own proof."""

    address: str
    device: str | None
    protocol: str
    result: str
    components: tuple[Component, ...]


def take(of: JsonObject, key: str, kind: type | tuple[type, ...], optional: bool = False) -> Any:
    """A member of the right type; True is no number."""
    value = of.get(key)
    if key not in of and optional:
        return None
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if key not in of or not isinstance(value, kind) or (isinstance(value, bool) and bool not in kinds):
        raise DealproofError(f"the program prints no usable '{key}': {json.dumps(of)[:300]}")
    return value


def parse_lines(text: str) -> list[JsonObject]:
    """Lines of JSON, each an object and each whole."""
    if text and not text.endswith("\n"):
        raise DealproofError(f"what the program prints is cut off: ...{text[-200:]!r}")
    found: list[JsonObject] = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError as error:
            raise DealproofError(f"the program prints what is no JSON ({error}): {line[:200]!r}") from None
        if not isinstance(value, dict):
            raise DealproofError(f"the program prints what is no object: {line[:200]!r}")
        found.append(value)
    return found


def read_failure(line: JsonObject) -> Failure:
    return Failure(
        check=take(line, "check", str),
        sentence=take(line, "sentence", str),
        round=take(line, "round", int, optional=True),
        seat=take(line, "seat", int, optional=True),
        wager=take(line, "wager", str, optional=True),
        expected=line.get("expected"),
        got=line.get("got"),
        why=take(line, "why", str, optional=True),
    )


def read_round(line: JsonObject, failures: list[Failure]) -> Round:
    """The checks that failed in a round stand before its verdict, and are as many as it says."""
    number, verdict = take(line, "round", int), take(line, "verdict", str)
    one = Round(
        recording=take(line, "recording-path", str),
        number=number,
        verdict=verdict,
        passed=take(line, "passed", int),
        failed=take(line, "failed", int),
        why=take(line, "why", str, optional=True),
        failures=tuple(failure for failure in failures if failure.round == number),
    )
    if verdict not in VERDICTS or one.failed != len(one.failures) or (verdict == "pass") != (
        one.passed > 0 and not one.failed and one.why is None
    ):
        raise DealproofError(f"a verdict does not follow from its checks: {json.dumps(line)}")
    return one


def read_run(lines: Sequence[JsonObject], status: int) -> Run:
    """A run as its lines tell it, which must agree with each other and with the exit status."""
    failures: list[Failure] = []
    rounds: list[Round] = []
    if not lines or "run" not in lines[-1]:
        raise DealproofError(f"the run was cut off: there is no line about its end (exit status {status})")
    for line in lines[:-1]:
        if "check" in line:
            failures.append(read_failure(line))
        elif "verdict" in line:
            rounds.append(read_round(line, failures))
            failures = [failure for failure in failures if failure not in rounds[-1].failures]
        elif not {"wait", "recorded"} & set(line):
            raise DealproofError(f"the program prints what is not known here: {json.dumps(line)[:200]}")
    end = lines[-1]
    run = Run(
        verdict=take(end, "run", str),
        rounds=tuple(rounds),
        after=tuple(failures),
        paid_from_tray=take(end, "paid-from-tray", int),
        paid_from_meters=take(end, "paid-from-meters", int),
        void=take(end, "void", int, optional=True) or 0,
        journal=take(end, "journal", str, optional=True),
    )
    check_end(run, end, status)
    return run


def check_end(run: Run, end: JsonObject, status: int) -> None:
    if STATUSES.get(run.verdict) != status:
        raise DealproofError(f"the run says '{run.verdict}', and its exit status is {status}")
    if any(failure.round is not None for failure in run.after):
        raise DealproofError("a check failed in a round that has no verdict")
    counts = {verdict: sum(one.verdict == verdict for one in run.rounds) for verdict in VERDICTS}
    if take(end, "rounds", int) != len(run.rounds) or any(end.get(v, 0) != n for v, n in counts.items()):
        raise DealproofError(f"the end counts other rounds than there are: {json.dumps(end)}")
    if run.verdict == "pass" and (run.after or not counts["pass"] or len(run.rounds) != counts["pass"] + counts["skipped"]):
        raise DealproofError("the run says 'pass', and its rounds do not")


def read_settlement(line: JsonObject) -> Settlement:
    if "error" in line:
        return Settlement(round=take(line, "round", (int, type(None))), error=take(line, "error", str))
    return Settlement(
        round=take(line, "round", int),
        board=tuple(take(line, "board", list)),
        burned=tuple(take(line, "burned", list)),
        seats={
            int(number): Seat(
                cards=tuple(take(seat, "cards", list)),
                hand=take(seat, "hand", str, optional=True),
                net=take(seat, "net", dict),
                total=take(seat, "total", int),
            )
            for number, seat in take(line, "seats", dict).items()
        },
        jackpots=tuple(take(line, "jackpots", list)),
        meters=take(line, "meters", dict),
    )


def read_authentication(line: JsonObject) -> Authentication:
    return Authentication(
        address=take(line, "address", str),
        device=take(line, "device", (str, type(None))),
        protocol=take(line, "protocol", str),
        result=take(line, "result", str),
        components=tuple(
            Component(
                name=take(one, "name", str),
                digest=take(one, "digest", (str, type(None))),
                expected=take(one, "expected", (str, type(None))),
                result=take(one, "result", str),
            )
            for one in line.get("components", [])
        ),
    )


def read_errors(text: str) -> str:
    """The sentences of errors; other lines as they are."""
    said = []
    for line in text.splitlines():
        try:
            said.append(str(json.loads(line)["error"]["message"]))
        except (ValueError, TypeError, KeyError):
            said.append(line)
    return "\n".join(said)


class Program:
    """The program, found and known to be new enough."""

    def __init__(self, path: str, timeout: float) -> None:
        found = shutil.which(path)
        if not found:
            raise DealproofError(f"there is no program '{path}'; name it by --dealproof or $DEALPROOF")
        self.path = found
        self.timeout = timeout
        self.version = self._read_version()
        try:
            checks = json.loads(self.start("run", "--list-checks", "--json").stdout)["checks"]
            self.checks = tuple(str(check["name"]) for check in checks)
        except (ValueError, TypeError, KeyError):
            raise DealproofError(f"{found} is too old for this plugin: its --list-checks knows no --json") from None

    def _read_version(self) -> tuple[int, ...]:
        said = self.start("--version").stdout
        match = re.fullmatch(r"dealproof (\d+)\.(\d+)\.(\d+)\b.*\n", said, re.S)
        if not match:
            raise DealproofError(f"{self.path} is not dealproof: --version says {said[:100]!r}")
        version = tuple(map(int, match.groups()))
        if version < MINIMUM_VERSION:
            raise DealproofError(f"{self.path} is version {said.split()[1]}; this plugin needs 0.1.0")
        return version

    def start(self, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """Runs it to its end. One that a signal ended has said nothing that counts."""
        try:
            said = subprocess.run(
                [self.path, *arguments],
                input=given,
                stdin=subprocess.DEVNULL if given is None else None,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=self.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DealproofError(f"{' '.join(arguments)}: has not ended after {self.timeout:g} s") from None
        except OSError as error:
            raise DealproofError(f"{self.path}: {error.strerror}") from None
        if said.returncode < 0:
            name = signal.Signals(-said.returncode).name
            raise DealproofError(f"{' '.join(arguments)}: was ended by {name}\n{read_errors(said.stderr)}")
        return said

    def play(self, command: str, *arguments: str) -> Run:
        said = self.start(command, "--json", *arguments)
        lines = parse_lines(said.stdout)
        if not lines:
            raise DealproofError(f"nothing was played (exit status {said.returncode}):\n{read_errors(said.stderr)}")
        return read_run(lines, said.returncode)


@dataclass(frozen=True)
class Rig:
    """A bench: the devices of a rig file, or without one the emulated ones."""

    program: Program
    path: str | None = None

    def _on_it(self) -> list[str]:
        return ["--rig", self.path] if self.path else []

    def run(self, *recordings: str | os.PathLike[str], options: Sequence[str] = ()) -> Run:
        """Replays recordings. All rounds that the files have must have been played, or it says why not."""
        paths = [os.fspath(path) for path in recordings]
        run = self.program.play("run", *self._on_it(), *options, "--", *paths)
        if not options and all(path.endswith(".shoe") for path in paths) and run.verdict == "pass":
            wanted = sum(count_rounds(Path(path)) for path in paths)
            if len(run.rounds) != wanted:
                raise DealproofError(f"{len(run.rounds)} rounds were played, and the recordings have {wanted}")
        return run

    def observe(self, game: str, rounds: int, options: Sequence[str] = ()) -> Run:
        """Plays rounds with what the devices deal."""
        run = self.program.play("observe", *self._on_it(), "--game", game, "--rounds", str(rounds), *options)
        if run.verdict == "pass" and len(run.rounds) != rounds:
            raise DealproofError(f"{len(run.rounds)} rounds were observed, and {rounds} were asked for")
        return run

    def settle(self, recording: str | os.PathLike[str]) -> tuple[Settlement, ...]:
        """What the rules make of a recording at this table; no device is touched."""
        said = self.program.start("settle", "--json", *self._on_it(), "--", os.fspath(recording))
        settled = tuple(map(read_settlement, parse_lines(said.stdout)))
        if said.returncode != (1 if any(one.error is not None for one in settled) else 0):
            raise DealproofError(f"settle ended with {said.returncode}:\n{read_errors(said.stderr)}")
        if not settled:
            raise DealproofError(f"{os.fspath(recording)}: has no round; there is nothing to check")
        if len(settled) != count_rounds(Path(recording)):
            raise DealproofError(f"{len(settled)} rounds were settled, and there are {count_rounds(Path(recording))}")
        return settled

    def authenticate(self, *arguments: str) -> tuple[Authentication, ...]:
        """What the devices say of their software, or with an address what is there."""
        said = self.program.start("authenticate", "--json", *(arguments or self._on_it()))
        told = tuple(map(read_authentication, parse_lines(said.stdout)))
        differs = any(one.result not in ("matches", "declared", "not compared") for one in told)
        if not told or said.returncode != (1 if differs else 0):
            raise DealproofError(f"authenticate ended with {said.returncode}:\n{read_errors(said.stderr)}")
        return told


def count_rounds(path: Path) -> int:
    """Lines after the header, as the program counts them."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise DealproofError(f"{path}: {error.strerror}") from None
    return max(len([line for line in lines if line]) - 1, 0)


class EmulatedDevice:
    """The model of a device as a process, reached at ``address``."""

    def __init__(self, program: Program, device: str, options: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [program.path, "emulate", device, "--tcp", "0", "--json", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            self.address = str(take(parse_lines(line)[0], "ready", str))
        except (DealproofError, IndexError):
            self._process.kill()
            said = read_errors(self._process.communicate()[1])
            raise DealproofError(f"emulate {device} is not ready: {said}") from None

    def stop(self) -> None:
        """Ends it. One that has ended before by itself is an error: what was proved with it?"""
        status = self._process.poll()
        if status is None:
            self._process.terminate()
        try:
            said = self._process.communicate(timeout=30)[1]
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise DealproofError(f"{self.address} does not end") from None
        if status is not None or self._process.returncode != 0:
            raise DealproofError(f"{self.address} has ended with {self._process.returncode}: {read_errors(said)}")


def read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_S:
        raise argparse.ArgumentTypeError(f"'{text}' is no time; it must be more than 0 s, and at most {LONGEST_S}")
    return seconds


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dealproof", "recordings of card tables")
    group.addoption("--dealproof", metavar="PROGRAM", help="the program (default: $DEALPROOF, or dealproof)")
    group.addoption("--dealproof-rig", metavar="FILE", help="the bench to run on (default: emulated devices)")
    group.addoption("--dealproof-timeout", metavar="SECONDS", type=read_seconds, default=600.0,
                    help="how long a run may take before it is an error (default: 600)")


PROGRAM_KEY = pytest.StashKey[Program]()


class Tally:
    """Counts recordings that were played. A session that only skipped them has proved nothing."""

    def __init__(self) -> None:
        self.played = 0
        self.skipped = 0

    @property
    def is_nothing_proved(self) -> bool:
        return self.skipped > 0 and not self.played

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # A mark skips a test before its call; in it, only the program's reason does.
        if report.when == "call" and report.nodeid.split("::")[0].endswith(".shoe"):
            self.skipped += report.outcome == "skipped"
            self.played += report.outcome != "skipped"

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.is_nothing_proved and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.is_nothing_proved:
            skipped = "1 recording was" if self.skipped == 1 else f"{self.skipped} recordings were"
            terminalreporter.write_line(f"dealproof: no round was played: {skipped} skipped, and there was no other; "
                                        "nothing is proved", red=True)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Tally())


def program_of(config: pytest.Config) -> Program:
    """Looked for once; what is missing is an error of each test that needs it."""
    if PROGRAM_KEY not in config.stash:
        path = config.getoption("--dealproof") or os.environ.get("DEALPROOF") or "dealproof"
        config.stash[PROGRAM_KEY] = Program(str(path), float(config.getoption("--dealproof-timeout")))
    return config.stash[PROGRAM_KEY]


def rig_of(config: pytest.Config) -> Rig:
    path = config.getoption("--dealproof-rig")
    return Rig(program_of(config), None if path is None else str(path))


def find_stray(path: Path) -> str | None:
    """What is wrong with a name in a folder that would be left out there, in the program's words."""
    name, ending = path.name, path.suffix.lower()
    if name.startswith(".#") or (ending not in (".shoe", ".expect") and "." in name):
        return None
    if ending == ".shoe" and path.suffix != ".shoe":
        return "a recording is named NAME.shoe, in small letters; rename it"
    if ending == ".expect":
        recording = path.with_suffix(".shoe")
        return None if os.path.lexists(recording) else (
            f"the recording {recording.name} is not there; put it back, or remove this file")
    if path.is_symlink() and not path.exists():
        return f"a link to {os.readlink(path)}, which is not there; mend or remove it"
    if ending == ".shoe" and not path.is_file():
        kind = "a directory" if path.is_dir() else "a pipe" if path.is_fifo() else "a device"
        return f"{kind}, and a recording is a file; rename or remove it"
    return None


def find_strays(folder: Path, session: pytest.Session, been: set[str]) -> Iterator[str]:
    """Of a folder and those in it that pytest looks into."""
    if os.path.realpath(folder) in been:
        return
    been.add(os.path.realpath(folder))
    hook, patterns = session.gethookproxy(folder), session.config.getini("norecursedirs")
    for path in sorted(folder.iterdir()):
        left_out = path.is_dir() and any(fnmatch(path.name, pattern) for pattern in patterns)
        if left_out or hook.pytest_ignore_collect(collection_path=path, config=session.config):
            continue
        stray = find_stray(path)
        if stray:
            yield f"{path}: {stray}"
        elif path.is_dir():
            yield from find_strays(path, session, been)


def pytest_collection(session: pytest.Session) -> None:
    """pytest shows no plugin what is no file; a recording that is missing must not pass."""
    been: set[str] = set()
    for argument in session.config.args:
        folder = Path(os.path.join(session.config.invocation_params.dir, argument.split("::")[0]))
        stray = next(find_strays(folder, session, been), None) if folder.is_dir() else None
        if stray:
            pytest.exit(stray, returncode=2)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != ".shoe":
        return None
    found: RecordingFile = RecordingFile.from_parent(parent, path=file_path)
    return found


class RecordingFile(pytest.File):
    """A recording, which is one test."""

    def collect(self) -> Iterator[pytest.Item]:
        yield RecordingItem.from_parent(self, name=self.path.stem)


class RecordingItem(pytest.Item):
    rig: Rig

    def setup(self) -> None:
        self.rig = rig_of(self.config)

    def runtest(self) -> None:
        run = self.rig.run(self.path)
        if run.is_all_skipped and run.verdict == "rig":
            pytest.skip(next((one.why for one in run.rounds if one.why), "nothing was played"))
        skipped = [one for one in run.rounds if one.verdict == "skipped"]
        if skipped:
            self.add_report_section("call", "skipped", "\n".join(f"round {one.number}: {one.why}" for one in skipped))
        run.must_pass()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, DealproofError):
            return f"nothing is proved: {excinfo.value}"
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"recording {self.path.name}"


@pytest.fixture(scope="session")
def dealproof(request: pytest.FixtureRequest) -> Program:
    """The program."""
    return program_of(request.config)


@pytest.fixture
def rig(request: pytest.FixtureRequest) -> Rig:
    """The bench of --dealproof-rig, or an emulated one."""
    return rig_of(request.config)


@pytest.fixture
def emulated_device(dealproof: Program) -> Iterator[Callable[..., EmulatedDevice]]:
    """Starts the model of a device: emulated_device("shuffler", "--fault", "jam@packet:3")."""
    started: list[EmulatedDevice] = []

    def start(device: str, *options: str) -> EmulatedDevice:
        started.append(EmulatedDevice(dealproof, device, options))
        return started[-1]

    yield start
    problems = []
    for device in started:
        try:
            device.stop()
        except DealproofError as error:
            problems.append(str(error))
    if problems:
        raise DealproofError("\n".join(problems))


@pytest.fixture
def rig_with(dealproof: Program, tmp_path: Path) -> Callable[..., Rig]:
    """A bench of these devices: rig_with(shuffler="tcp:127.0.0.1:4001"), on a real clock."""

    def make(clock: str = "real", **addresses: str) -> Rig:
        unknown = [name for name in addresses if name not in DEVICES]
        if unknown:
            raise DealproofError(f"'{unknown[0]}' is no device of a rig; there are: {', '.join(DEVICES)}")
        if not addresses:
            raise DealproofError(f"a bench has a device; name one of: {', '.join(DEVICES)}")
        if clock not in ("real", "virtual"):
            raise DealproofError(f"clock is '{clock}'; it must be real or virtual")
        devices = {name: {"address": address} for name, address in addresses.items()}
        path = tmp_path / f"rig-{len(list(tmp_path.glob('rig-*.yaml'))) + 1}.yaml"
        path.write_text(json.dumps({"rig": path.stem, "clock": clock, "devices": devices}), encoding="utf-8")
        return Rig(dealproof, str(path))

    return make
