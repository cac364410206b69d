"""Answers to initialize and server/discover."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.revision import STATEFUL, STATELESS, V2025_06_18, V2026_07_28
from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

INFO: Json = {"name": "d", "version": "1"}


def answer(**members: Json) -> InitializeResultView:
    """A good answer with some members replaced."""
    good: dict[str, Json] = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": INFO,
    }
    return InitializeResultView({**good, **members})


def test_a_good_answer_is_read_without_a_note() -> None:
    """Source: basic/lifecycle, "Initialization"."""
    view = answer(instructions="Be brief.", extra=1)

    assert view.revision is V2025_06_18
    assert (view.server.name, view.server.version, view.server.label) == ("d", "1", "d")
    assert view.declares("tools")
    assert view.instructions == "Be brief."
    assert view.unknown == {"extra": 1}
    assert view.notes == []


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("2099-01-01", "2099-01-01"),
        ("1999-01-01", "1999-01-01"),
        ("latest", "latest"),
        (20250618, "20250618"),
        (None, ""),
    ],
)
def test_a_version_nobody_knows_is_kept_in_words_and_finds_no_revision(
    version: Json, text: str
) -> None:
    """Corpus: lifecycle-01-version-unknown."""
    view = answer(protocolVersion=version)

    assert view.revision is None
    assert view.version_text == text
    assert [note.pointer for note in view.notes] == ["/result/protocolVersion"]


def test_a_missing_version_is_noted() -> None:
    """Corpus: lifecycle-01-version-unknown, variant 5."""
    view = InitializeResultView({"capabilities": {}, "serverInfo": INFO})

    assert [note.summary for note in view.notes] == ["`protocolVersion` is missing"]


@pytest.mark.parametrize(
    ("raw", "declared", "noted"),
    [
        ({"capabilities": None}, [], ["/result/capabilities"]),
        ({}, [], ["/result/capabilities"]),
        (
            {"capabilities": {"tools": None, "prompts": {}}},
            ["prompts"],
            ["/result/capabilities/tools"],
        ),
        ({"capabilities": {"tools": [{"name": "a"}]}}, ["tools"], ["/result/capabilities/tools"]),
        (
            {
                "capabilities": {
                    "tools": True,
                    "logging": "yes",
                    "experimental": {"x": 1},
                    "foo": {},
                }
            },
            ["tools", "logging"],
            [
                "/result/capabilities/tools",
                "/result/capabilities/logging",
                "/result/capabilities/experimental/x",
            ],
        ),
        ({"capabilities": {}}, [], []),
    ],
)
def test_capabilities_of_any_shape_are_read_and_noted(
    raw: dict[str, Json], declared: list[str], noted: list[str]
) -> None:
    """Corpus: lifecycle-03-capabilities-shapes."""
    view = InitializeResultView({"protocolVersion": "2025-06-18", "serverInfo": INFO, **raw})

    names = ("tools", "resources", "prompts", "logging")
    assert [name for name in names if view.declares(name)] == declared
    assert [note.pointer for note in view.notes] == noted


def test_a_server_that_does_not_say_who_it_is_is_noted() -> None:
    """Source: schema, Implementation."""
    assert [note.pointer for note in answer(serverInfo={}).notes] == [
        "/result/serverInfo/name",
        "/result/serverInfo/version",
    ]
    assert [note.pointer for note in answer(serverInfo=None).notes] == ["/result/serverInfo"]
    assert InitializeResultView({}).notes[-2].summary == "`serverInfo` is missing"


def test_huge_instructions_are_kept_whole() -> None:
    """Corpus: lifecycle-06-instructions-huge."""
    text = "# Title\n- do *this*\a and <b>that</b>\n" * 8000

    assert answer(instructions=text).instructions == text


def test_discovery_finds_the_best_revision_in_common() -> None:
    """Source: server/discover; basic/versioning."""
    view = DiscoverResultView(
        {
            "resultType": "complete",
            "supportedVersions": ["2025-06-18", "2026-07-28", "2027-01-01"],
            "capabilities": {"tools": {}},
            "ttlMs": 1000,
            "cacheScope": "public",
            "_meta": {"io.modelcontextprotocol/serverInfo": INFO},
        },
        revision=V2026_07_28,
    )

    assert view.is_answer
    assert view.best() is V2026_07_28
    assert view.best(STATEFUL) is V2025_06_18
    assert view.server.name == "d"
    assert view.declares("tools")
    assert (view.caching.ttl_ms, view.caching.scope) == (1000, "public")
    assert view.notes == []


def test_discovery_reads_the_server_from_the_body_as_a_draft_had_it() -> None:
    """Ours: tolerated."""
    view = DiscoverResultView({"supportedVersions": [], "serverInfo": INFO})

    assert view.server.name == "d"
    assert view.best(STATELESS) is None


@pytest.mark.parametrize("raw", [{}, None, [], {"supportedVersions": "2026-07-28"}, {"tools": []}])
def test_a_result_without_versions_is_no_discovery(raw: Json) -> None:
    """Corpus: lifecycle-09-discover-fallbacks."""
    view = DiscoverResultView(raw)

    assert not view.is_answer
    assert view.supported_versions == ()
    assert view.notes
