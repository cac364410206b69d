"""A connection that was not made: how far it came, and why no farther."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.documents import error_of, steps_of
from inspector.cli.telling import tell_error, tell_steps
from inspector.cli.url_guess import suggested_url

if TYPE_CHECKING:
    from inspector.cli.options import Options
    from inspector.cli.screen import Screen
    from inspector.errors import InspectorError
    from inspector.session.session import Session
    from inspector.wire.jsontext import JsonObject


def show_failed(
    session: Session,
    error: InspectorError,
    options: Options,
    screen: Screen,
    *,
    login: str = "",
) -> None:
    """Print the steps of connecting and the failure, also for programs where that was asked for; `login` is the command that may help."""
    tell_steps(screen, session.steps)
    if all(step.words != error.words for step in session.steps):  # it weighs several of them
        tell_error(screen, error)
    if options.json:
        failure = error_of(error) | ({"login": login} if login else {})
        told: JsonObject = {"error": failure, "steps": steps_of(session.steps)}
        screen.print_json(told, hides=True)
    if login:
        screen.tell(f"To log in: {login}")
    _suggest_url(screen, session)


def _suggest_url(screen: Screen, session: Session) -> None:
    profile = session.profile
    url = (
        suggested_url(profile.command) if profile.transport == "stdio" and not profile.args else ""
    )
    if url:
        screen.tell(f"Did you mean {url}? A URL begins with http:// or https://.")
