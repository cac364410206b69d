"""Markdown as our own HTML, without anything that acts. Pure.

HTML in it stays literal, and images are named and never fetched. Only schemes of `LINKS` become links at all.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LINKS = {"http", "https", "mailto"}
"""Schemes that may be a link."""
HEADINGS = {"h1": "h3", "h2": "h4", "h3": "h4", "h5": "h4", "h6": "h4"}
"""Headings as they are drawn: a panel has no room for more than two sizes."""
MARKDOWN_LENGTH = 200_000
"""Longer texts are not offered as Markdown."""
MAX_WORK = 6_000
"""Texts that take more work, in units of about 13 µs, are not offered as Markdown. Qt's time for a list grows with the square of its items,
to over a minute for 50,000."""
MAX_LINE_LENGTH = 20_000
"""Nor are texts with a longer line, which Qt takes seconds to wrap where there is no space in it."""
UNBROKEN_LENGTH, MAX_UNBROKEN = 500, 60_000
"""Nor are texts with more than `MAX_UNBROKEN` characters in runs without a space of over `UNBROKEN_LENGTH`: Qt looks everywhere in them for where
to wrap."""
DESCRIPTION_LENGTH = 20_000
"""Longer descriptions are displayed as plain text: formatting takes up to 15 µs a character, and the user did not request it."""

_WORK = {"\n": 4, "\r": 4, "[": 3, "!": 2, "<": 6, "(": 1} | dict.fromkeys("*_`]|&\\~", 1)
"""The work that a character may make, for the parser or for Qt."""

_MARKDOWN = re.compile(
    r"^#{1,6} \S|^```|^[ \t]*+[-*+] \S.*\n\s*+[-*+] \S|^[ \t]*+1[.)] \S|\[[^\[\]\n]++\]\([^\[)\n]++\)|\*\*[^*\n]+\*\*"
    r"|^\|.+\|\s*\n\|[ :|-]+\|",
    re.MULTILINE,
)

_SIGNS = (*"#`-*+[|", "1. ", "1) ")
"""What `_MARKDOWN` cannot match without: that none of them is in a long text is found in a fraction of the time."""


_CODE = re.compile(r"`[^`\n]+`")
_INDENT = re.compile(r"^[ \t]{2,}(?![-*+\s]|\d+[.)] )", re.MULTILINE)
"""Indentation as in doc comments; the indentation of a nested list has a meaning."""

_COMPACT = """
p, ul, ol, pre, blockquote, table, h4 {{ margin-top: 0px; margin-bottom: 4px; }}
ul, ol {{ -qt-list-indent: 1; }}
pre {{ white-space: pre-wrap; }}
code, pre {{ font-family: '{mono}'; }}
td, th {{ padding: 0px 8px 0px 0px; text-align: left; }}
"""


def is_markdown(text: str, *, is_declared: bool = False) -> bool:
    """Whether rendering would change anything, within the limits; of what `is_declared` to be Markdown it is believed."""
    return not _is_beyond_limits(text) and (is_declared or _has_markdown(text))


def is_too_long_for_markdown(text: str, *, is_declared: bool = False) -> bool:
    """Whether only the limits keep a text from being offered as Markdown."""
    if not _is_beyond_limits(text):
        return False
    return is_declared or _has_markdown(text[:MARKDOWN_LENGTH])


def _has_markdown(text: str) -> bool:
    return any(sign in text for sign in _SIGNS) and bool(_MARKDOWN.search(text))


def _is_beyond_limits(text: str) -> bool:
    return len(text) > MARKDOWN_LENGTH or _takes_long(text)


def _takes_long(text: str) -> bool:
    work = sum(text.count(mark) * each for mark, each in _WORK.items())
    if work > MAX_WORK or max(map(len, text.split("\n"))) > MAX_LINE_LENGTH:
        return True
    return sum(len(run) for run in text.split() if len(run) > UNBROKEN_LENGTH) > MAX_UNBROKEN


def description_html(text: str, mono: str, *, literal: str = "", lead: str = "") -> str:
    """HTML for the description of a thing, code in the font family `mono`; empty where there is nothing to format.

    Line breaks and indentation stay what they are in doc comments, and links become text with their URL. As they are, `lead` comes before
    and `literal` follows: in the first and last paragraph, or in one of their own before or after a list, a table or code.
    """
    if len(text) > DESCRIPTION_LENGTH or _takes_long(text):
        return ""
    if not (is_markdown(text) or _CODE.search(text)):
        return ""
    parser = _parser().disable("code")
    parser.options["breaks"] = True
    tokens = parser.parse(_INDENT.sub(_kept_indent, visible(text)))
    for token in tokens:
        token.tag = "h4" if token.tag in HEADINGS else token.tag
        if token.children is not None:
            token.children = _harmless(token.children, has_links=False)
    html = str(parser.renderer.render(tokens, parser.options, {}))
    if lead:
        is_paragraph = html.startswith("<p>")
        span = _as_it_is(lead if is_paragraph else lead.rstrip(" –"))
        rest = html.removeprefix("<p>") if is_paragraph else f"</p>\n{html}"
        html = f"<p>{span}{rest}"
    if literal:
        before, end, after = html.rpartition("</p>\n")
        is_paragraph = bool(end) and not after
        span = _as_it_is(literal if is_paragraph else literal.lstrip(" ·"))
        html = f"{before}{span}{end}" if is_paragraph else f"{html}<p>{span}</p>"
    return f"<style>{_COMPACT.format(mono=escape(mono))}</style>{html}"


def _as_it_is(text: str) -> str:
    return f'<span style="white-space: pre-wrap">{escape(visible(text))}</span>'


def _kept_indent(found: re.Match[str]) -> str:
    return "\u00a0" * len(found[0])


def to_html(text: str) -> str:
    """Our own HTML for Markdown: none of the server's survives, no image, no link but to `LINKS`."""
    parser = _parser()
    tokens = parser.parse(visible(text))
    for token in tokens:
        token.content = token.content.rstrip("\n")
        token.tag = HEADINGS.get(token.tag, token.tag)
        if token.children is not None:
            token.children = _harmless(token.children, has_links=True)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # 40 ms at start-up that most sessions never need

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _harmless(tokens: Sequence[Token], *, has_links: bool) -> list[Token]:
    """Images become text; links to other schemes, and all links without `has_links`, become their text and URL."""
    kept: list[Token] = []
    refused: list[str] = []
    for token in tokens:
        if token.type == "image":
            kept.append(_text(token, f"[image: {token.content} · {token.attrs.get('src', '')}]"))
        elif token.type == "link_open" and not (has_links and _is_link(_url(token))):
            refused.append(_url(token))
            kept.append(_text(token, "["))
        elif token.type == "link_close" and refused:
            kept.append(_text(token, f"]({refused.pop()})"))
        else:
            kept.append(token)
    return kept


def _url(token: Token) -> str:
    return str(token.attrs.get("href", ""))


def _is_link(url: str) -> bool:
    try:
        return urlsplit(url).scheme.lower() in LINKS
    except ValueError:
        return False


def _text(token: Token, text: str) -> Token:
    made = token.copy()
    made.type, made.tag, made.nesting = "text", "", 0
    made.content, made.children, made.attrs = text, None, {}
    return made
