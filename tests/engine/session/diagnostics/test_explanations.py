"""What is said about a failure names only what exists: rendered for every transport, request and front end."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError, for_cli
from inspector.session import negotiation
from inspector.session.diagnostics import exit_causes, known_mistakes
from inspector.session.diagnostics.connect_failures import BUFFERED
from inspector.session.diagnostics.known_mistakes import find_mistake
from inspector.session.diagnostics.no_response import SILENT, explain_silence
from inspector.session.diagnostics.process_exit import (
    Exit,
    exit_hint,
    exit_text,
)
from inspector.session.diagnostics.silence import Asked, Silence
from inspector.session.error_responses import undeclared_hint
from inspector.session.package_runner import PackageRunner
from inspector.session.session_recovery import NEW_SESSION
from inspector.spec.revision import NEWEST
from inspector.transport.http.tls import NOT_TRUSTED
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

RUNNER = PackageRunner("npx", "download the package from npm")
OBSTACLE = find_mistake(known_mistakes.OBSTACLES, "Debugger listening on ws://127.0.0.1:9229/x")
PENDING, SERVED = Asked(3, "roots/list"), Asked(3, "roots/list", 4)
WENT_ON = Asked(3, "roots/list", 4, is_last=False, went_on=True)
DENIED, UNDECLARED = (
    Asked(3, "sampling/createMessage", 4, "-1 no"),
    Asked(3, "sampling/createMessage", 4, "-32601 Method not found", is_unsupported=True),
)
WINDOW_ONLY = re.compile(
    r"Keep waiting|Automatic|Verify certificates|this server\b|select\b|Connect again",
    re.IGNORECASE,
)
CLI_ONLY = re.compile(r"--timeout|--revision|Run this again")
TWICE = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)


def silences() -> list[Silence]:
    """Every combination of facts that can occur."""
    found: list[Silence] = []
    for channel, greets, messages, events, printed in product(
        (Channel.STDIN, Channel.BODY, Channel.TCP),
        (True, False),
        (0, 1, 12),
        (0, 1, 9),
        (False, True),
    ):
        is_process = channel is Channel.STDIN
        if (printed and not is_process) or (events and channel is not Channel.BODY):
            continue
        for runner, obstacle, status, asked in product(
            (None, RUNNER) if is_process else (None,),
            (None, OBSTACLE) if printed else (None,),
            ("", "200 OK") if channel is Channel.BODY else ("",),
            (None, UNDECLARED) if messages == 1 else (None,),
        ):
            found.append(
                Silence(
                    channel,
                    "initialize" if greets else "tools/call",
                    is_greeting=greets,
                    http_status=status,
                    events=events,
                    messages=messages,
                    latest_method="notifications/message" if messages else "",
                    asked=asked,
                    stderr="Server is ready" if printed else "",
                    obstacle=obstacle,
                    runner=runner,
                )
            )
    return found


def exits() -> list[Exit]:
    return [
        Exit(
            code,
            has_written=wrote,
            cause=cause,
            stderr=cause,
            mistake=find_mistake(exit_causes.EXIT_CAUSES, cause),
            container=box,
        )
        for code, wrote, cause, box in product(
            (0, 1, -9, None),
            (True, False),
            ("", "Error: Cannot find module 'x'", "ERROR: /srv is not a repository"),
            ("", "docker run"),
        )
    ]


def check(hint: str) -> None:
    for text in (hint, for_cli(hint)):
        assert text[:1].isupper(), text
        assert text.endswith("."), text
        assert TWICE.search(text) is None, text
        assert "carried out twice" not in text
    assert CLI_ONLY.search(hint) is None, hint
    assert WINDOW_ONLY.search(for_cli(hint)) is None, hint


@pytest.mark.parametrize("has_reacted", [False, True])
def test_a_server_that_prints_nothing_more_may_not_read_its_input(has_reacted: bool) -> None:
    """Ours: one that was put into the background prints that it runs, and reads nothing."""
    facts = Silence(
        Channel.STDIN,
        "initialize",
        is_greeting=True,
        stderr="Docs server running on stdio",
        has_reacted=has_reacted,
    )
    hint = explain_silence(facts).hint

    assert ("reads the standard input of the command" in hint) is not has_reacted
    assert ("background process in between can keep it closed" in hint) is not has_reacted


@pytest.mark.parametrize("facts", silences())
def test_advice_after_a_time_out_names_only_what_exists(facts: Silence) -> None:
    """Ours."""
    found = explain_silence(facts)
    hint, text = found.hint, found.text

    check(hint)
    assert TWICE.search(text) is None, text
    if not facts.stderr:
        assert "stderr" not in hint
        assert "stderr" not in text
    if facts.channel is not Channel.STDIN:
        assert "stdout" not in hint
        assert "standard input" not in hint
    if facts.messages or facts.events or facts.http_status:
        assert text != SILENT
        assert "timeout" not in hint or facts.obstacle is not None
    if facts.stderr:
        assert text != SILENT


@pytest.mark.parametrize("facts", exits())
def test_advice_after_an_exit_names_only_what_exists(facts: Exit) -> None:
    """Ours."""
    hint = exit_hint(facts)

    check(hint)
    if not facts.stderr:
        assert "Read its output" not in hint
    if facts.container and not facts.has_written and facts.mistake is None:
        assert "-i" in hint
    if facts.cause:
        assert "without an error" not in hint
        assert facts.cause in exit_text("the process exited", facts)


def test_a_well_known_reason_comes_before_a_guess_about_the_container() -> None:
    """Ours: a container without `-i` may fail for another reason."""
    mistake = find_mistake(
        exit_causes.EXIT_CAUSES, "docker: Cannot connect to the Docker daemon at unix:///x.sock."
    )

    hint = exit_hint(Exit(125, stderr="x", mistake=mistake, container="docker run"))

    assert "-i" not in hint


def test_an_exit_during_a_call_names_the_method() -> None:
    """Ours."""
    facts = Exit(0, method="tools/call", has_written=True)

    assert "tools/call" in exit_text("the process exited", facts)
    assert "tools/call" in exit_hint(facts)


def reacted(cause: str) -> Silence:
    """A server that wrote an error to stderr after the request."""
    return Silence(Channel.STDIN, "x", stderr=cause, cause=cause, has_reacted=True)


@pytest.mark.parametrize(
    ("facts", "text", "hint"),
    [
        (Silence(Channel.STDIN, "tools/call", responses=3), "did respond to earlier", "tools/call"),
        (reacted("E: no table"), "E: no table", "on stderr"),
        (reacted("WARN x: EACCES"), "WARN", "the error"),
        (Silence(Channel.BODY, "x", is_sent=False), "no connection", "firewall"),
        (Silence(Channel.BODY, "x"), "accepted the connection", "log of the server"),
        (Silence(Channel.BODY, "x", http_status="202 Accepted"), "accepted x", "event stream"),
        (Silence(Channel.BODY, "x", http_status="200 OK"), "nothing came in it", "hold back"),
        (Silence(Channel.STDIN, "x", messages=1, logged="no disk"), "logged: “no disk”", "log"),
        (Silence(Channel.STDIN, "x", messages=1, asked=PENDING), "no response was sent", "Respond"),
        (Silence(Channel.STDIN, "x", messages=1, asked=SERVED), "nothing after", "blocks"),
        (Silence(Channel.STDIN, "x", messages=1, asked=DENIED), "-1 no", "error"),
        (Silence(Channel.STDIN, "x", messages=2, asked=WENT_ON, logged="no"), "logged", "log"),
    ],
)
def test_a_silent_server_is_told_by_what_it_did_do(facts: Silence, text: str, hint: str) -> None:
    """Ours."""
    found = explain_silence(facts)

    assert text in found.text
    assert hint in found.hint


@pytest.mark.parametrize(
    ("code", "printed", "word"),
    [
        *((-9, "", "memory"), (-11, "", "crashed"), (0, "", "run function")),
        *((0, "Goodbye", "stdout"), (1, "Goodbye", "stdout")),
    ],
)
def test_an_end_without_output_on_stderr_has_a_hint_that_fits(
    code: int, printed: str, word: str
) -> None:
    """Ours: stdout and signals tell something as well."""
    assert word in exit_hint(Exit(code, stdout=printed))


@pytest.mark.parametrize(
    "hint",
    [
        NOT_TRUSTED,
        NEW_SESSION,
        BUFFERED,
        negotiation.refused_pin(NEWEST),
        negotiation.refused_stateless_pin(PeerError(-32600, "no")),
        negotiation.no_opening(PeerError(-32601, "no"))[1],
    ],
)
def test_hints_of_connecting_fit_both_front_ends(hint: str) -> None:
    """Ours."""
    check(hint)


@pytest.mark.parametrize(
    ("supported", "word"),
    [
        (["2099-01-01"], "Update Spyglass:"),
        (["2024-10-07"], "Update the server:"),
        (["2024-10-07", "2099-01-01"], "or the server"),
        ([], "dates"),
        (["1.0"], "dates"),
    ],
)
def test_the_side_that_has_to_be_updated_is_named(supported: list[Json], word: str) -> None:
    """Ours."""
    hint = negotiation.update_hint(supported)

    check(hint)
    assert word in hint


@pytest.mark.parametrize(
    ("date", "word"),
    [
        ("2099-01-01", "older one"),
        ("2025-01-01", "older one"),
        ("2024-10-07", "Update the server:"),
    ],
)
def test_the_revision_that_a_server_responds_with_is_not_its_only_one(date: str, word: str) -> None:
    """C-LC-05: it is the latest one that the server supports."""
    hint = negotiation.answered_hint(date)

    check(hint)
    assert word in hint


@pytest.mark.parametrize(
    ("name", "option"), [("roots", "--root DIR"), ("sampling", "--answers FILE")]
)
def test_the_option_that_responds_to_a_request_is_named(name: str, option: str) -> None:
    """Ours."""
    hint = undeclared_hint(name)

    assert option in for_cli(hint)
    check(hint)
