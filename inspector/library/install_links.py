"""Links that install a server in an editor: the server is written inside the link itself."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import parse_qs, unquote, urlsplit

from inspector.library.config_text import read_json
from inspector.library.profile import with_
from inspector.library.understood import NotUnderstood, Reading, Understood


def is_install_link(text: str) -> bool:
    """Return whether a text is an install link of VS Code or Cursor."""
    return text.startswith(("vscode:mcp/", "vscode-insiders:mcp/", "cursor://")) or (
        text.startswith("https://cursor.com/") and "config=" in text
    )


def read_install_link(text: str) -> Reading:
    """Return the server that an install link holds."""
    parts = urlsplit(text)
    query = parse_qs(parts.query)
    name = "".join(query.get("name", [""])[:1])
    config = "".join(query.get("config", [""])[:1])
    if not text.startswith("vscode"):
        try:
            config = base64.b64decode(config.replace(" ", "+") + "==").decode()
        except (binascii.Error, UnicodeDecodeError):
            return NotUnderstood("The configuration inside this link is not base64 text.")
    elif not config:
        config = unquote(parts.query)
    reading = read_json(config)
    if isinstance(reading, NotUnderstood):
        return reading
    profiles = reading.profiles
    if name and len(profiles) == 1:
        profiles = (with_(profiles[0], name=name),)
    return Understood(profiles, "an install link", reading.warnings)
