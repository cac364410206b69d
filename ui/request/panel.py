"""The panel in the middle of a page that sends one request for what is selected in its list.

What the user entered stays with its entry while others are selected. Problems are shown, and never prevent sending: testing how a
server responds to invalid input is normal use. The column of arguments, headers and options scrolls as a whole where a low window or
large text leave less height than it needs; the row that sends never does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector.spec.mirrored_headers import MirroredHeaders
from ui.models.bounded_values import BoundedValues
from ui.request.headers import RequestHeaders
from ui.request.row import NOT_CONNECTED
from ui.theme import tokens
from ui.widgets.buttons import READ_ONLY, take_submit_key
from ui.widgets.empty_state import EmptyState
from ui.widgets.inner_scroll import InnerScroll
from ui.widgets.joint_column import JointColumn
from ui.widgets.json_view import JsonView
from ui.widgets.layout_parts import Hairline, SpaceBelow, column_layout
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inspector.open_session import OpenSession
    from ui.request.row import RequestRow
    from ui.theme import Theme
    from ui.widgets.heading import Heading

K = TypeVar("K")
V = TypeVar("V")

MAX_DRAFTS = 500
"""Entries of which a panel keeps what the user entered; the oldest draft is evicted first."""


GAP_PIXELS = 12
"""At 100%, between a description, the views below it and the first field."""

MAX_WIDTH_PIXELS = 640
"""Greatest width at 100% of texts and fields."""

MIN_BODY_PIXELS = 80
"""Minimum height at 100% of the arguments: two fields."""

LOW_PIXELS = 260
"""Height at 100% below which the heading takes one line."""


class RequestPanel(QWidget, Generic[K, V]):
    """Base of the panels that call a tool, get a prompt and read a resource.

    `K` is the key of an entry within its server, `V` what the user entered for it.
    """

    name: ClassVar[str]
    """Object names of the panel begin with it."""
    request_name: ClassVar[str]
    """Object names of the headers begin with it."""
    json_name: ClassVar[str]
    """Object name of the JSON of the entry."""
    heading: Heading
    """What the entry is; made in `_build`."""
    headers_label: ClassVar[str] = "request"
    """What the headers belong to."""
    views: ClassVar[Sequence[tuple[str, str]]]
    """Keys and labels of the views; the last shows the JSON of the entry."""
    views_name: ClassVar[str]
    """Object name of the control that selects a view."""
    not_selected: ClassVar[tuple[str, str]]
    """Title and text while nothing is selected."""
    not_selected_recorded: ClassVar[tuple[str, str]]
    """The same in a recording, of which nothing can be sent."""
    not_listed: ClassVar[tuple[str, str]]
    """Title and text where the list is empty."""

    def __init__(self, no_draft: V, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without an entry; `no_draft` is the draft of an entry for which nothing was entered."""
        super().__init__(parent)
        self.setObjectName(f"{self.name}_panel")
        self._theme = theme
        self._session: OpenSession | None = None
        self._drafts: BoundedValues[tuple[str, K], V] = BoundedValues(no_draft, MAX_DRAFTS)
        self._build()
        self._wire()

    # What a panel of its own kind defines.

    def _build(self) -> None:
        """Make the parts, and lay them out with `assemble`."""
        raise NotImplementedError

    def clear(self) -> None:
        """Forget the entry: the list belongs to another server."""
        raise NotImplementedError

    def draft_key(self) -> K | None:
        """Return the key under which what the user entered is kept; None if there is nothing to enter."""
        raise NotImplementedError

    def draft(self) -> V:
        """Return what the user entered."""
        raise NotImplementedError

    def preview(self, session: OpenSession) -> MirroredHeaders | None:
        """Return the HTTP headers of the request as it stands; None without a request."""
        raise NotImplementedError

    # What they have in common.

    def assemble(
        self, heading: Heading, fields: QWidget, row: RequestRow, *, footer: QWidget | None = None
    ) -> None:
        """Lay the parts out; `footer` holds the row, if it is not alone at the bottom."""
        theme = self._theme
        self.row = row
        self._empty = EmptyState(*self.not_selected, theme=theme, name=f"{self.name}_empty")
        self._views = SegmentedControl(self.views, name=self.views_name)
        self._json = JsonView(theme=theme, name=self.json_name)
        self._body = QStackedWidget()
        self._body.addWidget(fields)
        self._body.addWidget(self._json)
        self._headers = RequestHeaders(
            theme=theme, name=self.request_name, label=self.headers_label
        )
        self._stack = QStackedWidget(self)
        filled = RequestColumn(
            (heading, self._views),
            self._body,
            (self._headers, row.options),
            row=footer or row,
            theme=theme,
            parent=self._stack,
        )
        self._stack.addWidget(self._empty)
        self._stack.addWidget(filled)
        column_layout(self, self._stack, space=0)

    def _wire(self) -> None:
        self._views.chosen.connect(self._on_views_chosen)
        self._theme.changed.connect(self._fit_heading)

    def _fit_heading(self) -> None:
        self.heading.set_low(self.height() < self._theme.px(LOW_PIXELS))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the height of a low panel to the arguments."""
        super().resizeEvent(event)
        self._fit_heading()

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Send over `session` from now on; `again` keeps everything for another run of the same server."""
        self.keep_draft()
        self._session = session
        if not again:
            self.clear()
        is_recorded = session is not None and session.session.is_recorded
        self.row.offline_text = READ_ONLY if is_recorded else NOT_CONNECTED
        if session is None:
            self.row.options.set_session(None)
        else:
            self.row.options.set_session(session.session, session.profile.id)

    def set_listed(self, is_anything: bool) -> None:
        """Tell the user to select an entry, or that the list is empty."""
        is_recorded = self._session is not None and self._session.session.is_recorded
        not_selected = self.not_selected_recorded if is_recorded else self.not_selected
        self._empty.set_text(*(not_selected if is_anything else self.not_listed))

    def show_entry(self, is_selected: bool) -> None:
        """Show the request, or the empty state while nothing is selected."""
        self._stack.setCurrentIndex(int(is_selected))

    def show_headers(self, *, is_ready: bool) -> None:
        """Show the HTTP headers that the request will repeat of itself; none unless there is a request."""
        self._headers.show_request(self._preview if is_ready else None)

    def _preview(self) -> MirroredHeaders:
        found = self.preview(self._session) if self._session is not None else None
        return found or MirroredHeaders(())

    def keep_draft(self) -> None:
        """Remember what the user entered for the entry."""
        key = self.draft_key()
        if key is not None:
            self._drafts.put((self._server(), key), self.draft())

    def draft_of(self, key: K) -> V:
        """Return what the user entered for an entry before."""
        return self._drafts.get((self._server(), key))

    def _server(self) -> str:
        return self._session.profile.id if self._session is not None else ""

    def _on_views_chosen(self, key: str) -> None:
        self._body.setCurrentIndex(int(key == self.views[-1][0]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter sends from anywhere in the panel."""
        if not take_submit_key(event, self.row.press):
            super().keyPressEvent(event)


def scrolled(parts: Sequence[QWidget], *, label: str, theme: Theme) -> InnerScroll:
    """Return a column of fields that scrolls; `label` is its accessible name."""
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.setContentsMargins(0, theme.SPACING_PX, 0, theme.SPACING_PX)
    column.setSpacing(theme.PADDING_PX)
    for part in parts:
        column.addWidget(part)
    column.addStretch(1)
    area = InnerScroll(inner)
    area.setAccessibleName(label)
    return area


class RequestColumn(QWidget):
    """The laid out parts of a request panel.

    Where they need more height than there is, the column scrolls, and what scrolls in the body moves with it: there is one scroll bar.
    """

    def __init__(
        self,
        above: Sequence[QWidget],
        body: QWidget,
        below: Sequence[QWidget],
        *,
        row: QWidget,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Give `body` the height that the parts `above` and `below` leave; `row` never scrolls."""
        super().__init__(parent)
        self._theme = theme
        self._body = body
        self._build(above, below, row)
        if isinstance(body, QStackedWidget):
            body.currentChanged.connect(self._area.fit)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _build(self, above: Sequence[QWidget], below: Sequence[QWidget], row: QWidget) -> None:
        theme = self._theme
        area = self._area = JointColumn(name="request_column", parent=self)
        column = area.column
        self._column = column
        column.setSpacing(theme.SPACING_PX)
        for part in above:
            column.addWidget(part)
            column.addWidget(SpaceBelow(part, GAP_PIXELS - 2 * tokens.SPACING_PX, theme=theme))
        column.addWidget(_Body(self._body, parent=column.parentWidget()), 1)
        for part in below:
            column.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(area, 1)
        layout.addWidget(Hairline(theme=theme))
        layout.addWidget(row)

    def _refresh(self) -> None:
        theme = self._theme
        edge = theme.px(tokens.READING_PADDING_PX)
        beyond = max(self.width() - 2 * edge - theme.px(MAX_WIDTH_PIXELS), 0)
        self._column.setContentsMargins(edge, theme.px(GAP_PIXELS), edge + beyond, 0)
        self._area.set_body(self._body, theme.px(MIN_BODY_PIXELS))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the width that would make fields too wide to read."""
        super().resizeEvent(event)
        self._refresh()


class _Body(QWidget):
    """Shrinks first: it scrolls, so the height that its texts prefer does not matter."""

    def __init__(self, body: QWidget, *, parent: QWidget | None) -> None:
        super().__init__(parent)
        column_layout(self, body, space=0)

    def hasHeightForWidth(self) -> bool:
        """Return False: the layout above takes the minimum height instead."""
        return False
