"""All targets, in the order in which they take turns."""

from __future__ import annotations

from tests.fuzz import config_files, http_bodies, imported, lines, pasted, recordings
from tests.fuzz.case import Target

TARGETS: tuple[Target, ...] = (
    Target("recordings", recordings.run),
    Target("imports", imported.run),
    Target("config", config_files.run),
    Target("profiles", config_files.run_profiles),
    Target("pasted", pasted.run),
    Target("wire", lines.run),
    Target("http", http_bodies.run),
    Target("sse", http_bodies.run_streams),
)
