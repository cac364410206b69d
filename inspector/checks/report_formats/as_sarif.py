"""A report as SARIF, for code scanning.

A result needs a file and a region: the file is the one that starts the server, or that of `--source`, at its beginning. Where the finding is
in the messages stands in the logical location. Fingerprints keep a result the same from one session to the next.

Source: SARIF 2.1.0; the rules of GitHub's code scanning for uploaded files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.probed import ProbeOutcome
from inspector.finding import Severity
from inspector.version import VERSION
from inspector.visible_text import one_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.checks.probed import ProbeRecord
    from inspector.checks.report_formats.document import ReportDocument, ReportedFinding
    from inspector.rules import Rule
    from inspector.wire.json_codec import Json, JsonObject

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

HOME = "https://modelcontextprotocol.io/specification"
"""Where a rule without a part of the specification is explained from."""

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

MAX_NAME, MAX_MESSAGE = 300, 1_000
"""Characters of a name and of a message: viewers show no more."""

DEFAULT_SOURCE = "mcp-server"
"""The file of results that have none."""


def as_sarif(document: ReportDocument) -> str:
    """Return the text of a report."""
    rules = {each.rule.id: each for each in document.findings}
    positions = {id_: at for at, id_ in enumerate(rules)}
    source = (document.source or DEFAULT_SOURCE).replace("\\", "/")
    driver: JsonObject = {
        "name": "Spyglass",
        "semanticVersion": VERSION,
        "informationUri": HOME,
        "rules": [_rule(each.rule, each.link) for each in rules.values()],
    }
    run: JsonObject = {
        "tool": {"driver": driver},
        "automationDetails": {"id": _category(document)},
        "columnKind": "utf16CodeUnits",
        "invocations": [_invocation(document)],
        "results": [_result(each, positions[each.rule.id], source) for each in document.findings],
    }
    made: JsonObject = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_codec.write(made, indent=2)


def _category(document: ReportDocument) -> str:
    """Return what tells the reports of several servers in one repository apart."""
    return f"spyglass/{one_line(document.server or document.target, MAX_NAME)}/"


def _invocation(document: ReportDocument) -> Json:
    """Return whether the report is whole; a notification for each reason why it is not, and for each probe."""
    level = "error" if document.failure else "warning"
    made: JsonObject = {"executionSuccessful": not (document.failure or document.unchecked)}
    notifications: list[Json] = [
        {"level": level, "message": {"text": _sentence(one_line(each, MAX_MESSAGE))}}
        for each in document.gaps()
    ]
    notifications += [_notification(each) for each in document.probes]
    if notifications:
        made["toolExecutionNotifications"] = notifications
    return made


def _notification(record: ProbeRecord) -> Json:
    """Return what a probe came to; what it found is a result."""
    level = "note" if record.outcome is ProbeOutcome.NOT_TRIED else "none"
    return {
        "descriptor": {"id": record.key},
        "level": level,
        "message": {"text": _sentence(f"{record.title}: {record.sentence}")},
        "properties": {"outcome": record.outcome.value, "rules": list(record.rules)},
    }


def _rule(rule: Rule, link: str) -> Json:
    made: JsonObject = {
        "id": rule.id,
        "name": _name(rule),
        "shortDescription": {"text": _sentence(rule.title)},
        "fullDescription": {"text": _sentence(rule.why or rule.title)},
        "helpUri": link or HOME,
        "help": {"text": _sentence(rule.hint or rule.title)},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"tags": ["mcp", rule.family.title]},
    }
    return made


def _name(rule: Rule) -> str:
    """Return the title in Pascal case: a name must differ from the id."""
    parts = re.findall(r"[A-Za-z0-9]+", rule.title)
    return "".join(part[:1].upper() + part[1:] for part in parts) or f"Rule{rule.id}"


def _result(finding: ReportedFinding, position: int, source: str) -> Json:
    name = one_line(finding.subject or f"frame {finding.number}", MAX_NAME)
    made: JsonObject = {
        "ruleId": finding.rule.id,
        "ruleIndex": position,
        "level": LEVELS[finding.severity],
        "message": {"text": _sentence(f"{name}: {one_line(finding.summary, MAX_MESSAGE)}")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": source},
                    "region": {"startLine": 1},
                },
                "logicalLocations": [
                    {
                        "name": one_line(finding.item or finding.method or name, MAX_NAME),
                        "fullyQualifiedName": name,
                        "kind": "member",
                    }
                ],
            }
        ],
        "partialFingerprints": {"spyglass/v1": finding.fingerprint},
        "properties": {"pointer": one_line(finding.pointer, MAX_MESSAGE), "frame": finding.number},
    }
    if finding.is_known:
        made["baselineState"] = "unchanged"
    return made


def _sentence(text: str) -> str:
    """Return a text as a sentence: with a capital letter and a period."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
