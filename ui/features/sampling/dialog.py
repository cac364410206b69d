"""Reviewing a request for a model's answer, and writing that answer by hand. Nothing is sent but by the button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.features.sampling import REJECTED, Sampling
from inspector.spec.views.sampling import SamplingView
from ui.features.sampling.answer_editor import AnswerEditor
from ui.features.sampling.request_panel import RequestPanel, parameters
from ui.inbox_dialog import InboxDialog
from ui.inbox_texts import dropped_text
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.buttons import push_button, submit_shortcut
from ui.widgets.dialog_parts import DialogSize, destructive_button, set_size
from ui.widgets.labels import plain_label, tool_tip
from ui.widgets.layout_parts import column_layout
from ui.widgets.side_by_side import SideBySide

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.inbox import Inbox, InboxItem
    from ui.theme import Theme

SEND, LATER = "Send response", "Review later"

REJECTION = f"sends error −1 “{REJECTED}”"

SEND_TIP = "Ctrl+Enter: send the JSON exactly as shown"

MAX_PROBLEMS = 4
"""Problems of a tool call that the button tells of; each stands at its field as well."""


class SamplingDialog(InboxDialog):
    """What was asked to the left, the answer to the right."""

    def __init__(
        self,
        ask: InboxItem,
        *,
        inbox: Inbox,
        clock: Clock,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Review `ask`."""
        super().__init__(
            ask,
            text="Sampling requested by",
            icon="mdi6.robot-outline",
            inbox=inbox,
            clock=clock,
            theme=theme,
            parent=parent,
        )
        view, feature = ask.view, ask.feature
        assert isinstance(view, SamplingView)
        assert isinstance(feature, Sampling)
        self.view = view
        self._feature = feature
        self._insists = False
        self._rejects = False
        self._build()
        self._wire()
        self._start = self.answer.text()
        self.begin()
        self.answer.fields.text.setFocus()

    def _build(self) -> None:
        theme = self._theme
        self.facts.set_facts(parameters(self.view))
        self.request = RequestPanel(self.view, theme=theme)
        self.answer = AnswerEditor(self.view, self._feature.answers, theme=theme)
        edge = theme.px(tokens.READING_PADDING_PX)
        self.body.setContentsMargins(0, 0, 0, 0)
        panes = SideBySide(theme=theme, name="sampling_splitter")
        for part in (self.request, self.answer):
            pane = QWidget()
            column_layout(pane, part, space=0, margins=(edge, theme.px(10), edge, theme.px(10)))
            panes.add_pane(pane)
        self.body.addWidget(panes, 1)
        self.reject_button = destructive_button("Reject", name="sampling_reject", parent=self)
        self._rejection = plain_label(
            REJECTION, tone="muted", name="sampling_rejection", parent=self
        )
        set_theme_font(self._rejection, theme, tokens.SMALL)
        self.later_button = push_button(LATER, name="sampling_later", parent=self)
        self.later_button.setToolTip("Esc: your input is kept")
        self.send_button = push_button(SEND, name="sampling_send", primary=True, parent=self)
        self.send_button.setToolTip(SEND_TIP)
        self.foot.add_left(self.reject_button)
        self.foot.add_left(self._rejection)
        self.add_esc(self.later_button)
        self.foot.add_right(self.send_button)
        set_size(self, theme, DialogSize.LARGE)

    def _wire(self) -> None:
        self.reject_button.clicked.connect(self._on_reject)
        self.later_button.clicked.connect(self.reject)
        self.send_button.clicked.connect(self._on_send)
        self.answer.changed.connect(self._on_answer_changed)
        submit_shortcut(self, self._on_send)

    def is_touched(self) -> bool:
        """Whether an answer was written, or the copy of the prompt edited."""
        return self.answer.text() != self._start or self.request.is_touched()

    def set_can_respond(self, on: bool) -> None:
        """Enable what sends."""
        self._answerable = on
        self.reject_button.setEnabled(on)
        self._show_reject()
        self._enable_send()
        self.later_button.setText(LATER if on else "Close")
        self.later_button.setAccessibleName(self.later_button.text())

    def _on_reject(self) -> None:
        """Refuse; where that drops responses that were given beside this one, only when asked again."""
        dropped = dropped_text(self.ask)
        if dropped and not self._rejects:
            self._rejects = True
            self.set_banner(dropped)
            self._show_reject()
        else:
            self._feature.reject(self.ask)

    def _show_reject(self) -> None:
        needs_confirmation = bool(dropped_text(self.ask))
        text = "Reject anyway" if self._rejects else "Reject…" if needs_confirmation else "Reject"
        self.reject_button.setText(text)
        self.reject_button.setAccessibleName(text)

    def _enable_send(self) -> None:
        self.enable_primary(self.send_button, on=self._answerable and self.answer.can_send())

    def _on_answer_changed(self) -> None:
        self._enable_send()
        self._show_problems()

    def _on_send(self) -> None:
        """Send what fits; point out what a tool call lacks, and send it when asked again."""
        if not self.send_button.isEnabled():
            return
        if self.answer.fields.problems() and not self._insists:
            self._insists = True
            self.answer.fields.show_problems()
            self._show_problems()
        else:
            self._feature.answer(self.ask, self.answer.text())

    def _show_problems(self) -> None:
        found = self.answer.fields.problems() if self._insists else []
        self._insists = bool(found)
        text = "; ".join(f"{each.pointer or 'input'}: {each.text}" for each in found[:MAX_PROBLEMS])
        self.send_button.setText("Send anyway" if found else SEND)
        self.send_button.setAccessibleName(self.send_button.text())
        self.send_button.setToolTip(tool_tip(text) if found else SEND_TIP)
