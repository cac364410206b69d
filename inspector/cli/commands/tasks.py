"""`tasks`: the tasks of a server, and what can be requested about one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.command import SUCCESS
from inspector.cli.commands.lists import show_list
from inspector.cli.json_output import result_to_json
from inspector.cli.runner import session_command
from inspector.errors import RequestAborted
from inspector.features.tasks import RULES
from inspector.session.outgoing import ENDLESS
from inspector.session.paginated_list import PaginatedList
from inspector.spec import tasks as designs
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.spec.tasks import TaskDesign
    from inspector.spec.views.task import TaskView
    from inspector.wire.json_codec import JsonObject

NEEDED = {
    "list": (),
    "get": ("ID",),
    "result": ("ID",),
    "cancel": ("ID",),
    "update": ("ID", "RESPONSES"),
}
"""What can be done, and what it needs."""


def _add_arguments(parser: ArgumentParser) -> None:
    text = (
        "list the tasks (the default); get one, wait for its result, or cancel it; "
        "update one with the responses that it requires, as a JSON object by key"
    )
    parser.add_argument("args", nargs="*", metavar="[ACTION [ID [RESPONSES]]]", help=text)


async def _show(session: Session, options: Options, console: Console) -> int:
    """Print the list, or the result of a request about one task.

    Raises:
        InspectorError: the arguments cannot be used, or the server responded with an error, or not at all.
    """
    action, *rest = options.args or ("list",)
    design = designs.dialect(session.revision)
    if design is None:
        raise RequestAborted(f"{session.revision} has no tasks")
    if action == "list":
        if not design.list_method:
            raise RequestAborted(
                f"{session.revision} has no list of tasks", hint="Use tasks get ID."
            )
        return await show_list(_listing, "tasks", _cells, session, options, console)
    method = _methods(design)[action]
    if not method:
        raise RequestAborted(f"tasks of {session.revision} have no {action}")
    params: JsonObject = {"taskId": rest[0]}
    if action == "update":
        params["inputResponses"] = json_codec.read(rest[1].encode()).value
    limits = ENDLESS if action == "result" else None  # it blocks by design
    reply = await session.request(method, params, timeouts=limits, meta=options.meta or None)
    message = session.transcript.message(reply.frame)
    if options.json:
        console.out_json({"result": result_to_json(message)})
    else:
        console.out_value(or_null(message.result))
    return SUCCESS


def _methods(design: TaskDesign) -> dict[str, str]:
    """Return the method of the request for each action about one task; empty if the design has none."""
    return {
        "get": design.get_method,
        "result": design.result_method or design.get_method,
        "cancel": design.cancel_method,
        "update": design.update_method,
    }


def _problem(options: Options) -> str:
    """Return what is wrong with the arguments; empty if nothing is."""
    action, *rest = options.args or ("list",)
    if action not in NEEDED:
        return f"tasks takes {', '.join(NEEDED)}, not {action!r}"
    if len(rest) != len(NEEDED[action]):
        return " ".join(("write: tasks", action, *NEEDED[action]))
    if action == "update":
        try:
            json_codec.read(rest[1].encode("utf-8", "surrogateescape"))
        except JsonSyntaxError as error:
            return f"the responses are not valid JSON: {error}"
    return ""


def _listing(session: Session) -> PaginatedList[TaskView]:
    return PaginatedList(session, RULES)


def _cells(task: TaskView) -> tuple[str, str, str]:
    return task.id, task.status, task.status_message


tasks = session_command(
    _add_arguments,
    _show,
    "tasks -- python server.py",
    "tasks result 3f2a --json --server NAME",
    "tasks cancel 3f2a -- http://127.0.0.1:3001/mcp",
    problem=_problem,
)
