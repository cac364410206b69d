"""The tables of requests and notifications."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mcp_types.methods as official
import pytest

from inspector.spec import methods
from inspector.spec.jsonrpc_rules import check_call
from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.method import server
from inspector.spec.methods import METHODS, Availability, Method, MethodKind, MethodTable, Side
from inspector.spec.mirrored_headers import mirrored
from inspector.spec.revision import (
    REVISIONS,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Revision,
)
from inspector.spec.spec_urls import TOPICS
from inspector.transcript.quick_fields import RequestReader
from inspector.wire import json_codec, message
from inspector.wire.frame import Direction

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

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
    holding = [[each for each in alike if each.applies_to(revision)] for revision in REVISIONS]

    assert row.since <= row.last
    assert row.summary
    assert row.subject in TOPICS
    assert all(len(found) <= 1 for found in holding)
    assert (row.kind is MethodKind.NOTIFICATION) == row.name.startswith("notifications/")


def test_tasks_are_core_in_one_revision_and_an_extension_in_the_next() -> None:
    """Source: basic/utilities/tasks of 2025-11-25; the tasks extension."""
    both = ("tasks/get", "tasks/cancel")

    assert all(methods.offered(name, V2025_11_25, side) for name in both for side in Side)
    assert not any(methods.offered(name, V2026_07_28) for name in both)
    assert all(methods.offered(name, V2026_07_28, extensions={TASKS_EXTENSION}) for name in both)
    assert not methods.offered("tasks/result", V2026_07_28, extensions={TASKS_EXTENSION})
    assert not methods.offered("tasks/get", V2026_07_28, Side.SERVER, extensions={TASKS_EXTENSION})


def test_what_a_server_asks_travels_inside_results_in_the_stateless_era() -> None:
    """Source: basic/patterns/mrtr."""
    for name in ("roots/list", "sampling/createMessage", "elicitation/create"):
        row = methods.find(name, V2026_07_28, Side.SERVER)

        assert row is not None
        assert row.only_in_results
        assert not methods.offered(name, V2026_07_28, Side.SERVER)


@pytest.mark.parametrize(
    ("name", "revision", "sender", "need"),
    [
        ("tools/call", V2024_11_05, Side.CLIENT, "tools"),
        ("completion/complete", V2024_11_05, Side.CLIENT, None),
        ("completion/complete", V2025_03_26, Side.CLIENT, "completions"),
        ("resources/subscribe", V2025_11_25, Side.CLIENT, "resources.subscribe"),
        ("roots/list", V2025_06_18, Side.SERVER, "roots"),
        ("notifications/tools/list_changed", V2025_06_18, Side.SERVER, "tools.listChanged"),
        ("ping", V2025_06_18, Side.CLIENT, None),
        ("no/such", V2025_06_18, Side.CLIENT, None),
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
        ("ping", V2025_11_25, Side.SERVER, MethodKind.REQUEST, Availability.OFFERED),
        ("ping", V2026_07_28, Side.CLIENT, MethodKind.REQUEST, Availability.NO_LONGER),
        ("elicitation/create", V2025_03_26, Side.SERVER, MethodKind.REQUEST, Availability.NOT_YET),
        ("elicitation/create", V2026_07_28, Side.SERVER, MethodKind.REQUEST, Availability.EMBEDDED),
        ("tools/list", V2026_07_28, Side.SERVER, MethodKind.REQUEST, Availability.WRONG_SIDE),
        ("tools/list", V2026_07_28, Side.CLIENT, MethodKind.NOTIFICATION, Availability.UNKNOWN),
        ("tasks/get", V2026_07_28, Side.CLIENT, MethodKind.REQUEST, Availability.EXTENSION),
        ("", V2026_07_28, Side.CLIENT, MethodKind.REQUEST, Availability.UNKNOWN),
    ],
)
def test_a_name_stands_somehow_in_every_revision(
    name: str, revision: Revision, sender: Side, kind: MethodKind, expected: Availability
) -> None:
    """Ours."""
    assert methods.TABLE.availability(name, revision, sender, kind) is expected


def test_directions_are_seen_from_the_client() -> None:
    """Ours: Spyglass is always the client."""
    assert methods.TABLE.direction("ping") == {Direction.SENT, Direction.RECEIVED}
    assert methods.TABLE.direction("roots/list") == {Direction.RECEIVED}
    assert methods.TABLE.direction("no/such") == frozenset()


def test_three_results_may_ask_for_input() -> None:
    """Source: basic/patterns/mrtr, "Supported Requests"."""
    names = methods.names(V2026_07_28)

    assert {
        name for name in names if methods.can_require_input(name, V2026_07_28)
    } == official.INPUT_REQUIRED_METHODS
    assert not any(
        methods.can_require_input(name, V2025_11_25) for name in methods.names(V2025_11_25)
    )


def test_what_may_change_something_is_never_sent_twice_by_itself() -> None:
    """C-HTTP-38; ours: every other request of the client is known, so that the list says no by itself."""
    again = {name for name in methods.names(V2026_07_28) if methods.is_repeatable(name)}

    assert again == set(methods.names(V2026_07_28)) - {"tools/call", "subscriptions/listen"}
    for name in ("tools/call", "resources/subscribe", "logging/setLevel", "tasks/cancel", "x"):
        assert not methods.is_repeatable(name)


def test_a_question_about_the_era_is_meant_by_a_revision_that_has_it() -> None:
    """Ours: asking is no mistake, whatever the answer."""
    assert methods.revision_of("server/discover", V2025_11_25) == V2026_07_28
    assert methods.revision_of("initialize", V2026_07_28) == V2025_11_25
    assert methods.revision_of("initialize", V2024_11_05) == V2024_11_05
    assert methods.revision_of("ping", V2026_07_28) == V2026_07_28
    assert methods.revision_of("no/such", V2024_11_05) == V2024_11_05


def test_a_request_is_added_by_one_row() -> None:
    """Ours: its direction, capability, validation, HTTP headers and label in the traffic follow from the row alone."""
    row = Method(
        "things/read",
        "resources",
        "read a thing",
        server("things"),
        "thingId",
        since=V2026_07_28,
        is_repeatable=True,
    )
    table = MethodTable((*METHODS, row))
    params: JsonObject = {"thingId": "t 1", "_meta": {"progressToken": 7}}
    sent: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": row.name, "params": params}

    def rules(revision: Revision, sender: Side, table: MethodTable) -> list[str]:
        found = check_call(sent, MethodKind.REQUEST, sender, revision, table)
        return [finding.rule for finding in found]

    assert table.offered(row.name, V2026_07_28)
    assert not table.offered(row.name, V2025_11_25)
    assert row.name in table.names(V2026_07_28)
    assert table.direction(row.name) == {Direction.SENT}
    assert table.required_capability(row.name, V2026_07_28) == server("things")
    assert table.is_repeatable(row.name)
    assert rules(V2026_07_28, Side.CLIENT, table) == []
    assert rules(V2025_11_25, Side.CLIENT, table) == ["L-JR-34"]
    assert rules(V2025_11_25, Side.SERVER, table) == ["L-JR-33"]
    assert rules(V2026_07_28, Side.CLIENT, methods.TABLE) == ["L-JR-33"]
    assert ("Mcp-Name", "t 1") in mirrored(row.name, params, V2026_07_28, table=table).pairs
    read = RequestReader(table.name_params()).read(message.read(json_codec.write(sent).encode()))
    assert read == ("t 1", 7, False)
