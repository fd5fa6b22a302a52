# SPDX-License-Identifier: GPL-3.0-or-later
"""The plugin with the real program, and with programs that lie in between."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

TREE = pathlib.Path(__file__).parents[2]
PROGRAM = os.path.abspath(os.environ.get("DEALPROOF", TREE / "build/dealproof"))
LYING = TREE / "tests/failing/dealt-cards/another-card"


@pytest.fixture
def bench(pytester, monkeypatch):
    """A folder with a recording and a rig that lies about it."""
    for ending in (".shoe", ".expect"):
        shutil.copy(str(LYING) + ending, pytester.path / ("evening" + ending))
    shutil.copy(str(LYING) + ".yaml", pytester.path / "lying.yaml")
    monkeypatch.setenv("DEALPROOF", PROGRAM)
    return pytester


def play(bench, *arguments):
    return bench.runpytest_inprocess("-p", "pytest_dealproof", "-p", "no:cacheprovider", *arguments)


def make_program(bench, name, script):
    """A program in place of the real one, which is $REAL in its script."""
    path = bench.path / name
    path.write_text(f"#!/bin/sh\nREAL={PROGRAM}\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_each_recording_is_one_test_that_passes(bench):
    result = play(bench, "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*evening.shoe::evening PASSED*"])


def test_a_lying_rig_fails_with_the_sentences_of_the_program(bench):
    result = play(bench, "--dealproof-rig", "lying.yaml")
    result.assert_outcomes(failed=1)
    said = subprocess.run([PROGRAM, "run", "--rig", "lying.yaml", "evening.shoe"], cwd=bench.path, capture_output=True,
                          text=True, check=False).stdout.splitlines()
    shown = [line for line in said if re.match(r"evening\.shoe: round \d+, seat", line)]
    assert shown
    printed = result.stdout.str().replace(str(bench.path) + "/", "")
    assert all(line in printed for line in shown), (shown, printed)


def test_a_recording_that_no_device_deals_like_is_skipped_with_the_reason(bench):
    (bench.path / "shoe.yaml").write_text("rig: s\nclock: virtual\ndevices:\n  shoe: {address: emu:shoe}\n", encoding="utf-8")
    result = play(bench, "-rs", "--dealproof-rig", "shoe.yaml")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*shuffler*"])


def make_shoe_bench(bench):
    """A rig that deals from a shoe, and a recording of one."""
    (bench.path / "shoe.yaml").write_text("rig: s\nclock: virtual\ndevices:\n  shoe: {address: \"emu:shoe?draw=700\"}\n", encoding="utf-8")
    for ending in (".shoe", ".expect"):
        shutil.copy(TREE / f"fixtures/chase-the-flush/card-by-card-from-a-shoe{ending}", bench.path / ("dealt" + ending))
    bench.makepyfile(test_other="def test_other():\n    pass\n")


NOT_PLAYED = "*dealproof: no round was played: 1 recording was skipped, and there was no other; nothing is proved*"


def test_a_session_whose_recordings_were_all_skipped_does_not_pass(bench):
    make_shoe_bench(bench)
    result = play(bench, "--dealproof-rig", "shoe.yaml", "evening.shoe")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([NOT_PLAYED])
    result = play(bench, "--dealproof-rig", "shoe.yaml", "evening.shoe", "test_other.py")
    result.assert_outcomes(passed=1, skipped=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_session_with_a_recording_that_was_played_passes(bench):
    make_shoe_bench(bench)
    result = play(bench, "--dealproof-rig", "shoe.yaml", "evening.shoe", "dealt.shoe")
    result.assert_outcomes(passed=1, skipped=1)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line(NOT_PLAYED)


def test_recordings_that_a_conftest_skips_are_its_own_business(bench):
    bench.makeconftest("""
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(pytest.mark.skip(reason="not today"))
    """)
    result = play(bench)
    result.assert_outcomes(skipped=1)
    assert result.ret == pytest.ExitCode.OK


STRAYS = {
    "a link to nothing": (lambda folder: (folder / "b.shoe").symlink_to("gone.shoe"), "*b.shoe: a link to gone.shoe, which is not there*"),
    "a pipe": (lambda folder: os.mkfifo(folder / "y.shoe"), "*y.shoe: a pipe, and a recording is a file*"),
    "capital letters": (lambda folder: (folder / "B.SHOE").touch(), "*B.SHOE: a recording is named NAME.shoe, in small letters*"),
    "an expectation alone": (lambda folder: (folder / "orphan.expect").touch(), "*orphan.expect: the recording orphan.shoe is not there*"),
}


@pytest.mark.parametrize("name", STRAYS)
@pytest.mark.parametrize("arguments", [(), ("deep",), ("evening.shoe", "deep")])
def test_what_would_be_left_out_of_a_folder_is_refused_before_anything_is_played(bench, name, arguments):
    make, words = STRAYS[name]
    (bench.path / "deep").mkdir()
    make(bench.path / "deep")
    result = play(bench, *arguments)
    assert result.ret == 2
    result.assert_outcomes()
    result.stdout.fnmatch_lines([words])


def test_a_folder_that_pytest_leaves_out_may_hold_anything(bench):
    for folder in ("build", "other", ".hidden"):
        (bench.path / folder).mkdir()
        (bench.path / folder / "B.SHOE").touch()
    (bench.path / ".#evening.shoe").symlink_to("somebody@somewhere.1")
    play(bench, "--ignore=other").assert_outcomes(passed=1)


def test_no_recordings_are_no_tests(pytester):
    assert play(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_recording_without_its_expectation_proves_nothing(bench):
    (bench.path / "evening.expect").unlink()
    result = play(bench)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["nothing is proved: nothing was played*", "*no expectation*"])


@pytest.mark.parametrize("script, words", [
    ("echo dealproof 0.0.9", "*version 0.0.9*"),
    ("echo something else", "*is not dealproof*"),
    ('case $1 in --version) exec $REAL --version ;; *) echo "packet-size   a packet has" ;; esac', "*too old*"),
    ("kill -9 $$", "*ended by SIGKILL*"),
])
def test_a_program_that_is_old_or_another_is_an_error(bench, script, words):
    result = play(bench, "--dealproof", make_program(bench, "fake", script))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([words])


def test_a_program_that_is_missing_is_an_error(bench):
    result = play(bench, "--dealproof", "./nowhere")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no program './nowhere'*"])


LIES = {
    "a status that does not fit": ('$REAL "$@"; exit 0', "*says 'fail', and its exit status is 0*"),
    "a pass that is said of a failure": ("""$REAL "$@" | sed 's/"run":"fail"/"run":"pass"/'; exit 0""", "*do not*"),
    "a stream without its end": ("""$REAL "$@" | sed '/"run":/d'; exit 1""", "*was cut off*"),
    "a stream cut within a line": ('$REAL "$@" | head -c 700; exit 1', "*cut off*"),
    "a failure that is left out": ("""$REAL "$@" | sed '/"check":/d'; exit 1""", "*does not follow from its checks*"),
    "a round that is left out": ("""$REAL "$@" | sed '/"verdict":"fail"/d'; exit 1""", "*nothing is proved*"),
    "a round told as passed": ("""$REAL "$@" | sed 's/"verdict":"fail"/"verdict":"pass"/'; exit 1""", "*does not follow*"),
    "words between the lines": ("""$REAL "$@" | sed '1i all is well'; exit 1""", "*no JSON*"),
    "a line of another version": ("""$REAL "$@" | sed '1i {"miracle":1}'; exit 1""", "*not known here*"),
    "a kill in the middle": ('$REAL "$@" | head -n 1; kill -9 $$', "*ended by SIGKILL*"),
    "silence": ("exit 0", "*nothing was played*"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_program_that_lies_proves_nothing(bench, name):
    script, words = LIES[name]
    fake = make_program(bench, "fake", f'case "$1 $2" in "run --json") ;; *) exec $REAL "$@" ;; esac\n{script}')
    result = play(bench, "--dealproof", fake, "--dealproof-rig", "lying.yaml")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*nothing is proved: *"])
    result.stdout.fnmatch_lines([words])


def test_a_recording_without_rounds_proves_nothing(bench):
    header = (bench.path / "evening.shoe").read_text(encoding="utf-8").splitlines(True)[0]
    (bench.path / "evening.shoe").write_text(header, encoding="utf-8")
    (bench.path / "evening.expect").write_text("", encoding="utf-8")
    bench.makepyfile(test_head="""
        def test_settled(rig):
            for settled in rig.settle("evening.shoe"):
                assert settled.error is None
    """)
    result = play(bench)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*nothing is proved: *", "*evening.shoe: has no round; there is nothing to check"])
    result.stdout.fnmatch_lines(["*DealproofError: settle ended with 2:", "*evening.shoe: has no round; there is nothing to check"])


def test_a_program_that_plays_fewer_rounds_proves_nothing(bench):
    header, *rounds = (bench.path / "evening.shoe").read_text(encoding="utf-8").splitlines(True)
    expected = (bench.path / "evening.expect").read_text(encoding="utf-8")
    (bench.path / "short").mkdir()
    (bench.path / "short/evening.shoe").write_text(header + rounds[0], encoding="utf-8")
    (bench.path / "short/evening.expect").write_text(expected, encoding="utf-8")
    (bench.path / "evening.shoe").write_text(header + rounds[0] + rounds[0], encoding="utf-8")
    (bench.path / "evening.expect").write_text(expected + expected, encoding="utf-8")
    fake = make_program(bench, "fake", 'case "$1 $2" in "run --json") exec $REAL run --json short ;; *) exec $REAL "$@" ;; esac')
    result = play(bench, "--dealproof", fake, "evening.shoe")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*1 rounds were played, and the recordings have 2*"])


def test_a_run_that_takes_too_long_is_ended(bench):
    fake = make_program(bench, "fake", 'case "$1 $2" in "run --json") exec sleep 60 ;; *) exec $REAL "$@" ;; esac')
    begun = time.monotonic()
    result = play(bench, "--dealproof", fake, "--dealproof-timeout", "1")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*has not ended after 1 s*"])
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("value", ["-5", "0", "nan", "inf", "1e9", "soon"])
def test_a_time_that_is_none_is_refused_as_an_option(bench, value):
    result = play(bench, f"--dealproof-timeout={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--dealproof-timeout: '{value}' is no time; it must be more than 0 s, and at most 604800"])


def test_a_bench_of_no_device_or_of_an_unknown_one_is_refused(bench):
    bench.makepyfile(test_benches="""
        import pytest, pytest_dealproof

        @pytest.mark.parametrize("devices, words", [
            ({}, "a bench has a device; name one of: shuffler, shoe, terminal, sensors"),
            ({"banana": "emu:shuffler"}, "'banana' is no device of a rig; there are: shuffler, shoe, terminal, sensors"),
            ({"shuffler": "emu:shuffler", "clock": "wall"}, "clock is 'wall'; it must be real or virtual"),
        ])
        def test_refused(rig_with, devices, words):
            with pytest.raises(pytest_dealproof.DealproofError, match=words):
                rig_with(**devices)
    """)
    play(bench, "test_benches.py").assert_outcomes(passed=3)


def test_a_run_that_a_person_aborts_proves_nothing(bench):
    bench.makepyfile("""
        import pytest, pytest_dealproof

        def test_abort(emulated_device, rig_with):
            shuffler = emulated_device("shuffler", "--option", "shuffle=30000")
            with pytest.raises(pytest_dealproof.DealproofError, match="aborted"):
                rig_with(shuffler=shuffler.address).run("evening.shoe").must_pass()
    """)
    fake = make_program(bench, "fake",
                        'case "$1 $2" in "run --json") $REAL "$@" & P=$!; sleep 1; kill -INT $P; sleep 1; kill -INT $P; wait $P ;; '
                        '*) exec $REAL "$@" ;; esac')
    result = play(bench, "--dealproof", fake, "test_a_run_that_a_person_aborts_proves_nothing.py")
    result.assert_outcomes(passed=1)


def test_a_device_that_dies_in_the_middle_is_an_error(bench):
    bench.makepyfile("""
        def test_dies(emulated_device, rig_with):
            shuffler = emulated_device("shuffler", "--option", "shuffle=1")
            shuffler._process.kill()
            assert rig_with(shuffler=shuffler.address).run("evening.shoe").verdict != "pass"
    """)
    result = play(bench, "test_a_device_that_dies_in_the_middle_is_an_error.py")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*has ended with -9*"])


PAGE = (TREE / "tools/PYTEST.md").read_text(encoding="utf-8")
(EXAMPLES,) = re.findall(r"```python test_table\.py\n(.*?)```", PAGE, re.S)


def test_the_outputs_of_the_page_are_printed(bench):
    (bench.path / "test_table.py").write_text(EXAMPLES, encoding="utf-8")
    blocks = re.findall(r"^\$ pytest (.*?)\n(.*?)```", PAGE, re.S | re.M)
    assert len(blocks) == 3
    for arguments, output in blocks:
        printed = bench.runpytest_inprocess("-p", "no:cacheprovider", *arguments.split()).stdout.str()
        for line in filter(None, output.replace("…", "").splitlines()):
            assert line in printed, (line, printed)


def test_the_examples_of_the_page_are_typed(pytester):
    if not shutil.which("mypy", path="/usr/bin"):
        pytest.skip("mypy is not installed")
    (command,) = re.findall(r"^\$ MYPYPATH=types (mypy --strict .*)\n", PAGE, re.M)
    (pytester.path / "test_table.py").write_text(EXAMPLES, encoding="utf-8")
    environment = {**os.environ, "PATH": "/usr/bin:/bin", "MYPY_CACHE_DIR": os.devnull, "MYPYPATH": str(TREE / "tools")}
    said = subprocess.run(command, shell=True, cwd=pytester.path, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def test_the_plugin_is_typed():
    mypy = shutil.which("mypy", path="/usr/bin")
    if not mypy:
        pytest.skip("mypy is not installed")
    said = subprocess.run([mypy, "--strict", "--cache-dir", os.devnull, TREE / "tools/pytest_dealproof.py"],
                          capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout
