"""Which revision to ask for, and what to try next. `connector.py` carries it out.

The whole policy of negotiation is in this file, but for what HTTP responses mean for it: that is in `error_responses.py`.

1. A pinned revision is requested, and nothing else is tried: the user wants to see what the server does with it. `HANDSHAKE` instead
   of a date requests the newest revision that opens with a handshake.
2. Otherwise the first message ever is `server/discover`, by the newest revision: only a server of the stateless era responds to it. It decides
   the era unless the response is an error that such a server does not send, there is no response in time, or the server exits.
   No single code decides: servers of the older era respond to unknown requests with any code, or not at all.
3. An error that only a server of the stateless era sends is never a reason to fall back. Where it names other revisions, the newest that
   both support is requested, once; a handshake only if the server itself names revisions that have one.
4. After any other response, or none, `initialize` offers the newest revision with a handshake, on the same connection. A late result of
   the first request still decides, as long as `initialize` did not succeed: it wins over a refusal of `initialize`, whichever of
   the two is read first. A server that exited is started again, once, without the first request. A server that refuses `initialize` with
   -32022 is of the stateless era: `server/discover` is sent once more, with the revision that it names, on the same connection.
5. A server that knows an older revision responds to `initialize` with that, and nothing else is needed. Some respond with an error
   instead, as the specification's own example does: -32602 with `data.supported`. Then the newest revision that both name is requested
   once more, on a fresh connection, because the first one has had its handshake.
6. Over streamable HTTP, a server that refuses the POST of `initialize`, or responds without an MCP message, may know the older transport
   only: that is tried at the same address. `error_responses.py` says which responses count, and which say nothing about the server at all.
7. What an earlier connection found may save the first request: a server of the older era gets `initialize` at once. If that fails, or
   the server has changed, what was found is discarded.
8. Nothing else is a reason to try again: an error that names no revisions would come again.

Source: basic/versioning, "Backward Compatibility"; basic/transports; basic/lifecycle, "Version Negotiation"; C-LC-03, C-LC-04, C-VER-01
to C-VER-19.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from msgspec import field

from inspector.errors import (
    Hint,
    HttpStatus,
    NegotiationFailed,
    PeerError,
    ResponseLost,
    TimedOut,
    code_text,
)
from inspector.frozen import FrozenStruct
from inspector.session.error_responses import is_unrelated, may_be_older
from inspector.session.outgoing import MAX_SECONDS
from inspector.spec.error_codes import (
    INVALID_PARAMS,
    MISSING_CLIENT_CAPABILITY,
    STATELESS_ERA_CODES,
    UNSUPPORTED_VERSION,
)
from inspector.spec.json_types import format_value
from inspector.spec.revision import (
    NEWEST,
    NEWEST_STATEFUL,
    REVISIONS,
    STATEFUL,
    STATELESS,
    Revision,
    best,
    find,
    is_date,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.errors import InspectorError
    from inspector.spec.views.handshake import DiscoverResultView
    from inspector.wire.json_codec import Json, JsonObject

HANDSHAKE = "stateful"
"""Instead of a pinned date: the newest revision with a handshake, or the one that the server responds with."""

PROBE_SECONDS = 10.0
"""How long `server/discover` is waited for, the start of the server included."""

RUNNER_PROBE_SECONDS = 30.0
"""How long it is waited for after a command that may have to download the server first."""

LATE_SECONDS = 5.0
"""How long it is waited for after the handshake was refused by an error that means nothing for the era."""

MAX_NAMED = 20
"""Revisions of a server that are named in a sentence."""

_PLAIN = re.compile(r"[A-Za-z0-9._+-]{1,40}")


class UseStateless(FrozenStruct, frozen=True):
    """Use a revision of the stateless era."""

    revision: Revision


class RetryDiscover(FrozenStruct, frozen=True):
    """Send `server/discover` once more."""

    revision: Revision
    """With this revision."""
    declare: JsonObject = field(default_factory=dict[str, "Json"])
    """With these capabilities in addition."""
    reason: str = ""
    """Why."""


class UseInitialize(FrozenStruct, frozen=True):
    """Use a handshake."""

    offer: Revision
    """The revision to request."""
    reason: str
    """Why."""
    frame: int | None = None
    """The frame that shows it."""


Decision: TypeAlias = UseStateless | RetryDiscover | UseInitialize


def initial_offer(pinned: str) -> Revision:
    """Return the revision to request first; `pinned` is a date, `HANDSHAKE`, or empty for automatic.

    Raises:
        NegotiationFailed: Spyglass does not support the pinned revision.
    """
    if not pinned:
        return NEWEST
    if pinned == HANDSHAKE:
        return NEWEST_STATEFUL
    revision = find(pinned)
    if revision is None:
        raise NegotiationFailed(
            f"unsupported protocol revision {pinned}",
            hint=f"Select one of {_listed(REVISIONS)}.",
        )
    return revision


def is_pinned(pinned: str) -> bool:
    """Whether the user pinned one revision."""
    return pinned not in {"", HANDSHAKE}


def after_answer(server: DiscoverResultView, frame: int) -> Decision:
    """Return what follows from a result of `server/discover`.

    Raises:
        NegotiationFailed: there is no revision in common.
    """
    if not server.is_answer:
        text = "invalid server/discover result: no list of `supportedVersions`"
        return UseInitialize(NEWEST_STATEFUL, text, frame)
    stateless = server.best(STATELESS)
    if stateless is not None:
        return UseStateless(stateless)
    stateful = server.best(STATEFUL)
    if stateful is not None:
        return UseInitialize(
            stateful, f"the server supports {stateful}, which uses initialize", frame
        )
    raise no_shared_revision(server.value("supportedVersions"), frame)


def after_failure(error: InspectorError) -> Decision:
    """Return what follows from `server/discover` without a result, on a connection that still works.

    Raises:
        InspectorError: nothing follows for the era; the server cannot be reached.
    """
    if is_unrelated(error):
        raise error
    if isinstance(error, PeerError):
        return _after_error(error)
    if isinstance(error, ResponseLost | HttpStatus | TimedOut):
        return UseInitialize(
            NEWEST_STATEFUL, f"no response to server/discover: {error.reason}", error.frame
        )
    raise error


def _after_error(error: PeerError) -> Decision:
    data: JsonObject = error.data if isinstance(error.data, dict) else {}
    if error.code == UNSUPPORTED_VERSION and isinstance(data.get("supported"), list):
        return _after_refusal(error, data["supported"])
    required = data.get("requiredCapabilities")
    if error.code == MISSING_CLIENT_CAPABILITY and isinstance(required, dict):
        return RetryDiscover(
            NEWEST, required, f"the server requires more capabilities: {error.reason}"
        )
    if error.code in STATELESS_ERA_CODES and error.code != UNSUPPORTED_VERSION:
        raise error
    text = f"server/discover not supported: {error.reason}"
    return UseInitialize(NEWEST_STATEFUL, text, error.frame)


def _after_refusal(error: PeerError, supported: Json) -> Decision:
    stateless = best(supported, STATELESS)
    if stateless is not None:
        return RetryDiscover(
            stateless, reason=f"revision rejected; the server supports {stateless}"
        )
    stateful = best(supported, STATEFUL)
    if stateful is not None:
        text = f"the server supports {stateful}, which uses initialize"
        return UseInitialize(stateful, text, error.frame)
    raise no_shared_revision(supported, error.frame) from error


def no_shared_revision(supported: Json, frame: int | None) -> NegotiationFailed:
    """Return the error for a server that supports only revisions that Spyglass does not."""
    listed = supported if isinstance(supported, list) else []
    return NegotiationFailed(
        _no_shared_text("stateless server", listed), hint=update_hint(listed), frame=frame
    )


def update_hint(supported: Sequence[Json]) -> str:
    """Return which side has to be updated, where a server supports these revisions alone, none of which Spyglass supports."""
    dates = sorted(each for each in supported if isinstance(each, str) and is_date(each))
    if not dates:
        return f"Let the server name its revisions by their dates, such as {NEWEST.date}."
    if dates[0] > NEWEST.date:
        return "Update Spyglass: the server supports newer revisions only."
    if dates[-1] < REVISIONS[0].date:
        return "Update the server: it supports only revisions older than the first one of MCP."
    return "Update Spyglass or the server."


def answered_hint(date: str) -> str:
    """Return what to do about a server that responded to `initialize` with this revision, which Spyglass does not support.

    It is the latest one that the server supports: there may be older ones among them.
    """
    if date < REVISIONS[0].date:
        return update_hint([date])
    update = "Update Spyglass" if date > NEWEST.date else "Update Spyglass or the server"
    why = "the server may support an older one as well."
    return Hint(
        f"{update}, or select another protocol revision: {why}",
        cli=f"{update}, or pass another --revision: {why}",
    )


def _no_shared_text(server: str, supported: list[Json]) -> str:
    named = ", ".join(map(_named, supported[:MAX_NAMED])) or "no known revision"
    if len(supported) > MAX_NAMED:
        named = f"{named} and {len(supported) - MAX_NAMED:,} more"
    return (
        f"no common revision: the {server} supports {named}, Spyglass supports {_listed(REVISIONS)}"
    )


def _named(revision: Json) -> str:
    """Return an entry of a list of revisions as text, which shows an entry that is not a revision as JSON."""
    is_plain = isinstance(revision, str) and _PLAIN.fullmatch(revision)
    return str(revision) if is_plain else format_value(revision)


def counter_offer(error: InspectorError, offered: Revision) -> Revision | None:
    """Return the revision to request after `error`, the response to `initialize` with `offered`; None if trying again is pointless.

    Only a server of the stateless era refuses a handshake with -32022: then a revision of that era comes first, and NEWEST where it
    names no revisions at all.
    """
    if not isinstance(error, PeerError):
        return None
    data: JsonObject = error.data if isinstance(error.data, dict) else {}
    supported = data.get("supported")
    if error.code == UNSUPPORTED_VERSION:
        if not isinstance(supported, list):
            return NEWEST
        revision = best(supported, STATELESS) or best(supported, STATEFUL)
    elif error.code == INVALID_PARAMS:
        revision = best(supported, STATEFUL)
    else:
        return None
    return revision if revision != offered else None


def refused_pin(better: Revision) -> str:
    """Return the hint for a server that refused the pinned revision."""
    return Hint(
        f"The server supports {better}. Select that revision, or Automatic.",
        cli=f"The server supports {better}. Set --revision {better.date}, or leave it out.",
    )


def refused_stateless_pin(error: PeerError | HttpStatus) -> str:
    """Return the hint for a server that refused a pinned stateless revision; empty for other errors."""
    if is_unrelated(error):
        return ""
    if isinstance(error, PeerError):
        is_older = error.code not in STATELESS_ERA_CODES
    else:
        is_older = may_be_older(error)
    if not is_older:
        return ""
    return Hint(
        f"This looks like a server that uses initialize. Select Automatic, or revision {NEWEST_STATEFUL}.",
        cli=f"This looks like a server that uses initialize. Leave --revision out, or set it to {NEWEST_STATEFUL}.",
    )


def stateless_pin_hint() -> str:
    """Return the hint for a server without `initialize`, with a pinned revision that has a handshake."""
    like = "This looks like a server that does not use initialize."
    return Hint(
        f"{like} Select Automatic, or revision {NEWEST}.",
        cli=f"{like} Leave --revision out, or set it to {NEWEST.date}.",
    )


def names(error: PeerError, offered: Revision) -> bool:
    """Whether a refusal of a revision lists that revision as supported."""
    is_refusal = error.code in {UNSUPPORTED_VERSION, INVALID_PARAMS}
    return is_refusal and offered.date in _supported(error)


def contradiction(error: PeerError, refused: RetryDiscover) -> tuple[str, str]:
    """Return reason and hint for a server that refuses what it lists as supported."""
    refusal = (
        code_text(error.code) if not error.message else f"{code_text(error.code)}: {error.message}"
    )
    if refused.declare:
        named = ", ".join(f"`{name[:40]}`" for name in list(refused.declare)[:MAX_NAMED])
        text = f"the server requires capabilities that the request declares ({named}): {refusal}"
    else:
        text = f"the server refuses revision {refused.revision}, which it lists as supported: {refusal}"
    correct = "Correct the server: it contradicts itself."
    other = next(
        (r for r in reversed(STATEFUL) if r != refused.revision and r.date in _supported(error)),
        None,
    )
    if other is None:
        return text, correct
    return text, Hint(
        f"{correct} Or select revision {other}, which it lists too.",
        cli=f"{correct} Or set --revision {other.date}, which it lists too.",
    )


def nothing_shared(error: PeerError) -> str:
    """Return the reason for a refusal of a revision that lists others, none of which Spyglass supports; empty for other errors."""
    supported = _supported(error)
    if error.code not in {UNSUPPORTED_VERSION, INVALID_PARAMS} or not supported:
        return ""
    return "" if best(supported, REVISIONS) else _no_shared_text("server", supported)


def refusal_hint(error: PeerError) -> str:
    """Return which side has to be updated after such a refusal."""
    return update_hint(_supported(error))


def _supported(error: PeerError) -> list[Json]:
    supported = error.data.get("supported") if isinstance(error.data, dict) else None
    return supported if isinstance(supported, list) else []


def no_opening(error: PeerError, *, has_discovered: bool = False) -> tuple[str, str]:
    """Return reason and hint for a server that supports neither `server/discover` nor `initialize`.

    `has_discovered` is True if `server/discover` had a result, which named no revisions.
    """
    if has_discovered:
        text = f"the result of server/discover has no list of `supportedVersions`, and initialize is not supported ({error.reason})"
        return text, "Let the server list its revisions in `supportedVersions`."
    text = f"the server supports neither initialize nor server/discover ({error.reason})"
    either = f"if the server implements {NEWEST} without server/discover; otherwise it is not an MCP server."
    return text, Hint(
        f"Select revision {NEWEST} {either}", cli=f"Set --revision {NEWEST.date} {either}"
    )


def late_seconds(failure: BaseException, idle_seconds: float) -> float:
    """Return how long a late response to `server/discover` is waited for after the handshake failed by `failure`.

    An error that names a revision to continue with is not waited on for long: the server may never have read `server/discover`.
    """
    if isinstance(failure, PeerError):
        is_stateless = failure.code in STATELESS_ERA_CODES
        names_revision = counter_offer(failure, NEWEST_STATEFUL) is not None
        if is_stateless and not names_revision:
            return min(idle_seconds, MAX_SECONDS)
        may_be_late = is_stateless or not names_revision
    else:
        may_be_late = may_be_older(failure)
    return min(LATE_SECONDS, idle_seconds) if may_be_late else 0.0


def _listed(revisions: tuple[Revision, ...]) -> str:
    return ", ".join(str(known) for known in reversed(revisions))
