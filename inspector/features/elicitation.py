"""Responds to `elicitation/create`: forms to fill in and URLs to visit. Nothing is sent without the user.

`accept` for a page means consent to open it, not that what is to be done there is done; the server may tell that later.

Source: client/elicitation; C-ELI-01 to C-ELI-28.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.errors import PeerError
from inspector.event import Event
from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.inbox import ELICITATION
from inspector.session.inbound import InboundRequest
from inspector.session.inbox_requests import InboxRequests, exact, read_params, refuse_undeclared
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import INVALID_PARAMS, URL_ELICITATION_REQUIRED
from inspector.spec.views.elicitation import FORM, URL, ElicitationView
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.inbox import Inbox, InboxItem
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

METHOD = "elicitation/create"
COMPLETE = "notifications/elicitation/complete"

MODES = (FORM, URL)

FRAMES_SEARCHED, ERRORS_SEARCHED = 20_000, 200
"""The latest frames, and errors among them, that are searched for the elicitation of a completed URL."""

UNDER_WAY = "accepted; waiting for the server to confirm completion"
DONE = "completed (confirmed by server)"


class UrlVisit(FrozenStruct, frozen=True):
    """A page that an error wants visited before the request is tried again."""

    url: str
    """Where."""
    message: str
    """Why."""
    elicitation_id: Json
    """What the server calls it; opaque."""
    view: ElicitationView
    """The complete request."""


class Elicitation:
    """The elicitation requests of one server."""

    declines_with_error = False

    def __init__(self, session: Session, inbox: Inbox, *, clock: Clock) -> None:
        """Put what `session` is asked into `inbox`."""
        self.changed: Event[()] = Event()
        """The server said that something is done."""
        self._session = session
        self._inbox = inbox
        self._asking = InboxRequests(ELICITATION, self, session, inbox, clock=clock)
        self._accepted: list[tuple[str, InboxItem]] = []
        self._finished: set[str] = set()
        session.responders[METHOD] = self._respond
        session.peer.listener(COMPLETE).subscribe(self._on_complete)

    def accept(self, ask: InboxItem, content: str) -> bool:
        """Send the JSON text `content` as it was written (C-ELI-26). False if it is too late.

        Raises:
            ValueError: it is not JSON and would break the message it stands in.
        """
        return self._inbox.answer(ask, {"action": "accept", "content": exact(content)})

    def consent(self, ask: InboxItem) -> bool:
        """Accept the visit of a URL, which the caller opens; return False if it is too late."""
        view = ask.view
        id_ = view.elicitation_id if isinstance(view, ElicitationView) else None
        known = isinstance(id_, str)
        if not self._inbox.answer(ask, {"action": "accept"}, text=UNDER_WAY if known else ""):
            return False
        if isinstance(id_, str):
            self._accepted.append((id_, ask))
            if id_ in self._finished:  # a server may be quicker than the user
                self._inbox.set_note(ask, DONE)
        return True

    def decline(self, ask: InboxItem) -> bool:
        """Say no. False if it is too late."""
        return self._inbox.answer(ask, {"action": "decline"})

    def cancel(self, ask: InboxItem) -> bool:
        """Respond that the user did not decide; return False if it is too late."""
        return self._inbox.answer(ask, {"action": "cancel"})

    def is_complete(self, elicitation_id: Json) -> bool:
        """Whether the server said that what that page was for is done."""
        return isinstance(elicitation_id, str) and elicitation_id in self._finished

    async def _respond(self, inbound: InboundRequest) -> Json:
        refuse_undeclared(self._session, "elicitation")
        read = partial(ElicitationView, revision=self._session.revision)
        view = await read_params(self._session, inbound, read)
        if not self._speaks(view.mode):
            text = f"mode {view.mode!r} was not declared by the client"
            found = Finding("L-ELI-08", Severity.ERROR, text, "/params/mode")
            self._asking.add_findings(inbound, found)
            raise PeerError(INVALID_PARAMS, f"This client does not support the mode {view.mode!r}")
        self._asking.add_findings(inbound, *view.notes)
        return await self._asking.submit(inbound, view.message or view.url, view)

    def _speaks(self, mode: str) -> bool:
        """C-ELI-14. A capability that names no mode means forms."""
        client = self._session.client_capabilities
        named = [known for known in MODES if declares(client, "elicitation", known)]
        return mode in (named or [FORM])

    def _on_complete(self, frame: int, message: Message) -> None:
        """Handle the notification of completion; one with an unknown id has no effect (C-ELI-22)."""
        params = message.params
        id_ = params.get("elicitationId") if isinstance(params, dict) else None
        asked = [ask for ask in self._inbox.pending if _id_of(ask, self._session) == id_]
        accepted = [ask for known, ask in self._accepted if known == id_]
        if not isinstance(id_, str) or not (asked or accepted or self._is_demanded(id_)):
            text = f"unknown elicitation {id_!r}"
            found = Finding("L-ELI-14", Severity.WARNING, text, "/params")
            self._asking.add_findings(InboundRequest(frame, message), found)
            return
        self._finished.add(id_)
        for ask in (*asked, *accepted):
            self._inbox.set_note(ask, DONE)
        self.changed.fire()

    def _is_demanded(self, elicitation_id: str) -> bool:
        """Whether one of the latest errors wanted that page visited (C-ELI-28)."""
        transcript = self._session.transcript
        kinds, last = transcript.columns.kind, transcript.count
        frames = range(last, max(last - FRAMES_SEARCHED, 0), -1)
        numbers = (n for n in frames if kinds[n - 1] == MessageKind.ERROR)
        for number, _ in zip(numbers, range(ERRORS_SEARCHED), strict=False):
            error = transcript.message(number).error
            if isinstance(error, dict) and any(
                visit.elicitation_id == elicitation_id for visit in _visits(error)
            ):
                return True
        return False


def _id_of(ask: InboxItem, session: Session) -> Json:
    view = ask.view
    return (
        view.elicitation_id if ask.origin is session and isinstance(view, ElicitationView) else None
    )


def url_visits(error: PeerError) -> tuple[UrlVisit, ...]:
    """The pages that the error of a call wants visited (C-ELI-28); none for every other error."""
    return _visits({"code": error.code, "data": error.data})


def _visits(error: JsonObject) -> tuple[UrlVisit, ...]:
    data = error.get("data")
    if error.get("code") != URL_ELICITATION_REQUIRED or not isinstance(data, dict):
        return ()
    items = data.get("elicitations")
    found: list[UrlVisit] = []
    for number, item in enumerate(items if isinstance(items, list) else []):
        view = ElicitationView(_as_url(item), f"/error/data/elicitations/{number}")
        if view.url:
            found.append(UrlVisit(view.url, view.message, view.elicitation_id, view))
    return tuple(found)


def _as_url(item: Json) -> Json:
    """Only URLs are possible here, with any `mode` or none."""
    made: JsonObject = {**item, "mode": URL} if isinstance(item, dict) else {}
    return made or item
