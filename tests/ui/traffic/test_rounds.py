"""A request that took several rounds is one exchange, and its time is divided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel


def facts(panel: TrafficPanel) -> dict[str, str]:
    return {fact.name: fact.value for fact in panel.detail.timing.facts.facts()}


def members(panel: TrafficPanel) -> list[str]:
    model = panel.detail.timing.members
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def ask(talk: Talk) -> tuple[int, int]:
    """A call whose result asks for input after a second."""
    request = talk.call(71, "greet")
    talk.wait(1)
    requests: Json = {"who": {"method": "elicitation/create", "params": {"message": "Who?"}}}
    response = talk.result(71, resultType="input_required", inputRequests=requests)
    talk.note("input-required", "the server asks", request=request)
    return request, response


def test_rounds_and_the_two_parts_of_the_time(panel: TrafficPanel, talk: Talk) -> None:
    """C-MRTR-01; ours: waiting for the user is not the server's time."""
    request, asks = ask(talk)
    talk.wait(10)
    retry = talk.call(72, "greet")
    talk.note("input-given", "round 2", request=request, retry=retry)
    talk.wait(2)
    response = talk.text_result(72, "Hello")
    panel.select_frame(retry)
    panel.detail.show_tab(Tab.TIMING)

    shown = facts(panel)
    assert shown["Rounds"] == "2; input requested once"
    assert (shown["Server"], shown["Waiting for client"]) == ("3.0 s", "10.0 s")
    assert [line.split("  ")[0] for line in members(panel)] == [
        str(number) for number in (request, asks, retry, response)
    ]
    assert [line.split("  ")[2] for line in members(panel)] == [
        "round 1 request",
        "round 1 input required",
        "round 2 request",
        "round 2 response",
    ]


def test_a_call_that_waits_for_the_person_says_so(panel: TrafficPanel, talk: Talk) -> None:
    """C-MRTR-01."""
    request, _ = ask(talk)
    panel.select_frame(request)
    panel.detail.show_tab(Tab.TIMING)
    assert facts(panel)["Status"].startswith("input required")
    assert facts(panel)["Rounds"] == "1; input requested once"


def test_a_request_of_one_round_has_no_words_about_rounds(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    request = talk.call(73, "plain")
    talk.text_result(73, "fine")
    panel.select_frame(request)
    panel.detail.show_tab(Tab.TIMING)
    assert "Rounds" not in facts(panel)
    assert "Waiting for client" not in facts(panel)
