"""Reports in the formats of files: whole or not, without secrets, and safe whatever a server sends; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from inspector.checks.probed import ProbeOutcome, ProbeRecord
from inspector.checks.report import make_report
from inspector.checks.report_formats.as_text import as_text
from inspector.checks.report_formats.document import ReportDocument, make_findings
from inspector.checks.report_formats.formats import FORMATS
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join
from inspector.wire.redaction import MASK
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

RULE = "L-TOOL-19"
SECRET = "s3cr3t-Value/9~x"
HOSTILE = "\x1b[31mred\x00\u202e\u2066`|<b>]]>&" + "x" * 1_000_000


def document_of(name: str, member: str, *, unchecked: int = 0, failure: str = "") -> ReportDocument:
    """A report with one finding about a `member` of the schema of a tool of that `name`."""
    talk = Talk()
    talk.transcript.redaction.know((SECRET,))
    talk.request(1, "tools/list")
    schema: JsonObject = {"type": "object", "properties": {member: {}}}
    tools: JsonObject = {"tools": [{"name": name, "inputSchema": schema}]}
    answer = talk.received({"jsonrpc": "2.0", "id": 1, "result": tools})
    pointer = join("", "result", "tools", 0, "inputSchema", "properties", member)
    talk.transcript.add_finding(answer, make_finding(RULE, f"wrong: {member}", pointer))
    report = make_report(talk.transcript.rule_findings, {RULE})
    findings = make_findings(talk.transcript, report.results(), None)
    return ReportDocument(
        report, findings, "server 1", "python", "", unchecked=unchecked, failure=failure
    )


@pytest.mark.parametrize("key", [each.key for each in FORMATS])
def test_a_secret_that_is_the_name_of_a_member_is_in_no_format(key: str) -> None:
    """C-SEC-17: neither as it is nor as a pointer spells it; the fingerprint is that of the masked name."""
    write = next(each.write for each in FORMATS if each.key == key)
    document = document_of("search", SECRET)
    text = write(document)

    for spelling in (SECRET, SECRET.replace("~", "~0").replace("/", "~1")):
        assert spelling not in text
    (finding,) = document.findings
    assert finding.pointer == f"/result/tools/0/inputSchema/properties/{MASK}"
    (masked,) = document_of("search", MASK).findings
    (plain,) = document_of("search", "query").findings
    assert finding.fingerprint == masked.fingerprint != plain.fingerprint


def test_a_recording_has_the_fingerprint_of_its_session() -> None:
    """Ours: a recording has another marker in place of the same secret each time."""
    marker = "[redacted:16-bytes:0a1b2c3d]"
    (live,), (stored,) = (document_of("t", each).findings for each in (SECRET, marker))

    assert live.fingerprint == stored.fingerprint


@pytest.mark.parametrize("key", [each.key for each in FORMATS])
def test_texts_of_a_server_can_neither_break_a_format_nor_act_on_a_terminal(key: str) -> None:
    """stdio-04: control and bidirectional characters are marks, and a long text is cut."""
    write = next(each.write for each in FORMATS if each.key == key)
    text = write(document_of(HOSTILE, HOSTILE))

    if key == "json":  # exact, and escaped
        assert json.loads(text)["findings"][0]["item"] == HOSTILE
        return
    assert not {"\x1b", "\x00", "\u202e", "\u2066"} & {*text}
    assert "⟨ESC⟩[31mred⟨NUL⟩⟨U+202E⟩" in text
    assert len(text) < 400_000
    if key == "sarif":
        assert "\\u202e" not in text
    if key == "junit":
        assert ET.fromstring(text).get("failures") == "1"


@pytest.mark.parametrize("key", [each.key for each in FORMATS])
def test_a_lone_surrogate_of_a_server_is_in_a_report_that_can_be_written(key: str) -> None:
    """Ours: JSON may have one, and no file can."""
    write = next(each.write for each in FORMATS if each.key == key)
    assert write(document_of("a\ud800", "b\ud800")).encode()


def test_a_server_cannot_write_lines_of_its_own() -> None:
    """Ours: its name and its last error are in one line each."""
    document = document_of("t", "m", failure="lost\n0 errors, 0 warnings")
    text = as_text(replace(document, server="a\n0 errors, 0 warnings"))
    assert not any(line.startswith("0 errors") for line in text.split("\n"))


def test_what_is_no_message_is_quoted() -> None:
    """Ours: it has no method to be named by; a note of Spyglass is nothing to quote."""
    talk = Talk()
    talk.received(b"> server@1.0.0 start")
    talk.note("closed", "the server closed stdout but is still running")
    for rule, number in (("L-STD-01", 1), ("L-STD-15", 2)):
        talk.transcript.add_finding(number, make_finding(rule, "wrong"))
    report = make_report(talk.transcript.rule_findings, set())
    findings = make_findings(talk.transcript, report.results(), None)
    text = as_text(ReportDocument(report, findings, "server 1", "python", ""))

    assert "    #1: wrong\n        > server@1.0.0 start\n" in text
    assert "closed stdout but" not in text


def test_what_was_not_checked_is_in_every_format() -> None:
    """Ours: a report that is not whole never looks like one that passed."""
    written = {
        each.key: each.write(document_of("t", "m", unchecked=7, failure="server exited"))
        for each in FORMATS
    }
    (run,) = json.loads(written["sarif"])["runs"]
    (invocation,) = run["invocations"]
    notified = invocation["toolExecutionNotifications"]
    root = ET.fromstring(written["junit"])

    assert invocation["executionSuccessful"] is False
    assert [("7 " in each["message"]["text"], each["level"]) for each in notified] == [
        (False, "error"),
        (True, "error"),
    ]
    assert (root.get("errors"), len(root.findall("./testsuite/testcase/error"))) == ("1", 1)
    assert (json.loads(written["json"])["unchecked"], "server exited" in written["json"]) == (
        7,
        True,
    )
    assert all("server exited" in written[key] for key in ("text", "markdown"))
    assert all("7 not checked" in written[key] for key in ("text", "markdown"))


def test_probes_hide_nothing_of_what_was_not_checked() -> None:
    """Ours: SARIF says why a report is not whole beside what the probes came to."""
    probe = ProbeRecord("unknown-method", "Unknown method", ProbeOutcome.PASSED, "-32601", ())
    document = replace(document_of("t", "m", failure="server exited"), probes=(probe,))
    (run,) = json.loads(next(each.write(document) for each in FORMATS if each.key == "sarif"))[
        "runs"
    ]
    (invocation,) = run["invocations"]
    texts = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]

    assert invocation["executionSuccessful"] is False
    assert len(texts) == 2
    assert "server exited" in texts[0]
    assert "Unknown method" in texts[1]


def test_a_whole_report_has_no_notification_and_no_error() -> None:
    """Ours."""
    document = document_of("t", "m")
    written = {each.key: each.write(document) for each in FORMATS}

    (run,) = json.loads(written["sarif"])["runs"]
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert ET.fromstring(written["junit"]).get("errors") == "0"
