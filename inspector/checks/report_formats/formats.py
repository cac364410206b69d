"""The formats of a report: a row for each, whose code is in a module of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.report_formats.as_json import as_json
from inspector.checks.report_formats.as_junit import as_junit
from inspector.checks.report_formats.as_markdown import as_markdown
from inspector.checks.report_formats.as_sarif import as_sarif
from inspector.checks.report_formats.as_text import as_text
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.checks.report_formats.document import ReportDocument


class ReportFormat(FrozenStruct, frozen=True):
    """A format for reports."""

    key: str
    """Its name on the command line."""
    title: str
    """Its name in sentences."""
    suffix: str
    """The ending of its files."""
    write: Callable[[ReportDocument], str]
    """Returns the text of a report."""


FORMATS = (
    ReportFormat("text", "text", ".txt", as_text),
    ReportFormat("json", "JSON", ".json", as_json),
    ReportFormat("sarif", "SARIF", ".sarif", as_sarif),
    ReportFormat("junit", "JUnit XML", ".xml", as_junit),
    ReportFormat("markdown", "Markdown", ".md", as_markdown),
)
"""The first one is for a terminal."""
