"""The options about the client that a server sees: what it declares, and how it responds to requests of the server.

Without them a command declares nothing, and a server has no reason to request anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.spec.keys import LOG_LEVELS

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping
    from typing import Any


class ClientOptions(FrozenStruct, frozen=True):
    """The client, as a command line describes it; a field without a docstring is named like its option, whose help is below."""

    declare: str = ""
    answers: Path | None = None
    accept_all: bool = False
    decline_all: bool = False
    roots: tuple[str, ...] = ()
    """The folders and URIs of every `--root`."""
    log_level: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether the command declares nothing and responds to nothing."""
        automatic = self.accept_all or self.decline_all
        return not (self.declare or self.answers or automatic or self.roots)


CLIENT_FIELDS = ClientOptions.__struct_fields__


def add_client_profile_options(parser: ArgumentParser) -> None:
    """Add the options about the client that the server sees."""
    add = parser.add_argument_group("the client that the server sees").add_argument
    text = "declare capabilities: names such as sampling,elicitation.url,roots, or JSON"
    add("--declare", metavar="NAMES", help=text)
    text = "respond to requests of the server by the rules in FILE (JSON; see the README)"
    add("--answers", type=Path, metavar="FILE", help=text)
    text = "accept every elicitation with the defaults, and respond to every sampling request"
    add("--accept-all", action="store_true", help=text)
    add("--decline-all", action="store_true", help="decline every elicitation and sampling request")
    text = "name a folder or file:// URI as a root (repeatable)"
    add("--root", dest="roots", action="append", metavar="DIR", help=text)
    text = "print log messages from this level on"
    add("--log-level", choices=LOG_LEVELS, metavar="LEVEL", help=text)


def to_client_options(given: Mapping[str, Any]) -> ClientOptions:
    """Return the options of a command line; `given` has what was found, by the names of the fields."""
    values = dict(given)
    values["roots"] = tuple(given.get("roots", ()))
    return ClientOptions(**values)


def client_problem(options: ClientOptions) -> str:
    """Return why the options cannot be used together; empty if they can."""
    if options.accept_all and options.decline_all:
        return "either --accept-all or --decline-all"
    return ""
