"""All rules on one web page: why each matters, what to change, and in which revisions it applies, with a field to search in.

    python -m inspector.checks.rules_page build/rules.html

The page needs no network and no other file. `make docs` makes it.
"""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.checks.catalog import CATALOG
from inspector.checks.rule_markdown import advice, capitalized
from inspector.rules.rule import ALL_TRANSPORTS, FAMILIES
from inspector.spec.findings import rule_link
from inspector.spec.revision import REVISIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.rules import Rule
    from inspector.rules.rule import Family

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
header { background: Canvas; padding: .5rem 0; position: sticky; top: 0; }
input { box-sizing: border-box; font: inherit; padding: .4rem .6rem; width: 100%; }
nav a { margin-right: 1rem; white-space: nowrap; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; }
th:first-child { width: 9rem; }
th:nth-child(n+3), td:nth-child(n+3) { text-align: center; white-space: nowrap; width: 6rem; }
td:first-child code { white-space: nowrap; }
td:nth-child(2) { min-width: 18rem; }
p { margin: .2rem 0; }
code { overflow-wrap: anywhere; }
section, tr { scroll-margin-top: 6rem; }
tr:target { background: #fc03; }
.facts { opacity: .75; }
"""

_SCRIPT = """
const field = document.querySelector("input");
const count = document.querySelector("output");
const rows = [...document.querySelectorAll("tbody tr")].map((row) => [row, row.textContent.toLowerCase()]);
field.addEventListener("input", () => {
  const terms = field.value.toLowerCase().split(/\\s+/);
  let visible = 0;
  for (const [row, text] of rows) {
    row.hidden = !terms.every((term) => text.includes(term));
    visible += row.hidden ? 0 : 1;
  }
  for (const part of document.querySelectorAll("section")) {
    part.hidden = !part.querySelector("tbody tr:not([hidden])");
  }
  count.textContent = visible ? `${visible} of ${rows.length} rules` : "No matches";
});
"""

_CODE = re.compile(r"`([^`]+)`")

_INTRODUCTION = (
    "The columns have the severity in each revision of the specification; it is empty where a rule does not apply.",
    "The level is the keyword of the specification; rules of quality are not part of it.",
    "Passive rules are decided by the messages that a server sends anyway; active ones need a probe.",
)


def rules_page() -> str:
    """Return the page, as HTML."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Rules of Spyglass</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    yield "<h1>Rules</h1>"
    yield from (f"<p>{escape(text)}</p>" for text in _INTRODUCTION)
    yield '<header>\n<input type="search" placeholder="Search" aria-label="Search" autofocus>'
    yield f"<output>{len(CATALOG):,} rules</output>\n</header>"
    listed = {family: _rules_of(family) for family in FAMILIES.values()}
    links = (
        f'<a href="#{_anchor(each)}">{escape(each.title)}</a>' for each in listed if listed[each]
    )
    yield f'<nav aria-label="Families">{" ".join(links)}</nav>'
    for family, rules in listed.items():
        if rules:
            yield from _section(family, rules)
    yield f"<script>{_SCRIPT}</script>\n</body>\n</html>"


def _rules_of(family: Family) -> list[Rule]:
    return sorted((r for r in CATALOG.values() if r.family == family), key=lambda rule: rule.id)


def _anchor(family: Family) -> str:
    return f"family-{escape(family.key or 'none')}"


def _section(family: Family, rules: list[Rule]) -> Iterator[str]:
    yield f'<section id="{_anchor(family)}">\n<h2>{escape(family.title)}</h2>\n<table>\n<thead>'
    dates = "".join(f'<th scope="col">{revision}</th>' for revision in REVISIONS)
    yield f'<tr><th scope="col">Rule</th><th scope="col">Description</th>{dates}</tr>\n</thead>\n<tbody>'
    for rule in rules:
        cells = "".join(
            f"<td>{rule.severity_in(revision.number).name.lower() if rule.concerns(revision.number, '') else ''}</td>"
            for revision in REVISIONS
        )
        id_ = escape(rule.id)
        yield f'<tr id="{id_}"><td><a href="#{id_}"><code>{id_}</code></a></td><td>{_texts(rule)}</td>{cells}</tr>'
    yield "</tbody>\n</table>\n</section>"


def _texts(rule: Rule) -> str:
    transports = ", ".join(sorted(rule.transports)) if rule.transports != ALL_TRANSPORTS else ""
    advice_rows = "".join(f"<p>{name}: {_marked_up(text)}</p>" for name, text in advice(rule))
    facts = [
        *([f"Level: {escape(rule.level_text)}"] if rule.level else []),
        *([f"Transports: {escape(transports)}"] if transports else []),
        f"Decided: {escape(rule.kind.value)}",
        *(
            [f'<a href="{escape(address)}">Specification</a>']
            if (address := rule_link(rule))
            else []
        ),
    ]
    return f'<strong>{escape(capitalized(rule.title))}</strong>{advice_rows}<p class="facts">{" · ".join(facts)}</p>'


def _marked_up(text: str) -> str:
    """Return a text as HTML, with what is between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def main(arguments: list[str]) -> int:
    """Write the page into the file that is named, or to standard output."""
    if arguments:
        path = Path(arguments[0])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rules_page(), encoding="utf-8")
    else:
        sys.stdout.write(rules_page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
