"""Whether the settings of a connection are the cause of its failure; ours."""

from __future__ import annotations

import pytest

from inspector.errors import ConnectFailed, HttpStatus, InspectorError, PeerError, TimedOut
from inspector.session.diagnostics import known_mistakes, settings_causes
from inspector.session.diagnostics.exit_causes import EXIT_CAUSES
from inspector.session.diagnostics.known_mistakes import find_mistake
from inspector.transport.command import resolve
from inspector.transport.http.config import check


def timed_out(stderr: str) -> InspectorError:
    found = find_mistake((*EXIT_CAUSES, *known_mistakes.QUESTIONS), stderr)
    assert found is not None
    return TimedOut("timed out", hint=found.hint)


def missing(command: str) -> InspectorError:
    with pytest.raises(ConnectFailed) as raised:
        resolve(command, (), {}, "")
    return raised.value


def invalid(url: str) -> InspectorError:
    with pytest.raises(ConnectFailed) as raised:
        check(url, ())
    return raised.value


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (missing("no-such-program-xyz"), True),
        (missing("/no/such/program"), True),
        (invalid("https://[::1"), True),
        (timed_out("error: unrecognized option --stdio, unknown option"), True),
        (timed_out("can't open file 'server.py': No such file or directory"), True),
        (timed_out("API_KEY is not set"), True),
        (timed_out("Error: listen EADDRINUSE"), False),
        (timed_out("database is locked"), False),
        (HttpStatus("HTTP 404", status=404), True),
        (PeerError(-32601, "x", http=HttpStatus("HTTP 404", status=404)), True),
        (HttpStatus("HTTP 503", status=503), False),
        (HttpStatus("HTTP 404; tunnel", status=404, is_named=True), False),
        (timed_out("Error POSTing to endpoint (HTTP 404): Not Found"), True),
        (timed_out("Error POSTing to endpoint (HTTP 503): Service Unavailable"), False),
        (timed_out("Error POSTing to endpoint (HTTP 429): Too Many Requests"), False),
        (ConnectFailed("refused the connection"), False),
    ],
)
def test_settings_have_to_change_where_the_next_attempt_would_fail_as_well(
    failure: InspectorError, *, expected: bool
) -> None:
    assert settings_causes.is_of_settings(failure) is expected


def test_each_name_is_that_of_a_known_mistake() -> None:
    """Ours: a mistake that gets another name is not forgotten here."""
    known = {cause.name for table in settings_causes.TABLES for _, cause in table}
    assert known >= settings_causes.NAMES
