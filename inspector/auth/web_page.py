"""The text of a web page that came where something else was expected. Pure; never raises, and renders nothing."""

from __future__ import annotations

from html.parser import HTMLParser

MAX_EXCERPT = 200
MAX_PAGE = 65_536
"""Bytes of a page that are read."""

_UNSEEN = {"script", "style", "title", "head", "noscript", "template"}


def excerpt(body: bytes) -> str:
    """The beginning of what can be seen of a page, in one line."""
    page = _Page()
    page.feed(body[:MAX_PAGE].decode("utf-8", "replace"))
    text = " ".join(" ".join(page.seen).split())
    return text if len(text) <= MAX_EXCERPT else f"{text[: MAX_EXCERPT - 1]}…"


class _Page(HTMLParser):
    """The visible text of a web page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0

    def handle_data(self, data: str) -> None:
        if not self._unseen and data.strip():
            self.seen.append(data.strip())
