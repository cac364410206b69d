"""Failures and the steps of connecting, on stderr. Secrets in messages are masked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.cli.arguments import suggested_url
from inspector.cli.command import USAGE
from inspector.cli.console import indented
from inspector.cli.json_output import error_to_json, steps_to_json
from inspector.errors import PeerError, for_cli
from inspector.session.diagnostics import server_output
from inspector.session.error_responses import hint_of
from inspector.session.transport_factory import transport_kind
from inspector.wire import json_codec
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.errors import InspectorError
    from inspector.session.session import Session
    from inspector.session.steps import Steps
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

PENDING_INTERVAL_S = 10.0
"""Interval at which the command line prints what connecting waits for."""


def print_usage_error(console: Console, error: InspectorError, options: Options) -> int:
    """Print why a command cannot be run, with `--json` also as JSON; returns the exit code."""
    print_error(console, error)
    if options.json:
        console.out_failure({"error": error_to_json(error)})
    return USAGE


def print_error(console: Console, error: InspectorError, revision: Revision | None = None) -> None:
    """Print the reason, the data and the hint of an error; `revision` is the one in use."""
    is_named = error.reason.startswith("error")  # an error of the server: `error -32603: …`
    console.err(error.reason if is_named else f"error: {error.reason}")
    if isinstance(error, PeerError) and error.data is not None:
        console.err(indented(f"data: {json_codec.write(error.data, indent=2)}"))
    if hint := hint_of(error, revision):
        console.err(indented(for_cli(hint)))


async def print_pending_step(
    console: Console, session: Session, seconds: float = PENDING_INTERVAL_S
) -> None:
    """Print every `seconds` which response connecting waits for."""
    while True:
        await asyncio.sleep(seconds)
        step, now = session.steps.pending, session.steps.clock.monotonic()
        if step is not None:
            left = (
                ""
                if step.times_out_at is None
                else f", {max(0.0, step.times_out_at - now):.0f} s left"
            )
            console.err(f"{step.name}: {now - step.started_at:.0f} s{left}")
            console.err(indented(step.status_text))


def print_connection_steps(console: Console, steps: Steps) -> None:
    """Print the steps of connecting, with the reason for a failure."""
    for step in steps:
        took = "" if step.took_seconds is None else f", {duration_text(step.took_seconds)}"
        console.err(f"{step.name}: {step.state}{took}")
        for part in (step.status_text, for_cli(step.hint), step.detail):
            if part:
                console.err(indented(part.rstrip()))


def print_server_output(console: Console, transcript: Transcript, request: int) -> None:
    """Print the output of the server that may explain why the frame `request` has no result."""
    detail = server_output.detail(transcript, server_output.last_response(transcript, request))
    if detail:
        console.err(indented(detail))


def print_failed_connection(
    session: Session, error: InspectorError, options: Options, console: Console, *, login: str = ""
) -> None:
    """Print the steps of connecting and the failure, with `--json` also as JSON; `login` is the command that may help."""
    print_connection_steps(console, session.steps)
    if all(
        step.status_text != error.reason for step in session.steps
    ):  # the cause of several failed steps
        print_error(console, error)
    if options.json and not options.command.reports_failures:
        failure = error_to_json(error, login=login)
        steps = steps_to_json(session.steps)
        console.out_failure({"error": failure, "steps": steps})
    if login:
        console.err(f"To log in: {login}")
    _suggest_url(console, session)


def _suggest_url(console: Console, session: Session) -> None:
    profile = session.profile
    url = (
        suggested_url(profile.command)
        if transport_kind(profile.transport).is_process and not profile.args
        else ""
    )
    if url:
        console.err(
            f"A URL begins with http:// or https://. Did you mean this one? {mask_urls(url)}"
        )


def duration_text(value: float) -> str:
    """Return a duration, short."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
