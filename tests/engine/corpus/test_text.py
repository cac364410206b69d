"""Cases about text that misleads: the engine keeps and sends it exactly. What the screen makes of it is tested in `tests/ui`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import json_codec
from tests.support.answering import AnsweringServer, tool
from tests.support.corpus import case, connected
from tests.support.opened import opened, over

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject


def given(name: str) -> JsonObject:
    """The input of a case."""
    found = case(name)["input"]
    assert isinstance(found, dict)
    return found


async def test_characters_that_hide_or_reorder_are_kept_as_they_came(tmp_path: Path) -> None:
    """text-01-bidi-and-invisible."""
    async with connected("text-01-bidi-and-invisible", tmp_path) as played:
        (found,) = played.opened.tools.items
        assert found.label == "abc\u202egpj.exe"
        assert found.description.endswith("\u200b\u200d\u2066x\u2069")
        schema = found.input_schema
        assert isinstance(schema, dict)
        assert list(schema["properties"] or ()) == ["a\u200b", "a"]  # type: ignore[arg-type] - an object

        await over(played.opened.tools.call(found, '{"a\u200b":"\u202e","a":"x"}'))
        params = (await played.received_soon("tools/call"))["params"]
        assert isinstance(params, dict)
        assert params["arguments"] == {"a\u200b": "\u202e", "a": "x"}


async def test_names_in_any_script_are_listed_and_called(tmp_path: Path) -> None:
    """text-02-rtl-and-emoji."""
    async with connected("text-02-rtl-and-emoji", tmp_path) as played:
        (found,) = played.opened.tools.items
        assert found.label == "مرحبا 123 abc"
        assert "👨\u200d👩\u200d👧\u200d👦" in found.description

        await over(played.opened.tools.call(found, '{"גיל":5}'))
        params = (await played.received_soon("tools/call"))["params"]
        assert isinstance(params, dict)
        assert (params["name"], params["arguments"]) == ("שלום_tool", {"גיל": 5})


async def test_names_that_are_paths_are_names() -> None:
    """text-04-names-as-paths: nothing is written anywhere; what a file would be called is tested in `tests/ui`."""
    result = given("text-04-names-as-paths")["result"]
    server = AnsweringServer(
        {"tools/list": lambda _: {"tools": [tool("a")]}, "tools/call": lambda _: result}
    )
    async with opened(server) as session:
        called = await over(session.tools.call(session.tools.items[0], "{}"))
        assert called.result is not None
        assert [block.raw for block in called.result.content] == result["content"]  # type: ignore[index,call-overload] - an object


async def test_arguments_leave_byte_by_byte() -> None:
    """text-05-copy-exactness: no number is rounded, no character changed."""
    call = given("text-05-copy-exactness")["call"]
    assert isinstance(call, dict)
    arguments = json_codec.write(call["arguments"])
    server = AnsweringServer(
        {
            "tools/list": lambda _: {"tools": [tool(str(call["name"]))]},
            "tools/call": lambda _: {"content": []},
        }
    )
    async with opened(server) as session:
        made = await over(session.tools.call(session.tools.items[0], arguments))
        raw = session.session.transcript.raw(made.request_frame)
        assert arguments.encode() in raw
        assert b"7205759403792793601" in raw
        assert server.raws[-1] == raw


async def test_icons_of_every_form_cost_no_tool_and_fetch_nothing(tmp_path: Path) -> None:
    """text-06-icons."""
    async with connected("text-06-icons", tmp_path) as played:
        tools = played.opened.tools.items
        assert [item.name for item in tools] == [f"i{number}" for number in range(9)]
        assert tools[3].problems, "javascript: is no address for an icon"
        assert tools[4].problems, "nor is a file"
        assert set(played.methods()) == {"initialize", "notifications/initialized", "tools/list"}
