#!/usr/bin/env python3
"""Links between pages lead somewhere, where the repository is read: to a file that is there, and to a heading that it has.

Articles of the catalog (Sources/*/*.docc) link to each other by files, as every page does; scripts/build-documentation.sh makes DocC's links of these. A link
of DocC's own (<doc:Page>) would be dead in a browser that shows the repository, so there is none but in the lists below “Topics”, which DocC alone reads.

    scripts/check-links.py            what is dead
    scripts/check-links.py FOLDER     writes the articles into a folder, with DocC's links: for the build
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATALOG = ROOT / "Sources/Strata/Strata.docc"
LINK = re.compile(r"\[([^\]\n]+(?:\n[^\]\n]+)?)\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.M | re.S)


def without_code(text):
    """The text with code blanked out: same length, so that places stay."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def anchors(text):
    """What can stand behind a # for the headings of a page, as GitHub and others write it."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return found


def docc_anchor(text, anchor):
    """How DocC writes the heading that an anchor leads to."""
    for heading in re.findall(r"^#+ (.+)$", text, re.M):
        if re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") == anchor:
            return re.sub(r"[^\w\-]", "", heading.replace(" ", "-"))
    return anchor


def dead(page):
    """What of a page's links leads nowhere."""
    text = page.read_text(encoding="utf-8")
    plain = without_code(text)
    for match in LINK.finditer(plain):
        target, _, anchor = match[2].partition("#")
        if re.match(r"[a-z]+:", match[2]):
            continue
        file = (page.parent / target).resolve() if target else page
        if not file.exists():
            yield f"{match[2]} is not there"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{match[2]}: the page has no such heading"
    if page.parent == CATALOG:
        head = plain.split("\n## Topics\n")[0]
        for link in re.findall(r"<doc:[^>]+>|\]\(doc:[^)]+\)", head):
            yield f"{link} is dead outside of DocC: link to the file"


def with_docc_links(text):
    """An article as DocC reads it."""
    def link(match):
        words, target = match[1], match[2]
        page, _, anchor = target.partition("#")
        file = CATALOG / (page or "")
        if "/" in page or not page.endswith(".md") or not file.exists():
            return match[0]
        if anchor:
            anchor = "#" + docc_anchor(file.read_text(encoding="utf-8"), anchor)
        return f"[{words}](doc:{page[:-3]}{anchor})"
    plain = without_code(text)
    pieces, place = [], 0
    for match in LINK.finditer(plain):
        pieces += [text[place:match.start()], LINK.sub(link, text[match.start():match.end()])]
        place = match.end()
    return "".join(pieces) + text[place:]


if sys.argv[1:]:
    folder = pathlib.Path(sys.argv[1])
    for page in sorted(CATALOG.rglob("*.md")):
        (folder / page.relative_to(CATALOG)).write_text(with_docc_links(page.read_text(encoding="utf-8")), encoding="utf-8")
else:
    pages = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    found = [f"{page}: {what}" for page in pages if (ROOT / page).exists() for what in dead(ROOT / page)]
    if found:
        sys.exit("\n".join(found))
