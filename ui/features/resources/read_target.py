"""What is to be read, and why it could not be. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.spec.error_codes import INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND
from inspector.spec.views.resource import ResourceView, TemplateView
from ui.widgets.error_panel import ErrorText, code_and_name, error_text

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.spec.views.resource import Addressed

FREE = ""
"""The source of a typed URI."""

AMBIGUOUS_CODES = frozenset({INVALID_PARAMS, INTERNAL_ERROR, 0})
"""Codes that mean "not found" only together with their message: servers use others than the revision names."""


class ReadTarget(FrozenStruct, frozen=True):
    """A listed resource, a template with its variables, or a typed URI."""

    entry: Addressed | None = None
    """The resource or template; None for a typed URI."""
    clashes: tuple[Finding, ...] = ()
    """Findings about it and other entries."""

    @property
    def source(self) -> str:
        """The URI or template as displayed, or `FREE`: by it a result is told from one of another target."""
        return FREE if self.entry is None else self.entry.id_label

    @property
    def resource(self) -> ResourceView | None:
        """The resource, if the target is one."""
        return self.entry if isinstance(self.entry, ResourceView) else None

    @property
    def template(self) -> TemplateView | None:
        """The template, if the target is one."""
        return self.entry if isinstance(self.entry, TemplateView) else None


def is_not_found(error: PeerError, revision: Revision | None) -> bool:
    """Whether an error means that the resource does not exist."""
    if error.code == RESOURCE_NOT_FOUND:
        return True
    data = error.data
    named = isinstance(data, dict) and "uri" in data
    by_revision = revision is not None and error.code == revision.resource_not_found_code
    message = error.message.casefold()
    return error.code in AMBIGUOUS_CODES and ("not found" in message or (by_revision and named))


def read_refusal(uri: str, error: PeerError, revision: Revision | None) -> ErrorText:
    """Return text, hint and detail of an error in response to reading `uri`."""
    text = error_text(error, revision)
    if not is_not_found(error, revision):
        return text
    status = f" ({error.http.line})" if error.http is not None else ""
    named = code_and_name(error, revision)
    summary = f"not found: {uri}\n{named}: {error.message or '(no message)'}{status}"
    hint = "Check the URI or refresh the list."
    usual = revision.resource_not_found_code if revision is not None else RESOURCE_NOT_FOUND
    if error.code != usual:
        hint += f" (In this revision the code is {usual}.)"
    return ErrorText(summary, hint, text.detail)
