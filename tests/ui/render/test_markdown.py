"""Markdown never acts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from ui.navigator import Navigator
from ui.render import render
from ui.render.markdown import MarkdownView
from ui.widgets.markdown_html import (
    description_html,
    is_markdown,
    is_too_long_for_markdown,
    to_html,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_html_stays_literal() -> None:
    """result-27-markup-in-text."""
    html = to_html("<script>document.title='PWN'</script><img src=x onerror=\"y\">")

    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html


def test_images_are_named_and_not_fetched() -> None:
    """result-27-markup-in-text: no request to 127.0.0.1:9."""
    html = to_html("![t](http://127.0.0.1:9/t.png)")

    assert html == "<p>[image: t · http://127.0.0.1:9/t.png]</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "[c](javascript:alert(1))",
        "[c](JaVaScRiPt:alert(1))",
        "[c](file:///etc/passwd)",
        "[c](data:text/html;base64,AAAA)",
        "[c](vbscript:x)",
        "<javascript:alert(1)>",
        "[c](//host/x)",
        "[c](relative)",
    ],
)
def test_only_web_and_mail_addresses_are_links(text: str) -> None:
    """result-27-markup-in-text: no live javascript: links."""
    assert "<a " not in to_html(text)


def test_tables_lists_and_code_are_formatted() -> None:
    """result-27-markup-in-text: rendered in a marked view."""
    html = to_html("| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n\n```\ny < z\n```")

    for part in ("<table>", "<li>x</li>", "<pre><code>y &lt; z</code></pre>"):
        assert part in html


def test_a_clicked_link_is_told_and_not_opened(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nothing opens by itself."""
    block = render({"type": "text", "text": "[a](https://example.com/x) **b**"}, theme=theme)
    qtbot.addWidget(block)
    block.show_view("markdown")
    view = block.widget("markdown")
    assert isinstance(view, MarkdownView)

    heard: list[object] = []
    Navigator(block).link_requested.connect(heard.append)
    view.anchorClicked.emit(QUrl("https://example.com/x"))

    assert heard == ["https://example.com/x"]
    assert not view.openLinks()
    assert view.loadResource(QTextDocument.ResourceType.ImageResource.value, "file:///x") is None


def test_the_description_of_a_thing_is_formatted_and_nothing_in_it_acts() -> None:
    """Ours: links say where they lead, images are named, and HTML stays literal."""
    html = description_html(
        "**Best for:** <b>x</b>\n\n- `a`\n- [docs](https://x.y/z) ![i](http://h/p)", "Mono"
    )

    assert "<strong>Best for:</strong> &lt;b&gt;x&lt;/b&gt;" in html
    assert "<li><code>a</code></li>" in html
    assert "[docs](https://x.y/z)" in html
    assert "[image: i · http://h/p]" in html
    assert "<a " not in html
    assert "<img" not in html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**a**", "<p><strong>a</strong>{} · matches ^__a__$ &lt;b&gt;</span></p>\n"),
        ("- `a`", "<li><code>a</code></li>\n</ul>\n<p>{}matches ^__a__$ &lt;b&gt;</span></p>"),
        ("plain", ""),
    ],
)
def test_what_follows_a_description_is_not_markdown(text: str, expected: str) -> None:
    """Ours: the pattern of a field is shown as it is."""
    html = description_html(text, "Mono", literal=" · matches ^__a__$ <b>")

    assert html.endswith(expected.format('<span style="white-space: pre-wrap">'))
    assert bool(html) == bool(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**a**", "<p>{}*x* – </span><strong>a</strong></p>"),
        ("- `a`", "<p>{}*x*</span></p>\n<ul>"),
        ("plain", ""),
    ],
)
def test_a_title_before_a_description_is_not_markdown(text: str, expected: str) -> None:
    """Ours: neither the specification nor JSON Schema lets a title have markup."""
    html = description_html(text, "Mono", lead="*x* – ")

    assert expected.format('<span style="white-space: pre-wrap">') in html
    assert bool(html) == bool(expected)


def test_a_doc_comment_keeps_its_lines_and_their_indentation() -> None:
    """Ours: what is no Markdown is not made to look like it."""
    plain = "Adds.\n\nArgs:\n    a: first\n\n    indented after a gap"
    assert description_html(plain, "Mono") == ""

    html = description_html(plain.replace("first", "`first`"), "Mono")
    assert "Args:<br />\n\u00a0\u00a0\u00a0\u00a0a: <code>first</code>" in html
    assert "<pre>" not in html


@pytest.mark.parametrize("piece", ["\n", "[", "![a](", "[a](", "- a\n\n", "**a ", "|a", "`"])
def test_whether_a_text_is_markdown_is_told_in_linear_time(piece: str) -> None:
    """Ours: twenty thousand empty lines in the description of a tool kept the window for four seconds."""
    text = piece * (100_000 // len(piece))
    before = time.thread_time()

    is_markdown(text)

    assert time.thread_time() - before < 1


def test_a_description_of_any_length_is_shown_without_delay() -> None:
    """Ours: the parser takes seconds for what a careless or hostile server may send, so a very long one is plain text."""
    assert description_html("`a` " * 100, "mono")
    assert description_html("`a` " * 10_000, "mono") == ""


@pytest.mark.parametrize(
    "piece",
    [
        *("- a\n", "> - a\n", "**a** ", "[", "[[](", "![a](b)", "<http://a> ", "|a|b|\n|-|-|\n"),
        *("`a``b", "_a_ ", "# a\n", "1) a\n\n", "é", "~~a~~"),
        f"{'é' * 19_000}\n\n",
    ],
)
def test_a_text_that_would_be_formatted_for_long_is_not_offered_as_markdown(piece: str) -> None:
    """Ours: a list of 50,000 items, 200 kB, kept the window for over a minute."""
    text = piece * (190_000 // len(piece))
    assert not is_markdown(text, is_declared=True)

    while not is_markdown(text, is_declared=True):
        text = text[: len(text) * 9 // 10]
    before = time.thread_time()
    document = QTextDocument()
    document.setHtml(to_html(text))
    document.size()

    assert time.thread_time() - before < 0.5


def test_a_text_beyond_the_limits_of_markdown_says_so(theme: Theme, qtbot: QtBot) -> None:
    """Ours: without a word, a missing view looks like a text that is not Markdown."""
    block = render({"type": "text", "text": "- item\n" * 50_000}, theme=theme)
    qtbot.addWidget(block)
    block.show_view("markdown")
    view = block.widget("markdown")
    assert view is not None
    assert view.objectName() == "markdown_limit"

    assert is_too_long_for_markdown("- item\n" * 50_000)
    assert is_too_long_for_markdown("é" * 300_000, is_declared=True)
    assert not is_too_long_for_markdown("é" * 300_000)
    assert not is_too_long_for_markdown("- item\n")


def test_a_long_document_as_people_write_it_is_offered_as_markdown() -> None:
    """Ours: the limit is one of work, not of length."""
    section = (
        "## Tool\n\nReads **one** file, see [docs](https://x.y/z):\n\n- `path`: where it is\n\n"
    )
    text = (section + "A sentence of ordinary words without anything in it. " * 20 + "\n\n") * 80

    assert len(text) > 80_000
    assert is_markdown(text)


@pytest.mark.parametrize(("lines", "scrolls"), [(10, False), (22, False), (60, True)])
def test_a_text_scrolls_only_if_it_is_much_longer_than_there_is_room(
    qtbot: QtBot, theme: Theme, lines: int, scrolls: bool
) -> None:
    """Ours: not for its last lines, inside of a page that scrolls itself."""
    block = render({"type": "text", "text": "# a\n\n" + "b\n\n" * lines}, theme=theme)
    qtbot.addWidget(block)
    block.show_view("markdown")
    block.resize(500, 1000)
    block.show()
    (view,) = block.findChildren(MarkdownView)
    qtbot.waitUntil(lambda: view.height() > theme.px(100))
    assert (view.verticalScrollBar().maximum() > 0) == scrolls
