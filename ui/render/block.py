"""The widget of one content block: its type, problems, annotations of the server (untrusted), views, and always the raw JSON.

Source of annotations: server/resources, "Annotations". They stand on the block or, in older examples, inside its resource.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from inspector.frozen import FrozenStruct
from inspector.visible_text import visible
from inspector.wire.json_codec import RawNumber
from ui.navigator import navigator_of
from ui.render.auto_height import AutoHeightJson, reserve_height
from ui.render.rendering import Rendering, View
from ui.widgets.badge import Badge
from ui.widgets.buttons import tool_button
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import (
    ElidedLabel,
    ShorteningLabel,
    plain_label,
    set_tone,
    tool_tip,
    visible_name,
)
from ui.widgets.layout_parts import row_layout
from ui.widgets.save import save_as
from ui.widgets.segmented_control import ViewLinks

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from inspector.wire.json_codec import Json
    from ui.theme import Theme

KIND_PIXELS = 38
"""Width at 100% up to which the kind is not shortened."""

MIN_ICON_PIXELS = 340
"""Width at 100% from which on the header has an icon."""

ADDRESS_CHARACTERS = 24
"""Of an address in the header; with less room it gets a row of its own."""

ROOMY_PIXELS = 100
"""Minimum height at 100% of a view that is alone."""


class BlockWidget(QWidget):
    """One content block."""

    def __init__(
        self,
        content: Json,
        draw: Callable[[BlockWidget], Rendering],
        *,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show `content`, rendered by `draw`, whose host is this block."""
        super().__init__(parent)
        self.setObjectName("content_block")
        self._theme = theme
        self._content = content
        self._rendering = draw(self)
        raw = View("raw", "Raw", lambda: AutoHeightJson(content, theme=theme, name="raw_json"))
        self._views = {view.key: view for view in (*self._rendering.views, raw)}
        self._made: dict[str, QWidget] = {}
        self._roomy = False
        self._build()
        self._wire()
        self.show_view(next(iter(self._views)))
        self._refresh()

    @property
    def theme(self) -> Theme:
        """The theme, for renderers."""
        return self._theme

    @property
    def rendering(self) -> Rendering:
        """What the renderer returned."""
        return self._rendering

    def _build(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._header_row = self._header()
        self._column.addLayout(self._header_row)
        self._below = QHBoxLayout()  # where the address goes when the head has no room for it
        self._below.setContentsMargins(self._theme.ICON + self._theme.px(6), 0, 0, 0)
        self._column.addLayout(self._below)
        badges = self._badges(read_annotations(self._content))
        if badges:
            self._column.addLayout(self._badge_row(badges))
        self._notes = plain_label(
            visible("\n".join(self._rendering.notes)),
            tone="warning",
            name="block_notes",
            wrap=True,
            parent=self,
        )
        self._notes.setVisible(bool(self._rendering.notes))
        pad = self._theme.PADDING_PX
        self._notes.setContentsMargins(pad, 0, pad, self._theme.SPACING_PX)
        self._column.addWidget(self._notes)
        self.setAccessibleName(
            visible_name(" ".join((self._rendering.kind, *self._facts(), self._rendering.address)))
        )
        meta = self._content.get("_meta") if isinstance(self._content, dict) else None
        if meta is not None:
            text = f"_meta · {len(meta)}" if isinstance(meta, (dict, list)) else "_meta"
            make = lambda: AutoHeightJson(meta, theme=self._theme, name="meta")  # noqa: E731
            self._column.addWidget(
                CollapsibleSection(text, make, theme=self._theme, name="meta", parent=self)
            )

    def _header(self) -> QHBoxLayout:
        rendering, theme = self._rendering, self._theme
        self._icon = QLabel(self)
        self._icon.hide()  # until there is the width for it
        self._kind = ElidedLabel(rendering.kind, parent=self)
        set_tone(self._kind, "title")
        facts = self._facts()
        self._facts_label = ShorteningLabel(parent=self)
        self._facts_label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._facts_label.set_texts(*(" · ".join(facts[:n]) for n in range(len(facts), -1, -1)))
        self._facts_label.setMinimumWidth(1)  # in a narrow panel they give way to the buttons
        self._address = ElidedLabel(rendering.address, parent=self)
        self._address.setVisible(bool(rendering.address))
        # It gets what the others leave.
        self._address.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for label in (self._facts_label, self._address):
            set_tone(label, "muted")
        self._links = ViewLinks(
            [(view.key, view.label) for view in self._views.values()], name="views", parent=self
        )
        self._save = tool_button(theme, "mdi6.download", "Save as…", name="save_block", parent=self)
        self._save.setVisible(rendering.save is not None)
        header = row_layout(
            None,
            self._icon,
            self._kind,
            self._facts_label,
            space=theme.px(6),
            margins=0,
        )
        header.addWidget(self._address, 1)
        self._gap = QWidget(self)  # stands in for the address where that is elsewhere
        self._gap.setVisible(not rendering.address)
        header.addWidget(self._gap, 1)
        header.addWidget(self._links)
        header.addWidget(self._save)
        return header

    def _badge_row(self, badges: list[Badge]) -> FlowLayout:
        """Return the badges under the header, in as many lines as they need."""
        row = FlowLayout(self._theme.SPACING_PX)
        row.setContentsMargins(
            self._theme.PADDING_PX, 0, self._theme.PADDING_PX, self._theme.SPACING_PX
        )
        for badge in badges:
            row.addWidget(badge)
        return row

    def _badges(self, annotations: ContentAnnotations) -> list[Badge]:
        tip = "Annotations from the server (untrusted)"
        return [Badge(text, theme=self._theme, tip=tip, parent=self) for text in annotations.text()]

    def _facts(self) -> list[str]:
        return [fact for fact in self._rendering.facts if fact]

    def _wire(self) -> None:
        self._links.chosen.connect(self.show_view)
        self._save.clicked.connect(self._on_save_clicked)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        edge = self._theme.ICON
        self._icon.setPixmap(self._theme.icon(self._rendering.icon, "muted").pixmap(edge, edge))
        metrics = QFontMetrics(self._theme.font(bold=True))
        needed = metrics.horizontalAdvance(self._kind.text()) + self._theme.px(2)
        self._kind.setMinimumWidth(min(needed, self._theme.px(KIND_PIXELS)))
        self._kind.setMaximumWidth(needed)
        # Before its layout gave it a width, it has one of Qt's, and all would move twice.
        if self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            self._fit_facts()
            self._move_address()

    def views(self) -> tuple[str, ...]:
        """Return the keys of the views; `raw` is the last."""
        return tuple(self._views)

    def current_view(self) -> str:
        """Return the key of the visible view."""
        return self._links.current()

    def show_view(self, key: str) -> None:
        """Show a view; it is made when first needed."""
        if key not in self._made:
            made = self._views[key].make()
            self._made[key] = made
            self._column.insertWidget(self._column.indexOf(self._notes) + 1, made)
            if self._roomy:
                reserve_height(made, self._theme.px(ROOMY_PIXELS))
        for name, widget in self._made.items():
            widget.setVisible(name == key)
        self._links.choose(key)

    def set_roomy(self) -> None:
        """Take all available height, for a block that is alone."""
        self._roomy = True
        reserve_height(self)
        for widget in self._made.values():
            reserve_height(widget, self._theme.px(ROOMY_PIXELS))

    def widget(self, key: str) -> QWidget | None:
        """Return the widget of a view that was shown before, else None."""
        return self._made.get(key)

    def open_link(self, url: str) -> None:
        """Open a link that the user clicked."""
        navigator_of(self).open_link(url)

    def read_resource(self, uri: str) -> None:
        """A drawer tells of a needed resource."""
        navigator_of(self).read_resource(uri)

    def _move_address(self) -> None:
        """Move the address to a row of its own where the header is too narrow to tell it from others."""
        if not self._rendering.address:
            return
        advance = self._address.fontMetrics().horizontalAdvance
        needed = min(advance(self._address.text()), advance("x") * ADDRESS_CHARACTERS)
        parts = (self._icon, self._kind, self._facts_label, self._links, self._save)
        widths = [part.sizeHint().width() for part in parts if not part.isHidden()]
        taken = sum(widths) + len(widths) * self._header_row.spacing()
        is_below = self.contentsRect().width() - taken - 2 * self._theme.PADDING_PX < needed
        if is_below == (self._below.indexOf(self._address) >= 0):
            return
        if is_below:
            self._below.addWidget(self._address, 1)
        else:
            self._header_row.insertWidget(self._header_row.indexOf(self._gap), self._address, 1)
        self._gap.setVisible(is_below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the address as the width changes; where there is little, the icon gives way: the kind says the same."""
        super().resizeEvent(event)
        self._icon.setVisible(self.width() >= self._theme.px(MIN_ICON_PIXELS))
        self._fit_facts()
        self._move_address()

    def _fit_facts(self) -> None:
        """Shorten the facts before the kind: a maximum, as a minimum of the kind would keep the block from getting narrow."""
        parts = [each for each in (self._icon, self._links, self._save) if not each.isHidden()]
        taken = sum(each.sizeHint().width() for each in parts) + self._kind.maximumWidth()
        spacing = (len(parts) + 2) * self._header_row.spacing()
        margins = self._header_row.contentsMargins()
        left = self.contentsRect().width() - taken - spacing - margins.left() - margins.right()
        self._facts_label.setMaximumWidth(max(1, left))

    def _on_save_clicked(self) -> None:
        if (save := self._rendering.save) is not None:
            saving = save_as(save.supply, source_name=save.file_name, mime=save.mime, parent=self)
            saving.failed.connect(self._on_save_failed)

    def _on_save_failed(self, text: str) -> None:
        self._notes.setText(visible(text))
        self._notes.setToolTip(tool_tip(text))
        self._notes.show()


class ContentAnnotations(FrozenStruct, frozen=True):
    """The readable part of `annotations`."""

    audience: tuple[str, ...] = ()
    """For whom: `user`, `assistant`, or any other string."""
    priority: str = ""
    """0 to 1, as spelled."""
    modified: str = ""
    """When it was last changed, as spelled."""

    def text(self) -> list[str]:
        """One text for each badge."""
        text = [f"for {name}" for name in self.audience[:4]]
        if self.priority:
            text.append(f"priority {self.priority}")
        if self.modified:
            text.append(f"modified {self.modified}")
        return text


def read_annotations(content: Json) -> ContentAnnotations:
    """The annotations of a content block; what cannot be read is left to the raw view."""
    found = _annotations(content)
    if not isinstance(found, dict):
        return ContentAnnotations()
    audience, priority, modified = (
        found.get(name) for name in ("audience", "priority", "lastModified")
    )
    names = audience if isinstance(audience, list) else []
    return ContentAnnotations(
        tuple(name for name in names if isinstance(name, str)),
        _number(priority),
        modified if isinstance(modified, str) else "",
    )


def _annotations(content: Json) -> Json:
    if not isinstance(content, dict):
        return None
    inner = content.get("resource")
    if "annotations" not in content and isinstance(inner, dict):
        return inner.get("annotations")
    return content.get("annotations")


def _number(value: Json) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    return value.text if isinstance(value, RawNumber) else str(value)
