#!/usr/bin/env python3
"""Runs a command and says what it took: seconds by the clock, and of processor time, apart for the command with the programs
it waited for, and for what it left behind (private servers), which is waited for.

    scripts/measure.py swift test --skip-build
"""
import ctypes
import os
import sys
import time

PR_SET_CHILD_SUBREAPER = 36


def main(arguments):
    # Whatever loses its parent becomes our child, so that the kernel adds up its time for us.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    start = time.monotonic()
    command = os.posix_spawnp(arguments[0], arguments, os.environ)
    seconds, status, elapsed = {True: 0.0, False: 0.0}, 0, 0.0
    while True:
        try:
            process, outcome, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        seconds[process == command] += usage.ru_utime + usage.ru_stime
        if process == command:
            status, elapsed = os.waitstatus_to_exitcode(outcome), time.monotonic() - start
    print(
        f"measured: {elapsed:.0f} s, {sum(seconds.values()):.0f} s of processor time: {seconds[True]:.0f} s in the command,"
        f" {seconds[False]:.0f} s in its servers",
        file=sys.stderr,
    )
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else __doc__)
