"""`complete`: what a server suggests for an argument of a prompt or of a resource template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.command import SUCCESS
from inspector.cli.json_output import result_to_json
from inspector.cli.runner import session_command
from inspector.features.completion import Completions, prompt_ref, template_ref
from inspector.transcript.exchange import response_in

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session


def _add_arguments(parser: ArgumentParser) -> None:
    text = (
        "the name of a prompt or a URI template, the argument with the text typed so far, "
        "and the values of other arguments"
    )
    parser.add_argument("args", nargs="+", metavar="REF ARG=TEXT", help=text)
    text = "what REF is (default: a template if it contains a brace)"
    parser.add_argument("--ref", dest="ref_type", choices=("prompt", "resource"), help=text)


def _problem(options: Options) -> str:
    """Return what is wrong with the arguments; empty if nothing is."""
    pairs = options.args[1:]
    is_valid = pairs and all(pair.partition("=")[0] and "=" in pair for pair in pairs)
    return "" if is_valid else "add the argument to complete, as ARG=TEXT; TEXT may be empty"


async def _show(session: Session, options: Options, console: Console) -> int:
    """Print the suggested values, a line each.

    Raises:
        InspectorError: the server responded with an error, or not at all.
    """
    name, *pairs = options.args
    values = [pair.partition("=") for pair in pairs]
    is_template = options.ref_type == "resource" or (not options.ref_type and "{" in name)
    ref = template_ref(name) if is_template else prompt_ref(name)
    (argument, _, text), *others = values
    context = {key: value for key, _, value in others}
    suggested = await Completions(session).complete(ref, argument, text, context)
    if options.json:
        message = response_in(session.transcript, suggested.frame)
        console.out_json({"result": result_to_json(message)})
        return SUCCESS
    completion = suggested.completion
    for value in completion.values:
        console.out(value)
    if completion.more:
        total = "" if completion.total is None else f" of {completion.total:,}"
        console.err(f"{len(completion.values):,}{total} values; the server has more")
    elif not completion.values:
        console.err("no values")
    return SUCCESS


complete = session_command(
    _add_arguments,
    _show,
    "complete completable-prompt department=E -- npx -y @modelcontextprotocol/server-everything",
    "complete completable-prompt name= department=Sales --json --server NAME",
    "complete 'demo://resource/dynamic/text/{resourceId}' resourceId=1 -- python server.py",
    problem=_problem,
)
