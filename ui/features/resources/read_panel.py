"""The middle of the page: what is chosen, what is to be filled in, and the row that reads it.

What was typed stays with its template while others are looked at. Nothing keeps anybody from reading: an address that looks wrong is
sent all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from inspector.spec.mirroring import Mirroring
from ui.features.resources.facts import facts
from ui.features.resources.read_target import FREE
from ui.features.resources.subscribe_row import SubscribeRow
from ui.features.resources.template_form import TemplateForm
from ui.request.column import RequestColumn
from ui.request.headers import RequestHeaders
from ui.request.row import RequestRow
from ui.widgets.empty_state import EmptyState
from ui.widgets.heading import Heading
from ui.widgets.json_view import JsonView
from ui.widgets.key_values import KeyValues
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.submit_keys import take_submit_key

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from inspector.features.subscriptions import Subscriptions
    from inspector.workspace import OpenSession
    from ui.features.resources.read_target import ReadTarget
    from ui.theme import Theme

DRAFTS = 500
"""Templates whose values are remembered."""

FREE_NAME = "uri"
"""Where the address that was typed is kept among the values of templates."""

CHOOSE = ("No resource selected", "Press Enter or double-click a resource to read it.")
"""Title and words while nothing is chosen."""
NOTHING = ("No resources", "Any URI can be read: use the first button above the list.")
"""The same, where nothing is listed."""


class ReadPanel(QWidget):
    """What is to be read.

    Signals:
        changed: the address is another.
        read_wanted: it is to be read.
        cancel_wanted: the reading that runs is to be given up.
        subscribe_wanted: we want to be told of its changes, or (False) not any more.
        frame_wanted: the frame of this number is to be shown.
    """

    changed = Signal()
    read_wanted = Signal()
    cancel_wanted = Signal()
    subscribe_wanted = Signal(bool)
    frame_wanted = Signal(int)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with nothing chosen."""
        super().__init__(parent)
        self.setObjectName("wish_panel")
        self.wish: ReadTarget | None = None
        self._session: OpenSession | None = None
        self._theme = theme
        self._drafts: dict[tuple[str, str], dict[str, str]] = {}
        self._build()
        self._wire()
        self.show_wish(None)

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            *CHOOSE,
            theme=theme,
            icon="mdi6.file-search-outline",
            name="wish_empty",
        )
        self._heading = Heading(theme=theme, name="resource_heading", copy="Copy URI")
        self._facts = KeyValues(theme=theme, name="resource_facts")
        self.form = TemplateForm(theme=theme)
        self.free = QLineEdit()
        self.free.setObjectName("free_uri")
        self.free.setAccessibleName("URI")
        self.free.setPlaceholderText("scheme://…")
        self._json = JsonView(theme=theme, name="resource_json")
        self._views = SegmentedControl(
            (("details", "Details"), ("json", "JSON")), name="wish_views"
        )
        self.watching = SubscribeRow(theme=theme)
        self._headers = RequestHeaders(theme=theme, name="read")
        self.row = RequestRow("Read", theme=theme, name="read", cancel="read_cancel")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._filled())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _filled(self) -> QWidget:
        self._body = QStackedWidget()
        self._body.addWidget(self._details())
        self._body.addWidget(self._json)
        return RequestColumn(
            (self._heading, self._views),
            self._body,
            (self._headers, self.row.options),
            row=self.row,
            theme=self._theme,
        )

    def _details(self) -> QScrollArea:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, self._theme.SPACING_PX, 0, self._theme.SPACING_PX)
        column.setSpacing(self._theme.PADDING_PX)
        for part in (self.free, self.form, self._facts, self.watching):
            column.addWidget(part)
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName("Details")
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        return area

    def _wire(self) -> None:
        self._views.chosen.connect(self._on_view_chosen)
        self.form.changed.connect(self.changed)
        self.form.submitted.connect(self.row.press)
        self.free.textChanged.connect(self.changed)
        self.free.returnPressed.connect(self.row.press)
        self.row.wanted.connect(self.read_wanted)
        self.row.changed.connect(self.changed)
        self.row.cancel_wanted.connect(self.cancel_wanted)
        self.watching.subscribe_wanted.connect(self.subscribe_wanted)
        self.watching.frame_wanted.connect(self.frame_wanted)

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Read over `session` from now on; another run of the server (`again`) finds all as it is."""
        self._keep_draft()
        self._session = session
        if not again:
            self.wish = None
            self.free.setText(self._drafts.get(self._draft_key(FREE), {}).get(FREE_NAME, ""))
        if session is None:
            self.row.options.set_session(None)
        else:
            self.row.options.set_session(session.session, session.profile.id)

    def uri(self) -> str | None:
        """The address as it would be sent; None when there is none."""
        wish = self.wish
        if wish is None:
            return None
        if wish.template is not None:
            return self.form.uri() if wish.template.has_address else None
        if wish.resource is not None:
            return wish.resource.uri if wish.resource.has_address else None
        return self.free.text()

    def set_listed(self, is_anything: bool) -> None:
        """Say what to do, or that there is nothing to choose from."""
        self._empty.set_words(*(CHOOSE if is_anything else NOTHING))

    def show_wish(self, wish: ReadTarget | None) -> None:
        """Offer to read what `wish` says."""
        self._keep_draft()
        before, self.wish = self.wish, wish
        if before is None or wish is None or before.entry is not wish.entry:
            self._headers.begin()
        self._stack.setCurrentIndex(0 if wish is None else 1)
        if wish is None:
            return
        entry, template = wish.entry, wish.template
        self.free.setVisible(entry is None)
        self.form.setVisible(template is not None and bool(template.template.variables))
        self._facts.setVisible(entry is not None)
        self._views.setVisible(entry is not None)
        if template is not None and not _is_same_template(before, wish):
            self.form.set_template(template.template)
            self.form.set_texts(self._drafts.get(self._draft_key(wish.source), {}))
        self._show_heading(wish)
        if entry is None:
            self._views.choose("details")
            self._body.setCurrentIndex(0)
        else:
            self._facts.set_facts(facts(entry))
            self._json.set_value(entry.raw)
        self.changed.emit()

    def _show_heading(self, wish: ReadTarget) -> None:
        entry = wish.entry
        if entry is None:
            words = "Sent exactly as typed, listed or not."
            self._heading.show_thing("Read URI…", "", exact=None, words=words)
            return
        odd = [finding.words for finding in (*wish.clashes, *entry.problems)]
        self._heading.show_thing(
            entry.label,
            entry.address_label,
            exact=entry.address if entry.has_address else None,
            words=entry.description,
            odd=odd,
        )

    def show_state(
        self, subscriptions: Subscriptions | None, *, connected: bool, running: bool
    ) -> None:
        """Say what can be done now."""
        uri = self.uri()
        self.row.show_state(
            connected=connected,
            running=running,
            sendable=uri is not None,
            words="" if uri is not None else "No URI",
            tone="muted",
        )
        self._headers.show_request(self._preview if uri is not None else None)
        self.watching.setVisible(subscriptions is not None and uri is not None)
        if subscriptions is not None and uri is not None:
            self.watching.show_state(uri, subscriptions, connected=connected)

    def _preview(self) -> Mirroring:
        """The headers of the reading as it stands."""
        uri = self.uri()
        if self._session is None or uri is None:
            return Mirroring(())
        return self._session.reads.headers_of(uri, self.row.options.meta())

    def set_free(self, uri: str) -> None:
        """Type an address."""
        self.free.setText(uri)

    def focus_form(self) -> None:
        """Go to where something is to be typed, or else to the button."""
        wish = self.wish
        if wish is None:
            return
        if wish.entry is None:
            self.free.setFocus()
        elif wish.template is not None and wish.template.template.variables:
            self.form.fields.focus_first()
        else:
            self.row.button.setFocus()

    def _keep_draft(self) -> None:
        wish = self.wish
        if wish is None or (wish.entry is not None and wish.template is None):
            return
        key = self._draft_key(wish.source)
        self._drafts.pop(key, None)
        self._drafts[key] = (
            {FREE_NAME: self.free.text()} if wish.entry is None else self.form.texts()
        )
        if len(self._drafts) > DRAFTS:
            del self._drafts[next(iter(self._drafts))]

    def _draft_key(self, source: str) -> tuple[str, str]:
        return (self._session.profile.id if self._session is not None else "", source)

    def _on_view_chosen(self, key: str) -> None:
        self._body.setCurrentIndex(1 if key == "json" else 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter reads from anywhere in the panel."""
        if not take_submit_key(event, self.row.press):
            super().keyPressEvent(event)


def _is_same_template(before: ReadTarget | None, wish: ReadTarget) -> bool:
    """Whether the fields that stand there are those of `wish`, listed again."""
    known, template = before.template if before is not None else None, wish.template
    return known is not None and template is not None and known.address == template.address
