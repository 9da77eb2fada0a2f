#!/usr/bin/env python3
"""Breaks places of the sources, one at a time, and says which suites notice.

All mutants are built at once, in a copy of the repository: each place asks an environment variable whether it is broken. So
there is one build, and a run for each mutant of the suites that ought to notice.

    scripts/mutate.py                       all of them, into scripts/mutants.txt
    scripts/mutate.py 1 2 6                 some; scripts/mutants.txt keeps what it says of the others
    scripts/mutate.py --tests <commit> [1 2 6]      with the tests of another commit, into standard output
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

from mutants import MUTANTS

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts" / "mutants.txt"
HEAD = """\
Which suites notice when a place of the sources is broken, written by scripts/mutate.sh.

For each mutant of scripts/mutants.py: its number and what is wrong with it; where; the suites that failed with it, of those
that its entry there names; and the commit whose sources and tests were run. NOBODY: all of them passed.
"""
QUESTION = """import Foundation

/// The number of the broken place, of those in scripts/mutants.py.
private let chosenMutant = ProcessInfo.processInfo.environment["STRATA_MUTANT"].flatMap(Int.init)

func isMutant(_ number: Int) -> Bool { chosenMutant == number }
"""


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def contents(tests):
    """The files of the repository with all mutants, by name; the tests of a commit, if one is given."""
    files = {}
    for name in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").decode().split("\0"):
        if name and (ROOT / name).is_file() and not (tests and name.startswith("Tests/")):
            files[name] = (ROOT / name).read_bytes()
    if tests:
        for name in git("ls-tree", "-r", "-z", "--name-only", tests, "Tests", "Package.swift").decode().split("\0"):
            if name:
                files[name] = git("show", f"{tests}:{name}")
    for number, (place, old, new, _, _) in enumerate(MUTANTS, 1):
        text = files[f"Sources/{place}"].decode()
        if text.count(old) != 1:
            sys.exit(f"mutant {number}: {place} has {text.count(old)} times: {old}")
        files[f"Sources/{place}"] = text.replace(old, new.replace("MUTANT", f"isMutant({number})")).encode()
        files[f"Sources/{place.split('/')[0]}/MutantQuestion.swift"] = QUESTION.encode()
    return files


def copy(folder, tests):
    """Writes what has changed since the last copy only, so that only that is compiled again."""
    files = contents(tests)
    for part in ("Sources", "Tests"):
        for path in (folder / part).rglob("*"):
            if path.is_file() and str(path.relative_to(folder)) not in files:
                path.unlink()
    for name, data in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod((ROOT / name).stat().st_mode if (ROOT / name).exists() else 0o644)


def build(folder):
    command = ["swift", "build", "--disable-build-manifest-caching", "--product", "strataPackageTests"]
    subprocess.run(command, cwd=folder, check=True)


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


def known():
    """What the list says, by the titles of the mutants."""
    entries = LIST.read_text().split("\n\n") if LIST.exists() else []
    found = (re.fullmatch(r" *\d+ (.+)\n(   (?:.|\n)+)", entry.rstrip("\n")) for entry in entries)
    return {match[1]: match[2] for match in found if match}


def write(entries):
    """The list, in the order of the mutants; what is said of a mutant that is no more goes."""
    said = [f"{n:2} {title}\n{entries[title]}" for n, (_, _, _, title, _) in enumerate(MUTANTS, 1) if title in entries]
    LIST.write_text("\n\n".join([HEAD.rstrip("\n")] + said) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests")
    parser.add_argument("numbers", nargs="*", type=int)
    options = parser.parse_args()
    chosen = [n for n in range(1, len(MUTANTS) + 1) if not options.numbers or n in options.numbers]
    folder = ROOT / ".build-mutants" / ("other" if options.tests else "own")
    folder.mkdir(parents=True, exist_ok=True)
    copy(folder, options.tests)
    build(folder)
    commit = git("rev-parse", "--short", "HEAD").decode().strip()
    every = sorted({suite for number in chosen for suite in MUTANTS[number - 1][4].split("|")})
    if failed := run(folder, 0, "|".join(every)):
        sys.exit(f"without any mutant there fail: {', '.join(failed)}")
    entries, survivors = known(), 0
    for number in chosen:
        place, _, _, title, suites = MUTANTS[number - 1]
        noticed = run(folder, number, suites)
        survivors += not noticed
        entries[title] = f"   {place}\n   {', '.join(noticed) or 'NOBODY'}\n   {commit}"
        print(f"{number:2} {title}\n{entries[title]}", flush=True)
        if not options.tests:
            write(entries)
    print(f"{len(chosen) - survivors} of {len(chosen)} were noticed")


if __name__ == "__main__":
    main()
