"""What leaves is what the specification wants, whatever it is about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.spec.keys import META_RELATED_TASK, is_meta_key
from tests.support.answering import AnsweringServer, connected, tool
from tests.support.asked import asker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject

QUESTION: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "q"}}],
    "maxTokens": 3,
}
CONCISE = 100
"""Characters of one sentence."""


async def test_our_metadata_is_what_the_specification_names_and_nothing_else() -> None:
    """C-MET-01, C-MET-02, C-MET-03, C-TK4-09: we have no keys of our own; an answer names the task that wanted it."""
    server = AnsweringServer({"tools/call": lambda _: {"content": []}}, capabilities={})
    async with asker(server=server) as asking:
        await asking.opened.session.request("tools/call", tool("a"), on_progress=lambda _: None)
        about: JsonObject = {META_RELATED_TASK: {"taskId": "t"}}
        asking.ask(1, "roots/list", {"_meta": about})
        await asking.answer_to(1)

        keys = {key for message in server.received for key in _meta_keys(message)}
        assert keys == {"progressToken", META_RELATED_TASK}
        assert all(is_meta_key(key) for key in keys)


def _meta_keys(value: Json) -> Iterator[str]:
    for name, member in value.items() if isinstance(value, dict) else ():
        if name == "_meta" and isinstance(member, dict):
            yield from member
        yield from _meta_keys(member)


@pytest.mark.parametrize("text", ["é", "\u2028", "日本", "\U0001f468\u200d\U0001f469", "\x00"])
async def test_messages_leave_as_utf_8(text: str) -> None:
    """C-JR-14."""
    server = AnsweringServer()
    async with connected(server) as session:
        await session.request("ping", {"text": text})

        assert json.loads(server.raws[-1].decode("utf-8"))["params"] == {"text": text}
        assert b"\n" not in server.raws[-1]


async def test_errors_of_ours_are_one_sentence_each() -> None:
    """C-JR-07, C-JR-24."""
    async with asker(declares={"elicitation": {}, "sampling": {}}) as asking:
        used: JsonObject = {"type": "tool_use", "id": "u", "name": "t", "input": {}}
        lonely: JsonObject = {**QUESTION, "messages": [{"role": "assistant", "content": used}]}
        asking.ask(1, "no/such")
        asking.ask(2, "roots/list")
        asking.ask(3, "elicitation/create", {"mode": "url", "url": "https://a.test"})
        asking.ask(4, "sampling/createMessage", {**QUESTION, "tools": []})
        asking.ask(5, "sampling/createMessage", lonely)
        asking.ask(6, "tasks/get", {"taskId": "t"})
        asking.ask(7, "sampling/createMessage", QUESTION)
        asking.opened.sampling.reject(await asking.waits())
        errors = [(await asking.answer_to(number))["error"] for number in range(1, 8)]

        for error in errors:
            assert isinstance(error, dict)
            assert type(error["code"]) is int
            text = error["message"]
            assert isinstance(text, str)
            assert 0 < len(text) < CONCISE
            assert "\n" not in text
            assert ". " not in text


async def test_metadata_of_the_blocks_of_an_answer_leaves_with_them() -> None:
    """C-SMP-20."""
    async with asker() as asking:
        asking.ask(1, "sampling/createMessage", {**QUESTION, "tools": [tool("t")]})
        used = '{"type":"tool_use","id":"u","name":"t","input":{},"_meta":{"x.test/kept":[1.0]}}'
        answer = f'{{"role":"assistant","model":"m","content":[{used}],"stopReason":"toolUse"}}'
        asking.opened.sampling.answer(await asking.waits(), answer)
        await asking.answer_to(1)

        assert used.encode() in asking.server.raws[-1]
