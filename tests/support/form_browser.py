"""A browser without a screen: it follows redirects, fills in every form that it is shown, and so comes back to who listens."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import httpx

from inspector.auth.browser import LoginPageCheck, LoopbackListener

if TYPE_CHECKING:
    from inspector.auth.user_agent import Sender, UserAgent

MAX_FORMS = 5
"""Forms that are filled in before a login counts as endless."""

TYPED = {"text": "ada", "password": "any password"}
"""What is typed, by the type of the field."""


class FormBrowser:
    """Logs in wherever it is sent."""

    def __init__(self, *, refuses: bool = False) -> None:
        """Log in, or follow the link that cancels the login where it `refuses`."""
        self.visited: list[str] = []
        """Every URL that it was asked to open."""
        self._refuses = refuses

    def user_agent(self, sender: Sender) -> UserAgent:
        """What an authorization sees of it."""
        return LoginPageCheck(LoopbackListener(self.open_url, limit_seconds=20), sender)

    async def open_url(self, url: str) -> None:
        """Open it, and go on until no form is shown any more."""
        self.visited.append(url)
        async with httpx.AsyncClient(trust_env=False, follow_redirects=True, timeout=20) as client:
            response = await client.get(url)
            for _ in range(MAX_FORMS):
                page = _Page()
                page.feed(response.text)
                here = str(response.url)
                if self._refuses and page.cancels:
                    response = await client.get(urljoin(here, page.cancels))
                elif page.action:
                    response = await client.post(urljoin(here, page.action), data=page.fields)
                else:
                    return
        raise AssertionError(f"a form again after {MAX_FORMS}: {response.url}")


class _Page(HTMLParser):
    """The form of a page, and the link away from it."""

    def __init__(self) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self.cancels = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what a user would use."""
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = found.get("action", "")
        elif tag == "input" and found.get("name"):
            self.fields[found["name"]] = found.get("value") or TYPED.get(found.get("type", ""), "")
        elif tag == "a" and found.get("href", "").endswith("/abort"):
            self.cancels = found["href"]
