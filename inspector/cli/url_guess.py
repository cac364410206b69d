"""An address without a scheme, as it is often typed: what URL it was probably meant as."""

from __future__ import annotations

import re

_HOST_AND_PORT = re.compile(
    r"(?:localhost|\[[0-9a-f:]+\]|\d+(?:\.\d+){3}|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:/\S*)?",
    re.IGNORECASE,
)


def suggested_url(text: str) -> str:
    """Return the URL that an address without a scheme was probably meant as; empty where it looks like a program."""
    host = text.partition("/")[0]
    has_port = bool(re.search(r":\d+$", host))
    is_local = host.lower().startswith(("localhost", "127.", "[::1]"))
    if not _HOST_AND_PORT.fullmatch(text) or not (has_port or is_local):
        return ""
    return f"http://{text}" if has_port or is_local else f"https://{text}"
