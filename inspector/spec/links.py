"""Where the specification says so.

Pages moved between revisions; a page is asked for by subject and found for the revision in force. What a revision no longer
has leads to its changelog.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from inspector.spec.revision import FIFTH, FIRST, FOURTH, NEWEST, SECOND, SITE, THIRD

if TYPE_CHECKING:
    from inspector.spec.revision import Revision

GONE = "changelog"
"""The page that tells of what was removed."""

_PAGES: dict[str, dict[Revision, str]] = {
    "architecture": {FIRST: "architecture"},
    "messages": {FIRST: "basic/messages", SECOND: "basic"},
    "meta": {THIRD: "basic"},
    "batching": {SECOND: "basic", THIRD: GONE},
    "errors": {FIRST: "basic/messages", SECOND: "basic"},
    "icons": {FOURTH: "basic"},
    "schemas": {FIRST: "server/tools", FOURTH: "basic"},
    "lifecycle": {FIRST: "basic/lifecycle", FIFTH: "basic/versioning"},
    "capabilities": {FIRST: "basic/lifecycle", FIFTH: "basic/versioning"},
    "discover": {FIFTH: "server/discover"},
    "extensions": {FIFTH: "basic/versioning"},
    "stdio": {FIRST: "basic/transports", FIFTH: "basic/transports/stdio"},
    "http": {FIRST: "basic/transports", FIFTH: "basic/transports/streamable-http"},
    "authorization": {SECOND: "basic/authorization"},
    "ping": {FIRST: "basic/utilities/ping", FIFTH: GONE},
    "cancellation": {FIRST: "basic/utilities/cancellation", FIFTH: "basic/patterns/cancellation"},
    "progress": {FIRST: "basic/utilities/progress", FIFTH: "basic/patterns/progress"},
    "tasks": {FOURTH: "basic/utilities/tasks", FIFTH: "/docs/extensions/tasks/overview"},
    "input-required": {FIFTH: "basic/patterns/mrtr"},
    "subscriptions": {FIRST: "server/resources", FIFTH: "basic/patterns/subscriptions"},
    "tools": {FIRST: "server/tools"},
    "resources": {FIRST: "server/resources"},
    "prompts": {FIRST: "server/prompts"},
    "completion": {FIRST: "server/utilities/completion"},
    "logging": {FIRST: "server/utilities/logging"},
    "pagination": {FIRST: "server/utilities/pagination"},
    "caching": {FIFTH: "server/utilities/caching"},
    "roots": {FIRST: "client/roots"},
    "sampling": {FIRST: "client/sampling"},
    "elicitation": {THIRD: "client/elicitation"},
    "deprecated": {FIFTH: "deprecated"},
    "changelog": {FIRST: GONE},
}
"""Subject -> the revisions at which its path changed; a path that begins with `/` is outside the specification proper."""

SUBJECTS = tuple(_PAGES)
"""Every subject that has a page."""


@cache
def link(subject: str, revision: Revision | None = None, section: str = "") -> str:
    """Return the address of `subject` in `revision` (by default the newest), at the heading `section`.

    A subject the revision does not know yet leads to the first text that has it.
    """
    wanted = revision or NEWEST
    moves = _PAGES[subject]
    since = max((at for at in moves if at <= wanted), default=min(moves))
    path = moves[since]
    base = SITE.removesuffix("/specification") if path.startswith("/") else max(since, wanted).url
    return f"{base}/{path.removeprefix('/')}{_anchor(section)}"


def _anchor(section: str) -> str:
    kept = "".join(letter for letter in section.lower() if letter.isalnum() or letter in " -_")
    return f"#{kept.replace(' ', '-')}" if kept else ""
