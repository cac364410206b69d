"""`server/discover` beside the requests of the stateless era: versions, capabilities, and what each request tells of itself.

Source: server/discover; basic/versioning; basic, "_meta" and "Statelessness".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec import methods
from inspector.spec.error_codes import (
    INVALID_PARAMS,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import RESULT_INPUT_REQUIRED
from inspector.spec.pointer import join
from inspector.spec.revision import find
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.calls import RequestMeta
    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

_CAPABILITY_OF = {
    "roots/list": "roots",
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
}
"""Which capability of the client an input request takes."""

_LACKS_CAPABILITY = re.compile(
    r"client.{0,40}\b(not|n't|lacks?|without|missing)\b.{0,60}(capabilit|sampling|elicitation|roots)"
    r"|capabilit\w*.{0,40}\b(required|missing|not declared|not supported by the client)",
    re.IGNORECASE,
)
"""What an error says that is about a capability of the client."""


def check_missing(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a server of the stateless era without `server/discover`."""
    text = f"`{message.method}` works, but `server/discover` was rejected in #{history.openings.discover_refused}"
    yield make_finding("L-DSC-01", text, "", message.revision)


def _is_discover_missing(message: ReceivedMessage, history: History) -> bool:
    return bool(history.openings.discover_refused) and not methods.opens_session(message.method)


def _meta_of(message: ReceivedMessage, history: History) -> RequestMeta | None:
    call = history.calls.known.get(message.request) if message.request else None
    return call.meta if call is not None else None


def check_listed_version(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about versions without the one of the request."""
    listed, meta = message.result.get("supportedVersions"), _meta_of(message, history)
    if not isinstance(listed, list) or not listed or meta is None or not meta.version:
        return
    if meta.version not in listed:
        text = f"`supportedVersions` does not list {one_line(meta.version, 40)}, which the request used"
        yield make_finding("L-DSC-03", text, "/result/supportedVersions", message.revision)


def check_refused_version(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a version that is listed and refused."""
    meta = _meta_of(message, history)
    listed = (history.openings.discovered or {}).get("supportedVersions")
    if meta is None or not isinstance(listed, list):
        return
    if message.error.get("code") == UNSUPPORTED_VERSION and meta.version in listed:
        text = f"{one_line(meta.version, 40)} was rejected, but `supportedVersions` lists it"
        yield make_finding("L-DSC-04", text, "/error/code", message.revision)


def _is_version_refused(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.error.get("code") == UNSUPPORTED_VERSION


def check_version_error(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an error that names another version than that of the request."""
    data, meta = message.error.get("data"), _meta_of(message, history)
    requested = data.get("requested") if isinstance(data, dict) else None
    if meta is not None and isinstance(requested, str) and requested != meta.version:
        text = f"`requested` must be {one_line(meta.version, 40)}, as in the request, not {format_value(requested)}"
        yield make_finding("L-DSC-06", text, "/error/data/requested", message.revision)


def _is_of_era(message: ReceivedMessage, history: History) -> bool:
    """Whether a request of the stateless era is answered that we know."""
    is_handshake = message.method in {"initialize", "ping"}
    return not is_handshake and _meta_of(message, history) is not None


def check_unknown_version(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an unknown version that is served."""
    meta = _meta_of(message, history)
    if meta is not None and meta.version and find(meta.version) is None:
        text = f"a request with the unknown version {one_line(meta.version, 40)!r} must return error -32022, not a result"
        yield make_finding("L-DSC-07", text, "", message.revision)


def _has_unknown_version(message: ReceivedMessage, history: History) -> bool:
    meta = _meta_of(message, history)
    return meta is not None and bool(meta.version) and find(meta.version) is None


def _lacks_meta(message: ReceivedMessage, history: History) -> bool:
    meta = _meta_of(message, history)
    is_incomplete = meta is not None and (not meta.version or meta.capabilities is None)
    return is_incomplete and _is_of_era(message, history)


def check_required_meta(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a request without what it has to carry, and that is not refused by -32602."""
    del history
    code = message.error.get("code")
    if not message.error:
        text = "a request without the required `_meta` must return error -32602, not a result"
        yield make_finding("L-DSC-08", text, "", message.revision)
    elif code != INVALID_PARAMS:
        text = f"a request without the required `_meta` must return error -32602, not {format_value(code)}"
        yield make_finding("L-DSC-08", text, "/error/code", message.revision)


def _lacks_client_info(message: ReceivedMessage, history: History) -> bool:
    meta = _meta_of(message, history)
    return meta is not None and not meta.has_client_info


def check_client_info(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a request that is refused for want of `clientInfo` alone."""
    del history
    text = str(message.error.get("message", ""))[:1000]
    if message.error.get("code") == INVALID_PARAMS and "clientinfo" in text.lower():
        found = f"a request without `clientInfo` was rejected: “{one_line(text, 80)}”"
        yield make_finding("L-DSC-09", found, "/error", message.revision)


def check_remembered(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about input that only an earlier request allowed."""
    meta, requests = _meta_of(message, history), message.result.get("inputRequests")
    if meta is None or meta.capabilities is None or not isinstance(requests, dict):
        return
    for key, request in requests.items():
        method = request.get("method") if isinstance(request, dict) else None
        needed = _CAPABILITY_OF.get(method) if isinstance(method, str) else None
        if needed in meta.capabilities:
            continue
        if needed and is_remembered(needed, history):
            text = f"input of `{needed}` was requested, which an earlier request declared, but not this one"
            pointer = join(join("/result/inputRequests", key), "method")
            yield make_finding("L-DSC-10", text, pointer, message.revision)


def is_remembered(capability: str, history: History) -> bool:
    """Whether any request so far declared a capability of the client."""
    return capability in history.openings.declared


def _asks_for_input(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.result.get("resultType") == RESULT_INPUT_REQUIRED


def check_capability_code(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a missing capability of the client that another code tells."""
    del history
    code, text = message.error.get("code"), str(message.error.get("message", ""))[:500]
    if code != MISSING_CLIENT_CAPABILITY and _LACKS_CAPABILITY.search(text):
        found = f"a missing client capability must be reported with code -32021, not {format_value(code)}: “{one_line(text, 80)}”"
        yield make_finding("L-DSC-11", found, "/error/code", message.revision)


def check_changed(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about capabilities that change while the earlier ones are still fresh."""
    before = history.openings.discovered
    if before is None:
        return
    ttl, age = before.get("ttlMs"), message.monotonic_s - history.openings.discovered_s
    is_fresh = isinstance(ttl, (int, float)) and age * 1000 < ttl
    if is_fresh and before.get("capabilities") != message.result.get("capabilities"):
        text = f"the capabilities changed after {age:.1f} s, although `ttlMs` was {ttl}"
        yield make_finding("L-DSC-12", text, "/result/capabilities", message.revision)


def check_legacy_tasks(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about the capability `tasks` of the revision before."""
    del history
    capabilities = message.result.get("capabilities")
    if isinstance(capabilities, dict) and "tasks" in capabilities:
        text = "`tasks` is not a capability of this revision; tasks are an extension"
        yield make_finding("L-DSC-14", text, "/result/capabilities/tasks", message.revision)


_RESULT, _ERROR = On(Subject.RESULT), On(Subject.ERROR)
_DISCOVER = On(Subject.RESULT, "server/discover")

RULES = (
    Rule(
        "L-DSC-01",
        Severity.ERROR,
        "discover",
        "server/discover not served",
        why="Clients that probe with it mistake the server for one of an older revision.",
        hint="Implement `server/discover`.",
        level="MUST",
        since=5,
        on=(_RESULT,),
        check=check_missing,
        when=_is_discover_missing,
    ),
    Rule(
        "L-DSC-03",
        Severity.WARNING,
        "discover",
        "supportedVersions without the version in use",
        why="Clients select another revision from the list, or do not connect.",
        hint="List every revision that the server accepts.",
        level="RULE",
        since=5,
        on=(_DISCOVER,),
        check=check_listed_version,
    ),
    Rule(
        "L-DSC-04",
        Severity.WARNING,
        "lifecycle",
        "listed version rejected",
        why="Clients select the revision from the list, and fail.",
        hint="List only revisions that the server accepts.",
        section="Protocol Version Negotiation",
        level="RULE",
        since=5,
        on=(_ERROR,),
        check=check_refused_version,
        when=_is_version_refused,
    ),
    Rule(
        "L-DSC-06",
        Severity.ERROR,
        "lifecycle",
        "version error names another version",
        why="Clients cannot determine which version was rejected.",
        hint="Copy the version of the request into `data.requested`.",
        section="Protocol Version Negotiation",
        level="MUST",
        since=5,
        on=(_ERROR,),
        check=check_version_error,
        when=_is_version_refused,
    ),
    Rule(
        "L-DSC-07",
        Severity.ERROR,
        "lifecycle",
        "unknown version accepted",
        why="Clients of a later revision get results of an older one without notice.",
        hint="Reject a version that the server does not support with error -32022.",
        section="Protocol Version Negotiation",
        level="MUST",
        since=5,
        on=(_RESULT,),
        check=check_unknown_version,
        when=_has_unknown_version,
    ),
    Rule(
        "L-DSC-08",
        Severity.ERROR,
        "meta",
        "request without required _meta accepted",
        why="The server has to guess the revision and the capabilities of the client.",
        hint="Reject a request without `protocolVersion` or `clientCapabilities` in `_meta` with error -32602.",
        section="_meta",
        level="MUST",
        since=5,
        on=(_RESULT, _ERROR),
        check=check_required_meta,
        when=_lacks_meta,
    ),
    Rule(
        "L-DSC-09",
        Severity.WARNING,
        "meta",
        "request rejected for missing clientInfo",
        why="Clients may leave it out, and then cannot use the server.",
        hint="Accept requests without `clientInfo`.",
        section="_meta",
        level="RULE",
        since=5,
        on=(_ERROR,),
        check=check_client_info,
        when=_lacks_client_info,
    ),
    Rule(
        "L-DSC-10",
        Severity.ERROR,
        "messages",
        "capability of an earlier request used",
        why="Each request can come from another client, and this one cannot provide the input.",
        hint="Check `clientCapabilities` in `_meta` of the request itself.",
        section="Statelessness",
        level="MUST NOT",
        since=5,
        on=(_RESULT,),
        check=check_remembered,
        when=_asks_for_input,
    ),
    Rule(
        "L-DSC-11",
        Severity.WARNING,
        "errors",
        "missing client capability without error -32021",
        why="Clients react to a missing capability only if the code is -32021.",
        hint="Send error -32021 with `requiredCapabilities` in `data`.",
        section="_meta",
        level="MUST",
        since=5,
        on=(_ERROR,),
        check=check_capability_code,
    ),
    Rule(
        "L-DSC-12",
        Severity.INFO,
        "caching",
        "capabilities changed before ttlMs",
        why="Clients use the earlier capabilities until `ttlMs` has passed.",
        hint="Set `ttlMs` to the time for which the capabilities stay the same.",
        level="quality",
        since=5,
        on=(_DISCOVER,),
        check=check_changed,
    ),
    Rule(
        "L-DSC-14",
        Severity.INFO,
        "tasks",
        "tasks capability of an earlier revision",
        why="Clients of this revision ignore it.",
        hint="Declare the extension `io.modelcontextprotocol/tasks` instead.",
        level="quality",
        since=5,
        on=(_DISCOVER,),
        check=check_legacy_tasks,
    ),
)
