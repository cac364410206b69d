"""Every list comes in pages, and what a page is like is up to the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features.prompts import Prompts
from inspector.features.resources import Resources
from inspector.features.tools import Tools
from inspector.session.paginated_list import ListState
from tests.support.answering import AnsweringServer, connected

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.paginated_list import PaginatedList
    from inspector.session.session import Session
    from inspector.spec.views.prompt import PromptView
    from inspector.spec.views.resource import ResourceView, TemplateView
    from inspector.spec.views.tool import ToolView
    from inspector.wire.json_codec import Json, JsonObject

    Made = (
        PaginatedList[ToolView]
        | PaginatedList[PromptView]
        | PaginatedList[ResourceView]
        | PaginatedList[TemplateView]
    )


def templates(session: Session) -> PaginatedList[TemplateView]:
    return Resources(session).templates


LISTS: dict[str, tuple[str, Callable[[Session], Made]]] = {
    "tools": ("tools/list", Tools),
    "prompts": ("prompts/list", Prompts),
    "resources": ("resources/list", Resources),
    "resourceTemplates": ("resources/templates/list", templates),
}
EVERYTHING: JsonObject = {"tools": {}, "prompts": {}, "resources": {}}


def paged(key: str, sizes: list[int], end: Json = None) -> Callable[[JsonObject], Json]:
    """Pages of those sizes; a cursor is odd text, and `end` fails."""

    def answer(params: JsonObject) -> Json:
        cursor = params.get("cursor", "")
        assert isinstance(cursor, str)
        number = len(cursor) // 2
        if number == end:
            raise PeerError(-32000, "no more today")
        items: list[Json] = [{"name": f"{number}-{n}"} for n in range(sizes[number])]
        more: JsonObject = {"nextCursor": "é\n" * (number + 1)} if number + 1 < len(sizes) else {}
        return {key: items, **more}

    return answer


@pytest.mark.parametrize("key", LISTS)
@pytest.mark.parametrize("sizes", [[2], [1, 0, 30, 0, 2]], ids=["unpaged", "uneven"])
async def test_pages_of_any_size_make_one_list(key: str, sizes: list[int]) -> None:
    """C-PAG-01, C-PAG-03, C-PAG-05, C-PRM-02: an empty page is no end, and a cursor goes back as it came."""
    method, made = LISTS[key]
    server = AnsweringServer({method: paged(key, sizes)}, capabilities=EVERYTHING)
    async with connected(server) as session:
        listing = made(session)
        await listing.refresh()

        wanted = [f"{page}-{n}" for page, size in enumerate(sizes) for n in range(size)]
        assert [item.name for item in listing.items] == wanted
        assert listing.state is ListState.READ


@pytest.mark.parametrize("key", LISTS)
async def test_a_new_session_begins_at_the_first_page(key: str) -> None:
    """C-PAG-02."""
    method, made = LISTS[key]
    server = AnsweringServer({method: paged(key, [1, 1, 1], end=1)}, capabilities=EVERYTHING)
    for _ in range(2):
        async with connected(server) as session:
            await made(session).refresh()

    asked = [m["params"] for m in server.received if m.get("method") == method]
    assert asked == [{}, {"cursor": "é\n"}] * 2


@pytest.mark.parametrize("key", LISTS)
async def test_a_page_of_too_many_items_is_listed_up_to_a_limit_and_that_is_told(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: two bytes on the wire become hundreds in memory."""
    monkeypatch.setattr("inspector.spec.view.MAX_ITEMS", 20)
    method, made = LISTS[key]
    server = AnsweringServer({method: paged(key, [21])}, capabilities=EVERYTHING)
    async with connected(server) as session:
        listing = made(session)
        await listing.refresh()

        assert len(listing.items) == 20
        assert [note.rule for note in listing.findings] == ["too-many-items"]
        assert not listing.findings[0].pointer  # about the list as a whole


@pytest.mark.parametrize("key", LISTS)
async def test_a_list_of_too_many_items_goes_on_when_that_is_asked_for(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    monkeypatch.setattr("inspector.session.paginated_list.MAX_ITEMS", 20)
    method, made = LISTS[key]
    server = AnsweringServer({method: paged(key, [15, 15, 5])}, capabilities=EVERYTHING)
    async with connected(server) as session:
        listing = made(session)
        await listing.refresh()
        assert (len(listing.items), listing.more) == (30, True)
        assert "30" in listing.findings[-1].summary

        await listing.load_more()
        assert (len(listing.items), listing.more) == (35, False)
