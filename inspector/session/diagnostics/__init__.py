"""Why a server cannot be reached or does not respond: the reason as a clause, the hint, and the frame that shows it.

Its modules are imported when a failure needs them first, so that no connection waits for their tables: `diagnostics.process_exit` imports it.

Map
    server_output       what the transcript has of a server: lines, statuses, notes
    known_mistakes      well-known mistakes, recognized by their text
    cause_lines         the line of an output that names the cause of a failure
    code_causes         what runtimes say about the code of a program
    tool_causes         what containers, package managers and version managers say
    exit_causes         why the process of a server ended, recognized by its output
    unusable_responses  what came instead of a response
    silence             what came instead of a response
    no_response         a request without a response in time
    earlier_results     what the server returned before in the session
    refusals            an error response to a request
    process_exit        a process that ended
    connect_failures    the cause of a failed connection, completed in its step
    settings_causes     failures of connecting whose cause is in the settings of the connection
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from inspector.session.diagnostics import cause_lines as cause_lines
    from inspector.session.diagnostics import connect_failures as connect_failures
    from inspector.session.diagnostics import no_response as no_response
    from inspector.session.diagnostics import process_exit as process_exit
    from inspector.session.diagnostics import refusals as refusals
    from inspector.session.diagnostics import settings_causes as settings_causes
    from inspector.session.diagnostics import unusable_responses as unusable_responses

_ON_DEMAND = {
    "cause_lines",
    "connect_failures",
    "no_response",
    "process_exit",
    "refusals",
    "settings_causes",
    "unusable_responses",
}


def __getattr__(name: str) -> ModuleType:
    """Import a module of this package."""
    if name not in _ON_DEMAND:
        raise AttributeError(name)
    return import_module(f"{__name__}.{name}")
