#!/usr/bin/env python3
"""Does what a page of the documentation says: writes the files that it shows, runs its commands in their order, in a folder beside nothing else.

    scripts/check-page.py AnHourWithAService
    scripts/check-page.py AServiceOverHTTP --scratch-path .build-web --versions Packages/StrataHummingbird

Beside a build, whose objects of Strata it shares, with the same BUILD_FLAGS. What a command is to do stands behind it: `# ends with 3`, or `# prints Tea: 18`, which
is looked for in what all commands of the block print. Docker's are run where there is Docker. On a private server, whatever is named elsewhere; a page's
port 8080 is a free one here, and its `../strata` is this clone.

A page begins in an empty folder in place of the clone. From there each `cd` counts, for the commands and the files of all that follows, as for a reader.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("page")
arguments.add_argument("--scratch-path", default=".build", help="whose objects are shared")
arguments.add_argument("--versions", default=".", help="the package whose versions of others are taken, where it has resolved them")
options = arguments.parse_args()
PAGE = ROOT / f"Sources/Strata/Strata.docc/{options.page}.md"
BUILD = ROOT / options.scratch_path

# Stands in front of the real one: finds the objects that are there, and builds nothing of the repository itself.
SWIFT = f"""#!/usr/bin/env bash
set -euo pipefail
export SWIFT_BACKTRACE=enable=no
command=$1
shift
if [ "$command ${{1:-}}" = "run strata" ]; then
    exec {shlex.quote(shutil.which("swift") or "swift")} run --package-path {shlex.quote(str(ROOT))} --skip-build "$@" --strata {shlex.quote(str(ROOT))}
fi
exec {shlex.quote(shutil.which("swift") or "swift")} "$command" {os.environ.get("BUILD_FLAGS", "")} \\
    --scratch-path {shlex.quote(str(BUILD))} --disable-build-manifest-caching "$@"
"""

# What a command has left behind must not outlive one that fails.
PREAMBLE = """set -euo pipefail
leave() {
    jobs -p | xargs --no-run-if-empty kill 2>/dev/null || true
}
trap leave EXIT"""
REMOVES_CONTAINERS = """leave() {
    docker compose down --volumes
}"""


def has_docker():
    """Whether a container can be run here; the program alone runs none."""
    return shutil.which("docker") is not None and all(
        subprocess.run(["docker", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        for words in (["compose", "version"], ["info"]))


def free_port():
    """A port that nobody has now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return str(taken.getsockname()[1])


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


def run(lines, folder, environment):
    """Runs commands in one shell, each as it is meant to end, and looks for what they are to print. Where they end is where the next ones begin."""
    script, promises = [PREAMBLE], []
    for line in lines:
        command, _, remark = line.partition("  # ")
        command = command.strip()
        if command.startswith("docker"):
            if not has_docker():
                print(f"skipped, as there is no Docker: {command}")
                continue
            script.append(REMOVES_CONTAINERS)
        script.append(f"echo {shlex.quote('$ ' + command)}")
        if ends := re.search(r"ends with (\d+)", remark):
            script.append(f"status=0; {command} || status=$?; [ $status = {ends[1]} ]")
        else:
            script.append(command)
        if prints := re.search(r"prints (.+)", remark):
            promises.append(prints[1])
    end = pathlib.Path(place) / "end"
    script.append(f"pwd > {shlex.quote(str(end))}")
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        sys.exit(f"A command of {PAGE.name} has ended with {done.returncode}:\n" + "\n".join(lines))
    # Of all that the page has made, wherever this block begins or goes.
    if warnings := [line for line in done.stdout.split("\n") if str(place) in line and "warning:" in line]:
        sys.exit("The page's code must compile without warnings:\n" + "\n".join(warnings))
    for promise in promises:
        if promise not in done.stdout:
            sys.exit(f"{PAGE.name} promises “{promise}”, and no command of its block has printed it:\n" + "\n".join(lines))
    return pathlib.Path(end.read_text(encoding="utf-8").removesuffix("\n"))


def share(package):
    """Gives a package that the page has made the objects that are there, and the versions of others."""
    if not (package / "Package.swift").exists():
        return
    if not (package / ".build").exists():
        (package / ".build").symlink_to(BUILD)
    versions = ROOT / options.versions / "Package.resolved"
    if versions.exists() and not (package / "Package.resolved").exists():
        shutil.copy(versions, package)


text = PAGE.read_text(encoding="utf-8").replace("8080", free_port())
# The private server ends with its last user, and may be at it when the folder goes.
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
    folder = pathlib.Path(place) / "strata"
    folder.mkdir()
    programs = pathlib.Path(place) / "bin"
    programs.mkdir()
    (programs / "swift").write_text(SWIFT, encoding="utf-8")
    (programs / "swift").chmod(0o755)
    # Any of these would name a server.
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL" and not key.startswith("PG")}
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    for language, file, code in blocks(text):
        if file:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            content = "\n".join(code).replace('path: "../strata"', f'path: "{ROOT}"') + "\n"
            (folder / file).write_text(content, encoding="utf-8")
        elif language == "sh":
            share(folder)
            folder = run(code, folder, environment)
