"""What a server is: its identity, and metadata that any message may carry.

Source: basic, "_meta"; the schema of `Implementation`; the W3C texts on trace context and baggage.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.checks.remembered import identity_of, server_info_of
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_SERVER_INFO
from inspector.spec.pointer import join
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json, JsonObject

_PLACEHOLDERS = re.compile(
    r"(my[-_ ]?)?(mcp[-_ ]?)?(example|sample|test|demo|server|untitled|unnamed|todo|foo|app)([-_ ]?server)?",
    re.IGNORECASE,
)
_NO_VERSION = frozenset({"", "0.0.0", "0.0", "0", "unknown", "dev", "todo", "x.y.z"})
_DOMAINS = frozenset(
    {"com", "org", "net", "io", "dev", "ai", "app", "co", "de", "edu", "gov", "eu"}
)
"""Ends of domain names, with which a prefix in reverse notation begins."""

_TRACE_PARENT = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?"
)
_TRACE_LISTS = {
    "tracestate": re.compile(r"[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}"),
    "baggage": re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=[^\x00-\x08\x0a-\x1f\",\\]*"),
}
"""Keys of `_meta` whose value is a list with commas, and what one member of it looks like."""

MAX_TRACE = 8_192
"""Characters of a value that is matched."""


def _meta_of(message: ReceivedMessage) -> tuple[str, JsonObject]:
    name = "result" if message.result else "params"
    meta = (message.result or message.params).get(META)
    return join(f"/{name}", META), meta if isinstance(meta, dict) else {}


def _has_meta(message: ReceivedMessage, history: History) -> bool:
    del history
    meta = (message.result or message.params).get(META)
    return isinstance(meta, dict) and bool(meta)


def check_prefix(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a prefix that is a domain name, and not in reverse notation."""
    del history
    pointer, meta = _meta_of(message)
    for key in meta:
        prefix, slash, _ = key.partition("/")
        labels = prefix.lower().split(".")
        if slash and len(labels) > 1 and labels[-1] in _DOMAINS and labels[0] not in _DOMAINS:
            reverse = ".".join(reversed(labels))
            text = f"the prefix `{one_line(prefix, 60)}` should be `{one_line(reverse, 60)}`"
            yield make_finding("L-MET-03", text, join(pointer, key), message.revision)


def check_server_info(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield what is wrong with `serverInfo` in `_meta` of a result."""
    info, pointer = server_info_of(message), join(join("/result", META), META_SERVER_INFO)
    name_and_version = [info.get("name"), info.get("version")] if isinstance(info, dict) else []
    if not name_and_version or not all(isinstance(each, str) for each in name_and_version):
        text = "`serverInfo` must have `name` and `version` as strings"
        yield make_finding("L-MET-05", text, pointer, message.revision)
    elif history.openings.result_info not in {"", identity_of(info)}:
        text = "`name` or `version` of `serverInfo` differs from the previous result"
        yield make_finding("L-MET-05", text, pointer, message.revision)


def _has_server_info(message: ReceivedMessage, history: History) -> bool:
    del history
    return server_info_of(message) is not None


def check_trace(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield what is wrong with the keys of `_meta` that name a trace."""
    del history
    pointer, meta = _meta_of(message)
    for key in ("traceparent", *_TRACE_LISTS):
        value = meta.get(key)
        if key in meta and not (
            isinstance(value, str) and len(value) <= MAX_TRACE and _is_trace(key, value)
        ):
            text = f"`{key}` must have the format of the W3C: {one_line(format_value(value), 80)}"
            yield make_finding("L-MET-06", text, join(pointer, key), message.revision)


def _is_trace(key: str, value: str) -> bool:
    """Whether a value has the form of its key; members are matched one by one, since a pattern for the whole list could take for ever."""
    member = _TRACE_LISTS.get(key)
    if member is None:
        return _TRACE_PARENT.fullmatch(value) is not None
    members = [each.strip(" \t") for each in value.split(",")]
    is_empty = key == "baggage" and not members[0]
    return not is_empty and all(member.fullmatch(each) for each in members if each)


def info_of(message: ReceivedMessage) -> tuple[str, JsonObject]:
    """Return the pointer and the value of what a server tells of itself in a result."""
    if message.method == "initialize":
        pointer, info = "/result/serverInfo", message.result.get("serverInfo")
    else:
        pointer = join(join("/result", META), META_SERVER_INFO)
        info = server_info_of(message)
    return pointer, info if isinstance(info, dict) else {}


def check_texts(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about what `serverInfo` leaves out that users would read."""
    del history
    pointer, info = info_of(message)
    missing = [key for key in ("title", "description", "websiteUrl") if not info.get(key)]
    if info and missing:
        text = f"`serverInfo` has no {', '.join(f'`{each}`' for each in missing)}"
        yield make_finding("L-IMP-02", text, pointer, message.revision)


def check_website(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an address that is none."""
    del history
    pointer, info = info_of(message)
    address = info.get("websiteUrl")
    if address is not None and not _is_website(address):
        text = (
            f"`websiteUrl` must be an http or https URL, not {one_line(format_value(address), 80)}"
        )
        yield make_finding("L-IMP-03", text, join(pointer, "websiteUrl"), message.revision)


def _is_website(address: Json) -> bool:
    if not isinstance(address, str):
        return False
    try:
        found = urlsplit(address)
    except ValueError:
        return False
    return found.scheme in {"http", "https"} and bool(found.hostname)


def check_placeholder(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a name or a version that tells nothing."""
    del history
    pointer, info = info_of(message)
    name, version = info.get("name"), info.get("version")
    if isinstance(name, str) and (not name.strip() or _PLACEHOLDERS.fullmatch(name.strip())):
        text = f"the name {one_line(format_value(name), 60)} is a placeholder"
        yield make_finding("L-IMP-04", text, join(pointer, "name"), message.revision)
    if isinstance(version, str) and version.strip().lower() in _NO_VERSION:
        found = f"{one_line(format_value(version), 60)} is a placeholder" if version else "is empty"
        where = join(pointer, "version")
        yield make_finding("L-IMP-04", f"the version {found}", where, message.revision)


OPENING = (On(Subject.RESULT, "initialize"), On(Subject.RESULT, "server/discover"))
_ANY = tuple(On(each) for each in (Subject.RESULT, Subject.NOTIFICATION, Subject.REQUEST))

RULES = (
    Rule(
        "L-MET-03",
        Severity.WARNING,
        "meta",
        "_meta prefix not in reverse DNS notation",
        why="Keys may collide with those of another owner.",
        hint="Write the domain in reverse, such as `com.example/name`.",
        section="_meta",
        level="SHOULD",
        since=4,
        on=_ANY,
        check=check_prefix,
        members=(META,),
        when=_has_meta,
    ),
    Rule(
        "L-MET-05",
        Severity.ERROR,
        "meta",
        "serverInfo of a result malformed or changed",
        why="Clients cannot determine which server responded.",
        hint="Send the same `name` and `version` in every result.",
        section="_meta",
        level="schema",
        since=5,
        on=(On(Subject.RESULT),),
        check=check_server_info,
        members=(META,),
        when=_has_server_info,
    ),
    Rule(
        "L-MET-06",
        Severity.ERROR,
        "meta",
        "trace context malformed",
        why="Tracing tools drop the value, and the trace is incomplete.",
        hint="Format `traceparent`, `tracestate` and `baggage` as the W3C specifies.",
        section="_meta",
        level="MUST",
        since=5,
        on=_ANY,
        check=check_trace,
        members=(META,),
        when=_has_meta,
    ),
    Rule(
        "L-IMP-02",
        Severity.INFO,
        "lifecycle",
        "serverInfo without title, description or website",
        why="Clients show only the name, and users do not learn what the server does.",
        hint="Add `title`, `description` and `websiteUrl` to `serverInfo`.",
        level="quality",
        since=4,
        on=OPENING,
        check=check_texts,
    ),
    Rule(
        "L-IMP-03",
        Severity.ERROR,
        "lifecycle",
        "websiteUrl is not an http or https URL",
        why="Clients show a link that does not work.",
        hint="Use an absolute `https:` URL.",
        level="schema",
        since=4,
        on=OPENING,
        check=check_website,
    ),
    Rule(
        "L-IMP-04",
        Severity.INFO,
        "lifecycle",
        "placeholder as name or version",
        why="Users cannot distinguish servers, and error reports lack the version.",
        hint="Set the name and the version of your server.",
        python="Pass `version=…` to `MCPServer` (version 2), which sends an empty one otherwise; `FastMCP` (version 1) has no such argument and sends the version of the SDK.",
        level="quality",
        on=OPENING,
        check=check_placeholder,
    ),
)
