#!/usr/bin/env python3
"""Does what the page "An hour with a service" says: makes the package, writes the files that the page shows, runs its commands in their order.

Beside a build, whose objects of Strata it shares. A command that is to fail says so behind it: `# ends with 3`. Docker's are run where there is Docker.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Sources/Strata/Strata.docc/AnHourWithAService.md"

# `swift` finds the objects that are there, and builds nothing of the repository itself.
SWIFT = f"""
swift() {{
    local command=$1
    shift
    if [ "$command $1" = "run strata" ]; then
        (cd {ROOT} && command swift run --skip-build "$@" --strata .)
        return
    fi
    SWIFT_BACKTRACE=enable=no command swift "$command" --scratch-path {ROOT}/.build --disable-build-manifest-caching "$@"
}}
"""


def blocks(text):
    """The code of the page: language, the file that the line before names, and the lines."""
    file = None
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("```") and line != "```":
            code = []
            for line_of_code in lines:
                if line_of_code == "```":
                    break
                code.append(line_of_code)
            yield line[3:], file, code
            file = None
        elif match := re.search(r"`([\w/]+\.swift)`:$", line):
            file = match[1]


def run(lines, folder):
    """Runs commands in one shell, each as it is meant to end."""
    script = ["set -euo pipefail", SWIFT]
    for line in lines:
        command, _, remark = line.partition("#")
        command = command.strip()
        if command.startswith("docker") and not shutil.which("docker"):
            print(f"skipped, as there is no Docker: {command}")
            continue
        if command.startswith("timeout "):
            # A program that is run by a function cannot be run by timeout.
            limit, command = command.split(" ", 2)[1:]
            script.append("swift build")
            command = re.sub(r"^swift run (\w+)", rf"timeout --preserve-status {limit} {ROOT}/.build/debug/\1", command)
        script.append(f"echo '$ {command}'")
        if ends := re.search(r"ends with (\d+)", remark):
            script.append(f"status=0; {command} || status=$?; [ $status = {ends[1]} ]")
        else:
            script.append(command)
    environment = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "PGHOST")}
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    if done.returncode != 0:
        sys.exit(f"A command of {PAGE.name} has ended with {done.returncode}:\n" + "\n".join(lines))
    if warnings := [line for line in done.stdout.split("\n") if str(folder) in line and "warning:" in line]:
        sys.exit("The page's code must compile without warnings:\n" + "\n".join(warnings))
    return done.stdout


text = PAGE.read_text(encoding="utf-8")
with tempfile.TemporaryDirectory() as place:
    shop = pathlib.Path(place) / "Shop"
    said = ""
    for language, file, code in blocks(text):
        if file:
            target = shop / file
            target.write_text("\n".join(code) + "\n", encoding="utf-8")
        elif language == "sh":
            lines = [line.replace("../Shop", str(shop)) for line in code]
            said += run(lines, shop if shop.exists() else place)
    # What the page promises to be printed.
    for promise in ("Order Tea: 3 left", "Tea: 18 at 450 cents", "consumer reserve: ", "fetch Product: 1, "):
        if promise not in said:
            sys.exit(f"{PAGE.name} promises “{promise}”, and no command has printed it.")
