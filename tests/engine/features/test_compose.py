"""The text of a message: its method, what the revision prescribes, and how it is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.features.compose import (
    MAX_READ,
    editable,
    has_envelope,
    meta_of,
    method_of,
    sending,
    with_envelope,
    with_method,
    without_envelope,
)
from inspector.spec.keys import META
from tests.support.answering import AnsweringServer
from tests.support.modern import modern
from tests.support.opened import opened

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"limit":1.0}}}'


@pytest.mark.parametrize(
    ("text", "method"),
    [(CALL, "tools/call"), ('{"method":7}', ""), ('{"method":"pi', ""), ("[]", ""), ("", "")],
)
def test_the_method_is_read_from_the_text(text: str, method: str) -> None:
    """Ours: nothing raises, also where the text is no message."""
    assert method_of(text) == method


def test_another_method_is_set_where_the_old_one_was() -> None:
    """Ours."""
    assert with_method(CALL, "x/y") == CALL.replace("tools/call", "x/y")
    assert with_method("broken", "x/y") == "broken"


def test_the_envelope_goes_and_comes_and_everything_else_stays() -> None:
    """Ours: members that the user set are not replaced."""
    meta: JsonObject = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    bare = without_envelope(CALL)
    assert bare == CALL.replace('"jsonrpc":"2.0",', "")
    assert not has_envelope(bare, {})
    assert has_envelope(with_envelope(bare, {}), {})
    whole = with_envelope(bare, meta)
    assert has_envelope(whole, meta)
    assert json.loads(whole)["params"][META] == meta
    assert '"limit":1.0' in whole
    own = whole.replace("2026-07-28", "1999-01-01")
    assert with_envelope(own, meta) == own
    assert json.loads(without_envelope(own))["params"][META] == {}


def test_a_message_without_parameters_gets_some_for_the_envelope() -> None:
    """Ours."""
    made = json.loads(with_envelope('{"id":1,"method":"x"}', {"k": {"a": 1}}))
    assert made == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "x",
        "params": {META: {"k": {"a": 1}}},
    }


async def test_what_every_request_carries_depends_on_the_era() -> None:
    """Ours: nothing with a handshake."""
    async with opened(AnsweringServer()) as session:
        assert meta_of(session.session) == {}
    async with modern() as (_, session):
        assert "io.modelcontextprotocol/protocolVersion" in meta_of(session.session)


def test_json_in_lines_is_joined_and_any_other_text_is_sent_as_it_is() -> None:
    """Ours; C-STD-03: a line break ends a message over stdio."""
    edited = editable(CALL)
    assert "\n" in edited
    joined, typed = sending(edited), sending(edited, as_typed=True)
    assert (joined.text, joined.can_join, joined.is_joined) == (CALL, True, True)
    assert (typed.text, typed.can_join, typed.is_joined) == (edited, True, False)
    broken = sending('{\n"a":')
    assert (broken.text, broken.can_join) == ('{\n"a":', False)
    assert broken.problem
    spaced = sending('{ "a" : 1 }')
    assert (spaced.text, spaced.problem, spaced.can_join) == ('{ "a" : 1 }', "", False)
    long = sending("\n" * (MAX_READ + 1))
    assert (long.text, long.problem) == ("\n" * (MAX_READ + 1), "")


def test_a_text_whose_white_space_would_be_lost_is_not_laid_out() -> None:
    """Ours: as it was sent, to the byte."""
    spaced = CALL.replace('"id":7', '"id": 7')
    assert editable(spaced) == spaced
    assert editable('{"id":1}') == '{"id":1}'
