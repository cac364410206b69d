"""The five revisions, and questions about them by name."""

from __future__ import annotations

import pytest

from inspector.spec import revision
from inspector.spec.revision import REVISIONS, Era, Revision


def test_the_five_revisions_stand_in_the_order_of_their_publication() -> None:
    """Ours: every comparison rests on it."""
    dates = [each.date for each in REVISIONS]

    assert dates == ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
    assert [each.number for each in REVISIONS] == [1, 2, 3, 4, 5]
    assert sorted(REVISIONS, reverse=True) == list(REVISIONS[::-1])


def test_only_the_last_revision_is_stateless() -> None:
    """Source: basic/versioning of 2026-07-28."""
    assert REVISIONS[:4] == revision.STATEFUL
    assert REVISIONS[4:] == revision.STATELESS
    assert revision.NEWEST_STATEFUL.date == "2025-11-25"
    assert [each.era for each in REVISIONS] == [Era.STATEFUL] * 4 + [Era.STATELESS]


@pytest.mark.parametrize("date", [None, True, 20250618, 1.5, "latest", "2099-01-01", [], {}, ""])
def test_a_date_nobody_published_finds_no_revision(date: revision.Json) -> None:
    """Corpus: lifecycle-01-version-unknown."""
    assert revision.find(date) is None


def test_a_published_date_finds_its_revision_by_identity() -> None:
    """Ours."""
    assert all(revision.find(each.date) is each for each in REVISIONS)


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        (["2024-11-05", "2025-06-18", "2024-11-05"], "2025-06-18"),
        (["2099-01-01", 7, None, ["2026-07-28"]], None),
        ("2026-07-28", None),
        (None, None),
    ],
)
def test_the_best_offer_is_the_newest_known_date_of_a_list(
    offered: revision.Json, expected: str | None
) -> None:
    """Source: basic/versioning, "Version Selection"."""
    found = revision.best(offered)

    assert (found.date if found else None) == expected


# Source: the changelogs. Fact -> numbers of the revisions that have it.
FACTS = {
    "stateful": {1, 2, 3, 4},
    "has_batches": {2},
    "error_id_optional": {4, 5},
    "has_ping": {1, 2, 3, 4},
    "has_request_meta": {5},
    "has_result_type": {5},
    "has_cacheable_results": {5},
    "has_server_requests": {1, 2, 3, 4},
    "has_input_required": {5},
    "defines_meta_keys": {3, 4, 5},
    "progress_has_message": {2, 3, 4, 5},
    "has_http_sessions": {2, 3, 4},
    "has_get_stream": {2, 3, 4},
    "has_version_header": {3, 4, 5},
    "has_standard_headers": {5},
    "has_resource_metadata": {3, 4, 5},
    "has_metadata_probing": {4, 5},
    "has_completions_capability": {2, 3, 4, 5},
    "has_extensions": {5},
    "has_roots_list_changed": {1, 2, 3, 4},
    "has_tool_annotations": {2, 3, 4, 5},
    "has_audio": {2, 3, 4, 5},
    "has_structured_content": {3, 4, 5},
    "structured_content_is_any": {5},
    "has_resource_links": {3, 4, 5},
    "has_titles": {3, 4, 5},
    "has_icons": {4, 5},
    "has_tool_name_rules": {4, 5},
    "has_completion_context": {3, 4, 5},
    "has_listen": {5},
    "has_elicitation": {3, 4, 5},
    "has_url_elicitation": {4, 5},
    "has_elicitation_complete": {4},
    "has_sampling_tools": {4, 5},
    "has_tasks": {4},
}


@pytest.mark.parametrize("fact", sorted(FACTS))
def test_each_fact_holds_for_exactly_the_revisions_that_have_it(fact: str) -> None:
    """Source: the changelog of each revision."""
    assert {each.number for each in REVISIONS if getattr(each, fact)} == FACTS[fact]


def test_every_fact_about_revisions_is_in_the_table_above() -> None:
    """Ours: a new fact needs its row."""
    facts = {name for name, kind in Revision.__annotations__.items() if kind == "bool"}

    assert facts == set(FACTS)


def test_the_code_for_a_missing_resource_changed_with_the_era() -> None:
    """Source: server/resources, "Error Handling"."""
    assert {each.resource_not_found_code for each in REVISIONS[:4]} == {-32002}
    assert REVISIONS[4].resource_not_found_code == -32602
