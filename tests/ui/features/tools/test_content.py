"""Results of every shape, as the corpus has them: what must be seen, and what must not happen."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextBrowser, QWidget

from inspector.checks.output_schema import OutputSchema
from inspector.spec.revision import NEWEST
from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.tool import ToolView
from inspector.wire import json_codec
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools import corpus
from tests.ui.features.tools.user import (
    call,
    click_row,
    click_tool,
    listed,
    outcome,
    playing,
    rows,
    view,
)
from tests.ui.qt_actions import find, reads, sees
from ui.features.tools.output_schema_check import CheckText, check_text
from ui.render import BlockWidget
from ui.widgets.save import suggested_name
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.wire.json_codec import Json
    from tests.ui.features.tools.corpus import Played
    from ui.features.tools.page import ToolsPage


@asynccontextmanager
async def played(page: ToolsPage, case: Played) -> AsyncGenerator[str]:
    """The page with the result of a case, and what is read in it."""
    async with shown(page, playing(case)) as (_, session):
        await wait_until(lambda: page.list.model.rowCount() == len(case.tools))
        names = [tool.name for tool in session.tools.items]
        click_row(page, names.index(case.called))
        await call(page, session)
        await wait_until(lambda: sees(page, "call_content") or sees(page, "call_structured"))
        await wait_until(lambda: not session.sweep.pending)
        yield reads(page, "call_answer")


def drawn(page: ToolsPage) -> list[BlockWidget]:
    return page.result_panel.findChildren(BlockWidget)


def kinds(page: ToolsPage) -> list[str]:
    return [block.rendering.kind for block in drawn(page)]


def checked(tool: ToolView, result: CallToolResultView) -> CheckText:
    return check_text(OutputSchema(tool.value("outputSchema")).check(result), result)


def block_notes(page: ToolsPage) -> list[str]:
    return [find(block, QLabel, "block_notes").text() for block in drawn(page)]


async def test_structured_content_alone_is_shown_at_once(tools_page: ToolsPage) -> None:
    """result-01-structured-only."""
    async with played(tools_page, corpus.result("result-01")) as said:
        assert "rows" in said
        assert "12" in said
        assert "No content (0 blocks)" in said
        assert "no output." not in said


async def test_text_and_structured_content_are_both_there_and_the_latter_is_judged(
    tools_page: ToolsPage,
) -> None:
    """result-02-both-parts; C-TOOL-06, C-TOOL-10."""
    async with played(tools_page, corpus.result("result-02")) as said:
        assert "two books" in said
        assert not sees(tools_page, "call_warning")

        said = await view(tools_page, "structured")
        assert "✔ Valid" in said
        assert "books" in said


async def test_an_old_wrapper_is_shown_with_a_warning(tools_page: ToolsPage) -> None:
    """result-04-content-missing-old-shape."""
    async with played(tools_page, corpus.result("result-04")) as said:
        assert "`content` is missing" in said
        assert "toolResult" in said

        assert "toolResult" in await view(tools_page, "json")
        assert "`content` is missing" in await view(tools_page, "problems")


async def test_blocks_without_their_text_are_noted_beside_those_that_have_one(
    tools_page: ToolsPage,
) -> None:
    """result-05-text-without-text."""
    async with played(tools_page, corpus.result("result-05")) as said:
        assert "last" in said
        assert kinds(tools_page) == ["text (malformed)", "text (malformed)", "text"]
        assert all(note for note in block_notes(tools_page)[:2])


async def test_resource_links_can_be_read_and_scripts_cannot_be_opened(
    tools_page: ToolsPage,
) -> None:
    """result-07-resource-link."""
    async with played(tools_page, corpus.result("result-07")):
        assert kinds(tools_page) == ["text", *["resource link"] * 3]
        blocks = drawn(tools_page)
        readable = [bool(block.findChildren(QWidget, "read_resource")) for block in blocks]
        assert readable == [False, True, True, False]


async def test_embedded_resources_are_shown_however_sparse(tools_page: ToolsPage) -> None:
    """result-08-embedded-sparse."""
    async with played(tools_page, corpus.result("result-08")) as said:
        assert "plain" in said
        assert "uri missing" in block_notes(tools_page)[0]
        assert kinds(tools_page) == ["resource"] * 3 + ["resource (malformed)"]
        facts = [block.rendering.facts for block in drawn(tools_page)]
        assert "5 B" in facts[1]
        assert "4 B" in facts[2]
        assert all(block.rendering.save for block in drawn(tools_page)[:3])


async def test_an_active_picture_is_a_picture_only(tools_page: ToolsPage) -> None:
    """result-09-svg-image: no script, no request."""
    before = tools_page.windowTitle()
    async with played(tools_page, corpus.result("result-09")):
        assert kinds(tools_page) == ["image"]
        assert tools_page.windowTitle() == before


async def test_addresses_in_the_place_of_data_are_noted_and_not_fetched(
    tools_page: ToolsPage,
) -> None:
    """result-11-image-data-url."""
    async with played(tools_page, corpus.result("result-11")) as said:
        assert "data:" in block_notes(tools_page)[0]
        assert block_notes(tools_page)[1]
        assert "https://img.test/a.png" in said
        assert outcome(tools_page) == "ok, malformed result"


async def test_sounds_say_what_they_are_and_wait_to_be_played(tools_page: ToolsPage) -> None:
    """result-13-audio."""
    async with played(tools_page, corpus.result("result-13")):
        assert kinds(tools_page) == ["audio"] * 3
        assert all(block.rendering.save for block in drawn(tools_page))
        text = " ".join(fact for block in drawn(tools_page) for fact in block.rendering.facts)
        assert "audio/audio" not in text


async def test_the_words_of_a_tool_that_failed_come_before_any_remark_on_its_schema(
    tools_page: ToolsPage,
) -> None:
    """result-14-error-with-structured-mismatch."""
    async with played(tools_page, corpus.result("result-14")) as said:
        assert outcome(tools_page).startswith("tool error")
        assert "needs the keeper role" in said
        assert not sees(tools_page, "call_warning")

        said = await view(tools_page, "structured")
        assert "error" in said
        assert find(tools_page, QLabel, "structured_check").property("tone") == "muted"


async def test_structured_content_that_was_promised_and_did_not_come_is_missed(
    tools_page: ToolsPage,
) -> None:
    """result-15-outputschema-but-no-structured."""
    async with played(tools_page, corpus.result("result-15")) as said:
        await wait_until(lambda: outcome(tools_page) == "ok, structured content missing")
        assert '{"name":"x"}' in said
        warning = find(tools_page, QLabel, "call_warning").text()
        assert "its result must have `structuredContent`" in warning


async def test_a_schema_that_cannot_judge_says_so_and_costs_no_tool(tools_page: ToolsPage) -> None:
    """result-17-outputschema-uncompilable."""
    async with played(tools_page, corpus.result("result-17")) as said:
        assert rows(tools_page) == ["good", "rec", "dangling", "badkw"]
        assert "Output not validated: the reference “" in said
        assert "” leads nowhere" in said


@pytest.mark.parametrize(("name", "text"), [("rec", "Valid"), ("badkw", "Output not validated")])
def test_the_verdict_of_odd_schemas_is_about_the_schema(name: str, text: str) -> None:
    """result-17-outputschema-uncompilable: recursion is fine, a wrong keyword is not."""
    tools = {each.name: each for each in map(ToolView, corpus.result("result-17").tools)}
    result = CallToolResultView({"content": [], "structuredContent": {}})

    assert text in checked(tools[name], result).text


async def test_an_answer_that_is_no_json_ends_the_call_with_the_reason(
    tools_page: ToolsPage,
) -> None:
    """result-18-nan-in-body: at once, with the place and the body."""
    async with shown(tools_page, playing(corpus.result("result-18"))) as (_, session):
        await wait_until(lambda: tools_page.list.model.rowCount() == 1)
        click_row(tools_page, 0)

        made = await call(tools_page, session)

        assert made.is_finished
        transcript = session.session.transcript
        assert b"NaN" in transcript.raw(made.response_frame or transcript.count)
        await wait_until(lambda: "NaN" in reads(tools_page, "call_result"))


async def test_numbers_keep_every_digit_in_every_view(tools_page: ToolsPage) -> None:
    """result-20-bigint-in-result."""
    async with played(tools_page, corpus.result("result-20")):
        for key in ("structured", "raw"):
            said = await view(tools_page, key)
            assert "36028797018963971" in said
            assert "36028797018963970" not in said
            assert "1E400" in said
            assert "Infinity" not in said
        assert "1.10" in said


async def test_a_huge_text_is_shown_in_part_and_copied_whole(tools_page: ToolsPage) -> None:
    """result-21-huge-text."""
    async with played(tools_page, corpus.result("result-21")) as said:
        assert "Showing the first" in said
        assert " MB" in said
        (block,) = drawn(tools_page)
        assert block.rendering.save is not None
        assert len(block.rendering.save.supply()) == 23 * 273_000


async def test_white_space_is_kept_and_an_empty_text_says_that_it_is_empty(
    tools_page: ToolsPage,
) -> None:
    """result-23-whitespace-exact."""
    async with played(tools_page, corpus.result("result-23")):
        saved = [
            block.rendering.save.supply() for block in drawn(tools_page) if block.rendering.save
        ]
        assert saved == [b"  two\n\n\tthree  \n\n", b"", "a\r\nb\rc\u2028d".encode()]
        empty = find(drawn(tools_page)[1], QPlainTextEdit, "text_edit")
        assert empty.placeholderText() == "(empty)"


async def test_texts_that_are_json_are_texts_first(tools_page: ToolsPage) -> None:
    """result-24-json-scalars-in-text."""
    async with played(tools_page, corpus.result("result-24")):
        assert kinds(tools_page) == ["text"] * 5
        assert {block.current_view() for block in drawn(tools_page)} == {"text"}
        assert "json" in drawn(tools_page)[3].views()


async def test_an_error_flag_that_is_no_flag_is_noted(tools_page: ToolsPage) -> None:
    """result-26-error-forms, variant 3."""
    async with played(tools_page, corpus.results("result-26")[2]) as said:
        assert "`isError` must be a boolean, not a string" in said
        assert "?" in said


async def test_markup_is_literal_until_markdown_is_asked_for_and_loads_nothing_then(
    tools_page: ToolsPage,
) -> None:
    """result-27-markup-in-text."""
    async with played(tools_page, corpus.result("result-27")) as said:
        assert "<script>document.title='PWN'</script>" in said
        assert not tools_page.result_panel.findChildren(QTextBrowser)

        (block,) = drawn(tools_page)
        block.show_view("markdown")
        (browser,) = block.findChildren(QTextBrowser)
        assert "<script>" in browser.toPlainText()


def test_structured_content_of_any_kind_is_judged_where_the_revision_allows_it() -> None:
    """result-29-structured-non-object: null is a value, and an array may be what was promised."""
    variants = corpus.results("result-29")
    listed = ToolView(variants[0].tools[0], revision=NEWEST)
    said: list[str] = []
    for variant in variants:
        message = json_codec.read(variant.answer(1)).value
        assert isinstance(message, dict)
        result = CallToolResultView(message["result"], revision=NEWEST)
        assert result.has_structured
        said.append(checked(listed, result).text)

    assert "Valid" in said[0]
    assert "must be an array" in said[1]
    assert "must be an array" in said[2]


async def test_names_of_files_are_cleaned_before_they_are_suggested(tools_page: ToolsPage) -> None:
    """text-04-names-as-paths: nothing leads out of the folder."""
    async with played(tools_page, corpus.result("text-04")):
        first = drawn(tools_page)[0].rendering.save
        assert first is not None
        name = suggested_name(first.file_name, mime=first.mime)
        assert "/" not in name
        assert not name.startswith(".")


async def test_copying_gives_what_came(tools_page: ToolsPage) -> None:
    """text-01-bidi-and-invisible: marks are for the screen only."""
    body = '{"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"text","text":"a\u202eb"}]}}'
    case = corpus.Played([tool("x")], "x", body.encode())
    async with played(tools_page, case):
        said = await view(tools_page, "raw")
        assert "\u202e" not in said

        find(tools_page, TextView, "call_answer_raw").copy_all()

        assert "a\u202eb" in QGuiApplication.clipboard().text()


async def test_no_word_of_a_server_is_taken_for_rich_text(tools_page: ToolsPage) -> None:
    """result-27-markup-in-text: plain text in every label of the panel."""
    async with played(tools_page, corpus.result("result-27")):
        labels = tools_page.result_panel.findChildren(QLabel)
        rich = [label for label in labels if label.textFormat() is not Qt.TextFormat.PlainText]
        assert [label.text() for label in rich if "<" in label.text()] == []


async def test_hundreds_of_blocks_are_drawn_bit_by_bit(tools_page: ToolsPage) -> None:
    """Ours: the window stays awake; the next result is there at once, and nothing of the last one."""
    content: list[Json] = [{"type": "text", "text": f"number {n}"} for n in range(130)]
    server = AnsweringServer(
        {
            "tools/list": lambda _: {"tools": [tool("a")]},
            "tools/call": lambda _: {"content": content},
        }
    )
    async with shown(tools_page, server) as (page, session):
        await listed(page, 1)
        click_tool(page, "a")
        await call(page, session)
        assert len(drawn(page)) < 100
        await wait_until(lambda: len(drawn(page)) == 100)
        wanted = [f"number {n}" for n in range(100)]
        await wait_until(lambda: [reads(each, "text_edit") for each in drawn(page)] == wanted)
        assert "30 more blocks in Raw" in reads(page, "call_remark")

        server.answers["tools/call"] = lambda _: {"content": content[:1]}
        await call(page, session)
        await wait_until(lambda: "number 0" in reads(page, "call_content"))
        assert "number 1" not in reads(page, "call_content")
        await wait_until(lambda: len(drawn(page)) == 1)


@pytest.mark.parametrize("result", [{"content": "hello"}, "none", None])
async def test_content_that_is_no_list_is_not_called_empty(
    result: Json, tools_page: ToolsPage
) -> None:
    """Ours: what came is told to be unusable, and nothing contradicts that."""
    server = AnsweringServer(
        {
            "tools/list": lambda _: {"tools": [tool("a")]},
            "tools/call": lambda _: result,
        }
    )
    async with shown(tools_page, server) as (page, session):
        await listed(page, 1)
        click_tool(page, "a")
        await call(page, session)
        await wait_until(lambda: sees(page, "call_warning"))

        assert "No content" not in reads(page, "call_content")
