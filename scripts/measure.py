#!/usr/bin/env python3
"""Runs a command and says what it took: seconds by the clock, and of processor time, apart for the command with the programs
it waited for, and for what it left behind (private servers), which is waited for.

    scripts/measure.py swift test --skip-build
    scripts/measure.py --suites [pattern]     each suite of the tests that are built, in a process of its own; the dearest first
"""
import collections
import ctypes
import os
import re
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
Cost = collections.namedtuple("Cost", "status elapsed command servers")


def measured(arguments, actions=()):
    """Runs a command with everything that it leaves behind."""
    # Whatever loses its parent becomes our child, so that the kernel adds up its time for us.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    start = time.monotonic()
    command = os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=actions)
    seconds, status, elapsed = {True: 0.0, False: 0.0}, 0, 0.0
    while True:
        try:
            process, outcome, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        seconds[process == command] += usage.ru_utime + usage.ru_stime
        if process == command:
            status, elapsed = os.waitstatus_to_exitcode(outcome), time.monotonic() - start
    return Cost(status if status >= 0 else 128 - status, elapsed, seconds[True], seconds[False])


def line(cost, name):
    failure = f"  failed: {cost.status}" if cost.status else ""
    return (f"{cost.command + cost.servers:6.1f} s: {cost.command:6.1f} tests {cost.servers:6.1f} servers"
            f" {cost.elapsed:6.1f} by the clock  {name}{failure}")


def suites(pattern):
    """What each suite takes. All of them pay for a process and a server, which `swift test` pays for once."""
    listed = subprocess.run(["swift", "test", "list", "--skip-build"], check=True, capture_output=True, text=True).stdout
    names = sorted({line.split("/")[0] for line in listed.splitlines() if "/" in line and re.search(pattern, line)})
    folder = subprocess.run(["swift", "build", "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    program = f"{folder}/strataPackageTests.xctest"
    silence = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    costs = []
    for name in names:
        only = f"^{re.escape(name)}/"
        costs.append((measured([program, "--testing-library", "swift-testing", "--filter", only], silence), name))
        print(f"{len(costs)} of {len(names)}: {line(*costs[-1])}", file=sys.stderr, flush=True)
    costs.sort(key=lambda entry: -entry[0].command - entry[0].servers)
    for cost, name in costs:
        print(line(cost, name))
    return max((cost.status for cost, _ in costs), default=1)


def main(arguments):
    if arguments[0] == "--suites":
        return suites("|".join(arguments[1:]))
    cost = measured(arguments)
    print(
        f"measured: {cost.elapsed:.0f} s, {cost.command + cost.servers:.0f} s of processor time: {cost.command:.0f} s in the"
        f" command, {cost.servers:.0f} s in its servers",
        file=sys.stderr,
    )
    return cost.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else __doc__)
