"""A report as one JSON document; `fingerprint` is the name of a finding in a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.version import VERSION
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.checks.probed import ProbeRecord
    from inspector.checks.problem_sums import Sums
    from inspector.checks.report import RuleResult
    from inspector.checks.report_formats.document import ReportDocument, ReportedFinding
    from inspector.wire.json_codec import Json, JsonObject


def as_json(document: ReportDocument) -> str:
    """Return the text of a report."""
    made: JsonObject = {
        "spyglass": VERSION,
        "server": document.server,
        "target": document.target,
        "revision": document.revision,
        "totals": _sums(document.report.total),
        "leftOut": document.left_out,
        "unchecked": document.unchecked,
        "failure": document.failure,
        "clients": list(document.clients),
        "families": {
            each.family.key or "observations": _sums(each.sums) for each in document.report.families
        },
        "rules": [_rule(each) for each in document.report.results()],
        "probes": [_probe(each) for each in document.probes],
        "findings": [_finding(each) for each in document.findings],
    }
    return json_codec.write(made, indent=2)


def _sums(sums: Sums) -> JsonObject:
    made: JsonObject = {name: getattr(sums, name) for name in sums.__struct_fields__}
    return made | {"notSeen": sums.not_seen}


def _rule(result: RuleResult) -> Json:
    return {
        "rule": result.rule.id,
        "outcome": result.outcome.value,
        "severity": result.severity.name.lower(),
        "count": result.count,
        "muted": result.is_muted,
    }


def _probe(record: ProbeRecord) -> Json:
    return {
        "probe": record.key,
        "title": record.title,
        "outcome": record.outcome.value,
        "text": record.text,
        "rules": list(record.rules),
        "frame": record.frame,
    }


def _finding(finding: ReportedFinding) -> Json:
    return {
        "rule": finding.rule.id,
        "title": finding.rule.title,
        "severity": finding.severity.name.lower(),
        "summary": finding.summary,
        "method": finding.method,
        "item": finding.item,
        "path": finding.path,
        "frame": finding.number,
        "pointer": finding.pointer,
        "why": finding.rule.why,
        "hint": finding.rule.hint,
        "link": finding.link,
        "fingerprint": finding.fingerprint,
        "known": finding.is_known,
    }
