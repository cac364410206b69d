"""What is said about a failure follows from the conversation before it: which frames count, and for which request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.errors import ProcessExited
from inspector.session.diagnostics.no_response import explain_silence
from inspector.session.diagnostics.process_exit import exit_hint, exit_of, exit_text, explain_exit
from inspector.session.diagnostics.silence import silence_of
from inspector.session.diagnostics.unusable_responses import find_reason
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject


@pytest.mark.parametrize(
    ("reply", "code", "has_result"),
    [(None, None, False), (-32601, "-32601", False), (None, None, True)],
)
def test_a_request_of_the_server_is_known_with_what_it_got(
    reply: int | None, code: str | None, has_result: bool
) -> None:
    """Ours: a server that waits for its own request does not respond."""
    talk = Talk()
    asked = talk.request(1, "tools/call", name="x")
    own = talk.received({"jsonrpc": "2.0", "id": "s", "method": "roots/list"})
    if reply is not None:
        error: JsonObject = {"code": reply, "message": "Method not found"}
        talk.sent({"jsonrpc": "2.0", "id": "s", "error": error})
    elif has_result:
        talk.sent({"jsonrpc": "2.0", "id": "s", "result": {"roots": []}})
    found = silence_of(talk.transcript, asked, 5.0).asked

    assert found is not None
    assert found.frame == own
    assert bool(found.response) is (has_result or reply is not None)
    assert found.is_unsupported is (code is not None)


@pytest.mark.parametrize(
    ("pending", "method", "then", "is_known", "goes_on"),
    [
        (False, "roots/list", "", True, False),
        (False, "roots/list", "log", True, True),
        (False, "ping", "", False, False),
        (True, "roots/list", "", False, False),
    ],
)
def test_a_request_of_the_server_explains_only_the_one_that_it_is_for(
    pending: bool, method: str, then: str, is_known: bool, goes_on: bool
) -> None:
    """Ours: another request may have caused it, nothing waits for a ping, and a server that goes on does not wait."""
    talk = Talk()
    asked = talk.request(1, "tools/call", name="x")
    if pending:
        talk.request(2, "tools/call", name="y")
    talk.received({"jsonrpc": "2.0", "id": "s", "method": method})
    talk.sent({"jsonrpc": "2.0", "id": "s", "result": {}})
    if then:
        talk.log(then)
    found = silence_of(talk.transcript, asked, 5.0).asked

    assert (found is not None) is is_known
    assert (found is not None and found.went_on) is goes_on
    assert found is None or found.is_last is not goes_on


@pytest.mark.parametrize(
    ("method", "text", "is_said"),
    [
        ("tools/list", "KeyError: 'id'", True),
        ("tools/call", "KeyError: 'id'", False),
        ("tools/list", "KeyError: 'result'", False),
    ],
)
def test_a_missing_id_is_that_of_a_notification_only_right_after_one(
    method: str, text: str, is_said: bool
) -> None:
    """Ours: handlers read the `id` of their own data."""
    talk = Talk()
    talk.request(1, "initialize")
    talk.result(1, protocolVersion="2025-06-18")
    talk.sent({"jsonrpc": "2.0", "method": "notifications/initialized"})
    asked = talk.request(2, method)
    talk.stderr(text.encode())
    silent = explain_silence(silence_of(talk.transcript, asked, 5.0)).hint
    talk.note("exited", "exited with code 1", code=1)
    ended = exit_hint(exit_of(talk.transcript, asked))

    assert [("notifications" in hint) for hint in (silent, ended)] == [is_said] * 2


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (b"[ERROR] Failed: no goal", "named on stdout"),
        (b"src/a.ts(3,1): error TS2305: no member", "named on stdout"),
        (b"Missing script: start", "script of package.json"),
        (b"bye", "not JSON-RPC"),
    ],
)
def test_a_cause_on_stdout_is_found_after_other_lines(line: bytes, hint: str) -> None:
    """Ours: build tools and some interpreters write their errors to stdout."""
    talk = Talk()
    asked = talk.request(1, "initialize")
    talk.received(b"Scanning for projects")
    talk.received(line)
    talk.note("exited", "exited with code 1", code=1)
    facts = exit_of(talk.transcript, asked)

    assert facts.cause == (line.decode() if line != b"bye" else "Scanning for projects")
    assert hint in exit_hint(facts)


@pytest.mark.parametrize(
    ("line", "flaw", "is_cut"),
    [
        (b'{"id": 1, "resu', FrameDefect.UNTERMINATED, True),
        (b'[{"jsonrpc":"2.0","id":1,"resu', FrameDefect.UNTERMINATED, True),
        (b'{"id": 1, "resu', FrameDefect.NONE, False),
        (b'{"level":"fatal","msg":"no config.json"}', FrameDefect.UNTERMINATED, False),
        (b'{"id": 1, "result": "done"}', FrameDefect.UNTERMINATED, False),
        (b'{"jsonrpc": "2.0"}', FrameDefect.UNTERMINATED, False),
        (b"{app} usage: app [--stdio]", FrameDefect.UNTERMINATED, False),
        (b'{"id": 7, "msg": "stopp', FrameDefect.UNTERMINATED, False),
    ],
)
def test_a_process_that_ends_in_the_middle_of_a_message_is_told_from_one_that_prints_text(
    line: bytes, flaw: FrameDefect, *, is_cut: bool
) -> None:
    """Ours."""
    talk = Talk()
    asked = talk.request(1, "initialize")
    talk.transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(line, flaw)])
    talk.note("exited", "exited with code 0", code=0)
    facts = exit_of(talk.transcript, asked)

    assert ("in the middle of a message" in exit_text("exited", facts)) is is_cut
    assert ("while it writes a message" in exit_hint(facts)) is is_cut


NO_ATTRIBUTE = "missing-attribute"


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["INFO indexer: another instance is already running", "Killed"], ""),
        (["WARN retry: connection timed out", "done"], ""),
        (["2026-01-01 10:00:00,123 - app.db - WARNING - database is locked, waiting"], ""),
        (["2026-01-01T10:00:00.1Z \x1b[32m INFO\x1b[0m set LOG_LEVEL to see more", "bye"], ""),
        (["time=10:00 level=warn msg='no such file or directory: x.toml'"], ""),
        (["10:00:00.123 [main] WARN com.x.Main -- database is locked", "bye"], ""),
        (["Jan  1 10:00:00 host app: INFO database is locked", "bye"], ""),
        (["10:00:00 [main] ERROR database is locked: see INFO above", "bye"], "in-use"),
        (["Warning: could not load the default credentials", "Terminated"], ""),
        (["INFO starting", "database is locked"], "in-use"),
        (["INFO the view requires Node 22", "TypeError: a.b is not a function"], NO_ATTRIBUTE),
        (
            [
                "npm warn Unsupported engine",
                "AttributeError: 'NoneType' object has no attribute 'a'",
            ],
            NO_ATTRIBUTE,
        ),
        (["Error: bad config", "  see x.test/docs if ACME_TOKEN is not set"], ""),
        (["Error: bad config", "", "  Usage: acme [--stdio]"], ""),
        (["Unable to find image 'x' locally", "Status: Downloaded newer image for x"], ""),
    ],
)
@pytest.mark.parametrize("is_on_stderr", [True, False])
def test_what_a_program_went_on_after_is_no_cause_of_its_end(
    lines: list[str], name: str, *, is_on_stderr: bool
) -> None:
    """Ours: a log message below the level of errors names none."""
    talk = Talk()
    for line in lines:
        (talk.stderr if is_on_stderr else talk.received)(line.encode())
    talk.note("exited", "exited with code 1", code=1)
    mistake = exit_of(talk.transcript).mistake

    assert (mistake.name if mistake is not None else "") == name


@pytest.mark.parametrize(("code", "name"), [(1, "variable-missing"), (0, "")])
def test_a_warning_about_a_setting_is_the_cause_where_nothing_but_a_failure_follows(
    code: int, name: str
) -> None:
    """Ours: many servers warn of a variable that is missing, and end."""
    talk = Talk()
    talk.stderr(b"INFO starting")
    talk.stderr(b"WARNING: API_KEY is not set")
    talk.note("exited", f"exited with code {code}", code=code)
    mistake = exit_of(talk.transcript).mistake

    assert (mistake.name if mistake is not None else "") == name


@pytest.mark.parametrize(
    ("method", "params", "text"),
    [
        ("initialize", {}, "requested initialize itself in frame 2"),
        ("server/discover", {}, "requested server/discover itself in frame 2"),
        ("server/discover", {"b": {"c": 1}, "a": "\u00e9"}, "sends back what it receives"),
    ],
)
def test_a_program_that_opens_a_session_itself_is_called_a_client_unless_it_is_an_echo(
    method: str, params: JsonObject, text: str
) -> None:
    """Ours: its request is refused while the protocol is being detected; that response is no response of the server."""
    talk = Talk()
    talk.request(1, "server/discover", a="\u00e9", b={"c": 1})
    talk.received({"jsonrpc": "2.0", "id": 0, "method": method, "params": params})
    talk.sent({"jsonrpc": "2.0", "id": 0, "error": {"code": -32601, "message": "unknown"}})
    asked = talk.request(2, "initialize")
    facts = silence_of(talk.transcript, asked, 5.0)

    assert facts.responses == 0
    assert text in explain_silence(facts).text
    assert ("repeats its input" in explain_silence(facts).hint) is ("sends back" in text)


@pytest.mark.parametrize(
    ("before", "after", "cause", "word"),
    [
        (b"Fatal: no database", b"", "Fatal: no database", "something else may have"),
        (b"Fatal: no database", b"Fatal: no disk", "Fatal: no disk", "named on stderr."),
        (b"Server started", b"", "", "stderr after its latest response"),
        (b"", b"", "", "output on stderr."),
        (b"", b"Fatal: no disk\n", "Fatal: no disk", "named on stderr."),
    ],
)
def test_a_cause_on_stderr_counts_before_the_latest_response_as_well(
    before: bytes, after: bytes, cause: str, word: str
) -> None:
    """Ours: the pipes of a process have no common order."""
    talk = Talk()
    talk.request(1, "initialize")
    if before:
        talk.stderr(before)
    talk.result(1, protocolVersion="2025-06-18")
    asked = talk.request(2, "tools/list")
    for line in after.split(b"\n") if after else ():
        talk.stderr(line)
    talk.note("exited", "exited with code 1", code=1)
    facts = exit_of(talk.transcript, asked)

    assert facts.cause == cause
    assert word in exit_hint(facts)
    assert ("before its latest response" in exit_text("x", facts)) is ("something" in word)


@pytest.mark.parametrize(
    ("module", "arg", "is_script"),
    [
        ("/srv/dist/index.js", "dist/index.js", True),
        ("/srv/dist/index.js", "./dist/index.js", True),
        ("/srv/dist/index.js", "../dist/index.js", True),
        ("/srv/dist/index.js", "/srv/dist/index.js", True),
        ("/srv/dist/index.js", "*", False),
        ("/srv/dist/index.js", "**", False),
        ("lodash", "lodash", False),
    ],
)
def test_a_missing_module_is_the_script_only_if_an_argument_names_it(
    module: str, arg: str, is_script: bool
) -> None:
    """Ours."""
    talk = Talk()
    talk.stderr(f"Error: Cannot find module '{module}'".encode())
    talk.note("exited", "exited with code 1", code=1)
    failure = ProcessExited("exited with code 1")
    explain_exit(failure, talk.transcript, Profile(command="node", args=(arg,)))

    assert ("path of the script" in failure.hint) is is_script


@pytest.mark.parametrize(
    ("lines", "is_restarted", "text", "hint"),
    [
        ([b"Error: database is locked"], True, "without", "starts an MCP server"),
        (
            [b"Debugger listening on ws://127.0.0.1:9229/4e"],
            True,
            "without",
            "starts an MCP server",
        ),
        ([b"Error: database is locked"], False, "database is locked", "End the other process"),
        ([b"Error: no config, using defaults", b"ready"], False, "config", "standard input"),
        ([b"fatal: not a git repository", b"ready"], False, "repository", "standard input"),
        ([b"fatal: not a git repository", b"  at a.js"], False, "repository", "working directory"),
    ],
)
def test_output_of_the_start_explains_a_silence_only_where_it_is_of_that_process_and_known(
    lines: list[bytes], text: str, hint: str, *, is_restarted: bool
) -> None:
    """Ours: a server that exits on server/discover is started again, and a program may go on after an error."""
    talk = Talk()
    talk.note("started", "started process 1")
    for line in lines:
        talk.stderr(line)
    if is_restarted:
        for event in ("exited", "closed", "started"):
            talk.note(event, event)
    found = explain_silence(silence_of(talk.transcript, talk.request(2, "initialize"), 5.0))

    assert text in found.text
    assert hint in found.hint
    assert not (is_restarted and lines[0].decode() in found.text)


def test_output_from_before_a_response_does_not_explain_a_later_request() -> None:
    """Ours: what a server says about the probe, or about its start, kept it from nothing."""
    talk = Talk()
    talk.request(1, "initialize")
    talk.stderr(b"To sign in, open https://x.test/devicelogin\n")
    talk.result(1, protocolVersion="2025-06-18")
    asked = talk.request(2, "tools/call", name="x")
    found = silence_of(talk.transcript, asked, 5.0)

    assert (found.obstacle, found.stderr) == (None, "")


@pytest.mark.parametrize(
    ("channel", "text"),
    [(Channel.STDOUT, "may ask for input"), (Channel.TCP, "6 bytes of text, without a newline")],
)
def test_text_without_a_newline_is_told_by_where_it_came(channel: Channel, text: str) -> None:
    """Ours: a server over TCP has no stdout here, and asks nobody."""
    talk = Talk()
    asked = talk.request(1, "initialize")
    talk.transcript.unfinished.note(channel, 6, b"name? ", b"name? ")
    found = find_reason(talk.transcript, asked)

    assert found is not None
    assert text in found.text


def test_of_very_many_events_the_latest_counts() -> None:
    """Ours: what still comes is not said to have stopped."""
    talk = Talk()
    asked = talk.request(1, "tools/list")
    opener = [RawChunk(b": \n")]
    for _ in range(4):
        talk.wait(5)
        talk.transcript.append(Direction.RECEIVED, Channel.SSE, opener * 4000)
    found = silence_of(talk.transcript, asked, 20.0)

    assert found.events == 16_000
    assert found.latest_ago_s == 0.0
