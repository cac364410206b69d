"""A template that is expanded with a path out of its folder. Source: server/resources, "Security Considerations"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult, needs_capability
from inspector.spec.uri_template import UriTemplate

if TYPE_CHECKING:
    from inspector.probes.probe import Answer, ProbeContext

UP = "../" * 12
FILES = (f"{UP}etc/passwd", f"{UP}windows/win.ini")
"""Files that every system of their kind has, and that everyone may read."""

MAX_TEMPLATES = 3
"""Templates that are tried."""

_CONTENT = re.compile(r"^root:[^:\n]*:0:0:|^\[fonts\]", re.MULTILINE)
"""What is in these files alone."""


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal, or anything but the file."""
    listed = await context.ask("resources/templates/list")
    last: Answer | None = None
    for template in _templates(listed):
        for file in FILES:
            values = {variable.name: file for variable in template.variables}
            last = await context.ask("resources/read", {"uri": template.expand(values)})
            if _has_file(last):
                text = f"{template.text!r} with a path of `../` gives a file of the system, outside of what is served"
                return context.find("L-RES-18", text, last.frame, "/result/contents")
    if last is None:
        return ProbeResult(Outcome.NOT_APPLICABLE, "no template has a variable")
    return context.conclude(last)


def _templates(answer: Answer) -> list[UriTemplate]:
    items = (answer.result or {}).get("resourceTemplates")
    texts = [
        item.get("uriTemplate")
        for item in (items if isinstance(items, list) else [])
        if isinstance(item, dict)
    ]
    found = [UriTemplate(text) for text in texts if isinstance(text, str)]
    return [each for each in found if each.variables][:MAX_TEMPLATES]


def _has_file(answer: Answer) -> bool:
    contents = (answer.result or {}).get("contents")
    texts = [
        each.get("text")
        for each in (contents if isinstance(contents, list) else [])
        if isinstance(each, dict)
    ]
    return any(isinstance(text, str) and _CONTENT.search(text) for text in texts)


PROBE = Probe(
    "path-traversal",
    "Template with a path out of its folder",
    f"resources/read of up to {MAX_TEMPLATES} templates with `../../…/etc/passwd` and `…/windows/win.ini`",
    ("L-RES-18",),
    run,
    needs_capability("resources"),
    Effect.READS_FILES,
    requests=1 + MAX_TEMPLATES * len(FILES),
)
