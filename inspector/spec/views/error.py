"""The error of a response.

Source: JSON-RPC 2.0, section 5.1; basic, "Responses".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.spec.error_codes import ErrorCode, explain
from inspector.spec.json_types import type_text
from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json


class ErrorView(View):
    """The member `error` of a response."""

    SUBJECT: ClassVar[str] = "errors"
    RULE: ClassVar[str] = "L-JR-07"
    NOUN: ClassVar[str] = "`error`"

    def __init__(
        self, raw: Json, pointer: str = "/error", revision: Revision | None = None
    ) -> None:
        """Read the error."""
        super().__init__(raw, pointer, revision)
        self.has_code = self.has("code")
        self.code = self.value("code")
        self.message = self.text("message", required=True)
        self.has_data = self.has("data")
        self.data = self.value("data")
        self.meaning: ErrorCode = explain(self.code, revision)
        self._check()

    @property
    def supported_versions(self) -> list[str]:
        """The revisions that `data.supported` lists, if it does."""
        found = self.data.get("supported") if isinstance(self.data, dict) else None
        return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []

    @property
    def summary(self) -> str:
        """The server's own message, or what the code stands for when it left none."""
        return self.message or self.meaning.name

    def _check(self) -> None:
        if not self.has_code:
            if self.is_object:
                self.add_finding("`code` is missing", "code")
        elif isinstance(self.code, bool) or not isinstance(self.code, int):
            self.add_finding(f"`code` must be an integer, not {type_text(self.code)}", "code")
