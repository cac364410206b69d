"""What is told of a server in words: who it is, how the two came to speak, what is odd about it. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.library.profile import address
from inspector.session.negotiate import is_pinned
from inspector.session.steps import StepState
from inspector.wire import jsontext
from ui.widgets.key_values import Fact
from ui.widgets.units import amount, duration, duration_exact
from ui.widgets.visible_text import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.session.era import Greeting
    from inspector.session.session import Session
    from inspector.session.steps import Step
    from inspector.spec.view import View
    from inspector.wire.jsontext import JsonObject
    from inspector.workspace import OpenSession

VALUE_LIMIT = 200
"""Characters shown of a value that nobody defined."""

ODDITIES = 30
"""Lines about what is odd; *The answer as it came* has everything."""

_STEP_TONES = {
    StepState.DONE: "",
    StepState.FAILED: "error",
    StepState.RUNNING: "pending",
    StepState.SKIPPED: "muted",
}


def identity(opened: OpenSession, greeting: Greeting) -> list[Fact]:
    """Who the server says it is, and how it is reached."""
    server, session = greeting.server.server, opened.session
    icons = amount(len(server.icons), "icon") + ", not fetched" if server.icons else ""
    facts = [
        Fact("Name", server.name),
        Fact("Version", server.version),
        Fact("Description", server.description, mono=False),
        Fact("Website", server.website_url, "Shown, not opened"),
        Fact("Icons", icons, mono=False),
        Fact("Revision", _revision_words(session, greeting), mono=False),
        Fact("Transport", session.transport_name, mono=False),
        Fact("Address", address(session.profile)),
    ]
    return [fact for fact in facts if fact.value]


def story(session: Session) -> list[Fact]:
    """The steps of connecting, each with what came of it."""
    return [_step_fact(step) for step in session.steps]


def oddities(greeting: Greeting) -> list[str]:
    """What is wrong with the greeting, and what its revision does not define."""
    server = greeting.server
    lines = [f"⚠ {visible(note.words)}" for note in server.notes]
    lines += _unknown(server, greeting, "")
    lines += _unknown(server.server, greeting, "serverInfo.")
    rest = len(lines) - ODDITIES
    return [*lines[:ODDITIES], f"and {rest:,} more"] if rest > 0 else lines


def _unknown(view: View, greeting: Greeting, prefix: str) -> Iterator[str]:
    unknown: JsonObject = view.unknown
    for name, value in unknown.items():
        words = one_line(f"{prefix}{name} = {jsontext.write(value)}", VALUE_LIMIT)
        yield f"Not defined by {greeting.revision}: {words}"


def _revision_words(session: Session, greeting: Greeting) -> str:
    how = "pinned" if is_pinned(session.profile.revision) else "automatic"
    if greeting.offered == greeting.revision:
        return f"{greeting.revision} · offered and accepted · {how}"
    return f"{greeting.revision} · {greeting.offered} was offered, the server chose this · {how}"


def _step_fact(step: Step) -> Fact:
    took = step.took_seconds
    words = [step.state.value if step.state is not StepState.DONE else "", step.words]
    words.append(duration(took) if took is not None else "")
    return Fact(
        step.name,
        " · ".join(word for word in words if word),
        duration_exact(took) if took is not None else "",
        mono=False,
        tone=_STEP_TONES[step.state],
    )
