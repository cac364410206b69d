"""The dialogs that respond to an elicitation: accept, decline or cancel. Closing the window cancels; Esc sends nothing.

What the server says is set apart from what Spyglass says: plain text, with nothing in it to click. The form is sent exactly as it is,
valid or not: a second press sends what does not match the schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from inspector.features.elicitation import Elicitation
from inspector.rules import rule_label
from inspector.spec.views.elicitation import ElicitationView, host_of, url_cautions
from inspector.visible_text import one_line, visible
from ui.inbox_dialog import InboxDialog
from ui.render.auto_height import AutoHeightText
from ui.render.url_visits import UrlVisitView
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.buttons import push_button
from ui.widgets.dialog_parts import destructive_button
from ui.widgets.form import FieldProblem, Form
from ui.widgets.json_text import brief
from ui.widgets.json_view import JsonView
from ui.widgets.key_values import KeyValue
from ui.widgets.labels import QuotingLabel, plain_label, set_background
from ui.widgets.layout_parts import column_layout, set_dialog_size
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QPushButton

    from inspector.clock import Clock
    from inspector.inbox import Inbox, InboxItem
    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

VIEWS = (("form", "Form"), ("json", "JSON"), ("request", "Original request"))

LATER = "Review later"

WIDTH = 672
"""Of a dialog in pixels at 100%: the width of a form and its margins."""

MIN_HEIGHT, MAX_HEIGHT = 440, 640
FRAME_HEIGHT, FIELD_HEIGHT = 340, 52
"""Heights in pixels at 100% of a form dialog: the limits, what is around the fields, and each field."""

URL_HEIGHT = 420

MAX_NAMED = 4
"""Problems that are listed before the input is sent anyway."""

LABEL_CHARACTERS = 1500
"""Of a message in a label; a longer one gets a text view, which scrolls."""


def make_elicitation_dialog(
    item: InboxItem,
    *,
    inbox: Inbox,
    clock: Clock,
    theme: Theme,
    open_url: Callable[[str], None],
    parent: QWidget,
) -> InboxDialog:
    """Return the dialog for the mode that the server selected; `open_url` hands a URL to the system."""
    assert isinstance(item.view, ElicitationView)
    kind = UrlDialog if item.view.is_url else FormDialog
    return kind(item, inbox=inbox, clock=clock, theme=theme, open_url=open_url, parent=parent)


def facts(view: ElicitationView) -> list[KeyValue]:
    """Return what is requested, in short."""
    found = [KeyValue("Mode", "URL" if view.is_url else "form", mono=False)]
    if view.is_url:
        host = visible(host_of(view.url)) or "none"
        found.append(KeyValue("Host", host, view.url))
        scheme, has_scheme, _ = view.url.partition(":")
        found.append(KeyValue("Scheme", one_line(scheme, 20) if has_scheme else "none"))
        if view.elicitation_id is not None:
            found.append(KeyValue("Elicitation ID", brief(view.elicitation_id)))
    else:
        schema = view.requested_schema
        fields, required = (_member(schema, name) for name in ("properties", "required"))
        found.append(KeyValue("Fields", str(len(fields or ()))))
        found.append(KeyValue("Required", str(len(required or ()))))
    if view.meta:
        found.append(KeyValue("_meta", brief(dict(view.meta))))
    return found


def _member(schema: Json, name: str) -> JsonObject | list[Json] | None:
    value = schema.get(name) if isinstance(schema, dict) else None
    return value if isinstance(value, dict | list) else None


class _ElicitationDialog(InboxDialog):
    """The message of the server, the problems of its request, and the three responses."""

    TEXT: ClassVar[str]
    """Introduces the name of the server."""

    def __init__(
        self,
        item: InboxItem,
        *,
        inbox: Inbox,
        clock: Clock,
        theme: Theme,
        open_url: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:
        """Respond to `item` of `inbox`; only a click of the user passes a URL to `open_url`."""
        super().__init__(
            item,
            text=self.TEXT,
            icon="mdi6.form-select",
            inbox=inbox,
            clock=clock,
            theme=theme,
            parent=parent,
        )
        view, feature = item.view, item.feature
        assert isinstance(view, ElicitationView)
        assert isinstance(feature, Elicitation)
        self.view = view
        self._feature = feature
        self._open_url = open_url
        self.facts.set_facts(facts(view))
        self.body.addWidget(server_message(view.message, item.server, theme=theme))
        self._findings = warning_label("elicitation_findings")
        # The problems of the URL are shown beside the URL.
        cautions = (
            {message for _rule, message in url_cautions(view.url)} if view.is_url else set[str]()
        )
        findings = [finding for finding in view.notes if finding.summary not in cautions]
        self._findings.setText(
            "\n".join(f"⚠ {each.summary} ({rule_label(each.rule)})" for each in findings)
        )
        self._findings.setVisible(bool(findings))
        self.body.addWidget(self._findings)
        self._build()
        self.begin()

    def _build(self) -> None:
        """Fill the body, and make the buttons with `build_buttons`."""
        raise NotImplementedError

    def build_buttons(
        self, accept: str, *, primary: bool = True, between: QPushButton | None = None
    ) -> None:
        """Make the buttons; the last is labeled `accept` and `primary` unless the dialog warns, and `between` comes before it."""
        self.cancel_button = destructive_button(
            "Cancel request", name="elicitation_cancel", parent=self
        )
        self.cancel_button.setToolTip(
            "Send “cancel”: dismissed without a decision. Closing this window does the same."
        )
        self.decline_button = push_button("Decline", name="elicitation_decline", parent=self)
        self.decline_button.setToolTip("Send “decline”")
        self.later_button = push_button(LATER, name="elicitation_later", parent=self)
        self.later_button.setToolTip("Esc: nothing is sent; your input is kept")
        self.accept_button = push_button(
            accept, name="elicitation_accept", primary=primary, parent=self
        )
        self.foot.add_left(self.cancel_button)
        self.foot.add_left(self.decline_button)
        self.add_esc(self.later_button)
        if between is not None:
            self.foot.add_right(between)
        self.foot.add_right(self.accept_button)
        self.later_button.clicked.connect(self.reject)
        self.cancel_button.clicked.connect(lambda: self._feature.cancel(self.ask))
        self.decline_button.clicked.connect(lambda: self._feature.decline(self.ask))
        self.accept_button.clicked.connect(self.on_accept)

    def on_accept(self) -> None:
        """Send the input of the user, or open the URL."""

    def set_can_respond(self, on: bool) -> None:
        """Enable the buttons that respond."""
        for button in (self.cancel_button, self.decline_button):
            button.setEnabled(on)
        self.enable_primary(self.accept_button, on=on)
        self.later_button.setText(LATER if on else "Close")
        self.later_button.setAccessibleName(self.later_button.text())

    def on_closed(self) -> None:
        """Cancel: the specification requires this when the user closes the dialog."""
        self._feature.cancel(self.ask)


class FormDialog(_ElicitationDialog):
    """A form to fill in."""

    TEXT: ClassVar[str] = "Input requested by"

    _insists = False
    """Whether the problems of the form were shown, so that another press sends it anyway."""

    def _build(self) -> None:
        theme = self._theme
        self.form = Form(theme=theme)
        self.form.set_schema(self.view.requested_schema)
        if not self.form.can_send():  # the response is an object, even if the schema allows none
            self.form.set_text("{}")
        self._start = self.form.text()
        self._segments = SegmentedControl(VIEWS, name="elicitation_views", parent=self)
        self._request = JsonView(theme=theme, name="elicitation_request")
        self._request.set_value(self.view.raw)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.form)
        self._stack.addWidget(self._request)
        self.body.addWidget(self._segments)
        self.body.addWidget(self._stack, 1)
        self.problem_label = warning_label("elicitation_trouble")
        self.body.addWidget(self.problem_label)
        self.build_buttons("Accept")
        fields = self.view.requested_schema
        named = fields.get("properties") if isinstance(fields, dict) else None
        count = len(named) if isinstance(named, dict) else MAX_HEIGHT
        height = min(max(FRAME_HEIGHT + FIELD_HEIGHT * count, MIN_HEIGHT), MAX_HEIGHT)
        set_dialog_size(self, theme, WIDTH, height)
        self._wire()

    def begin(self) -> None:
        """Show the current state, and go to the first field."""
        super().begin()
        self._refresh()
        self._segments.setFocus()  # until the fields are made; without a focus, Qt would choose one
        self.form.focus_first()

    def _wire(self) -> None:
        self._segments.chosen.connect(self._on_view_chosen)
        self.form.changed.connect(self._on_changed)
        self.form.view_changed.connect(self._on_form_view_changed)
        self.form.submitted.connect(self.on_accept)

    def is_touched(self) -> bool:
        """Whether anything was filled in."""
        return self.form.text() != self._start

    def on_accept(self) -> None:
        """Send input that matches the schema; show problems first, and send invalid input at the second press."""
        if not self.accept_button.isEnabled():
            return
        problems = self._problems()
        if problems and not self._insists:
            self._insists = True
            self.form.show_problems()
            self._refresh()
        elif self.form.can_send():
            self._feature.accept(self.ask, self.form.text())

    def _problems(self) -> list[FieldProblem]:
        """Return the problems of the form, formats included, which an elicitation may require (C-ELI-11)."""
        return [*self.form.problems(), *self.form.notes()]

    def _refresh(self) -> None:
        problems = self._problems() if self._insists else []
        self._insists = bool(problems)
        self.accept_button.setText("Accept anyway" if problems else "Accept")
        self.accept_button.setAccessibleName(self.accept_button.text())
        text = ""
        if problems:
            named = "; ".join(
                f"{each.pointer or 'root'}: {each.text}" for each in problems[:MAX_NAMED]
            )
            more = len(problems) - MAX_NAMED
            further = f"; and {more} more" if more > 0 else ""
            text = f"Does not match the requested schema: {named}{further}"
        self.problem_label.setText(text)
        self.problem_label.setVisible(bool(text))

    def _on_changed(self) -> None:
        if self._insists:
            self._refresh()

    def _on_view_chosen(self, key: str) -> None:
        self._stack.setCurrentWidget(self._request if key == "request" else self.form)
        if key != "request":
            self.form.show_json(key == "json")

    def _on_form_view_changed(self) -> None:
        self._segments.choose("json" if self.form.is_json() else "form")


class UrlDialog(_ElicitationDialog):
    """A URL to visit, which only the user opens."""

    TEXT: ClassVar[str] = "Page visit requested by"

    def _build(self) -> None:
        theme = self._theme
        self.page = UrlVisitView(self.view.url, theme=theme)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.page)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        inner.setAutoFillBackground(False)  # `setWidget` switches it on
        self.body.addWidget(scroll, 1)
        self.agree_button = push_button(
            "Accept without opening", name="elicitation_agree", parent=self
        )
        self.agree_button.setToolTip("Accept without opening the URL")
        self.build_buttons(
            "Open in browser", primary=not self.page.has_cautions, between=self.agree_button
        )
        self.accept_button.setToolTip("Accept and open this URL in your browser")
        for button in (self.accept_button, self.agree_button):
            button.setVisible(self.page.can_open)  # else only decline and cancel (C-ELI-20)
        self.agree_button.clicked.connect(lambda: self._feature.consent(self.ask))
        self.cancel_button.setFocus()
        set_dialog_size(self, theme, WIDTH, URL_HEIGHT)

    def set_can_respond(self, on: bool) -> None:
        """Enable the buttons that respond; only a web address can be opened."""
        super().set_can_respond(on)
        self.agree_button.setEnabled(on and self.page.can_open)
        self.enable_primary(self.accept_button, on=on and self.page.can_open)

    def on_accept(self) -> None:
        """Report the consent to the server, and open the URL: the click is the consent."""
        url = self.view.url
        if self._feature.consent(self.ask):
            self._open_url(url)


def server_message(text: str, server: str, *, theme: Theme) -> QFrame:
    """Return the message of `server` in a box whose caption names the server."""
    frame = QFrame()
    frame.setObjectName("elicitation_message")
    set_background(frame, "info")
    caption = plain_label(
        f"Message from “{one_line(server, 80)}”:", tone="muted", name="elicitation_says"
    )
    set_theme_font(caption, theme, tokens.SMALL)
    column = column_layout(frame, caption, space=theme.SPACING_PX, margins=theme.PADDING_PX)
    column.addWidget(_text(text, theme))
    return frame


def _text(text: str, theme: Theme) -> QWidget:
    if len(text) > LABEL_CHARACTERS:
        view = AutoHeightText(theme=theme, name="elicitation_text")
        view.set_text(text)
        return view
    return plain_label(
        visible(text) or "(no message)", name="elicitation_text", wrap=True, selectable=True
    )


def warning_label(name: str) -> QLabel:
    """Return a label for problems, hidden at first."""
    label = QuotingLabel(name=name, tone="warning")
    label.hide()
    return label
