"""The importers, one row each, and the choice among them by what is in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.imports import (
    claude_desktop,
    har,
    inspector_export,
    json_lines,
    mcp_debugger,
    mcphawk,
    mcpsnoop,
)
from inspector.imports.importer import SAMPLE_BYTES, Importer, Sample

if TYPE_CHECKING:
    from pathlib import Path

IMPORTERS = (
    Importer("jsonl", "Spyglass JSON Lines", json_lines.accepts, json_lines.read),
    Importer("har", "HAR", har.accepts, har.read),
    Importer("inspector", "MCP Inspector", inspector_export.accepts, inspector_export.read),
    Importer("mcpsnoop", "mcpsnoop", mcpsnoop.accepts, mcpsnoop.read, mcpsnoop.sessions),
    Importer("mcphawk", "MCPHawk", mcphawk.accepts, mcphawk.read, mcphawk.sessions),
    Importer(
        *("mcp-debugger", "mcp-debugger", mcp_debugger.accepts),
        *(mcp_debugger.read, mcp_debugger.sessions),
    ),
    Importer(
        *("claude-desktop", "Claude Desktop log", claude_desktop.accepts),
        *(claude_desktop.read, claude_desktop.sessions),
    ),
)
"""Every importer, in the order in which they are tried."""


def importer_of(path: Path) -> Importer:
    """Return the importer of a file, found by its beginning. Blocks.

    Raises:
        StorageError: it cannot be read, or no importer is for it.
    """
    try:
        with path.open("rb") as file:
            start = file.read(SAMPLE_BYTES)
    except OSError as error:
        raise StorageError(f"cannot open {path}: {error.strerror or error}") from error
    if not start:
        raise StorageError(f"{path} is empty")
    sample = Sample(path, start.removeprefix(b"\xef\xbb\xbf"))
    for importer in IMPORTERS:
        if importer.accepts(sample):
            return importer
    titles = ", ".join(importer.title for importer in IMPORTERS)
    raise StorageError(
        f"{path} is of an unknown format",
        hint=f"Known formats: {titles}. A recording of Spyglass needs no import.",
    )
