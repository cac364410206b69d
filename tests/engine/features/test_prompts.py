"""Prompts: their list, getting them, and suggestions for their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features.completion import (
    KEPT,
    KEPT_SECONDS,
    Completions,
    prompt_ref,
    template_ref,
)
from inspector.features.prompts import Prompts
from inspector.session.operation import OperationState
from inspector.spec.revision import NEWEST_STATEFUL, V2024_11_05, V2025_03_26, Revision
from inspector.spec.views.prompt import PromptView
from tests.support.answering import AnsweringServer, connected
from tests.support.talk import HeldClock

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

P = prompt_ref("p")


def suggesting(
    values: Json = None,
    *,
    revision: Revision = NEWEST_STATEFUL,
    capabilities: JsonObject | None = None,
) -> AnsweringServer:
    declared: JsonObject = {"prompts": {}, "completions": {}}
    result: JsonObject = {"completion": {"values": ["go"] if values is None else values}}
    return AnsweringServer(
        {"completion/complete": lambda _: result},
        capabilities=declared if capabilities is None else capabilities,
        revision=revision,
    )


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [({}, None), ({"a": ""}, {"a": ""}), ({"a": " 1.50\u00a0", "b": "x"}, None)],
)
async def test_values_leave_as_typed_and_absent_is_not_empty(
    arguments: dict[str, str], sent: Json
) -> None:
    """C-PRM-05."""
    server = AnsweringServer({"prompts/get": lambda _: {"messages": []}})
    async with connected(server) as session:
        get = Prompts(session).get(PromptView({"name": "p"}), arguments)
        await get.wait()

        params = server.received[-1]["params"]
        assert isinstance(params, dict)
        assert params.get("arguments") == (sent if sent or not arguments else arguments)
        assert params["name"] == "p"
        assert get.state is OperationState.DONE


async def test_what_was_got_is_read_from_the_record() -> None:
    """Ours."""
    message: JsonObject = {"role": "user", "content": {"type": "text", "text": "hi"}}
    server = AnsweringServer({"prompts/get": lambda _: {"messages": [message]}})
    async with connected(server) as session:
        get = Prompts(session).get(PromptView({"name": "p"}), {})
        await get.wait()

        assert get.result is not None
        assert get.result.as_text() == "user:\n\nhi\n"


async def test_a_list_that_is_refused_is_kept_in_words() -> None:
    """C-PRM-03; prompt-08."""
    async with connected(AnsweringServer(capabilities={})) as session:
        prompts = Prompts(session)
        assert not prompts.offered
        await prompts.refresh()

        assert isinstance(prompts.failure, PeerError)


async def test_suggestions_carry_the_other_arguments_where_the_revision_has_them() -> None:
    """C-CMP-04."""
    server = suggesting()
    async with connected(server) as session:
        found = await Completions(session).complete(P, "lang", "g", {"other": "1"})

        assert found.completion.offered == ("go",)
        assert server.received[-1]["params"] == {
            "ref": {"type": "ref/prompt", "name": "p"},
            "argument": {"name": "lang", "value": "g"},
            "context": {"arguments": {"other": "1"}},
        }


async def test_suggestions_carry_no_context_before_it_existed() -> None:
    """C-CMP-04, C-LC-09."""
    server = suggesting(revision=V2025_03_26)
    async with connected(server) as session:
        await Completions(session).complete(template_ref("a:{x}"), "x", "", {"other": "1"})

        assert server.received[-1]["params"] == {
            "ref": {"type": "ref/resource", "uri": "a:{x}"},
            "argument": {"name": "x", "value": ""},
        }


@pytest.mark.parametrize(
    ("revision", "capabilities", "offered"),
    [
        (NEWEST_STATEFUL, {"completions": {}}, True),
        (NEWEST_STATEFUL, {}, False),
        (V2025_03_26, {}, False),
        (V2024_11_05, {}, True),
    ],
)
async def test_suggestions_are_asked_for_where_declared_or_where_nobody_could(
    revision: Revision, capabilities: JsonObject, offered: bool
) -> None:
    """C-CMP-06."""
    server = suggesting(revision=revision, capabilities=capabilities)
    async with connected(server) as session:
        completions = Completions(session)
        assert completions.is_enabled is offered

        completions.set_insist(True)
        assert completions.is_enabled


async def test_a_server_that_has_no_suggestions_is_asked_once() -> None:
    """prompt-06."""
    server = AnsweringServer(capabilities={"completions": {}})
    async with connected(server) as session:
        completions = Completions(session)
        with pytest.raises(PeerError):
            await completions.complete(P, "a", "", {})

        assert (completions.refused, completions.is_enabled) == (True, False)


async def test_the_same_question_is_not_asked_twice_in_a_row() -> None:
    """C-CMP-02."""
    server = suggesting()
    async with connected(server) as session:
        completions = Completions(session)
        for value in ("g", "g", "go", "g"):
            await completions.complete(P, "lang", value, {})

        assert server.methods() == ["completion/complete"] * 2


async def test_suggestions_are_asked_for_again_once_they_are_old() -> None:
    """C-CMP-02: the things that are suggested may change."""
    server, clock = suggesting(), HeldClock()
    async with connected(server, clock=clock) as session:
        completions = Completions(session)
        for seconds in (0.0, KEPT_SECONDS - 1, 2.0, KEPT_SECONDS - 1):
            clock.now += seconds
            await completions.complete(P, "lang", "g", {})

        assert server.methods() == ["completion/complete"] * 2


async def test_the_answer_that_was_asked_for_first_is_forgotten_first() -> None:
    """C-CMP-02: so many are kept."""
    server = suggesting()
    async with connected(server, clock=HeldClock()) as session:
        completions = Completions(session)
        for number in range(KEPT + 1):
            await completions.complete(P, "lang", str(number), {})
        for number in (1, KEPT, 0):
            await completions.complete(P, "lang", str(number), {})

        assert len(server.methods()) == KEPT + 2


async def test_an_answer_that_is_none_is_noted() -> None:
    """C-CMP-03; prompt-06."""
    server = AnsweringServer({"completion/complete": lambda _: {}})
    async with connected(server) as session:
        found = await Completions(session).complete(P, "a", "", {})

        assert found.completion.offered == ()
        assert [note.rule for note in found.notes] == ["L-CMP-02"]
