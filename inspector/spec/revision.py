"""The five revisions of the specification and what distinguishes them.

The only place with dates. Everyone else asks for a fact by name (`revision.has_batches`) and compares revisions with `<`,
which goes by position in time: dates are never compared as text. Each revision is written as what it changed in the
one before.

Source: the changelog of each revision; `modelcontextprotocol.io/specification/<date>/changelog`.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

SITE = "https://modelcontextprotocol.io/specification"
"""Where the texts of all revisions are published."""


_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


def is_date(text: str) -> bool:
    """Whether a text has the form of the date of a revision, known or not."""
    return re.fullmatch(_DATE, text) is not None


class Era(Enum):
    """How a conversation is held."""

    STATEFUL = "stateful"
    """Opened with `initialize`; what was agreed there holds for the connection."""
    STATELESS = "stateless"
    """Every request carries its own revision and capabilities."""


class Revision(FrozenStruct, frozen=True, eq=False):
    """One dated specification and the facts about it. There is one object for each, which equals only itself."""

    date: str
    """The name on the wire, e.g. in `protocolVersion`."""
    number: int
    """Position in time, from 1."""
    stateful: bool = True
    """A session is opened with `initialize`, not described by every request."""

    # Messages
    has_batches: bool = False
    """Several messages may travel in one JSON array."""
    error_id_optional: bool = False
    """An error may lack `id` when the request's was unreadable."""
    progress_has_message: bool = False
    """`notifications/progress` may say `message`."""
    has_ping: bool = True
    """`ping`, in both directions."""
    has_request_meta: bool = False
    """Requests must carry revision and capabilities in `params._meta`."""
    has_result_type: bool = False
    """Results must carry `resultType`."""
    has_cacheable_results: bool = False
    """Lists, `resources/read` and `server/discover` answer with `ttlMs` and `cacheScope`."""
    has_server_requests: bool = True
    """The server may send requests, which the client answers."""
    has_input_required: bool = False
    """The server asks through a result of type `input_required` and the request is retried."""
    defines_meta_keys: bool = False
    """The grammar of `_meta` keys is defined."""

    # Transport
    has_http_sessions: bool = False
    """`Mcp-Session-Id`, ended by DELETE."""
    has_get_stream: bool = False
    """A GET opens a stream for what the server sends of itself, resumable by `Last-Event-ID`."""
    has_version_header: bool = False
    """`MCP-Protocol-Version` on HTTP requests."""
    has_standard_headers: bool = False
    """`Mcp-Method`, `Mcp-Name` and `Mcp-Param-…` mirror the body in headers."""
    has_resource_metadata: bool = False
    """A protected server names its authorization servers, and tokens are asked for with `resource`."""
    has_metadata_probing: bool = False
    """Metadata is also looked for at well-known URLs, those of OpenID included, and S256 must be offered."""

    # Capabilities
    has_completions_capability: bool = False
    """`completion/complete` must be declared; before, it was simply tried."""
    has_extensions: bool = False
    """`capabilities.extensions` names optional parts outside the core."""
    has_roots_list_changed: bool = True
    """`notifications/roots/list_changed` and `capabilities.roots.listChanged`."""

    # Features
    has_tool_annotations: bool = False
    """Hints such as `readOnlyHint` on tools."""
    has_audio: bool = False
    """Content blocks of type `audio`."""
    has_structured_content: bool = False
    """`structuredContent` in results and `outputSchema` on tools."""
    structured_content_is_any: bool = False
    """`structuredContent` may be any JSON value rather than an object only."""
    has_resource_links: bool = False
    """Content blocks of type `resource_link`."""
    has_titles: bool = False
    """`title` beside `name` for display."""
    has_icons: bool = False
    """`icons`, and `description` and `websiteUrl` of an implementation."""
    has_tool_name_rules: bool = False
    """Tool names should be 1 to 128 characters of `A-Z a-z 0-9 _ - .`."""
    has_completion_context: bool = False
    """`completion/complete` may carry the other arguments."""
    has_listen: bool = False
    """`subscriptions/listen` opens the stream on which changes are announced."""
    has_elicitation: bool = False
    """`elicitation/create` with a form."""
    has_url_elicitation: bool = False
    """`elicitation/create` with a URL to visit."""
    has_elicitation_complete: bool = False
    """`notifications/elicitation/complete`, the `elicitationId` and error -32042."""
    has_sampling_tools: bool = False
    """`sampling/createMessage` with `tools` and `toolChoice`."""
    has_tasks: bool = False
    """Tasks as part of the core: `params.task` and `tasks/…` in both directions."""
    resource_not_found_code: int = -32002
    """The error code for a resource that does not exist."""

    @property
    def name(self) -> str:
        """What people call it: the date."""
        return self.date

    @property
    def era(self) -> Era:
        """How a conversation is held."""
        return Era.STATEFUL if self.stateful else Era.STATELESS

    @property
    def url(self) -> str:
        """Where its text is published."""
        return f"{SITE}/{self.date}"

    def __lt__(self, other: Revision) -> bool:
        """Earlier in time."""
        return self.number < other.number

    def __le__(self, other: Revision) -> bool:
        """Earlier in time, or the same."""
        return self.number <= other.number

    def __gt__(self, other: Revision) -> bool:
        """Later in time."""
        return self.number > other.number

    def __ge__(self, other: Revision) -> bool:
        """Later in time, or the same."""
        return self.number >= other.number

    def __str__(self) -> str:
        """Return the date."""
        return self.date


V2024_11_05 = Revision("2024-11-05", 1)

V2025_03_26 = replace(
    V2024_11_05,
    date="2025-03-26",
    number=2,
    has_batches=True,
    progress_has_message=True,
    has_http_sessions=True,
    has_get_stream=True,
    has_completions_capability=True,
    has_tool_annotations=True,
    has_audio=True,
)

V2025_06_18 = replace(
    V2025_03_26,
    date="2025-06-18",
    number=3,
    has_batches=False,
    has_resource_metadata=True,
    defines_meta_keys=True,
    has_version_header=True,
    has_structured_content=True,
    has_resource_links=True,
    has_titles=True,
    has_completion_context=True,
    has_elicitation=True,
)

V2025_11_25 = replace(
    V2025_06_18,
    date="2025-11-25",
    number=4,
    has_metadata_probing=True,
    error_id_optional=True,
    has_icons=True,
    has_tool_name_rules=True,
    has_url_elicitation=True,
    has_elicitation_complete=True,
    has_sampling_tools=True,
    has_tasks=True,
)

V2026_07_28 = replace(
    V2025_11_25,
    date="2026-07-28",
    number=5,
    stateful=False,
    has_ping=False,
    has_request_meta=True,
    has_result_type=True,
    has_cacheable_results=True,
    has_server_requests=False,
    has_input_required=True,
    has_http_sessions=False,
    has_get_stream=False,
    has_standard_headers=True,
    has_extensions=True,
    has_roots_list_changed=False,
    structured_content_is_any=True,
    has_listen=True,
    has_elicitation_complete=False,
    has_tasks=False,
    resource_not_found_code=-32602,
)

REVISIONS = (V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28)
"""All of them, oldest first."""

STATEFUL = tuple(revision for revision in REVISIONS if revision.stateful)
"""Those with a handshake, oldest first."""

STATELESS = tuple(revision for revision in REVISIONS if not revision.stateful)
"""Those without, oldest first."""

NEWEST_STATEFUL = STATEFUL[-1]
"""What `initialize` offers first."""

NEWEST = REVISIONS[-1]
"""The latest of all."""


def find(date: Json) -> Revision | None:
    """Return the revision of that exact date; None for any other value."""
    return next((revision for revision in REVISIONS if revision.date == date), None)


def best(offered: Json, among: tuple[Revision, ...] = REVISIONS) -> Revision | None:
    """Return the newest revision of `among` whose date is in the list `offered`."""
    dates: list[Json] = offered if isinstance(offered, list) else []
    return next((revision for revision in reversed(among) if revision.date in dates), None)
