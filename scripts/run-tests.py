#!/usr/bin/env python3
"""Runs `swift test` with a limit of time, so that tests that hang are a failure that says where: TEST_MINUTES, 30 without.

When the time is over it names the tests that have begun and not ended, and what each thread of their processes waits for, and ends them.
All arguments go to `swift test`.
"""
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

BEGUN = re.compile(r"◇ Test (?!case |run )(.+?) started\.|Test Case '(.+?)' started")
ENDED = re.compile(r"[✔✘] Test (?!case |run )(.+?)(?: with \d+ test cases?)? (?:passed|failed|skipped)|Test Case '(.+?)' (?:passed|failed|skipped)")


def follow(output, unfinished):
    """Passes the tests' lines on, and keeps account of what is under way."""
    for raw in output:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
        line = raw.decode(errors="replace")
        if match := BEGUN.search(line):
            unfinished[match[1] or match[2]] += 1
        elif match := ENDED.search(line):
            unfinished[match[1] or match[2]] -= 1


def members(session):
    """The processes of a session."""
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            yield place


def threads(place):
    """What the threads of a process wait for."""
    for thread in sorted((place / "task").glob("[0-9]*")):
        try:
            yield f"    {(thread / 'comm').read_text().strip()}: {(thread / 'wchan').read_text() or 'running'}"
        except OSError:
            continue


def end(session, *_):
    for place in members(session):
        try:
            os.kill(int(place.name), signal.SIGKILL)
        except ProcessLookupError:
            pass


minutes = float(os.environ.get("TEST_MINUTES", "30"))
# By lines: what a process that is ended has not written out yet would be lost, and be the lines that say most.
tests = subprocess.Popen(
    ["stdbuf", "-oL", "swift", "test", *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
for received in (signal.SIGINT, signal.SIGTERM):
    signal.signal(received, lambda *_: (end(tests.pid), sys.exit(130)))
# By name: suites have tests of the same name.
unfinished = collections.Counter()
reader = threading.Thread(target=follow, args=(tests.stdout, unfinished), daemon=True)
reader.start()
try:
    status = tests.wait(timeout=minutes * 60)
except subprocess.TimeoutExpired:
    try:
        print(f"The tests have not ended within {minutes:g} minutes. Begun and not ended:", flush=True)
        for name in [name for name, count in unfinished.copy().items() if count > 0] or ["none: somebody else holds their output"]:
            print(f"  {name}")
        for place in members(tests.pid):
            try:
                command = (place / "cmdline").read_bytes().replace(bytes(1), b" ")
            except OSError:
                continue
            print(f"  {place.name} {command.decode(errors='replace')[:200]}")
            for line in threads(place):
                print(line)
        sys.stdout.flush()
    finally:
        end(tests.pid)
    sys.exit(1)
# A process that outlives the tests may hold their output.
reader.join(timeout=10)
sys.exit(status)
