"""Roots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.features.roots import Root, RootList, missing, root_problems, suggestion
from inspector.spec.views.root import path_of, uri_of
from tests.support.asked import asker
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import Json

CHANGED = "notifications/roots/list_changed"


async def test_the_list_is_answered_in_order_and_as_it_is_now() -> None:
    """C-ROOT-01, C-ROOT-03, C-ROOT-06, C-ROOT-09: nothing is exposed but what the user named."""
    async with asker() as asking:
        asking.ask(1, "roots/list")
        assert (await asking.answer_to(1))["result"] == {"roots": []}
        asking.opened.roots.list.set([Root("file:///b"), Root("file:///a", "A")])
        asking.ask(2, "roots/list")

        assert (await asking.answer_to(2))["result"] == {
            "roots": [{"uri": "file:///b"}, {"uri": "file:///a", "name": "A"}]
        }


async def test_every_change_is_announced_once() -> None:
    """C-ROOT-04."""
    async with asker() as asking:
        asking.opened.roots.list.set([Root("file:///a")])
        await wait_until(lambda: asking.server.methods() == [CHANGED])
        asking.opened.roots.list.set([Root("file:///a")])
        asking.opened.roots.list.set([])
        await wait_until(lambda: asking.server.methods() == [CHANGED, CHANGED])

        assert asking.opened.roots.notified_count == 2


@pytest.mark.parametrize("declares", [{}, {"roots": {}}])
async def test_nothing_is_announced_that_was_not_declared(declares: dict[str, Json]) -> None:
    """C-ROOT-04."""
    async with asker(declares=declares) as asking:
        asking.opened.roots.list.set([Root("file:///a")])
        asking.ask(1, "roots/list")
        answer = await asking.answer_to(1)

        assert CHANGED not in asking.server.methods()
        assert ("result" in answer) == bool(declares)


async def test_an_undeclared_list_is_refused() -> None:
    """C-ROOT-05, C-LC-14."""
    async with asker(declares={}) as asking:
        asking.ask(1, "roots/list")
        error = (await asking.answer_to(1))["error"]

        assert isinstance(error, dict)
        assert error["code"] == -32601


def test_what_is_wrong_with_a_root_is_told() -> None:
    """C-ROOT-03, C-ROOT-07."""
    uris = [
        "file:///ok",
        "http://x.test",
        "",
        "file:///a/../b",
        "file:///a/%2e%2e/b",
        "file:///x y",
        "file:///ok/",
    ]
    found = root_problems([Root(uri) for uri in uris])

    assert [text != "" for text in found] == [True] * 7
    assert found[0] == "duplicate root URI"
    assert root_problems([Root("file:///ok")]) == [""]


async def test_roots_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    """C-ROOT-11."""
    roots = RootList()
    roots.add_folder(str(tmp_path))
    roots.set((*roots.items, Root("file:///no/such/place"), Root("http://x.test")))

    assert await missing(roots.items) == {"file:///no/such/place"}


@pytest.mark.parametrize("path", ["/a b/ä#?%", "/", "/x/..y"])
def test_a_folder_comes_back_from_its_address(path: str) -> None:
    """C-ROOT-03."""
    assert path_of(uri_of(path)) == path


def test_a_drive_has_an_address() -> None:
    """C-ROOT-03."""
    assert uri_of("C:\\code\\x") == "file:///C:/code/x"
    assert path_of("file:///C:/code/x") == "C:/code/x"


def test_roots_are_kept() -> None:
    """Ours."""
    kept: list[Json] = []
    roots = RootList(save=kept.append)
    roots.set([Root("file:///a", "A"), Root("odd")])

    assert RootList(kept[-1]).items == roots.items
    assert RootList([5, {"uri": 1}, "x"]).items == ()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("/srv/data", "file:///srv/data"),
        ('"/srv/my data"', "file:///srv/my%20data"),
        ("/srv/./x/../data/", "file:///srv/data"),
        ("//srv//data", "file:///srv/data"),
        ("C:\\code\\x", "file:///C:/code/x"),
        ("\\\\host\\share\\a b", "file://host/share/a%20b"),
        ("file:/srv/data", "file:///srv/data"),
        ("file:///srv/my data", "file:///srv/my%20data"),
        ("file:///srv/a%20b/../c", "file:///srv/c"),
        ("file://host/a/../b", "file://host/b"),
        ("srv/data", ""),
        ("http://x.test/a", ""),
        ("", ""),
    ],
)
def test_what_was_meant_by_a_path_is_known(text: str, meant: str) -> None:
    """Root URIs must be `file://` URIs without traversal (C-ROOT-03, C-ROOT-07)."""
    assert suggestion(text) == meant


def test_a_path_in_the_home_folder_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ours."""
    monkeypatch.setenv("HOME", str(tmp_path))

    assert suggestion("~/work") == f"file://{tmp_path}/work"
    assert suggestion("~no-such-user-here/x") == ""
