"""What a server on the command line was probably meant as: a host without a scheme, a server without `--` in front."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from inspector.config.importers.server_entry import is_url

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOST_AND_PORT = re.compile(
    r"(?:localhost|\[[0-9a-f:]+\]|\d+(?:\.\d+){3}|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:/\S*)?",
    re.IGNORECASE,
)


def suggested_url(text: str) -> str:
    """Return the URL that a host without a scheme was probably meant as; empty if it looks like a program."""
    host = text.partition("/")[0]
    has_port = bool(re.search(r":\d+$", host))
    is_local = host.lower().startswith(("localhost", "127.", "[::1]"))
    is_host = bool(_HOST_AND_PORT.fullmatch(text)) and (has_port or is_local)
    return f"http://{text}" if is_host else ""


def separator_hint(program: str, args: Sequence[str]) -> str:
    """Return how a command line reads with the `--` that was probably forgotten; empty if `args` name no server."""
    server = next((at for at, arg in enumerate(args) if is_url(arg) or suggested_url(arg)), None)
    if server is None:
        return ""
    line = f"{program} {shlex.join((*args[:server], '--', *args[server:]))}"
    return f"\n`--` is missing in front of the server. Write: {line}"
