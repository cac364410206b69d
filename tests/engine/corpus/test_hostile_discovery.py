"""Answers to `server/discover` that are odd in every way: each ends in a state with words, and nothing is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import InspectorError, NegotiationFailed, PeerError
from inspector.inbox import Inbox
from inspector.open_session import OpenSession
from inspector.session.session import Session
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.spec.views.handshake import DiscoverResultView
from inspector.transcript.transcript import Transcript
from tests.support.asked import client_side
from tests.support.findings import findings_of, protocol_rules, validate_all
from tests.support.http_session import at
from tests.support.http_stub import HttpStub, answer, reply, well_behaved
from tests.support.modern import discovered, proper

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Asked, Reply, Rule

DISCOVER = "POST server/discover"
NEW, OLD = NEWEST.date, NEWEST_STATEFUL.date


class Outcome:
    """What became of connecting."""

    def __init__(self, opened: OpenSession, stub: HttpStub, error: InspectorError | None) -> None:
        self.revision = opened.session.revision
        self.error = error
        self.asked = [asked.rpc for asked in stub.asked if asked.rpc]
        self.state = opened.session.state
        self.steps = [step.status_text for step in opened.session.steps]
        validate_all(opened.sweep)
        found = findings_of(opened.session.transcript)
        self.places = {(each.rule, each.pointer) for each in found}
        self.rules = set(protocol_rules(each.rule for each in found))


def both(asked: Asked) -> Reply:
    """A server that speaks both ways."""
    is_old = asked.rpc == "initialize" or "id" not in asked.message
    return well_behaved(asked) if is_old else proper(asked)


async def connecting(rule: Rule, otherwise: Callable[[Asked], Reply] = both) -> Outcome:
    """Connect to a server that answers the question so, and everything else properly in both eras."""
    async with HttpStub({DISCOVER: rule}, otherwise=otherwise) as stub:
        profile = replace(at(stub.url), revision="")
        session = Session(profile, Transcript(), make_transport)
        opened = OpenSession(profile, session, client_side(), Inbox())
        error: InspectorError | None = None
        try:
            await opened.connect()
        except InspectorError as failure:
            error = failure
        outcome = Outcome(opened, stub, error)
        await opened.aclose()
        return outcome


def versions(*named: Json) -> Reply:
    return answer({"result": {**discovered(capabilities={}), "supportedVersions": [*named]}})


@pytest.mark.parametrize(
    "named",
    [
        [NEW, NEW, NEW],
        [1, NEW, None],
        [{"a": 1}, [NEW], NEW],
        ["latest", OLD, NEW],
        [*(f"x{number}" for number in range(50_000)), NEW],
    ],
    ids=["twice", "numbers", "objects", "words", "very many"],
)
async def test_a_revision_of_ours_among_anything_is_spoken(named: list[Json]) -> None:
    """C-VER-05: the rest is shown as it came, with a finding where it is no revision."""
    outcome = await connecting(versions(*named))

    assert outcome.error is None
    assert (outcome.revision, outcome.asked) == (NEWEST, ["server/discover"])
    has_others = any(not isinstance(each, str) for each in named)
    assert ("L-DSC-02" in outcome.rules) is has_others


@pytest.mark.parametrize(
    ("named", "text"),
    [
        ([], "no known revision"),
        ([20260728, None, {"a": 1}], "20260728, null, an object"),
        ([f" {NEW}", f"{NEW}\n", "latest"], f"' {NEW}', '{NEW}\\n', latest"),
        (["y" * 100_000], "a long string"),
        ([f"x{number}" for number in range(50_000)], "x19 and 49,980 more"),
        (["2027-01-01\u202e"], "'2027-01-01\\u202e'"),
    ],
)
async def test_no_revision_in_common_is_told_with_what_came(named: list[Json], text: str) -> None:
    """C-VER-05, lifecycle-10-discover-unsupported-version: nothing is trimmed to fit, and no sentence is endless."""
    outcome = await connecting(versions(*named))

    assert isinstance(outcome.error, NegotiationFailed)
    before, _, after = outcome.error.reason.partition(f"{text}, ")
    assert before.startswith("no common revision: the stateless server supports ")
    assert after.startswith("Spyglass supports")
    assert len(outcome.error.reason) < 500
    assert outcome.asked == ["server/discover"]
    assert outcome.state is SessionState.FAILED
    assert ("L-DSC-02" in outcome.rules) is (None in named)


@pytest.mark.parametrize(
    "result",
    [
        {"supportedVersions": NEW, "capabilities": {}},
        {"supportedVersions": {NEW: True}},
        {"resultType": "input_required", "inputRequests": {"k": {"method": "roots/list"}}},
        {"protocolVersion": NEW, "capabilities": {}, "serverInfo": {"name": "a", "version": "1"}},
        {},
        [NEW],
        NEW,
        7,
        None,
    ],
)
async def test_what_names_no_list_of_revisions_is_no_answer_and_found_odd(result: Json) -> None:
    """C-VER-06: a handshake follows, and the record says what was wrong with the answer."""
    outcome = await connecting(answer({"result": result}))

    assert outcome.error is None
    assert outcome.revision == NEWEST_STATEFUL
    assert any("no list of `supportedVersions`" in text for text in outcome.steps)
    assert outcome.rules & {"L-DSC-02", "L-JR-21", "L-MRTR-02"}


@pytest.mark.parametrize(
    ("more", "rule", "place"),
    [
        ({"resultType": "partial"}, "L-JR-24", "/result/resultType"),
        ({"resultType": 5}, "L-JR-24", "/result/resultType"),
        ({"resultType": "input_required"}, "L-MRTR-02", "/result/resultType"),
        ({"capabilities": []}, "L-DSC-02", "/result/capabilities"),
        ({"capabilities": {"tools": True}}, "L-CAP-07", "/result/capabilities/tools"),
        ({"_meta": 7}, "L-DSC-02", "/result/_meta"),
        ({"instructions": 5}, "L-DSC-02", "/result/instructions"),
        ({"ttlMs": "60"}, "L-CCH-02", "/result/ttlMs"),
        ({"ttlMs": 1.5}, "L-CCH-02", "/result/ttlMs"),
        ({"cacheScope": "PUBLIC"}, "L-CCH-03", "/result/cacheScope"),
        ({"cacheScope": 7}, "L-CCH-03", "/result/cacheScope"),
    ],
)
async def test_an_answer_that_is_odd_in_one_place_is_an_answer(
    more: JsonObject, rule: str, place: str
) -> None:
    """Ours: the connection lives, and the finding names the place."""
    outcome = await connecting(answer({"result": {**discovered(), **more}}))

    assert outcome.error is None
    assert outcome.revision == NEWEST
    assert (rule, place) in outcome.places


@pytest.mark.parametrize(
    ("supported", "text"),
    [
        ([NEW, NEW], f"contains '{NEW}' more than once"),
        (["latest", NEW], "contains 'latest', which is not a date"),
        ([NEW, "２０２６-07-28"], "which is not a date"),
        ([], "`supportedVersions` is empty"),
    ],
)
def test_a_list_of_revisions_is_remarked_on(supported: list[Json], text: str) -> None:
    """L-DSC-05."""
    view = DiscoverResultView({**discovered(), "supportedVersions": supported})
    assert [note.rule for note in view.notes] == ["L-DSC-05"]
    assert text in view.notes[0].summary


@pytest.mark.parametrize("status", [200, 400, 404])
@pytest.mark.parametrize(
    ("error", "follows"),
    [
        ({"code": -32022, "message": "no", "data": None}, OLD),
        ({"code": -32022, "message": "no", "data": {"supported": NEW}}, OLD),
        ({"code": -32022, "message": "no", "data": [NEW]}, OLD),
        ({"code": -32022, "message": "no", "data": {"supported": []}}, "no known revision"),
        ({"code": -32022, "message": "no", "data": {"supported": [1, None]}}, "supports 1, null,"),
        ({"code": -32022, "message": 7, "data": {"supported": [OLD], "requested": 7}}, OLD),
        ({"code": -32021, "message": "no", "data": 7}, "error -32021"),
        ({"code": -32021, "message": "no", "data": {"requiredCapabilities": [1]}}, "error -32021"),
        ({"code": -32020, "message": "no", "data": [1]}, "error -32020"),
        ({"code": "-32022", "message": "no", "data": {"supported": [NEW]}}, OLD),
        ({"code": None, "message": None}, OLD),
        ({}, OLD),
        (None, OLD),
    ],
)
async def test_errors_of_every_shape_lead_somewhere(error: Json, follows: str, status: int) -> None:
    """C-VER-04, C-VER-05, C-VER-06: whatever stands in `data`, and whatever the status says."""
    outcome = await connecting(answer({"error": error}, status=status))

    if follows == OLD:
        assert outcome.error is None
        assert outcome.revision == NEWEST_STATEFUL
    else:
        assert isinstance(outcome.error, NegotiationFailed | PeerError)
        assert follows in outcome.error.reason
        assert "initialize" not in outcome.asked


async def test_an_error_of_the_new_era_is_judged_by_it_although_nothing_was_agreed() -> None:
    """L-JR-29: what `data` lacks is told."""
    refusal: JsonObject = {"code": -32021, "message": "no", "data": 7}
    assert ("L-JR-29", "/error/data") in (await connecting(answer({"error": refusal}))).places


async def test_an_error_of_an_old_server_is_not_judged_by_the_new_era() -> None:
    """Ours: it knows nothing of it."""
    refusal: JsonObject = {"code": -32000, "message": "initialize first"}
    outcome = await connecting(answer({"error": refusal}, status=400), well_behaved)
    assert outcome.revision == NEWEST_STATEFUL
    assert outcome.rules <= {"L-SES-02"}  # the session id of the server is short


async def test_a_page_that_refuses_the_question_leads_to_a_handshake() -> None:
    """http-24-version-refused-early, in its other form: the text stays in the steps."""
    outcome = await connecting(reply(400, b"version not known here", "text/plain"))
    assert outcome.revision == NEWEST_STATEFUL
    assert any("version not known here" in text for text in outcome.steps)
