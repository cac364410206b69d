"""Resources as they are listed and read.

Source: server/resources, "Error Handling", "Subscriptions", "Resource" and "Security Considerations".
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from inspector.checks.families.listing import fold, matching, members, quoted, text_of
from inspector.finding import Severity
from inspector.rules.rule import Kind, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value, is_integer
from inspector.spec.media_types import base64_size, decode_base64, essence
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import At, ListedItem, ReceivedMessage, WholeList
    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject

GRACE_SECONDS = 2.0
"""After we have unsubscribed: an update may be under way."""

MAX_BLOB = 100_000
"""Characters of a blob that are read to see whether it is text."""

_SENSITIVE_PATH = re.compile(
    r"^file://[^/]*/(?:etc/(?:passwd|shadow|sudoers)|.*/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc)(?:/|$)|.*/\.env(?:\.\w+)?$"
    r"|.*/id_(?:rsa|ed25519|ecdsa)$)",
    re.IGNORECASE,
)
_TEXT_TYPES = re.compile(r"text/|application/(?:json|xml|javascript|yaml)$|.*\+(?:json|xml)$")


def uri_read(message: ReceivedMessage) -> str:
    """Return the URI that was read; empty if it is not known."""
    params = message.request_params()
    return text_of(params.get("uri")) if isinstance(params, dict) else ""


def listed_resource(uri: str, history: History) -> JsonObject | None:
    """Return the resource of that URI in the latest list; None if it has none."""
    resources = history.lists.get("resources/list")
    for item in resources.items if resources is not None and uri else ():
        if members(item).get("uri") == uri:
            return members(item)
    return None


def _contents(message: ReceivedMessage) -> list[Json]:
    contents = message.result.get("contents")
    return contents if isinstance(contents, list) else []


def check_presence(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the resources or templates without a description, and one about those without a type."""
    del history
    for key, text in (
        ("description", "without a description"),
        ("mimeType", "without a media type"),
    ):
        without = yield from matching(whole.items, partial(_lacks, key))
        yield from fold("L-RES-04", without, f"{len(without):,} {text}")


def check_titles(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the resources or templates without a title."""
    del history
    without = yield from matching(whole.items, partial(_lacks, "title"))
    yield from fold("L-RES-21", without, f"{len(without):,} without a title")


def _lacks(key: str, item: ListedItem) -> bool:
    return not text_of(members(item).get(key))


def check_type(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about contents of another media type than the list says."""
    uri = uri_read(message)
    resource = listed_resource(uri, history) or {}
    expected = essence(text_of(resource.get("mimeType")))
    for index, item in enumerate(_contents(message)):
        found = text_of(item.get("mimeType")) if isinstance(item, dict) else ""
        same = isinstance(item, dict) and item.get("uri") == uri
        if expected and same and found and essence(found) != expected:
            text = f"the media type is {quoted(found)}, but the list has {quoted(expected)}"
            pointer = join("/result/contents", index, "mimeType")
            yield make_finding("L-RES-06", text, pointer, message.revision)


def check_kind(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a text that is binary, or a blob of a text type that is text."""
    del history
    for index, item in enumerate(_contents(message)):
        if not isinstance(item, dict):
            continue
        text, blob = text_of(item.get("text")), text_of(item.get("blob"))
        if "\0" in text[:MAX_BLOB]:
            yield make_finding(
                "L-RES-07",
                "`text` contains null characters, like binary data",
                join("/result/contents", index, "text"),
                message.revision,
            )
        elif blob and _TEXT_TYPES.match(essence(text_of(item.get("mimeType")))) and _is_text(blob):
            summary = f"`blob` contains text of type {quoted(text_of(item.get('mimeType')))}"
            pointer = join("/result/contents", index, "blob")
            yield make_finding("L-RES-07", summary, pointer, message.revision)


def _is_text(blob: str) -> bool:
    raw = decode_base64(blob[: MAX_BLOB - MAX_BLOB % 4]).data or b""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(raw) - 3  # a character that is cut
    return bool(raw) and b"\0" not in raw


def is_listed(message: ReceivedMessage, history: History) -> bool:
    """Whether the latest list has the resource that was read."""
    return listed_resource(uri_read(message), history) is not None


def check_size(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a blob of another size than the list says."""
    resource = listed_resource(uri_read(message), history) or {}
    size, contents = resource.get("size"), _contents(message)
    first = contents[0] if len(contents) == 1 else None
    blob = first.get("blob") if isinstance(first, dict) else None
    if is_integer(size) and isinstance(blob, str) and base64_size(blob) != int(str(size)):
        text = f"the contents have {base64_size(blob):,} bytes, but `size` in the list is {format_value(size)}"
        yield make_finding("L-RES-14", text, "/result/contents/0/blob", message.revision)


def check_update(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an update of a resource that we never subscribed to."""
    uri = text_of(message.params.get("uri"))
    if any(_is_below(uri, each) for each in history.subscribed):
        return
    if uri not in history.unsubscribed:
        text = f"update of {quoted(uri)}, which no subscription covers"
        yield make_finding("L-RES-15", text, "/params/uri", message.revision)


def check_late_update(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an update long after we have ended the subscription."""
    uri = text_of(message.params.get("uri"))
    ended_s = history.unsubscribed.get(uri)
    if ended_s is not None and message.monotonic_s - ended_s > GRACE_SECONDS:
        text = f"update of {quoted(uri)}, {message.monotonic_s - ended_s:.0f} s after `resources/unsubscribe`"
        yield make_finding("L-RES-16", text, "/params/uri", message.revision)


def _is_below(uri: str, subscribed: str) -> bool:
    return uri == subscribed or uri.startswith(subscribed.rstrip("/") + "/")


def _had_subscription(message: ReceivedMessage, history: History) -> bool:
    del message
    return bool(history.subscribed) and not history.has_forgotten_subscription


def _has_unsubscribed(message: ReceivedMessage, history: History) -> bool:
    del message
    return bool(len(history.unsubscribed))


def check_path(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a URI that leads to a file with secrets."""
    del history
    uri = text_of(members(item).get("uri"))
    if _SENSITIVE_PATH.search(uri):
        text = f"{quoted(uri)} usually contains secrets"
        yield make_finding("L-RES-19", text, join(item.pointer, "uri"), item.revision)


_READ = (On(Subject.RESULT, "resources/read"),)
_LISTS = tuple(On(Subject.LIST, f"resources/{each}list") for each in ("", "templates/"))

RULES = (
    Rule(
        "L-RES-04",
        Severity.INFO,
        "resources",
        "resource without description or media type",
        why="Users and models select a resource by its description, and clients render it by its media type.",
        hint="Give each resource and template a `description` and a `mimeType`.",
        python="Pass `description=` and `mime_type=` to `@mcp.resource()`.",
        typescript="Pass `description` and `mimeType` in the config of `registerResource`.",
        section="Resource",
        level="quality",
        on=_LISTS,
        check=check_presence,
    ),
    Rule(
        "L-RES-06",
        Severity.INFO,
        "resources",
        "contents of another media type than listed",
        why="Clients prepare to show one media type, and get another.",
        hint="Use one media type in the list and in the contents.",
        level="quality",
        on=_READ,
        check=check_type,
        when=is_listed,
    ),
    Rule(
        "L-RES-07",
        Severity.INFO,
        "resources",
        "binary data as text, or text as a blob",
        why="Binary data is damaged as text, and clients do not show a blob as text.",
        hint="Send text as `text`, and everything else as `blob`.",
        section="Resource Contents",
        level="quality",
        on=_READ,
        check=check_kind,
    ),
    Rule(
        "L-RES-12",
        Severity.WARNING,
        "resources",
        "https resource that cannot be fetched",
        why="Clients may fetch such a resource directly, without the server.",
        hint="Use another scheme for resources that only the server can read.",
        section="Common URI Schemes",
        level="SHOULD",
        kind=Kind.ACTIVE,
        on=(On(Subject.ITEM, "resources/list"),),
    ),
    Rule(
        "L-RES-14",
        Severity.INFO,
        "resources",
        "size in the list differs from the contents",
        why="Clients decide by the size whether to read a resource.",
        hint="List the size of the decoded bytes, or leave `size` out.",
        section="Resource",
        level="quality",
        on=_READ,
        check=check_size,
        when=is_listed,
    ),
    Rule(
        "L-RES-15",
        Severity.INFO,
        "subscriptions",
        "resource update outside of all subscriptions",
        why="Clients ignore it, or read the resource again for nothing.",
        hint="Send updates only for subscribed resources.",
        level="quality",
        until=4,
        on=(On(Subject.NOTIFICATION, "notifications/resources/updated"),),
        check=check_update,
        when=_had_subscription,
    ),
    Rule(
        "L-RES-16",
        Severity.INFO,
        "subscriptions",
        "updates continue after unsubscribing",
        why="The server works for a client that no longer needs the updates.",
        hint="Stop the updates upon `resources/unsubscribe`.",
        level="quality",
        until=4,
        on=(On(Subject.NOTIFICATION, "notifications/resources/updated"),),
        check=check_late_update,
        when=_has_unsubscribed,
    ),
    Rule(
        "L-RES-18",
        Severity.ERROR,
        "resources",
        "template allows paths outside its folder",
        why="Anyone who can read one file can read every file that the server can access.",
        hint="Resolve the path, and reject everything outside of the served folder.",
        section="Security Considerations",
        level="MUST",
        kind=Kind.ACTIVE,
        on=(On(Subject.ITEM, "resources/templates/list"),),
    ),
    Rule(
        "L-RES-19",
        Severity.INFO,
        "resources",
        "listed file that usually contains secrets",
        why="Clients may add listed resources to a prompt, and send the secrets to a model.",
        hint="Leave such files out of the list.",
        section="Security Considerations",
        level="quality",
        on=(On(Subject.ITEM, "resources/list"),),
        check=check_path,
    ),
    Rule(
        "L-RES-21",
        Severity.INFO,
        "resources",
        "resource without a title",
        why="Clients show the name, which is written for programs.",
        hint="Give each resource and template a `title` for display.",
        python="Pass `title=` to `@mcp.resource()`.",
        typescript="Pass `title` in the config of `registerResource`.",
        section="Resource",
        level="quality",
        since=3,
        on=_LISTS,
        check=check_titles,
    ),
)
