"""User interfaces of tools (MCP Apps): what a tool refers to, what is read, and what is left without a user interface.

Source: the extension `io.modelcontextprotocol/ui`, "UI Resource Format", "Resource Discovery", "Content Requirements" and "CSP".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.families.listing import any_matches, fold, matching, members, quoted, text_of
from inspector.checks.families.resources import uri_read
from inspector.checks.families.tool_calls import tool_of
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_UI
from inspector.spec.pointer import join
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.background_tasks import Steps
    from inspector.checks.history import History
    from inspector.checks.seen import At, ListedItem, ReceivedMessage, WholeList
    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject

SCHEME, MEDIA_TYPE = "ui://", "text/html;profile=mcp-app"
EXTENSION = "io.modelcontextprotocol/ui"
FLAT_KEY = "ui/resourceUri"
VISIBILITIES = frozenset({"model", "app"})
MAX_HTML = 200_000
"""Characters of a page that are searched."""

_EVAL = re.compile(r"\beval\s*\(|\bnew\s+Function\s*\(")
_TAG = re.compile(r"<(?:script|link|img|iframe)\b([^<>]{0,2000})", re.IGNORECASE)
"""A tag that loads something; its attributes are searched by themselves, so that the time is linear."""

_EXTERNAL = re.compile(r"\b(?:src|href)\s*=\s*[\"'](https?://[^\"'/\s>]+)", re.IGNORECASE)


def external_origins(html: str) -> list[str]:
    """Return the origins that a page loads from."""
    return [each for tag in _TAG.finditer(html) for each in _EXTERNAL.findall(tag.group(1))]


def ui_of(item: Json) -> JsonObject:
    """Return what a tool or a resource says of its user interface; empty for nothing."""
    meta = item.get(META) if isinstance(item, dict) else None
    ui = meta.get(META_UI) if isinstance(meta, dict) else None
    return ui if isinstance(ui, dict) else {}


def _has_ui(item: ListedItem, history: History) -> bool:
    del history
    meta = members(item).get(META)
    return isinstance(meta, dict) and (META_UI in meta or FLAT_KEY in meta)


def check_reference(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a user interface at another address than `ui://`."""
    del history
    uri = ui_of(item.value).get("resourceUri")
    if uri is not None and not text_of(uri).startswith(SCHEME):
        text = f"`resourceUri` must start with {SCHEME}, not {one_line(format_value(uri), 80)}"
        yield make_finding(
            "L-APP-01", text, join(item.pointer, META, META_UI, "resourceUri"), item.revision
        )


def check_flat_key(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about the older spelling."""
    del history
    meta = members(item).get(META)
    if isinstance(meta, dict) and FLAT_KEY in meta:
        text = f"`{FLAT_KEY}` is the older form of `ui.resourceUri`"
        yield make_finding("L-APP-03", text, join(item.pointer, META, FLAT_KEY), item.revision)


def check_members(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield what is malformed in the metadata of a user interface."""
    del history
    ui, root = ui_of(item.value), join(item.pointer, META, META_UI)
    visibility = ui.get("visibility")
    known = isinstance(visibility, list) and all(
        text_of(each) in VISIBILITIES for each in visibility
    )
    if visibility is not None and not known:
        text = "`visibility` must be an array of `model` and `app`"
        yield make_finding("L-APP-04", text, join(root, "visibility"), item.revision)
    for key in ("csp", "permissions"):
        if ui.get(key) is not None and not isinstance(ui[key], dict):
            yield make_finding(
                "L-APP-04", f"`{key}` must be an object", join(root, key), item.revision
            )
    csp = ui.get("csp")
    for key, domains in csp.items() if isinstance(csp, dict) else ():
        if key.endswith("Domains") and not (
            isinstance(domains, list) and all(isinstance(each, str) for each in domains)
        ):
            text = f"`csp.{one_line(key, 60)}` must be an array of origins"
            yield make_finding("L-APP-04", text, join(root, "csp", key), item.revision)


def check_contents(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield what keeps a page from being displayed."""
    del history
    for index, item in _pages(message):
        kind = re.sub(r"\s", "", text_of(item.get("mimeType"))).lower()
        pointer = join("/result/contents", index)
        if kind != MEDIA_TYPE:
            text = f"the media type must be `{MEDIA_TYPE}`, not {quoted(text_of(item.get('mimeType')))}"
            yield make_finding("L-APP-02", text, pointer, message.revision)
        if "text" not in item and "blob" not in item:
            yield make_finding(
                "L-APP-02", "the page must have `text` or `blob`", pointer, message.revision
            )


def check_page(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield what a sandbox refuses in the page."""
    del history
    for index, item in _pages(message):
        html = text_of(item.get("text"))[:MAX_HTML]
        csp = ui_of(item).get("csp")
        declared = str(csp) if isinstance(csp, dict) else ""
        found = [each for each in external_origins(html) if each not in declared]
        problems = [
            *(
                ["the page has no doctype"]
                if html and "<!doctype" not in html[:500].lower()
                else []
            ),
            *(["the page uses `eval`"] if _EVAL.search(html) else []),
            *(
                [f"the page loads from {quoted(found[0])}, which `csp` does not list"]
                if found
                else []
            ),
        ]
        for text in problems:
            yield make_finding(
                "L-APP-06", text, join("/result/contents", index, "text"), message.revision
            )


def _pages(message: ReceivedMessage) -> Iterator[tuple[int, JsonObject]]:
    contents = message.result.get("contents")
    for index, item in enumerate(contents if isinstance(contents, list) else ()):
        if isinstance(item, dict) and text_of(item.get("uri")).startswith(SCHEME):
            yield index, item


def _is_page(message: ReceivedMessage, history: History) -> bool:
    del history
    return uri_read(message).startswith(SCHEME)


def check_fallback(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a result that says nothing without its user interface."""
    del history
    if not message.blocks:
        text = "the result must have content for clients without user interfaces, but `content` is empty"
        yield make_finding("L-APP-05", text, "/result/content", message.revision)


def _is_of_app(message: ReceivedMessage, history: History) -> bool:
    return history.has_apps and bool(ui_of(history.tools.get(tool_of(message))))


def check_undeclared(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the tools with a user interface that the client did not ask for."""
    extensions = history.client_capabilities.get("extensions")
    if not (isinstance(extensions, dict) and EXTENSION in extensions):
        found = yield from matching(whole.items, lambda item: bool(ui_of(item.value)))
        text = f"tools with a user interface, although the client did not declare `{EXTENSION}`"
        yield from fold("L-APP-07", found, text, META)


def _lists_ui(whole: WholeList, history: History) -> Steps[bool]:
    del history
    return any_matches(whole.items, lambda item: ui_of(item.value))


_ITEM = (On(Subject.ITEM, "tools/list"),)
_READ = (On(Subject.RESULT, "resources/read"),)

RULES = (
    Rule(
        "L-APP-01",
        Severity.ERROR,
        "",
        "user interface URI without ui://",
        why="Clients do not load the page, so the tool has no user interface.",
        hint="Serve the page as a resource with a `ui://` URI.",
        level="MUST",
        on=_ITEM,
        check=check_reference,
        when=_has_ui,
    ),
    Rule(
        "L-APP-02",
        Severity.ERROR,
        "",
        "user interface page that cannot be shown",
        why="Clients reject pages of another media type or without content.",
        hint=f"Return the page with the media type `{MEDIA_TYPE}`, as text or blob.",
        level="MUST",
        on=_READ,
        check=check_contents,
        when=_is_page,
    ),
    Rule(
        "L-APP-03",
        Severity.INFO,
        "",
        "deprecated key for the user interface URI",
        why="Clients may stop supporting it.",
        hint="Set `_meta.ui.resourceUri` instead.",
        level="deprecated",
        on=_ITEM,
        check=check_flat_key,
        when=_has_ui,
    ),
    Rule(
        "L-APP-04",
        Severity.ERROR,
        "",
        "metadata of a user interface malformed",
        why="Clients ignore it, and show the page without the permissions that it needs, or to the wrong audience.",
        hint="Set `visibility` to an array of `model` and `app`, and each list in `csp` to an array of origins.",
        level="schema",
        on=_ITEM,
        check=check_members,
        when=_has_ui,
    ),
    Rule(
        "L-APP-05",
        Severity.ERROR,
        "",
        "result empty without its user interface",
        why="The model, and clients without user interfaces, get an empty result.",
        hint="Also return the important part as text.",
        level="MUST",
        on=(On(Subject.RESULT, "tools/call"),),
        check=check_fallback,
        when=_is_of_app,
    ),
    Rule(
        "L-APP-06",
        Severity.INFO,
        "",
        "user interface page that a sandbox restricts",
        why="Clients show pages in a sandbox, where these parts do not work.",
        hint="Start the page with a doctype, avoid `eval`, and list the origins that it loads from in `csp`.",
        level="quality",
        on=_READ,
        check=check_page,
        when=_is_page,
    ),
    Rule(
        "L-APP-07",
        Severity.INFO,
        "",
        "user interface for a client without support",
        why="Clients without the extension ignore the metadata.",
        hint=f"Send it to clients that declare `{EXTENSION}`.",
        level="SHOULD",
        on=(On(Subject.LIST, "tools/list"),),
        check=check_undeclared,
        when=_lists_ui,
    ),
)
