"""The tables of requests and notifications."""

from __future__ import annotations

import mcp_types.methods as official
import pytest

from inspector.spec import methods
from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.links import SUBJECTS
from inspector.spec.methods import METHODS, Method, MethodKind, Side, Standing
from inspector.spec.revision import FIFTH, FIRST, FOURTH, REVISIONS, SECOND, THIRD, Revision
from inspector.wire.frame import Direction

OFFICIAL = {
    (MethodKind.REQUEST, Side.CLIENT): official.CLIENT_REQUESTS,
    (MethodKind.REQUEST, Side.SERVER): official.SERVER_REQUESTS,
    (MethodKind.NOTIFICATION, Side.CLIENT): official.CLIENT_NOTIFICATIONS,
    (MethodKind.NOTIFICATION, Side.SERVER): official.SERVER_NOTIFICATIONS,
}


@pytest.mark.parametrize("revision", REVISIONS, ids=str)
@pytest.mark.parametrize(("kind", "side"), OFFICIAL)
def test_the_tables_agree_with_the_official_ones_except_for_tasks(
    revision: Revision, kind: MethodKind, side: Side
) -> None:
    """Source: ClientRequest, ServerRequest and the like of each schema; the official package leaves tasks out."""
    theirs = {name for name, date in OFFICIAL[kind, side] if date == revision.date}

    ours = {name for name in methods.names(revision, side, kind) if "tasks/" not in name}

    assert ours == theirs


@pytest.mark.parametrize(
    "row", METHODS, ids=lambda row: f"{row.name}-{row.sender.value}-{row.since}"
)
def test_every_row_is_complete_and_alone_in_its_stretch(row: Method) -> None:
    """Ours."""
    alike = [each for each in METHODS if (each.name, each.sender) == (row.name, row.sender)]
    holding = [[each for each in alike if each.holds(revision)] for revision in REVISIONS]

    assert row.since <= row.last
    assert row.words
    assert row.subject in SUBJECTS
    assert all(len(found) <= 1 for found in holding)
    assert (row.kind is MethodKind.NOTIFICATION) == row.name.startswith("notifications/")


def test_tasks_are_core_in_one_revision_and_an_extension_in_the_next() -> None:
    """Source: basic/utilities/tasks of 2025-11-25; the tasks extension."""
    both = ("tasks/get", "tasks/cancel")

    assert all(methods.offered(name, FOURTH, side) for name in both for side in Side)
    assert not any(methods.offered(name, FIFTH) for name in both)
    assert all(methods.offered(name, FIFTH, extensions={TASKS_EXTENSION}) for name in both)
    assert not methods.offered("tasks/result", FIFTH, extensions={TASKS_EXTENSION})
    assert not methods.offered("tasks/get", FIFTH, Side.SERVER, extensions={TASKS_EXTENSION})


def test_what_a_server_asks_travels_inside_results_in_the_stateless_era() -> None:
    """Source: basic/patterns/mrtr."""
    for name in ("roots/list", "sampling/createMessage", "elicitation/create"):
        row = methods.find(name, FIFTH, Side.SERVER)

        assert row is not None
        assert row.embedded
        assert not methods.offered(name, FIFTH, Side.SERVER)


@pytest.mark.parametrize(
    ("name", "revision", "sender", "need"),
    [
        ("tools/call", FIRST, Side.CLIENT, "tools"),
        ("completion/complete", FIRST, Side.CLIENT, None),
        ("completion/complete", SECOND, Side.CLIENT, "completions"),
        ("resources/subscribe", FOURTH, Side.CLIENT, "resources.subscribe"),
        ("roots/list", THIRD, Side.SERVER, "roots"),
        ("notifications/tools/list_changed", THIRD, Side.SERVER, "tools.listChanged"),
        ("ping", THIRD, Side.CLIENT, None),
        ("no/such", THIRD, Side.CLIENT, None),
    ],
)
def test_a_method_names_the_capability_it_needs(
    name: str, revision: Revision, sender: Side, need: str | None
) -> None:
    """Source: basic/lifecycle, "Capability Negotiation"."""
    found = methods.required_capability(name, revision, sender)

    assert (found.name if found else None) == need


@pytest.mark.parametrize(
    ("name", "revision", "sender", "kind", "expected"),
    [
        ("ping", FOURTH, Side.SERVER, MethodKind.REQUEST, Standing.OFFERED),
        ("ping", FIFTH, Side.CLIENT, MethodKind.REQUEST, Standing.NO_LONGER),
        ("elicitation/create", SECOND, Side.SERVER, MethodKind.REQUEST, Standing.NOT_YET),
        ("elicitation/create", FIFTH, Side.SERVER, MethodKind.REQUEST, Standing.EMBEDDED),
        ("tools/list", FIFTH, Side.SERVER, MethodKind.REQUEST, Standing.WRONG_SIDE),
        ("tools/list", FIFTH, Side.CLIENT, MethodKind.NOTIFICATION, Standing.UNKNOWN),
        ("tasks/get", FIFTH, Side.CLIENT, MethodKind.REQUEST, Standing.EXTENSION),
        ("", FIFTH, Side.CLIENT, MethodKind.REQUEST, Standing.UNKNOWN),
    ],
)
def test_a_name_stands_somehow_in_every_revision(
    name: str, revision: Revision, sender: Side, kind: MethodKind, expected: Standing
) -> None:
    """Ours."""
    assert methods.standing(name, revision, sender, kind) is expected


def test_directions_are_seen_from_the_client() -> None:
    """Ours: Spyglass is always the client."""
    assert methods.direction("ping") == {Direction.SENT, Direction.RECEIVED}
    assert methods.direction("roots/list") == {Direction.RECEIVED}
    assert methods.direction("no/such") == frozenset()


def test_three_results_may_ask_for_input() -> None:
    """Source: basic/patterns/mrtr, "Supported Requests"."""
    names = methods.names(FIFTH)

    assert {
        name for name in names if methods.may_ask(name, FIFTH)
    } == official.INPUT_REQUIRED_METHODS
    assert not any(methods.may_ask(name, FOURTH) for name in methods.names(FOURTH))


def test_what_may_change_something_is_never_sent_twice_by_itself() -> None:
    """C-HTTP-38; ours: every other request of the client is known, so that the list says no by itself."""
    again = {name for name in methods.names(FIFTH) if methods.is_repeatable(name)}

    assert again == set(methods.names(FIFTH)) - {"tools/call", "subscriptions/listen"}
    for name in ("tools/call", "resources/subscribe", "logging/setLevel", "tasks/cancel", "x"):
        assert not methods.is_repeatable(name)


def test_a_question_about_the_era_is_meant_by_a_revision_that_has_it() -> None:
    """Ours: asking is no mistake, whatever the answer."""
    assert methods.revision_of("server/discover", FOURTH) == FIFTH
    assert methods.revision_of("initialize", FIFTH) == FOURTH
    assert methods.revision_of("initialize", FIRST) == FIRST
    assert methods.revision_of("ping", FIFTH) == FIFTH
    assert methods.revision_of("no/such", FIRST) == FIRST
