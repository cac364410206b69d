"""A connection that was not made: how far it came, and why no farther."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.json_output import error_to_json, steps_to_json
from inspector.cli.stderr_report import print_connection_steps, print_error
from inspector.cli.url_guess import suggested_url

if TYPE_CHECKING:
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.errors import InspectorError
    from inspector.session.session import Session
    from inspector.wire.jsontext import JsonObject


def print_failed_connection(
    session: Session,
    error: InspectorError,
    options: Options,
    console: Console,
    *,
    login: str = "",
) -> None:
    """Print the steps of connecting and the failure, also for programs where that was asked for; `login` is the command that may help."""
    print_connection_steps(console, session.steps)
    if all(step.words != error.words for step in session.steps):  # it weighs several of them
        print_error(console, error)
    if options.json:
        failure = error_to_json(error) | ({"login": login} if login else {})
        document: JsonObject = {"error": failure, "steps": steps_to_json(session.steps)}
        console.out_json(document, hides=True)
    if login:
        console.err(f"To log in: {login}")
    _suggest_url(console, session)


def _suggest_url(console: Console, session: Session) -> None:
    profile = session.profile
    url = (
        suggested_url(profile.command) if profile.transport == "stdio" and not profile.args else ""
    )
    if url:
        console.err(f"Did you mean {url}? A URL begins with http:// or https://.")
