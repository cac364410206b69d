"""An icon of a tool, resource, prompt or server.

Source: basic, "Icons".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Severity
from inspector.spec.view import View

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

THEMES = ("light", "dark")


class IconView(View):
    """One picture on offer; nobody fetches it without being asked."""

    SUBJECT: ClassVar[str] = "icons"
    RULE: ClassVar[str] = "L-ICO-03"
    NOUN: ClassVar[str] = "an icon"

    def __init__(self, raw: Json, pointer: str = "", revision: Revision | None = None) -> None:
        """Read an icon."""
        super().__init__(raw, pointer, revision)
        self.src = self.text("src", required=True)
        self.mime_type = self.text("mimeType")
        self.sizes = self.texts("sizes")
        self.theme = self.text("theme")
        if self.src and not self.is_safe:
            text = "icon `src` must be an https: or data: URI"
            self.add_finding(text, "src", rule="L-ICO-01", severity=Severity.WARNING)
        if self.theme and self.theme not in THEMES:
            self.add_finding(f"`theme` must be light or dark, not {self.theme!r}", "theme")

    @property
    def is_safe(self) -> bool:
        """Whether the address is of a kind that may be shown: `https:` or `data:`."""
        return self.src.lower().startswith(("https:", "data:"))


def icons(view: View) -> tuple[IconView, ...]:
    """Read the member `icons` of `view`."""
    found = [
        IconView(item, view.pointer_to("icons", number), view.revision)
        for number, item in enumerate(view.items("icons"))
    ]
    for icon in found:
        view.include_findings_of(icon)
    return tuple(found)
