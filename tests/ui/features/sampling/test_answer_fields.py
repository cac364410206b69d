"""Which answers for a model the fields can express; ours throughout. Any other stays JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.revision import NEWEST_STATEFUL
from inspector.spec.views.sampling import SamplingView
from ui.features.sampling.answer_fields import AnswerFields

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

TEXT: JsonObject = {"type": "text", "text": "moon"}
BEFORE = "what was there before"
PLAIN: JsonObject = {"role": "assistant", "model": "m", "content": TEXT}


@pytest.fixture
def fields(qtbot: QtBot, theme: Theme) -> AnswerFields:
    """Fields that hold an answer already."""
    made = AnswerFields(SamplingView({}, revision=NEWEST_STATEFUL), theme=theme)
    qtbot.addWidget(made)
    assert made.take({**PLAIN, "content": {**TEXT, "text": BEFORE}})
    return made


@pytest.mark.parametrize("answer", [PLAIN, {**PLAIN, "stopReason": "maxTokens"}])
def test_an_answer_of_known_members_fills_the_fields(
    fields: AnswerFields, answer: JsonObject
) -> None:
    """Why it stops may be left out."""
    assert fields.take(answer)
    assert fields.text.toPlainText() == "moon"
    assert fields.stop_reason.currentText() == answer.get("stopReason", "")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"role": "assistant", "content": TEXT},
        {**PLAIN, "role": "user"},
        {**PLAIN, "model": 1},
        {**PLAIN, "stopReason": None},
        {**PLAIN, "more": 1},
        {**PLAIN, "content": [TEXT]},
        {**PLAIN, "content": {**TEXT, "more": 1}},
        {**PLAIN, "content": {"type": "text", "text": 1}},
        {**PLAIN, "content": {"type": "video"}},
    ],
)
def test_an_answer_that_the_fields_would_change_leaves_them_as_they_are(
    fields: AnswerFields, answer: Json
) -> None:
    """Nothing of it would be lost in silence."""
    assert not fields.take(answer)
    assert fields.text.toPlainText() == BEFORE
