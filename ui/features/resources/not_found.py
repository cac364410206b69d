"""A reading that failed, in words. Pure.

Revisions name two codes for a resource that is not there, and servers use others; all of them are told alike, with the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.error_codes import INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND
from ui.widgets.error_text import ErrorText, code_and_name, error_text

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.spec.revision import Revision

MAYBE = frozenset({INVALID_PARAMS, INTERNAL_ERROR, 0})
"""Codes that say so only together with their message."""


def is_not_found(error: PeerError, revision: Revision | None) -> bool:
    """Whether the server says that there is no such resource."""
    if error.code == RESOURCE_NOT_FOUND:
        return True
    data = error.data
    named = isinstance(data, dict) and "uri" in data
    by_revision = revision is not None and error.code == revision.resource_not_found_code
    words = error.message.casefold()
    return error.code in MAYBE and ("not found" in words or (by_revision and named))


def read_refusal(uri: str, error: PeerError, revision: Revision | None) -> ErrorText:
    """Words, remedy and detail for a reading of `uri` that was refused."""
    told = error_text(error, revision)
    if not is_not_found(error, revision):
        return told
    status = f" ({error.http.line})" if error.http is not None else ""
    named = code_and_name(error, revision)
    words = f"not found: {uri}\n{named}: {error.message or '(no message)'}{status}"
    remedy = "Check the URI or refresh the list."
    usual = revision.resource_not_found_code if revision is not None else RESOURCE_NOT_FOUND
    if error.code != usual:
        remedy += f" (In this revision the code is {usual}.)"
    return ErrorText(words, remedy, told.detail)
