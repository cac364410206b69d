"""The capabilities that the client declares, and the choices of the user.

Each feature that can answer has a switch. Free JSON in the place of the switches is sent as it is, for trying how a server takes it;
then we answer what that declares, and no more.

Source: basic/lifecycle, "Initialization"; C-LC-13, C-LC-14.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.spec.error_codes import MISSING_CLIENT_CAPABILITY
from inspector.spec.keys import TASKS_EXTENSION
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.errors import PeerError
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject


class CapabilityFlags(FrozenStruct, frozen=True):
    """What is switched on."""

    sampling: bool = True
    """Answering for a model."""
    sampling_tools: bool = True
    """Taking tools for it; from the revision on that knows them."""
    sampling_context: bool = False
    """Taking `includeContext`; there is no context to include, but a server may need to be told otherwise."""
    elicitation: bool = True
    """Forms to fill in."""
    elicitation_url: bool = True
    """Pages to visit."""
    roots: bool = True
    """The list of roots."""
    roots_list_changed: bool = True
    """Saying when it changes."""
    tasks: bool = True
    """Answering sampling and elicitation later, as tasks on our side; from the revision on that knows that."""
    tasks_extension: bool = False
    """Taking tasks for the results of calls, where a revision has them as an extension; which wants to be chosen (C-EXT-03)."""


NAMES = CapabilityFlags.__struct_fields__
"""The switches, by name."""

FLAG_OF: dict[tuple[str, ...], str] = {
    ("sampling",): "sampling",
    ("sampling", "tools"): "sampling_tools",
    ("sampling", "context"): "sampling_context",
    ("elicitation",): "elicitation",
    ("elicitation", "url"): "elicitation_url",
    ("roots",): "roots",
    ("extensions", TASKS_EXTENSION): "tasks_extension",
}
"""What a server may require, and the switch that declares it."""

PARENT_OF = {
    "sampling_tools": "sampling",
    "sampling_context": "sampling",
    "roots_list_changed": "roots",
}
"""A switch, and the one without which it has no effect."""


def declared(switches: CapabilityFlags, revision: Revision) -> JsonObject:
    """The capabilities to declare when `revision` is offered."""
    found = _features(switches, revision)
    tasks = _tasks(found) if switches.tasks and revision.has_tasks else {}
    if tasks:
        found["tasks"] = tasks
    if switches.tasks_extension and revision.has_extensions:
        found["extensions"] = {TASKS_EXTENSION: {}}  # C-TKX-15: so it is on every request
    return found


def is_sent(name: str, revision: Revision) -> bool:
    """Whether the switch of that name changes anything in `revision`, with all others on."""
    whole = CapabilityFlags(**dict.fromkeys(NAMES, True))
    return declared(whole, revision) != declared(replace(whole, **{name: False}), revision)


def missing_flags(error: PeerError, declares: JsonObject) -> tuple[str, ...]:
    """Names of the switches to put on for what an error says is required, and is not in what we declare.

    Source: the member `requiredCapabilities` of the data of error -32021; nothing where it asks for what we have no switch for.
    """
    data = error.data if error.code == MISSING_CLIENT_CAPABILITY else None
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    found = [
        name for path, name in FLAG_OF.items() if _has(required, path) and not _has(declares, path)
    ]
    whole = {name for each in found for name in (PARENT_OF.get(each, each), each)}
    return tuple(name for name in NAMES if name in whole)


def _has(value: Json, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True


def _tasks(features: JsonObject) -> JsonObject:
    """C-TK4-14: what is answered at all can be answered as a task."""
    requests: JsonObject = {}
    if "sampling" in features:
        requests["sampling"] = {"createMessage": {}}
    if "elicitation" in features:
        requests["elicitation"] = {"create": {}}
    return {"list": {}, "cancel": {}, "requests": requests} if requests else {}


def _features(switches: CapabilityFlags, revision: Revision) -> JsonObject:
    found: JsonObject = {}
    if switches.roots:
        tells = switches.roots_list_changed and revision.has_roots_list_changed
        found["roots"] = {"listChanged": True} if tells else {}
    if switches.sampling:
        found["sampling"] = _sampling(switches, revision)
    forms, pages = switches.elicitation, switches.elicitation_url
    if not revision.has_elicitation:
        return found
    if not revision.has_url_elicitation:
        return {**found, "elicitation": {}} if forms else found
    modes: JsonObject = {}
    if forms:
        modes["form"] = {}
    if pages:
        modes["url"] = {}
    return {**found, "elicitation": modes} if modes else found


def _sampling(switches: CapabilityFlags, revision: Revision) -> JsonObject:
    if not revision.has_sampling_tools:
        return {}
    tools: JsonObject = {"tools": {}} if switches.sampling_tools else {}
    context: JsonObject = {"context": {}} if switches.sampling_context else {}
    return tools | context


def syntax_problem(text: str) -> str:
    """Return why this JSON cannot be declared; empty if it can, or without JSON."""
    if not text.strip():
        return ""
    try:
        value = json_codec.read(text.encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError as error:
        return f"Invalid JSON: {error}"
    return "" if isinstance(value, dict) else "Capabilities are an object: { … }"


class ClientCapabilities:
    """The choices of the user for one server; they apply from the next connection on."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Begin with what was `saved`; `save` takes every change."""
        self.changed: Event[()] = Event()
        self.switches = _read_switches(saved)
        self.override = ""
        self._save = save
        if isinstance(saved, dict) and isinstance(text := saved.get("override"), str):
            self.override = text

    @property
    def problem(self) -> str:
        """Why the entered JSON cannot be declared; empty if it can, or without JSON."""
        return syntax_problem(self.override)

    def enabled(self, revision: Revision) -> JsonObject:
        """What to declare when `revision` is offered; the switches decide while the free JSON is unusable."""
        if self.is_overridden:
            value = json_codec.read(self.override.encode("utf-8", "surrogatepass")).value
            assert isinstance(value, dict)
            return value
        return declared(self.switches, revision)

    def switch(self, name: str, *, on: bool) -> None:
        """Flip the switch of that name."""
        self.switches = replace(self.switches, **{name: on})
        self._changed()

    @property
    def is_overridden(self) -> bool:
        """Whether free JSON stands in the place of the switches."""
        return bool(self.override.strip()) and not self.problem

    def set_override(self, text: str) -> None:
        """Declare this JSON text in the place of what the switches say; empty for the switches."""
        if text != self.override:
            self.override = text
            self._changed()

    def _changed(self) -> None:
        if self._save is not None:
            kept: JsonObject = {name: getattr(self.switches, name) for name in NAMES}
            self._save({**kept, "override": self.override} if self.override else kept)
        self.changed.fire()


def _read_switches(saved: Json) -> CapabilityFlags:
    known = saved if isinstance(saved, dict) else {}
    return CapabilityFlags(**{k: v for k, v in known.items() if k in NAMES and isinstance(v, bool)})
