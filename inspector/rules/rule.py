"""What a rule is: a value that says what is wrong, why it matters, what to change, and what decides it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.background_tasks import Steps
    from inspector.finding import Severity


class Kind(Enum):
    """How a rule is decided."""

    PASSIVE = "passive"
    """From what comes anyway."""
    ACTIVE = "active"
    """By a request that is sent on purpose, with the consent of the user."""
    OWN = "own"
    """It is about what Spyglass sends."""


class Subject(Enum):
    """What a rule looks at."""

    __hash__ = (
        object.__hash__
    )  # there is one object of each: that of an enumeration asks for the name

    REQUEST = "request"
    """A request of the server."""
    RESULT = "result"
    """The result of a request of ours."""
    ERROR = "error"
    """The error that answers a request of ours."""
    NOTIFICATION = "notification"
    """A notification of the server."""
    ITEM = "item"
    """An item of a list, such as one tool; the method is that of the list."""
    LIST = "list"
    """A list that was read to its end, all pages together."""
    HTTP = "http"
    """The headers of a response of HTTP; the method is that of the posted message."""
    BODY = "body"
    """The body of a response of HTTP, likewise."""
    EVENT = "event"
    """A block of an event stream, likewise."""
    NOTE = "note"
    """A note of Spyglass about the connection; the method is its event."""
    LINE = "line"
    """A line of stdout or of a TCP connection that is no message."""
    CONNECTION = "connection"
    """The history of a connection, looked at when it has ended or is asked about."""
    RUNS = "runs"
    """Two connections with one server."""
    AUTHORIZATION = "authorization"
    """A step of an authorization flow."""


STDERR = "stderr"
"""Instead of a method, in an `On`: a line on stderr."""


class On(NamedTuple):
    """What makes a rule look: a subject, and the method that it is about."""

    subject: Subject
    method: str = ""
    """The method, of the request for a result or an error; empty for every method."""


class Family(NamedTuple):
    """A group of rules."""

    key: str
    """Its part of an id, e.g. `TOOL`."""
    title: str


FAMILIES: dict[str, Family] = {
    key: Family(key, title)
    for key, title in (
        ("JR", "JSON-RPC"),
        ("MET", "_meta"),
        ("ICO", "Icons"),
        ("IMP", "Implementation"),
        ("STD", "stdio"),
        ("LC", "Lifecycle"),
        ("DSC", "Discovery and versions"),
        ("HTTP", "HTTP"),
        ("SES", "HTTP sessions and streams"),
        ("SSE", "Server-sent events"),
        ("OLD", "HTTP+SSE"),
        ("MOD", "Stateless HTTP"),
        ("CAP", "Capabilities"),
        ("TOOL", "Tools"),
        ("ANN", "Annotations"),
        ("RES", "Resources"),
        ("PRM", "Prompts"),
        ("CMP", "Completion"),
        ("LOG", "Logging"),
        ("PAG", "Pagination"),
        ("PRG", "Progress"),
        ("CAN", "Cancellation"),
        ("SUB", "Subscriptions"),
        ("CCH", "Caching"),
        ("ROOT", "Roots"),
        ("SMP", "Sampling"),
        ("ELI", "Elicitation"),
        ("MRTR", "Input required"),
        ("TK4", "Core tasks"),
        ("TKX", "Tasks extension"),
        ("AUT", "Authorization"),
        ("APP", "MCP Apps"),
        ("Q", "Quality"),
        ("MDL", "Models and clients"),
        ("", "Observations"),
    )
}
"""By key, in the order of reports."""

LEVELS: dict[str, str] = {
    "RULE": "implied by the specification",
    "BP": "best practice",
}
"""Levels that are abbreviated, as users read them."""

ALL_TRANSPORTS = frozenset({"stdio", "http", "sse", "tcp"})
"""stdio, Streamable HTTP, HTTP+SSE, TCP."""

HTTP_ONLY = frozenset({"http"})
STDIO_ONLY = frozenset({"stdio"})

NEWEST_NUMBER = 5
"""The number of the newest revision."""


class Rule(FrozenStruct, frozen=True):
    """What the findings of one id have in common."""

    id: str
    """`L-…` for a rule of the catalog, a plain name such as `late-response` for an observation of Spyglass."""
    severity: Severity
    """The severity of its findings, unless a case is more or less severe."""
    subject: str
    """The topic of `spec.spec_urls` that describes it; empty if the specification does not."""
    title: str
    """What is wrong, in at most 60 characters."""
    why: str = ""
    """One sentence: what happens to users, models or clients because of it."""
    hint: str = ""
    """One sentence in the imperative: what to change in a server."""
    python: str = ""
    """One line for servers made with the Python SDK; empty where their users do not meet it."""
    typescript: str = ""
    """One line for servers made with the TypeScript SDK; empty where their users do not meet it."""
    section: str = ""
    """The heading of the page that says so."""
    level: str = ""
    """The keyword of the specification, such as `MUST` or `SHOULD`; `schema`, `deprecated` or `removed`; one of `LEVELS`; or `quality` for none."""
    since: int = 1
    """The number of the first revision that it is about."""
    until: int = NEWEST_NUMBER
    """The number of the last one."""
    transports: frozenset[str] = ALL_TRANSPORTS
    """The transports that it is about."""
    kind: Kind = Kind.PASSIVE
    """How it is decided."""
    on: tuple[On, ...] = ()
    """What it looks at."""
    check: Callable[..., Any] | None = None
    """The pure function that decides it: `(subject, history) -> Iterable[Finding | At]`; None if a reader of `spec`, `auth` or
    `transport` decides it while it reads."""
    when: Callable[..., bool | Steps[bool]] | None = None
    """Whether there is anything to check, with the arguments of `check`, for a list with pauses; a rule that had nothing to check is reported as not seen."""
    members: tuple[str, ...] = ()
    """Members of a result of which one has to be there before `when` is asked; empty if it is asked about every result."""
    severities: tuple[tuple[int, Severity], ...] = ()
    """Other severities: from which revision on, and which; in order."""

    @property
    def family(self) -> Family:
        """The group that it belongs to."""
        return FAMILIES[self.id.split("-")[1] if self.id.startswith("L-") else ""]

    @property
    def level_text(self) -> str:
        """What the specification makes of it, as users read it."""
        return LEVELS.get(self.level, self.level)

    def severity_in(self, number: int) -> Severity:
        """Return the severity in the revision of that number."""
        found = [severity for since, severity in self.severities if since <= number]
        return found[-1] if found else self.severity

    def concerns(self, number: int, transport: str) -> bool:
        """Whether it is about the revision of that number over that transport; an empty `transport` is any."""
        is_transport = not transport or transport in self.transports
        return self.since <= number <= self.until and is_transport
