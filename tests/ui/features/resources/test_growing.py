"""A list of resources that grows gets its new rows: nothing that is there is made again."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from inspector.spec.views.resource import ResourceView, TemplateView
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.resources.user import click_entry, listed, serving
from ui.features.resources.tree_model import Listed, ResourceTreeModel
from ui.widgets.delegates import SECONDARY_ROLE

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.resources.page import ResourcesPage
    from ui.theme import Theme


def outline(model: ResourceTreeModel, parent: QModelIndex | None = None) -> list[object]:
    """Every row with its count or address, nested as it is."""
    above = parent or QModelIndex()
    found: list[object] = []
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        found.append((index.data(), index.data(SECONDARY_ROLE), outline(model, index)))
    return found


def addresses(seed: int) -> list[str]:
    """Addresses with joined folders, equal ones, and some that part what was joined."""
    random = Random(seed)
    steps = ["a/", "b/", "c/", ""]
    return [
        "x://" + "".join(random.choice(steps) for _ in range(random.randrange(5))) + f"{at % 7}"
        for at in range(20)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_a_tree_that_grew_is_the_tree_made_at_once(seed: int, theme: Theme) -> None:
    """Ours: whatever the pages are, and Qt finds the rows in order at every step."""
    found = addresses(seed)
    items = tuple(ResourceView({"uri": uri, "name": uri}) for uri in found)
    templates = tuple(TemplateView({"uriTemplate": f"{uri}{{v}}", "name": uri}) for uri in found)
    growing, at_once = ResourceTreeModel(theme=theme), ResourceTreeModel(theme=theme)
    tester = QAbstractItemModelTester(growing, QAbstractItemModelTester.FailureReportingMode.Fatal)
    resets: list[int] = []
    growing.modelReset.connect(lambda: resets.append(1))
    random = Random(seed)
    end = 0
    while end < len(items):
        end += random.randrange(1, 5)
        step = Listed(items[:end], templates[: max(end - 8, 0)])
        assert growing.grows_to(step)
        growing.grow(step)
    growing.grow(Listed(items, templates))
    at_once.set_listed(Listed(items, templates))

    assert outline(growing) == outline(at_once)
    assert not resets
    assert tester.model() is growing


async def test_what_is_open_chosen_and_in_sight_stays_while_pages_come(
    resources_page: ResourcesPage,
) -> None:
    """Ours: a folder that turns out to hold more is parted under the hand, and nothing jumps."""
    deep: list[Json] = [{"uri": f"x://a/b/c/{at}", "name": f"deep {at}"} for at in range(60)]
    more: list[Json] = [{"uri": f"x://a/other/{at}", "name": f"other {at}"} for at in range(60)]
    server = serving()

    def page_of(params: JsonObject) -> Json:
        if "cursor" not in params:
            return {"resources": deep, "nextCursor": "2"}
        return {"resources": more}

    server.answers["resources/list"] = page_of
    async with shown(resources_page, server) as (page, session):
        await listed(page, 120)
        resets: list[int] = []
        page.list.model.modelReset.connect(lambda: resets.append(1))
        # The list as it was after the first page, and what a user did there.
        page.list.model.set_listed(Listed(session.resources.items[:60]))
        page.list.view.expandAll()
        click_entry(page, "deep 30")
        bar = page.list.view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        place, top = bar.value(), page.list.view.indexAt(page.list.view.rect().topLeft()).data()
        page.list.show_resources(session.resources)
        await wait_until(lambda: len(page.list.model.listed.resources) == 120)

        assert len(resets) == 1
        assert page.list.view.currentIndex().data() == "deep 30"
        assert page.list.selection is not None
        assert page.list.view.isExpanded(page.list.view.currentIndex().parent())
        # One row more is above: the folder that was parted.
        assert abs(bar.value() - place) <= 1
        assert top is not None
