"""What each command of the command line prints."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from inspector.__main__ import main
from inspector.checks.catalog import CATALOG
from inspector.cli.command import USAGE
from inspector.spec.revision import NEWEST, V2024_11_05

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]
DEMO = (sys.executable, "-m", "inspector.demo")

Cli: TypeAlias = "Callable[..., tuple[int, str, str]]"


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs the command line with the demo server; gives exit code, stdout and stderr."""
    monkeypatch.chdir(ROOT)

    def run(*arguments: str, server: tuple[str, ...] = DEMO) -> tuple[int, str, str]:
        try:
            code = main([*arguments, "--", *server] if server else list(arguments))
        except SystemExit as ended:
            code = int(str(ended.code))
        found = capfd.readouterr()
        return code, found.out, found.err

    return run


def test_info_says_who_the_server_is_and_what_both_sides_declare(cli: Cli) -> None:
    """C-LC-02."""
    code, out, err = cli("info")

    assert code == 0
    assert [line for line in err.splitlines() if "L-" in line] == []
    assert "notes not printed" in err
    for text in ("spyglass-demo", NEWEST.date, "Server capabilities", "Instructions"):
        assert text in out
    ours = out.partition("Client capabilities")[2]
    assert [line.split()[:2] for line in ours.splitlines()[1:4]] == [
        ["roots", "-"],
        ["sampling", "-"],
        ["elicitation", "-"],
    ]


def test_info_for_programs_has_the_result_word_for_word(cli: Cli) -> None:
    """Ours."""
    code, out, _ = cli("--json", "info", "--revision", V2024_11_05.date)
    told = json.loads(out)

    assert code == 0
    assert (
        told["revision"] == told["offered"] == told["result"]["protocolVersion"] == V2024_11_05.date
    )
    assert told["result"]["serverInfo"]["name"] == "spyglass-demo"
    assert [step["state"] for step in told["steps"]] == ["done", "done"]


def test_tools_are_listed_one_a_line(cli: Cli) -> None:
    """Ours."""
    _, out, _ = cli("tools")

    lines = out.splitlines()
    assert len({line.split()[0] for line in lines}) == len(lines) > 20
    (echo,) = [line for line in lines if line.startswith("echo ")]
    assert "(message, times?, in_capitals?)" in echo


def test_tools_for_programs_are_as_the_server_sent_them(cli: Cli) -> None:
    """C-SCH-08."""
    _, out, err = cli("tools", "--json", server=(*DEMO, "--odd-tools"))
    told = json.loads(out)

    assert not told["more"]
    assert '"name":"echo"' in out
    assert "error:" in err


def test_a_list_that_goes_round_in_circles_is_told_on_stderr(cli: Cli) -> None:
    """list-03."""
    code, out, err = cli("tools", server=(*DEMO, "--loop-pages"))

    assert code == 0
    assert out
    assert err.count("L-PAG-04") == 1


def test_a_call_prints_the_text_and_says_how_it_ended(cli: Cli) -> None:
    """Ours."""
    code, out, err = cli("call", "echo", '{"message": "hello", "times": 2}')

    assert (code, out) == (0, "hello\nhello\n")
    assert err.startswith("response in ")


def test_a_call_for_programs_keeps_the_spelling_of_numbers(cli: Cli) -> None:
    """Ours."""
    code, out, _ = cli("--json", "call", "form_anything", '{"n":1.50,"big":9007199254740993}')

    assert code == 0
    assert '"n":1.50,"big":9007199254740993' in out.replace("\\", "").replace(" ", "")


def test_a_call_prints_other_content_as_json_and_cuts_what_nobody_reads(cli: Cli) -> None:
    """Ours."""
    _, out, _ = cli("call", "show_image")

    assert '"mimeType": "image/png"' in out
    assert "characters)" in out
    assert len(out) < 2000


def test_arguments_that_are_not_json_are_a_usage_error(cli: Cli) -> None:
    """C-STD-04: nothing is started."""
    code, out, err = cli("call", "echo", '{"message":')

    assert (code, out) == (1, "")
    assert "not valid JSON" in err


def test_a_tool_that_does_not_exist_is_called_all_the_same(cli: Cli) -> None:
    """Ours: the server decides."""
    code, _, err = cli("call", "no such tool")

    assert code == 3
    assert "no such tool" in err


def test_a_raw_request_prints_its_answer(cli: Cli) -> None:
    """Ours."""
    code, out, _ = cli("raw", '{"jsonrpc":"2.0","id":"x","method":"ping"}')

    assert code == 0
    assert json.loads(out) == {"jsonrpc": "2.0", "id": "x", "result": {}}


def test_a_raw_request_that_is_refused_prints_the_error(cli: Cli) -> None:
    """Ours."""
    code, out, _ = cli("--json", "raw", '{"jsonrpc":"2.0","id":7,"method":"nope"}')

    assert code == 3
    assert json.loads(out)["error"]["code"] == -32601


def test_raw_text_that_is_no_request_prints_the_complaint(cli: Cli) -> None:
    """C-JR-15."""
    code, out, err = cli("raw", "nonsense")

    assert code == 3
    assert json.loads(out)["error"]["code"] == -32700
    assert "unassigned-error" in err


def test_a_raw_notification_prints_nothing(cli: Cli) -> None:
    """Ours."""
    code, out, _ = cli("raw", '{"jsonrpc":"2.0","method":"notifications/x"}')

    assert (code, out) == (0, "")


def test_no_answer_in_time_is_told_with_cause_and_remedy(cli: Cli) -> None:
    """C-TMO-01."""
    code, out, err = cli("--timeout", "1.5", "call", "fault_never_answer")

    assert (code, out) == (3, "")
    assert "timed out after 1.5 s" in err
    assert "--timeout" in err


def test_a_server_that_goes_in_the_middle_is_told_with_its_last_words(cli: Cli) -> None:
    """stdio-24."""
    code, _, err = cli("call", "fault_crash", '{"words": "IndentationError", "code": 5}')

    assert code == 3
    assert "exited with code 5" in err
    assert "IndentationError" in err


@pytest.mark.parametrize(
    ("server", "texts"),
    [
        (("no-such-cmd-xyz",), ["not on PATH", "Install it"]),
        (("npx -y pkg",), ["The command contains arguments"]),
        ((*DEMO, "--exit", "3"), ["Start process: done", "code 3", "DEMO_KEY is not set"]),
        ((*DEMO, "--garble", "pretty_printed"), ["split across lines"]),
    ],
)
def test_a_failure_to_connect_is_told_step_by_step(
    cli: Cli, server: tuple[str, ...], texts: list[str]
) -> None:
    """stdio-14, stdio-16, stdio-17."""
    code, out, err = cli("--timeout", "3", "info", server=server)

    assert (code, out) == (2, "")
    for part in texts:
        assert part in err


def test_a_failure_to_connect_for_programs_is_one_document(cli: Cli) -> None:
    """Ours."""
    code, out, _ = cli("info", "--json", server=("no-such-cmd-xyz",))
    told = json.loads(out)

    assert code == 2
    assert told["error"]["kind"] == "ConnectFailed"
    assert {*told["error"]} == {"kind", "reason", "hint"}
    assert told["steps"][0]["state"] == "failed"
    assert {*told["steps"][0]} == {"name", "state", "seconds", "summary", "hint", "detail"}


def test_environment_and_folder_reach_the_server(cli: Cli, tmp_path: Path) -> None:
    """stdio-22."""
    code = "import os, sys; print(os.getcwd(), os.environ['A B'], file=sys.stderr)"
    _, _, err = cli(
        *("--cwd", str(tmp_path), "--env", "A B=x=y", "info"), server=(sys.executable, "-c", code)
    )

    assert f"{tmp_path.resolve()} x=y" in err


def test_nothing_the_server_says_reaches_the_terminal_raw(cli: Cli) -> None:
    """stdio-04."""
    message = "\x1b]0;title\x07\x1b[31mred\x1b[0m \x9b1m \u202eright to left"
    code, out, err = cli("call", "echo", json.dumps({"message": message}))

    assert code == 0
    for text in (out, err):
        assert not any(ord(c) < 32 and c != "\n" for c in text)
        assert not any(c in text for c in "\x7f\x9b\u202e")
    assert "⟨ESC⟩]0;title⟨BEL⟩⟨ESC⟩[31mred⟨ESC⟩[0m ⟨U+009B⟩1m ⟨U+202E⟩right to left" in out


def test_what_the_server_says_is_exact_for_programs(cli: Cli) -> None:
    """Ours."""
    text = "\x1b[31mred\x00 ☃"
    _, out, _ = cli("--json", "call", "echo", json.dumps({"message": text}))

    assert json.loads(out)["result"]["content"][0]["text"] == text
    assert "\x1b" not in out


def test_a_session_is_recorded_and_printed_frame_by_frame(cli: Cli, tmp_path: Path) -> None:
    """Ours."""
    record = tmp_path / "x.spyglass"
    cli("--record", str(record), "call", "fail_as_error")
    code, out, err = cli("transcript", str(record), server=())

    assert code == 0
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == [f"#{n}" for n in range(1, len(lines) + 1)]
    (call,) = [line for line in lines if "tools/call" in line and "request" in line]
    assert "→" in call
    assert call.split()[-1] == "fail_as_error"
    (answer,) = [line for line in lines if "tools/call" in line and "←" in line]
    assert "-32602" in answer
    assert "Traceback" not in err


def test_a_record_for_programs_has_every_byte(cli: Cli, tmp_path: Path) -> None:
    """Ours."""
    record = tmp_path / "x.spyglass"
    cli("--record", str(record), "call", "fault_invalid_utf8")
    _, out, _ = cli("--json", "transcript", str(record), server=())

    frames = [json.loads(line) for line in out.splitlines()]
    assert [frame["number"] for frame in frames] == list(range(1, len(frames) + 1))
    assert any("rawBase64" in frame for frame in frames)
    (request,) = [f for f in frames if f["kind"] == "request" and f["method"] == "tools/call"]
    assert json.loads(request["raw"])["params"]["name"] == "fault_invalid_utf8"
    assert all({"monotonic_s", "wall_s"} <= {*frame} for frame in frames)
    (finding, *_) = [finding for frame in frames for finding in frame["findings"]]
    assert {*finding} == {"rule", "severity", "summary", "pointer", "link"}


def test_who_wants_no_findings_is_told_none(cli: Cli) -> None:
    """Ours."""
    code, _, err = cli("--quiet", "raw", "nonsense")

    assert (code, err) == (3, "")


def test_a_record_is_never_written_over(cli: Cli, tmp_path: Path) -> None:
    """Ours."""
    record = tmp_path / "x.spyglass"
    record.write_text("precious")
    code, _, err = cli("--record", str(record), "info")

    assert code == 1
    assert str(record) in err
    assert record.read_text() == "precious"


@pytest.mark.parametrize("content", [None, "text"])
def test_a_file_that_is_no_record_is_refused_in_words(
    cli: Cli, tmp_path: Path, content: str | None
) -> None:
    """Ours."""
    record = tmp_path / "x.spyglass"
    if content is not None:
        record.write_text(content)
    code, out, err = cli("transcript", str(record), server=())

    assert (code, out) == (1, "")
    assert str(record) in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        [],
        ["call"],
        ["info", "extra"],
        ["raw"],
        ["transcript"],
        ["--timeout", "0", "info"],
        ["--timeout", "soon", "info"],
        ["--env", "NOVALUE", "info"],
        ["--revision", "1999-01-01", "info"],
        ["--inf", "info"],
    ],
)
def test_a_command_line_that_cannot_be_followed_says_how_it_is_written(
    cli: Cli, arguments: list[str]
) -> None:
    """Ours."""
    code, out, err = cli(*arguments)

    assert (code, out) == (1, "")
    assert err.startswith("usage: spyglass-cli")


def test_help_names_the_commands_and_the_exit_codes(cli: Cli) -> None:
    """Ours."""
    code, out, _ = cli("--help", server=())

    assert code == 0
    for word in ("call NAME [ARGUMENTS]", "transcript FILE", "exit codes", "--help"):
        assert word in out


def test_rules_explains_a_rule_by_its_id(cli: Cli) -> None:
    """Ours: a finding is printed with an id that another reader does not know."""
    rule = CATALOG["L-JR-23"]

    code, out, _ = cli("rules", "l-jr-23", server=())
    assert (code, out.split()[:2]) == (0, [rule.id, rule.severity.name.lower()])
    assert rule.title in out
    assert out.split()[-1].startswith("https://")
    code, out, _ = cli("rules", "--json", server=())
    assert {each["rule"]: each["title"] for each in json.loads(out)} == {
        each.id: each.title for each in CATALOG.values()
    }


def test_rules_takes_no_id_that_no_rule_has(cli: Cli) -> None:
    """Ours."""
    code, out, err = cli("rules", "L-JR-23", "L-NO-1", server=())

    assert (code, out) == (USAGE, "")
    assert "L-NO-1" in err
