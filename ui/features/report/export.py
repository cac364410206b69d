"""What a report is about, whether its server can be probed, and its text in the formats of files. Secrets are masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.background_tasks import in_steps
from inspector.checks.probed import without_secrets
from inspector.config.profile import endpoint_text
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import transport_kind
from inspector.transcript.redaction import Masking
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from inspector.checks.probed import ProbeRecord
    from inspector.checks.report import Report
    from inspector.checks.report_formats.formats import ReportFormat
    from inspector.open_session import OpenSession

MAX_NAME = 80
"""Characters of the name and of the version of a server."""


def facts_text(session: OpenSession) -> str:
    """Return which run of which server it is, as in `run 3 · Demo server 1.0.1 · 2025-11-25 · stdio`."""
    live, greeting = session.session.transcript.live, session.session.greeting
    revision = str(greeting.revision.date) if greeting is not None else ""
    kind = transport_kind(session.profile.transport).badge if live else "recording"
    run = f"run {session.session.run.number}" if live else ""
    targets = session.client.targets.text
    parts = (run, one_line(server_name(session), MAX_NAME), revision, kind, targets)
    return " · ".join(part for part in parts if part)


def why_not_probed(session: OpenSession | None) -> str:
    """Return why the server of a session cannot be probed now, as a sentence; empty if it can."""
    if session is not None and session.session.is_recorded:
        return "A recording cannot be probed."
    if session is None or session.session.state is not SessionState.READY:
        return "Not connected."
    return ""


def masked_probes(session: OpenSession) -> tuple[ProbeRecord, ...]:
    """Return what the probes of a session came to, without secrets: they quote responses."""
    return without_secrets(session.sweep.rules.history.probes.all, session.session.transcript)


def server_name(session: OpenSession) -> str:
    """Return name and version of the server, or the name of its profile."""
    greeting = session.session.greeting
    if greeting is None:
        return session.profile.name
    info = greeting.server.server
    return f"{info.name or session.profile.name} {info.version}".strip()


async def report_text(session: OpenSession, report: Report, format_: ReportFormat) -> str:
    """Return a report in a format, read in slices."""
    from inspector.checks.report_formats.document import ReportDocument, find_in_steps

    transcript, greeting = session.session.transcript, session.session.greeting
    revision = greeting.revision if greeting is not None else None
    findings = await in_steps(find_in_steps(transcript, report.results(), revision))
    total = sum(each.count for each in report.results() if not each.is_muted)
    path = transcript.path
    recording = path.name if path is not None else "recording"
    document = ReportDocument(
        report=report,
        findings=findings,
        server=Masking(transcript).text(server_name(session)),
        target=endpoint_text(session.profile) if transcript.live else recording,
        revision=str(revision.date) if revision is not None else "",
        left_out=total - len(findings),
        probes=report.probes,
        clients=tuple(sorted(session.client.targets.names)),
    )
    return format_.write(document)
