#!/usr/bin/env python3
"""Does what the page "An hour with a service" says: makes the package, writes the files that the page shows, runs its commands in their order.

Beside a build, whose objects of Strata it shares, with the same BUILD_FLAGS. A command that is to fail says so behind it: `# ends with 3`. Docker's are run
where there is Docker. On a private server, whatever is named elsewhere.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Sources/Strata/Strata.docc/AnHourWithAService.md"

# Stands in front of the real one: finds the objects that are there, and builds nothing of the repository itself.
SWIFT = f"""#!/usr/bin/env bash
set -euo pipefail
export SWIFT_BACKTRACE=enable=no
command=$1
shift
if [ "$command ${{1:-}}" = "run strata" ]; then
    cd {shlex.quote(str(ROOT))}
    exec {shlex.quote(shutil.which("swift") or "swift")} run --skip-build "$@" --strata .
fi
exec {shlex.quote(shutil.which("swift") or "swift")} "$command" {os.environ.get("BUILD_FLAGS", "")} \\
    --scratch-path {shlex.quote(str(ROOT / ".build"))} --disable-build-manifest-caching "$@"
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
    """Runs commands in one shell, each as it is meant to end."""
    script = [PREAMBLE]
    for line in lines:
        command, _, remark = line.partition("#")
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
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        sys.exit(f"A command of {PAGE.name} has ended with {done.returncode}:\n" + "\n".join(lines))
    if warnings := [line for line in done.stdout.split("\n") if str(folder) in line and "warning:" in line]:
        sys.exit("The page's code must compile without warnings:\n" + "\n".join(warnings))
    return done.stdout


text = PAGE.read_text(encoding="utf-8")
# The private server ends with its last user, and may be at it when the folder goes.
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
    shop = pathlib.Path(place) / "Shop"
    programs = pathlib.Path(place) / "bin"
    programs.mkdir()
    (programs / "swift").write_text(SWIFT, encoding="utf-8")
    (programs / "swift").chmod(0o755)
    # Any of these would name a server.
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL" and not key.startswith("PG")}
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    said = ""
    for language, file, code in blocks(text):
        if file:
            (shop / file).write_text("\n".join(code) + "\n", encoding="utf-8")
        elif language == "sh":
            lines = [line.replace("../Shop", str(shop)) for line in code]
            said += run(lines, shop if shop.exists() else place, environment)
            if not (shop / ".build").exists():
                (shop / ".build").symlink_to(ROOT / ".build")
    # What the page promises to be printed.
    for promise in ("Order Tea: 3 left", "Tea: 18 at 450 cents", "consumer reserve: ", "fetch Product: 1, "):
        if promise not in said:
            sys.exit(f"{PAGE.name} promises “{promise}”, and no command has printed it.")
