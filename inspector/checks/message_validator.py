"""What is found in one message: by its readers, which look at it alone, and by the rules, which know what came before it."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from inspector.background_tasks import import_aside, load_aside
from inspector.checks.exchange_rules import ExchangeRules
from inspector.checks.faults import fault
from inspector.checks.listed_views import own_findings
from inspector.checks.message_order import (
    LISTS,
    ListPages,
    MessageRule,
    ProgressOrder,
)
from inspector.checks.openings import offered_revision
from inspector.checks.task_changes import TaskChanges
from inspector.checks.tokens import load_tokenizer
from inspector.checks.tool_results import LIST
from inspector.checks.views import read_view
from inspector.errors import StorageError
from inspector.finding import Finding, bounded
from inspector.spec import methods
from inspector.spec.error_codes import STATELESS_ERA_CODES
from inspector.spec.jsonrpc_rules import check_notes
from inspector.transcript.index import DIRECTIONS
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inspector.checks.listed_tools import ListedSchemas
    from inspector.checks.listed_views import ListedViews
    from inspector.checks.rule_runner import RuleRunner
    from inspector.checks.seen import ReceivedMessage
    from inspector.spec.revision import Revision
    from inspector.spec.view import View
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import DecodedJson, Json

_ON_OTHERS: tuple[Callable[[], MessageRule], ...] = (lambda: TaskChanges().check,)
"""Those that find nothing in a plain message: it names no task."""

MESSAGE_RULES: tuple[Callable[[], MessageRule], ...] = (
    lambda: ProgressOrder().check,
    *_ON_OTHERS,
)
"""Make the rules over several messages for one transcript; a rule without state is a plain function."""

# Looked up once: each is compared with several times for every message.
_SENT, _RECEIVED = Direction.SENT, Direction.RECEIVED
_REQUEST, _RESPONSE, _ERROR = MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR
_WITHOUT_ANSWER = frozenset({MessageKind.NOTIFICATION, MessageKind.BATCH})


WITHOUT_ID = "L-JR-08"
"""The rule about errors without an id."""

BAD_REQUEST = 400
"""The lowest HTTP status that is an error."""


class _Read(NamedTuple):
    """A message as it was read, alone."""

    value: Json
    method: str | None
    """Its method, or that of its request."""
    revision: Revision
    direction: Direction
    is_ours: bool
    """Whether it is a request of Spyglass."""
    is_plain: bool
    """Whether it is of a form about which nothing is found."""
    found: list[Finding]
    view: View | Exception | None
    """Its view, or why it could not be viewed; None for none."""
    of_view: list[Finding]
    """The findings of the view at other pointers than those in `found`; made with it, because there may be one for each item of a long list."""


class MessageValidator:
    """Reads the messages of one transcript, in order."""

    def __init__(
        self,
        transcript: Transcript,
        rules: RuleRunner,
        views: ListedViews,
        schemas: ListedSchemas,
        message_rules: Iterable[Callable[[], MessageRule]] = MESSAGE_RULES,
    ) -> None:
        """Hand messages to `rules`, and what takes longer to `views` and `schemas`."""
        self._transcript = transcript
        self._rules = rules
        self._views = views
        self._schemas = schemas
        self._together = ExchangeRules(transcript)
        self._list_pages = ListPages()
        self._read_ahead: tuple[tuple[int, Revision], _Read | Exception | None] | None = None
        """The number of a frame and the revision by which it was read, and its message as far as it is JSON."""
        made = [(make, make()) for make in message_rules]
        self._message_rules = [rule for _, rule in made]
        self._on_plain = [rule for make, rule in made if make not in _ON_OTHERS]

    def validate(
        self, number: int, kind: MessageKind, revision: Revision
    ) -> tuple[list[Finding], Json]:
        """Return the findings about the message in frame `number`, and the message as it was read for them; null for none."""
        read = self._take_read(number, kind, revision)
        if read is None:
            return [], None
        value, own, revision, found = read.value, read.method, read.revision, read.found
        columns, direction = self._transcript.columns, read.direction
        if kind is _ERROR and self._is_refusal(columns.stream[number - 1]):
            found = [each for each in found if each.rule != WITHOUT_ID]
        if not revision.stateful:
            found += self._together.check(number, kind, value, revision)
        if direction is not _RECEIVED:
            if read.is_ours or kind in _WITHOUT_ANSWER:
                self._rules.take_sent(number, value)
        elif isinstance(value, dict) and (own is not None or kind is _RESPONSE or kind is _ERROR):
            message = self._rules.message(number, kind, own or "", value, revision)
            if read.is_plain:
                found += bounded(self._of_server(message, self._on_plain))
            else:
                of_view = self._of_view(message, read, found)
                found += bounded(of_view + self._of_server(message, self._message_rules))
        return found, value

    def has_read(self, number: int, revision: Revision) -> bool:
        """Return whether the message in frame `number` was read ahead."""
        return self._read_ahead is not None and self._read_ahead[0] == (number, revision)

    async def read_beside(self, number: int, kind: MessageKind, revision: Revision) -> None:
        """Read the message in frame `number`, which is validated next, in a thread: a megabyte of numbers takes a quarter of a second."""
        if self.has_read(number, revision):
            return
        try:
            read = self._reader(number, kind, revision)
        except StorageError:
            return  # validating it says so
        self._read_ahead = (number, revision), await asyncio.to_thread(_outcome, read)

    def read_ahead(self, number: int, kind: MessageKind, revision: Revision) -> bool:
        """Read the message in frame `number`, which is validated next; return whether it was still to be read."""
        if self.has_read(number, revision):
            return False
        read = _outcome(lambda: self._reader(number, kind, revision)())
        self._read_ahead = (number, revision), read
        return True

    def _take_read(self, number: int, kind: MessageKind, revision: Revision) -> _Read | None:
        """Return the message in frame `number`; None if it is not JSON."""
        ahead, self._read_ahead = self._read_ahead, None
        if ahead is None or ahead[0] != (number, revision):
            return self._reader(number, kind, revision)()
        if isinstance(ahead[1], Exception):
            raise ahead[1]
        return ahead[1]

    def _reader(
        self, number: int, kind: MessageKind, revision: Revision
    ) -> Callable[[], _Read | None]:
        """Return what reads the message in a frame, in any thread."""
        columns = self._transcript.columns
        owner, direction = columns.request[number - 1], DIRECTIONS[columns.direction[number - 1]]
        asked = columns.methods.texts[columns.method[owner - 1]] if owner else None
        is_ours = owner == number and direction is _SENT
        text = _text_of(self._transcript, number)
        is_refusal = kind is _ERROR and self._rules.history.edits_http  # of what a probe edited
        return partial(
            _read, text, kind, asked, is_ours, direction, revision, is_refusal=is_refusal
        )

    def _is_refusal(self, opener: int) -> bool:
        """Whether an HTTP exchange has a status of failure: the error in its body need not have an id (C-HTTP-48)."""
        exchange = self._rules.history.http.exchange(opener) if opener else None
        return exchange is not None and exchange.status >= BAD_REQUEST

    def _of_view(
        self, message: ReceivedMessage, read: _Read, found: list[Finding]
    ) -> list[Finding]:
        """Return the findings of the view of a message of the server, at pointers that no finding in `found` has."""
        if read.view is None or (self._rules.history.is_probing and message.method in LISTS):
            return []  # a list was read before
        if isinstance(read.view, Exception):
            return [fault(f"`{message.method}`", read.view)]
        self._views.add(message.number, read.view, found)
        known = {finding.pointer for finding in found}
        return [finding for finding in read.of_view if finding.pointer not in known]

    def _of_server(
        self, message: ReceivedMessage, message_rules: Iterable[MessageRule]
    ) -> list[Finding]:
        """Return the findings about a message of the server that are made with what came before."""
        if self._rules.history.is_probing:
            self._rules.history.add_probed(message)
            return []  # the probe decides about the answer: a rule would take it for one to an ordinary request
        found: list[Finding] = []
        for check in message_rules:
            found += check(message)
        found += self._rules.check_message(message)
        if message.kind is _RESPONSE and message.method in LISTS:
            self._rules.add_steps(message.method, message.number, self._list_pages.check(message))
        if message.kind is _RESPONSE and message.method == LIST:
            self._schemas.add_page(message.number, message.value.get("result"), message.revision)
        return found


def _read_alone(
    text: DecodedJson,
    kind: MessageKind,
    method: str | None,
    revision: Revision,
    direction: Direction,
) -> list[Finding]:
    """Return the findings of those who look at a message alone; `method` is that of its request."""
    readers = official_readers()
    if not text.notes and readers.is_plain_page(text.value, kind, method or "", revision):
        return []
    return check_notes(text.notes, revision) + readers.validate(
        text.value, kind=kind, method_of_request=method, revision=revision, direction=direction
    )


def _method_of(value: Json) -> str | None:
    method = value.get("method") if isinstance(value, dict) else None
    return method if isinstance(method, str) else None


def _outcome(read: Callable[[], _Read | None]) -> _Read | Exception | None:
    """Return what was read, or the error, which is of the frame and not of what reads ahead."""
    try:
        return read()
    except Exception as error:  # noqa: BLE001 - raised when the frame is validated
        return error


def _read(
    raw: bytes,
    kind: MessageKind,
    asked: str | None,
    is_ours: bool,
    direction: Direction,
    revision: Revision,
    *,
    is_refusal: bool,
) -> _Read | None:
    """Read a message, with the method of the request that it belongs to; None if it is not JSON. Pure."""
    try:
        text = json_codec.read(raw)
    except JsonSyntaxError:
        return None
    value = text.value
    if asked is not None and (is_ours or _knows_its_era(kind, value)):
        revision = methods.revision_of(asked, revision)
    if is_ours and asked == "initialize":
        revision = offered_revision(value) or revision
    method = asked if kind is _RESPONSE or kind is _ERROR else _method_of(value)
    is_plain = not text.notes and official_readers().is_plain(
        value, kind, method or "", revision, direction
    )
    is_read_alone = not (is_plain or is_refusal)
    found = _read_alone(text, kind, asked, revision, direction) if is_read_alone else []
    view, of_view = None, list[Finding]()
    if direction is _RECEIVED and not is_plain and isinstance(value, dict) and method is not None:
        try:
            view = read_view(kind, method, value, revision)
            of_view = own_findings(view, found) if view is not None else of_view
        except Exception as error:  # noqa: BLE001 - a fault about the view of a message, not about all of it
            view = error
    return _Read(value, method, revision, direction, is_ours, is_plain, found, view, of_view)


def _text_of(transcript: Transcript, number: int) -> bytes:
    """Return the JSON of the message in a frame: the frame itself, or the data of an SSE event."""
    is_event = transcript.columns.channel[number - 1] == Channel.SSE
    return transcript.message(number).raw if is_event else transcript.raw(number)


def _knows_its_era(kind: MessageKind, value: Json) -> bool:
    """Whether the response to a handshake follows the era of its request; errors of older servers do not."""
    if kind is _RESPONSE:
        return True
    error = value.get("error") if isinstance(value, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    return isinstance(code, int) and code in STATELESS_ERA_CODES


class _Readers(NamedTuple):
    """What looks at a message alone."""

    validate: Callable[..., list[Finding]]
    is_plain: Callable[[Json, MessageKind, str, Revision, Direction], bool]
    is_plain_page: Callable[[Json, MessageKind, str, Revision], bool]


async def load_official_readers() -> None:
    """Import the official validators if they were not needed before; the packages that take nearly all of that second in a thread."""
    if not official_readers.cache_info().currsize:
        await import_aside("pydantic", "mcp_types.methods", "jsonschema_rs")
        await load_aside(load_tokenizer)
        official_readers()


@cache
def official_readers() -> _Readers:
    """Return the official validators. Importing them takes about a second, and even looking up the import takes time."""
    import_module("inspector.schema.validate")
    load_tokenizer()
    from inspector.checks.plain_shapes import is_plain, is_plain_page
    from inspector.spec.validation import validate

    return _Readers(validate, is_plain, is_plain_page)
