"""What can be done with the row under the cursor, as a menu."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from inspector.errors import StorageError
from inspector.export.formats import CURL, FORMATS, INDENTED_JSON, RAW
from inspector.transcript.filter.predicates import id_text
from inspector.transcript.filter.query import quoted
from inspector.transcript.http_exchange import http_exchange
from inspector.visible_text import one_line
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from inspector.export.formats import Format
    from inspector.transcript.transcript import Transcript

SHOWN_NAME = 40
"""Characters of a name in an entry."""


_REFUSED = re.compile(rb"HTTP/[\d.]+ 40[13] ")

SHORTCUTS = {RAW.key: "Ctrl+C", INDENTED_JSON.key: "Ctrl+Shift+C"}
"""Shortcuts of formats."""


class FilterTerm(NamedTuple):
    """An entry that narrows the view."""

    label: str
    """What it says."""
    term: str
    """What it adds to the filter."""


class Actions(Protocol):
    """What the panel does for the entries."""

    def copy(self, format_: Format, *, with_secrets: bool | None = None) -> None:
        """Copy the selection, or the frame under the cursor; `with_secrets` wins over the setting."""
        ...

    @property
    def with_secrets(self) -> bool:
        """Whether copies hold secrets."""
        ...

    def set_with_secrets(self, wanted: bool) -> None:
        """Copy secrets, too, or hide them."""
        ...

    def add_term(self, term: str) -> None:
        """Narrow the view."""
        ...

    def jump(self) -> None:
        """To the other end of the exchange."""
        ...

    def show_authorization(self) -> None:
        """Show how the server is authorized."""
        ...

    def resend(self) -> None:
        """Edit and send again."""
        ...


def make_menu(
    transcript: Transcript,
    number: int,
    actions: Actions,
    parent: QWidget,
    formats: Sequence[Format] = FORMATS,
) -> QMenu:
    """The menu for frame `number`."""
    menu = QMenu(parent)
    menu.setObjectName("traffic_row_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    partner = partner_of(transcript, number)
    jump = menu.addAction(_jump_words(transcript, number), "Return", actions.jump)
    jump.setEnabled(partner is not None)
    resend = menu.addAction("Edit and resend…", "Ctrl+E", actions.resend)
    resend.setEnabled(can_resend(transcript, number))
    menu.addSeparator()
    for each in formats:
        if each.applies_to(transcript, number):
            menu.addAction(each.copy_text, SHORTCUTS.get(each.key, ""), partial(actions.copy, each))
    if CURL.applies_to(transcript, number):
        copy = partial(actions.copy, CURL, with_secrets=True)
        menu.addAction("Copy as cURL with secrets", copy)
    if is_about_authorization(transcript, number):
        menu.addAction("Show authorization", actions.show_authorization)
    add_secrets_choice(menu, actions)
    menu.addSeparator()
    for text, term in filterings(transcript, number):
        menu.addAction(text.replace("&", "&&"), _adding(actions, term))
    return menu


def add_secrets_choice(menu: QMenu, actions: Actions) -> None:
    """The entry that decides whether copies hold secrets."""
    entry = menu.addAction("Include secrets in copies")
    entry.setCheckable(True)
    entry.setChecked(actions.with_secrets)
    entry.toggled.connect(actions.set_with_secrets)


def _adding(actions: Actions, term: str) -> Callable[[], None]:
    return lambda: actions.add_term(term)


def _jump_words(transcript: Transcript, number: int) -> str:
    is_request = transcript.row(number).kind is MessageKind.REQUEST
    return "Go to response" if is_request else "Go to request"


def partner_of(transcript: Transcript, number: int) -> int | None:
    """The response of a request; for anything else that belongs to a request, that request."""
    columns = transcript.columns
    owner = columns.request[number - 1]
    other = columns.response[number - 1] if owner == number else owner
    return other or None


def is_about_authorization(transcript: Transcript, number: int) -> bool:
    """Whether a frame belongs to an authorization, or to an HTTP exchange that was refused with 401 or 403."""
    if transcript.columns.channel[number - 1] == Channel.AUTH:
        return True
    try:
        exchange = http_exchange(transcript, number)
        answers = [hop.response for hop in exchange.hops if hop.response] if exchange else []
        return any(_REFUSED.match(transcript.raw(answer)) for answer in answers)
    except StorageError:
        return False  # the row says so already


def can_resend(transcript: Transcript, number: int) -> bool:
    """Whether the frame is a message of ours that can be sent again."""
    row = transcript.row(number)
    return row.direction is Direction.SENT and row.kind in {
        MessageKind.REQUEST,
        MessageKind.NOTIFICATION,
    }


def _id(transcript: Transcript, number: int) -> str:
    try:
        return id_text(transcript.message(number).id)
    except StorageError:
        return ""  # the row says so already


def filterings(transcript: Transcript, number: int) -> list[FilterTerm]:
    """Ways to narrow the view by this frame."""
    columns, row = transcript.columns, transcript.row(number)
    found: list[FilterTerm] = []
    if row.method:
        name, term = one_line(row.method, SHOWN_NAME), quoted(row.method)
        found.append(FilterTerm(f"Only method {name}", f"method:{term}"))
        found.append(FilterTerm(f"Exclude method {name}", f"-method:{term}"))
    if row.kind in {MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR}:
        id_ = _id(transcript, number)
        if id_:
            found.append(FilterTerm(f"Only id {one_line(id_, SHOWN_NAME)}", f"id:{quoted(id_)}"))
    found += [
        FilterTerm(f"Only token {token}", f"auth:{token}") for token in transcript.tokens.of(number)
    ]
    if row.channel is Channel.AUTH:
        found.append(FilterTerm("Only authorization", "auth:flow"))
    label = columns.labels.texts[columns.label[number - 1]]
    if label:
        field = "tool" if row.method == "tools/call" else "name"
        shown = one_line(label, SHOWN_NAME)
        found.append(FilterTerm(f"Only {field} {shown}", f"{field}:{quoted(label)}"))
    kind = row.kind.name.lower()
    found.append(FilterTerm(f"Only kind {kind}", f"kind:{kind}"))
    found.append(FilterTerm(f"Exclude kind {kind}", f"-kind:{kind}"))
    return found
