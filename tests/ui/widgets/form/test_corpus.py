"""Every case of the corpus that says what a form sends, played with keyboard and mouse.

The ids of the tests are the ids of the cases. What a case wants shown or forbids besides has a test of its own in the
other files of this folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from inspector.schema.json_edit import is_number
from inspector.wire.json_codec import compact, read
from tests.support.form_cases import CASES

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form


class Play(NamedTuple):
    """One variant of a case."""

    name: str
    schema: Json
    steps: list[JsonObject]
    expect: JsonObject


def wide_schema(generate: JsonObject) -> JsonObject:
    """The schema that a case describes instead of writing it out."""
    kinds = cast("list[str]", generate["eachCycles"])
    count, name = cast("int", generate["properties"]), str(generate["nameFormat"])
    properties: JsonObject = {name % at: {"type": kinds[at % len(kinds)]} for at in range(count)}
    return {"type": "object", "properties": properties, "required": generate["required"]}


def the_schema(given: JsonObject) -> Json:
    if "generate" in given:
        return wide_schema(cast("JsonObject", given["generate"]))
    if "elicit" in given:
        return cast("JsonObject", given["elicit"])["requestedSchema"]
    if "tools" in given:
        return cast("list[JsonObject]", given["tools"])[0].get("inputSchema")
    return cast("JsonObject", given["tool"])["inputSchema"]


def plays() -> list[Play]:
    found: list[Play] = []
    for path in sorted(CASES.glob("*.json")):
        whole = cast("JsonObject", read(path.read_bytes()).value)
        given, expect = cast("JsonObject", whole["input"]), cast("JsonObject", whole["expect"])
        schema = the_schema(given)
        variants = cast("list[JsonObject]", given.get("variants", [given]))
        for at, variant in enumerate(variants, 1):
            told = cast("list[JsonObject]", expect.get("variants", []))
            wanted = next((entry for entry in told if entry["n"] == at), expect)
            steps = [_slashed(step) for step in cast("list[JsonObject]", variant.get("steps", []))]
            used = variant.get("schema", schema)
            found.append(Play(f"{path.stem}.{at}", used, steps, wanted))
    return found


def _slashed(step: JsonObject) -> JsonObject:
    """Fields of elicitations are names."""
    field = step.get("field")
    return {**step, "field": f"/{field}"} if isinstance(field, str) and field[:1] != "/" else step


def same(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON; true is not 1."""
    if is_number(one) and is_number(other):
        return float(one) == float(other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def wanted_values(expect: JsonObject) -> list[Json]:
    sends = [cast("JsonObject", expect[key]) for key in ("sends", "orSends") if key in expect]
    return [entry["arguments"] if "arguments" in entry else entry["content"] for entry in sends]


@pytest.mark.parametrize("play", plays(), ids=lambda play: play.name)
def test_a_form_sends_what_the_corpus_says(play: Play, player: Player, form: Form) -> None:
    """The ids of the parameters are those of the cases."""
    form.set_schema(play.schema)

    player.play(play.steps)
    before = form.text()

    form.show_json(True)
    form.show_json(False)
    assert form.text() == before  # args-04-type-then-erase: the preview is what is sent
    values = wanted_values(play.expect)
    nothing = play.expect.get("sendsNothing") or play.expect.get("orSendsNothing")
    if values and not (nothing and player.sent is None):
        assert player.sent is not None, form.problems()
        sent = read(player.sent.encode()).value
        assert any(same(sent, value) for value in values), player.sent
    elif nothing:
        assert player.sent is None
    if "sendsText" in play.expect:
        assert compact(str(play.expect["sendsText"])) in (player.sent or "")
