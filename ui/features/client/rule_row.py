"""The rule that responds to sampling requests without the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from inspector.features.sampling import Rule
from inspector.visible_text import one_line
from ui.bind import Bindings, bind_coalesced
from ui.widgets.buttons import push_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from ui.theme import Theme

MAX_TIMES = 100_000


class RuleRow(QWidget):
    """One rule, for the session that is shown."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sampling_rule")
        self._theme = theme
        self._session: OpenSession | None = None
        self._bindings = Bindings()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.answer = QComboBox(self)
        self.answer.setObjectName("rule_answer")
        self.answer.setAccessibleName("Response")
        self.times = QSpinBox(self)
        self.times.setObjectName("rule_times")
        self.times.setAccessibleName("Maximum uses")
        self.times.setRange(1, MAX_TIMES)
        self.times.setValue(10)
        self.times.setSuffix(" times max")
        self.start = push_button("Respond automatically", name="rule_start", parent=self)
        self.stop = push_button("Ask every time", name="rule_stop", parent=self)
        self.status = plain_label(name="rule_status", wrap=True, parent=self)
        row = FlowLayout(theme.PADDING_PX)
        for part in (self.answer, self.times, self.start, self.stop):
            row.addWidget(part)
        column_layout(self, row, self.status, space=theme.SPACING_PX)

    def _wire(self) -> None:
        self.start.clicked.connect(self._on_start)
        self.stop.clicked.connect(self._on_stop)

    def set_session(self, session: OpenSession | None) -> None:
        """Rule over the sampling of `session`."""
        self._bindings.replace()
        self._session = session
        if session is not None:
            self._bindings.replace(
                bind_coalesced(self, session.sampling.changed, self._refresh),
                bind_coalesced(self, session.client.answers.changed, self._refresh),
            )
        self._refresh()

    def _refresh(self) -> None:
        session = self._session
        rule = session.sampling.rule if session is not None else None
        names = [item.name for item in session.client.answers.items] if session is not None else []
        chosen = self.answer.currentData()
        self.answer.clear()
        for name in names:
            self.answer.addItem(one_line(name, 60), name)
        self.answer.setCurrentIndex(max(self.answer.findData(chosen), 0))
        self.start.setEnabled(session is not None)
        self.stop.setVisible(rule is not None)
        set_tone(self.status, "person" if rule is not None else "muted")
        self.status.setText(_text(rule))

    def _on_start(self) -> None:
        if self._session is None:
            return
        answer = self._session.client.answers.find(self.answer.currentData())
        if answer is not None:
            self._session.sampling.answer_by_rule(Rule(answer, self.times.value()))

    def _on_stop(self) -> None:
        if self._session is not None:
            self._session.sampling.answer_by_rule(None)


def _text(rule: Rule | None) -> str:
    if rule is None:
        return "Off. Every request needs your response. A rule ends when the session closes."
    if rule.used >= rule.max_uses:
        return f"Limit reached: responded with {rule.text}. New requests need your response."
    return f"On: responding with {rule.text}. Automatic responses are marked in the traffic."
