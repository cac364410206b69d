"""Where the specification says so.

Pages moved between revisions; a page is asked for by subject and found for the revision in force. What a revision no longer
has leads to its changelog.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from inspector.spec.revision import (
    NEWEST,
    SITE,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
)

if TYPE_CHECKING:
    from inspector.spec.revision import Revision

REMOVED = "changelog"
"""The page that tells of what was removed."""

_PAGES: dict[str, dict[Revision, str]] = {
    "architecture": {V2024_11_05: "architecture"},
    "messages": {V2024_11_05: "basic/messages", V2025_03_26: "basic"},
    "meta": {V2025_06_18: "basic"},
    "batching": {V2025_03_26: "basic", V2025_06_18: REMOVED},
    "errors": {V2024_11_05: "basic/messages", V2025_03_26: "basic"},
    "icons": {V2025_11_25: "basic"},
    "schemas": {V2024_11_05: "server/tools", V2025_11_25: "basic"},
    "lifecycle": {V2024_11_05: "basic/lifecycle", V2026_07_28: "basic/versioning"},
    "capabilities": {V2024_11_05: "basic/lifecycle", V2026_07_28: "basic/versioning"},
    "discover": {V2026_07_28: "server/discover"},
    "extensions": {V2026_07_28: "basic/versioning"},
    "stdio": {V2024_11_05: "basic/transports", V2026_07_28: "basic/transports/stdio"},
    "http": {V2024_11_05: "basic/transports", V2026_07_28: "basic/transports/streamable-http"},
    "authorization": {V2025_03_26: "basic/authorization"},
    "ping": {V2024_11_05: "basic/utilities/ping", V2026_07_28: REMOVED},
    "cancellation": {
        V2024_11_05: "basic/utilities/cancellation",
        V2026_07_28: "basic/patterns/cancellation",
    },
    "progress": {V2024_11_05: "basic/utilities/progress", V2026_07_28: "basic/patterns/progress"},
    "tasks": {V2025_11_25: "basic/utilities/tasks", V2026_07_28: "/docs/extensions/tasks/overview"},
    "input-required": {V2026_07_28: "basic/patterns/mrtr"},
    "subscriptions": {V2024_11_05: "server/resources", V2026_07_28: "basic/patterns/subscriptions"},
    "tools": {V2024_11_05: "server/tools"},
    "resources": {V2024_11_05: "server/resources"},
    "prompts": {V2024_11_05: "server/prompts"},
    "completion": {V2024_11_05: "server/utilities/completion"},
    "logging": {V2024_11_05: "server/utilities/logging"},
    "pagination": {V2024_11_05: "server/utilities/pagination"},
    "caching": {V2026_07_28: "server/utilities/caching"},
    "roots": {V2024_11_05: "client/roots"},
    "sampling": {V2024_11_05: "client/sampling"},
    "elicitation": {V2025_06_18: "client/elicitation"},
    "deprecated": {V2026_07_28: "deprecated"},
    "changelog": {V2024_11_05: REMOVED},
}
"""Subject -> the revisions at which its path changed; a path that begins with `/` is outside the specification proper."""

_HEADINGS: dict[tuple[str, str], dict[Revision, str]] = {
    ("http", "Security Warning"): {V2026_07_28: "Security & Endpoint"},
    ("http", "Sending Messages to the Server"): {V2026_07_28: "Sending Messages"},
    ("stdio", "stdio"): {V2026_07_28: ""},
    ("elicitation", "Requested Schema"): {
        V2025_06_18: "Request Schema",
        V2025_11_25: "Requested Schema",
    },
    ("elicitation", "Form Mode Elicitation Requests"): {
        V2025_06_18: "Creating Elicitation Requests",
        V2025_11_25: "Form Mode Elicitation Requests",
    },
}
"""Subject and heading -> the revisions at which its name changed; empty for a page that has no such heading."""

TOPICS = tuple(_PAGES)
"""Every subject that has a page."""


@cache
def link(subject: str, revision: Revision | None = None, section: str = "") -> str:
    """Return the address of `subject` in `revision` (by default the newest), at the heading `section`.

    A subject the revision does not know yet leads to the first text that has it.
    """
    read_revision = revision or NEWEST
    moves = _PAGES[subject]
    since = max((at for at in moves if at <= read_revision), default=min(moves))
    path = moves[since]
    base = (
        SITE.removesuffix("/specification")
        if path.startswith("/")
        else max(since, read_revision).url
    )
    return f"{base}/{path.removeprefix('/')}{_anchor(_heading(subject, read_revision, section))}"


def _heading(subject: str, revision: Revision, section: str) -> str:
    """Return what a heading is called in a revision."""
    names = _HEADINGS.get((subject, section), {})
    since = max((at for at in names if at <= revision), default=None)
    return section if since is None else names[since]


def _anchor(section: str) -> str:
    kept = "".join(letter for letter in section.lower() if letter.isalnum() or letter in " -_&")
    name = kept.strip("_").replace(" ", "-").replace("&", "%26")  # as the site makes its anchors
    return f"#{name}" if name else ""
