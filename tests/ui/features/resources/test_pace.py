"""A long list of resources is shown while it is read, at a pace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.resources.user import serving

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.resources.page import ResourcesPage

PAGES, SIZE = 60, 20


async def test_the_tree_is_not_made_anew_for_every_page(resources_page: ResourcesPage) -> None:
    """Ours: what came last is shown all the same."""
    server = serving()

    def page_of(params: JsonObject) -> Json:
        at = int(str(params.get("cursor", "0")))
        found: list[Json] = [
            {"uri": f"test://{at}/{number}", "name": f"{at}-{number}"} for number in range(SIZE)
        ]
        return {"resources": found, **({"nextCursor": str(at + 1)} if at + 1 < PAGES else {})}

    async with shown(resources_page, server) as (page, session):
        server.answers["resources/list"] = page_of
        resets: list[int] = []
        page.list.model.modelReset.connect(lambda: resets.append(1))
        await session.resources.refresh()
        await wait_until(lambda: len(page.list.model.listed.resources) == PAGES * SIZE)
        assert len(resets) < PAGES / 2
