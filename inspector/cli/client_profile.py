"""The client that the server of a command sees: what it declares, its roots, and responses to requests of the server without a user.

A request without a rule is declined, and every response is printed to stderr and noted in the recording: nothing happens silently.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.cli.answers import AnswerRule, Answers, read_answers
from inspector.cli.default_content import default_content
from inspector.clock import SystemClock
from inspector.errors import StorageError
from inspector.features.client_capabilities import (
    NAMES,
    PARENT_OF,
    CapabilityFlags,
    ClientCapabilities,
    syntax_problem,
)
from inspector.features.client_tasks import ClientTaskHost
from inspector.features.elicitation import Elicitation
from inspector.features.roots import Root, RootList, Roots
from inspector.features.sampling import REJECTED, TEST_ANSWER, Sampling, SavedAnswers, make_result
from inspector.inbox import ELICITATION, Inbox
from inspector.session.task_registry import TaskRegistry
from inspector.spec.error_codes import USER_REJECTED
from inspector.spec.revision import V2025_11_25
from inspector.spec.views.elicitation import ElicitationView
from inspector.spec.views.root import uri_of
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.cli.client_options import ClientOptions
    from inspector.cli.console import Console
    from inspector.inbox import InboxItem
    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

ALL, NONE = "all", "none"
"""Names of `--declare` beside those of single capabilities."""

_OFF = CapabilityFlags(**dict.fromkeys(NAMES, False))

_OF_KIND = {
    "sampling": ("sampling", "sampling_tools"),
    "elicitation": ("elicitation", "elicitation_url"),
}
"""The capabilities that rules for a kind of request need."""

_ACCEPT_ALL = {
    "elicitation": AnswerRule("accept", True, "--accept-all"),
    "sampling": AnswerRule(
        "result", json_codec.read(TEST_ANSWER.text.encode()).value, "--accept-all"
    ),
}
_DECLINE_ALL = {
    "elicitation": AnswerRule("decline", True, "--decline-all"),
    "sampling": AnswerRule("reject", REJECTED, "--decline-all"),
}
_NO_RULE = {
    "elicitation": AnswerRule("decline", True, "default: no rule is for it"),
    "sampling": AnswerRule("reject", REJECTED, "default: no rule is for it"),
}


def prepare(
    options: ClientOptions, console: Console, *, with_tasks: bool
) -> Callable[[Session], None]:
    """Return what makes a session declare what the options name, and respond to requests of the server.

    Raises:
        StorageError: a file or an option cannot be used.
    """
    answers = Answers({}, ()) if options.answers is None else read_answers(options.answers)
    declare = declaration(options, answers, with_tasks=with_tasks)

    def prepared(session: Session) -> None:
        before = session.declare
        session.declare = lambda revision: _merged(
            declare(revision), before(revision) if before is not None else {}
        )
        AutomaticResponses(session, options, answers, console)

    return prepared


def _merged(declared: JsonObject, of_access: JsonObject) -> JsonObject:
    """Return the declared capabilities with the extension that the way of authorization is."""
    if "extensions" not in of_access:
        return declared
    own, more = declared.get("extensions"), of_access["extensions"]
    assert isinstance(more, dict)
    return {**declared, "extensions": {**(own if isinstance(own, dict) else {}), **more}}


def declaration(
    options: ClientOptions, answers: Answers, *, with_tasks: bool
) -> Callable[[Revision], JsonObject]:
    """Return what to declare when a revision is offered; `with_tasks` for a command that needs tasks.

    Raises:
        StorageError: `--declare` has a name that is none.
    """
    capabilities = ClientCapabilities()
    text = options.declare.strip()
    if text.startswith("{"):
        if problem := syntax_problem(text):
            raise StorageError(f"--declare: {problem}")
        capabilities.set_override(text)
        return capabilities.enabled
    names = _names(text) if text else _implied(options, answers)
    switches = replace(_OFF, **dict.fromkeys(names, True))
    capabilities.switches = replace(
        switches, tasks_extension=switches.tasks_extension or (with_tasks and text != NONE)
    )
    return capabilities.enabled


def _names(text: str) -> set[str]:
    found: set[str] = set()
    for part in text.split(","):
        name = part.strip().replace(".", "_")
        if name == ALL:
            found |= {*NAMES}
        elif name in NAMES:
            found |= {name, PARENT_OF.get(name, name)}
        elif name != NONE:
            known = ", ".join((ALL, NONE, *NAMES))
            raise StorageError(f"--declare: no capability {part!r}", hint=f"Names: {known}.")
    return found


def _implied(options: ClientOptions, answers: Answers) -> set[str]:
    """Return the capabilities that the other options need."""
    automatic = options.accept_all or options.decline_all
    kinds = [kind for kind in _OF_KIND if automatic or answers.rules.get(kind)]
    found = {name for kind in kinds for name in _OF_KIND[kind]}
    return found | ({"roots", "roots_list_changed"} if options.roots or answers.roots else set())


def root_of(value: Json) -> Root:
    """Return the root that a folder or URI names, or that an object describes."""
    if isinstance(value, dict):
        uri, name = value.get("uri"), value.get("name")
        return Root(str(uri), name if isinstance(name, str) else "")
    text = str(value)
    if "://" in text:
        return Root(text)
    path = Path(text).expanduser().absolute()
    return Root(uri_of(str(path)), path.name)


class AutomaticResponses:
    """Responds to the requests of one server by rules."""

    def __init__(
        self, session: Session, options: ClientOptions, answers: Answers, console: Console
    ) -> None:
        """Respond in `session`, and print each response on `console`."""
        self._session = session
        self._answers = answers
        self._console = console
        if options.accept_all:
            self._others = _ACCEPT_ALL
        else:
            self._others = _DECLINE_ALL if options.decline_all else _NO_RULE
        self._inbox = Inbox()
        clock = SystemClock()
        self._sampling = Sampling(session, self._inbox, SavedAnswers(), clock=clock)
        self._elicitation = Elicitation(session, self._inbox, clock=clock)
        roots = RootList()
        roots.set([root_of(each) for each in (*answers.roots, *options.roots)])
        self._roots = Roots(session, roots)
        self._tasks = ClientTaskHost(session, self._inbox, TaskRegistry(session))
        self._inbox.changed.subscribe(self._respond)

    def _respond(self) -> None:
        for item in self._inbox.pending:
            rule = self._answers.rule_for(item.kind, _message_of(item)) or self._others[item.kind]
            respond = self._respond_to_form if item.kind == ELICITATION else self._respond_to_prompt
            text = f"{item.kind} request “{item.title}”: {rule.action} by {rule.label}"
            self._console.err(text)
            self._session.transcript.note("answered-by-rule", text, request=item.frame)
            respond(item, rule)

    def _respond_to_form(self, item: InboxItem, rule: AnswerRule) -> None:
        view = item.view
        assert isinstance(view, ElicitationView)
        if rule.action == "cancel":
            self._elicitation.cancel(item)
        elif rule.action == "decline":
            self._elicitation.decline(item)
        elif view.is_url:
            self._console.err(f"    open it yourself: {view.url}")
            self._elicitation.consent(item)
        else:
            self._accept_form(item, view, rule.value)

    def _accept_form(self, item: InboxItem, view: ElicitationView, value: Json) -> None:
        """Accept with the content of a rule, or else with the defaults; decline if no content could be valid."""
        revision = self._session.revision
        has_arrays = revision is None or not revision < V2025_11_25
        content = (
            value
            if isinstance(value, dict)
            else default_content(view.requested_schema, has_arrays=has_arrays)
        )
        if content is None:
            self._console.err(
                "    declined: the form requires an array, which responses of this revision cannot have"
            )
            self._elicitation.decline(item)
        else:
            self._elicitation.accept(item, json_codec.write(content))

    def _respond_to_prompt(self, item: InboxItem, rule: AnswerRule) -> None:
        if rule.action == "reject":
            text = rule.value if isinstance(rule.value, str) else REJECTED
            self._sampling.reject(item, USER_REJECTED, text)
        else:
            self._sampling.answer(item, json_codec.write(_result_of(rule)))


def _result_of(rule: AnswerRule) -> Json:
    if rule.action == "result":
        return rule.value
    text = rule.value if isinstance(rule.value, str) else json_codec.write(rule.value)
    model = {"model": rule.model} if rule.model else {}
    return make_result({"type": "text", "text": text}, **model)


def _message_of(item: InboxItem) -> str:
    """Return what a rule is searched in: the message of a form, or the first text of a prompt."""
    view = item.view
    return view.message if isinstance(view, ElicitationView) else item.title
