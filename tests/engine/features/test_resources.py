"""Resources: both lists, reading, and being told of changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features.resources import LIST_CHANGED, ResourceRead, ResourceReads, Resources
from inspector.features.subscriptions import UPDATED, Subscriptions
from inspector.session.operation import OperationState
from inspector.session.paginated_list import ListState
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject

DECLARED: JsonObject = {"resources": {"subscribe": True, "listChanged": True}}


def serving(**answers: Json) -> AnsweringServer:
    """A server with fixed results: `list`, `templates`, `read`."""
    results: dict[str, Json] = {
        "resources/list": answers.get("list", {"resources": []}),
        "resources/templates/list": answers.get("templates", {"resourceTemplates": []}),
        "resources/read": answers.get("read", {"contents": []}),
        "resources/subscribe": {},
        "resources/unsubscribe": {},
    }
    return AnsweringServer(
        {method: lambda _, result=result: result for method, result in results.items()},
        capabilities=DECLARED,
    )


async def ended(read: ResourceRead) -> ResourceRead:
    await read.wait()
    return read


async def test_pages_of_resources_are_read_to_the_end() -> None:
    """C-PAG-04, C-PAG-05."""
    server = serving()

    def answer(params: JsonObject) -> Json:
        if params == {"cursor": ""}:
            return {"resources": [{"uri": "a:2", "name": "two"}]}
        return {"resources": [{"uri": "a:1", "name": "one"}], "nextCursor": ""}

    server.answers["resources/list"] = answer
    async with connected(server) as session:
        resources = Resources(session)
        await resources.refresh()

        assert [item.uri for item in resources.items] == ["a:1", "a:2"]
        assert resources.state is ListState.READ


async def test_a_cursor_that_comes_back_ends_the_list_with_a_note() -> None:
    """C-PAG-01; list-03, for resources."""
    page: JsonObject = {"resources": [{"uri": "a:1", "name": "one"}], "nextCursor": "8"}
    async with connected(serving(list=page)) as session:
        resources = Resources(session)
        await resources.refresh()

        assert len(resources.items) == 1
        assert "L-PAG-04" in [note.rule for note in resources.findings]


async def test_one_announcement_renews_both_lists_once() -> None:
    """resource-13: fifty announcements, one refresh."""
    server = serving()
    async with connected(server) as session:
        resources = Resources(session)
        await resources.refresh()
        await resources.templates.refresh()
        for _ in range(50):
            server.notify(LIST_CHANGED)
        await wait_until(lambda: len(server.methods()) == 4)

        assert sorted(map(str, server.methods())) == sorted(
            ["resources/list", "resources/templates/list"] * 2
        )


async def test_the_address_leaves_byte_for_byte() -> None:
    """resource-06."""
    uri = "HTTP://H.test:80/%7euser/../x y\u00e9#?"
    server = serving(read={"contents": [{"uri": "other", "text": "hi"}]})
    async with connected(server) as session:
        read = await ended(ResourceReads(session).read(uri))

        assert read.state is OperationState.DONE
        assert server.received[-1]["params"] == {"uri": uri, "_meta": {"progressToken": "p-1"}}
        assert read.result is not None
        assert read.result.contents[0].uri == "other"


async def test_a_refusal_is_kept_with_its_code() -> None:
    """C-RES-04; resource-10."""
    server = serving()

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32002, "Resource not found", {"uri": "x:1"})

    server.answers["resources/read"] = refuse
    async with connected(server) as session:
        read = await ended(ResourceReads(session).read("x:1"))

        assert read.state is OperationState.ERROR
        assert isinstance(read.error, PeerError)
        assert (read.error.code, read.result) == (-32002, None)
        assert b"-32002" in read.response


async def test_a_reading_can_be_cancelled_and_a_late_answer_is_told() -> None:
    """C-CAN-01."""
    server = serving()
    server.answers["resources/read"] = silence
    async with connected(server) as session:
        read = ResourceReads(session).read("a:1")
        await wait_until(lambda: read.request_frame)
        read.cancel()
        await read.wait()
        assert (read.state, read.late_frame) == (OperationState.CANCELLED, 0)
        await wait_until(lambda: "notifications/cancelled" in server.methods())

        request = next(m for m in server.received if m.get("method") == "resources/read")
        server.reply(request, {"contents": []})
        await wait_until(lambda: read.late_frame)

        assert b"contents" in read.response
        assert read.result is None


async def test_a_reading_that_is_not_answered_times_out() -> None:
    """C-TMO-01."""
    server = serving()
    server.answers["resources/read"] = silence
    async with connected(server, timeout=0.05) as session:
        read = await ended(ResourceReads(session).read("a:1"))

        assert read.state is OperationState.TIMED_OUT


async def test_what_was_read_can_be_gone_back_to_by_its_way() -> None:
    """Ours."""
    async with connected(serving()) as session:
        reads = ResourceReads(session)
        for uri, source in (("a:1", None), ("a:2", "a:{n}"), ("a:1", "")):
            await ended(reads.read(uri, source=source))

        assert [read.uri for read in reads.history.of(lambda read: read.source == "a:{n}")] == [
            "a:2"
        ]
        assert len(reads.history.operations) == 3


async def watching(session: Session, server: AnsweringServer, *uris: str) -> Subscriptions:
    subscriptions = Subscriptions(session)
    await subscriptions.subscribe("a:/x")
    for uri in uris:
        server.notify(UPDATED, {"uri": uri})
    await wait_until(lambda: sum(u.count for u in subscriptions.updates.values()) == len(uris))
    return subscriptions


async def test_updates_are_counted_until_they_are_forgotten() -> None:
    """C-RES-06."""
    server = serving()
    async with connected(server) as session:
        subscriptions = await watching(session, server, "a:/x", "a:/x")
        update = subscriptions.update_of("a:/x")
        assert update is not None
        assert update.count == 2
        assert session.transcript.row(update.frame).method == UPDATED

        subscriptions.forget_update("a:/x")
        assert subscriptions.update_of("a:/x") is None


async def test_an_update_below_a_subscribed_address_counts_for_it() -> None:
    """C-RES-06: the address may be that of a part."""
    server = serving()
    async with connected(server) as session:
        subscriptions = await watching(session, server, "a:/x/part", "a:/xy")

        assert subscriptions.update_of("a:/x") is not None
        assert set(subscriptions.marks()) == {"a:/x", "a:/x/part", "a:/xy"}
        subscriptions.forget_update("a:/x")
        assert set(subscriptions.marks()) == {"a:/xy"}


async def test_subscribing_can_be_undone_and_a_refusal_is_kept() -> None:
    """C-RES-02, C-RES-12."""
    server = serving()
    async with connected(server) as session:
        subscriptions = Subscriptions(session)
        assert subscriptions.offered
        await subscriptions.subscribe("a:1")
        assert subscriptions.subscribed == {"a:1"}
        await subscriptions.unsubscribe("a:1")
        assert subscriptions.subscribed == set()

        del server.answers["resources/subscribe"]
        await subscriptions.subscribe("a:1")
        failure = subscriptions.failures["a:1"]
        assert isinstance(failure, PeerError)
        assert (failure.code, subscriptions.subscribed) == (-32601, set())


@pytest.mark.parametrize("declared", [{"resources": {}}, {"resources": {"subscribe": False}}, {}])
async def test_what_is_not_declared_is_not_offered(declared: JsonObject) -> None:
    """C-RES-02; resource-13."""
    async with connected(AnsweringServer(capabilities=declared)) as session:
        assert not Subscriptions(session).offered
        assert Resources(session).offered == ("resources" in declared)
