#!/usr/bin/env python3
"""Breaks thirty places of the sources, one at a time, and says which suites notice.

All mutants are built at once, in a copy of the repository: each place asks an environment variable whether it is broken. So
there is one build, and a run for each mutant of the suites that ought to notice.

    scripts/mutate.py                       everything, into scripts/mutants.txt
    scripts/mutate.py --tests <commit>      with the tests of another commit, into standard output
    scripts/mutate.py 1 2 6                 some only, into standard output
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

from mutants import MUTANTS

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUESTION = """import Foundation

/// The number of the broken place, of those in scripts/mutants.py.
private let chosenMutant = ProcessInfo.processInfo.environment["STRATA_MUTANT"].flatMap(Int.init)

func isMutant(_ number: Int) -> Bool { chosenMutant == number }
"""


def git(*arguments, **options):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, **options).stdout


def copy(folder, tests):
    """The repository with all mutants; the tests of a commit, if one is given."""
    for entry in ("Sources", "Tests"):
        shutil.rmtree(folder / entry, ignore_errors=True)
    for name in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").decode().split("\0"):
        source, target = ROOT / name, folder / name
        if name and source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    if tests:
        shutil.rmtree(folder / "Tests")
        archive = git("archive", tests, "Tests", "Package.swift")
        subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    modules = set()
    for number, (place, old, new, _, _) in enumerate(MUTANTS, 1):
        file = folder / "Sources" / place
        text = file.read_text()
        if text.count(old) != 1:
            sys.exit(f"mutant {number}: {place} has {text.count(old)} times: {old}")
        file.write_text(text.replace(old, new.replace("MUTANT", f"isMutant({number})")))
        modules.add(place.split("/")[0])
    for module in modules:
        (folder / "Sources" / module / "MutantQuestion.swift").write_text(QUESTION)


def run(folder, number, suites):
    """The suites that fail with this mutant."""
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", STRATA_MUTANT=str(number))
    environment.setdefault("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8")
    try:
        result = subprocess.run(
            ["swift", "test", "--skip-build", "--filter", suites], cwd=folder, env=environment, timeout=900,
            capture_output=True, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return ["(hangs)"]
    failed = set(re.findall(r'Suite "?([^"\n]+?)"? failed after', result.stdout + result.stderr))
    return sorted(failed) or ([] if result.returncode == 0 else ["(the process ends)"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests")
    parser.add_argument("numbers", nargs="*", type=int)
    options = parser.parse_args()
    folder = ROOT / ".build-mutants" / ("other" if options.tests else "own")
    folder.mkdir(parents=True, exist_ok=True)
    copy(folder, options.tests)
    subprocess.run(["swift", "build", "--disable-build-manifest-caching", "--product", "strataPackageTests"], cwd=folder, check=True)
    every = sorted({suite for mutant in MUTANTS for suite in mutant[4].split("|")})
    if not options.numbers and (failed := run(folder, 0, "|".join(every))):
        sys.exit(f"without any mutant there fail: {', '.join(failed)}")
    lines = []
    for number, (place, _, _, title, suites) in enumerate(MUTANTS, 1):
        if options.numbers and number not in options.numbers:
            continue
        noticed = run(folder, number, suites)
        lines.append(f"{number:2} {title} ({place})\n   {', '.join(noticed) or 'NOBODY'}")
        print(lines[-1], flush=True)
    survivors = sum(line.endswith("NOBODY") for line in lines)
    print(f"{len(lines) - survivors} of {len(lines)} were noticed")
    if not options.tests and not options.numbers:
        (ROOT / "scripts" / "mutants.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
