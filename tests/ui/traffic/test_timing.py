"""How a request ended, and trace context that travels in `_meta`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.talk import Talk
from ui.traffic.timing import exchange_facts, trace_facts

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

GOOD = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_trace_context_is_told_apart_from_other_members() -> None:
    """C-MET-08."""
    talk = Talk()
    meta: JsonObject = {"traceparent": GOOD, "tracestate": "a=1", "other": 1}
    request = talk.request(1, "tools/call", name="a", _meta=meta)
    facts = trace_facts(talk.transcript, request)
    assert [(fact.name, fact.value, fact.tone) for fact in facts] == [
        ("traceparent", GOOD, ""),
        ("tracestate", "a=1", ""),
    ]
    assert facts[0].tip == "trace 0af7651916cd43dd8448eb211c80319c\nparent b7ad6b7169203331"


@pytest.mark.parametrize("value", ["", "00-1-2-01", GOOD.upper(), 7, None, f"ff{GOOD[2:]}"])
def test_what_is_not_of_the_form_is_shown_and_marked(value: Json) -> None:
    """C-MET-08: W3C formats; nothing that was sent is hidden."""
    talk = Talk()
    meta: JsonObject = {"traceparent": value}
    request = talk.request(1, "tools/call", _meta=meta)
    (fact,) = trace_facts(talk.transcript, request)
    assert fact.tone == "warning"


def test_a_request_without_any_has_no_rows() -> None:
    """Ours."""
    talk = Talk()
    assert trace_facts(talk.transcript, talk.request(1, "ping")) == []
    assert trace_facts(talk.transcript, talk.sent({"jsonrpc": "2.0", "id": 2, "method": "x"})) == []


@pytest.mark.parametrize(("live", "status"), [(True, "pending"), (False, "no response")])
def test_nothing_is_pending_in_a_recording(*, live: bool, status: str) -> None:
    """Ours: no response can come any more."""
    talk = Talk()
    request = talk.request(1, "ping")
    transcript = talk.transcript
    transcript.live = live
    exchange = transcript.exchange(request)
    assert exchange is not None
    values = [fact.value for fact in exchange_facts(exchange, transcript)]
    assert values[0].startswith(status)
    assert values[1] == ("no response yet" if live else "no response")
