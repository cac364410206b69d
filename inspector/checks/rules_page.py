"""All rules on one web page: why each matters, what to change, and in which revisions it applies, with a field to search in.

    python -m inspector.checks.rules_page build/rules.html

The page needs no network and no other file. `make docs` makes it.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.checks.catalog import CATALOG
from inspector.rules.rule import ALL_TRANSPORTS, FAMILIES
from inspector.spec.findings import rule_link
from inspector.spec.revision import REVISIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.rules import Rule

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
input { font: inherit; padding: .4rem .6rem; width: 100%; box-sizing: border-box; position: sticky; top: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; }
th:nth-child(n+3), td:nth-child(n+3) { text-align: center; white-space: nowrap; }
p { margin: .2rem 0; }
code { white-space: nowrap; }
:root { color-scheme: light dark; }
"""

_SCRIPT = """
const field = document.querySelector("input");
field.addEventListener("input", () => {
  const terms = field.value.toLowerCase().split(/\\s+/);
  for (const row of document.querySelectorAll("tbody tr")) {
    const text = row.textContent.toLowerCase();
    row.hidden = !terms.every((term) => text.includes(term));
  }
  for (const part of document.querySelectorAll("section")) {
    part.hidden = !part.querySelector("tbody tr:not([hidden])");
  }
});
"""


def rules_page() -> str:
    """Return the page, as HTML."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f"<title>Rules of Spyglass</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    yield f"<h1>Rules</h1>\n<p>{len(CATALOG):,} rules. A revision in which a rule does not apply is empty.</p>"
    yield '<input type="search" placeholder="Search" aria-label="Search" autofocus>'
    for family in FAMILIES.values():
        rules = [rule for rule in CATALOG.values() if rule.family == family]
        if rules:
            yield from _section(family.title, sorted(rules, key=lambda rule: rule.id))
    yield f"<script>{_SCRIPT}</script>\n</body>\n</html>"


def _section(title: str, rules: list[Rule]) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(title)}</h2>\n<table>\n<thead>"
    dates = "".join(f'<th scope="col">{revision}</th>' for revision in REVISIONS)
    yield f'<tr><th scope="col">Rule</th><th scope="col">What is wrong</th>{dates}</tr>\n</thead>\n<tbody>'
    for rule in rules:
        cells = "".join(
            f"<td>{rule.severity_in(revision.number).name.lower() if rule.concerns(revision.number, '') else ''}</td>"
            for revision in REVISIONS
        )
        yield f'<tr id="{escape(rule.id)}"><td><code>{escape(rule.id)}</code></td><td>{_texts(rule)}</td>{cells}</tr>'
    yield "</tbody>\n</table>\n</section>"


def _texts(rule: Rule) -> str:
    transports = ", ".join(sorted(rule.transports)) if rule.transports != ALL_TRANSPORTS else ""
    rows = (
        ("", rule.why),
        ("", rule.hint),
        ("Python SDK: ", rule.python),
        ("TypeScript SDK: ", rule.typescript),
        ("Level: ", rule.level),
        ("Transports: ", transports),
        ("Decided: ", rule.kind.value),
    )
    parts = [f"<p>{label}{escape(text)}</p>" for label, text in rows if text]
    if rule.subject:
        address = escape(rule_link(rule))
        parts.append(f'<p><a href="{address}">Specification</a></p>')
    return f"<strong>{escape(rule.title)}</strong>{''.join(parts)}"


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
