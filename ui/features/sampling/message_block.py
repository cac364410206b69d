"""One content block of a sampling request: a line with its role, size and actions, and its content below.

Texts are set in the font of texts, for they are read; JSON in monospace. What a renderer offers besides, and the raw JSON, are links in the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from inspector.visible_text import one_line, visible
from inspector.wire import json_codec
from ui.navigator import navigator_of
from ui.render import rendering_of
from ui.render.auto_height import AutoHeightJson, AutoHeightText
from ui.render.block import read_annotations
from ui.render.image_view import ImageView
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.labels import ElidedLabel, plain_label, set_style_property, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.save import save_as
from ui.widgets.segmented_control import ViewLinks

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json
    from ui.render.rendering import Saveable
    from ui.theme import Theme

LINE_PX = 20
"""Height of the line above the content, at 100%."""

MAX_PROSE = 4000
"""Characters of a text that is a label; a longer one gets a view of its own, which scrolls."""

MAX_IMAGE_PX = 240
"""Height of an image, at 100%."""

RAW = "raw"


class MessageBlock(QWidget):
    """One block, by its type; one that is not a block is raw JSON, with the reason."""

    def __init__(
        self,
        role: str,
        block: Json,
        *,
        theme: Theme,
        note: str = "",
        tone: str = "",
        name: str = "message_role",
        parent: QWidget | None = None,
    ) -> None:
        """Show `block` under `role`, which is colored by `tone` and called `name`; `note` is the first of the facts."""
        super().__init__(parent)
        self.setObjectName("message_block")
        self._theme = theme
        self._block = block
        self._made: dict[str, QWidget] = {}
        self._rendering = rendering_of(block, self)
        self._makers = self._views()
        self._role = plain_label(one_line(role, 60), tone=tone, name=name, parent=self)
        self._facts = ElidedLabel(self._facts_text(note), parent=self)
        self._build()
        theme.changed.connect(self._dress)
        self._dress()
        self.show_view(next(iter(self._makers)))

    @property
    def theme(self) -> Theme:
        """The theme, for renderers."""
        return self._theme

    def open_link(self, url: str) -> None:
        """Open a link that the user clicked."""
        navigator_of(self).open_link(url)

    def read_resource(self, uri: str) -> None:
        """Read the resource of this URI."""
        navigator_of(self).read_resource(uri)

    def show_view(self, key: str) -> None:
        """Show a view; it is made when first needed."""
        if key not in self._made:
            self._made[key] = made = self._makers[key]()
            if isinstance(made, ImageView):
                made.set_max_height(MAX_IMAGE_PX)
            self._content.addWidget(made)
        for name, widget in self._made.items():
            widget.setVisible(name == key)
        self._links.choose(key)

    def _build(self) -> None:
        theme = self._theme
        set_tone(self._facts, "muted")
        labels = {view.key: view.label for view in self._rendering.views} | {RAW: "Raw"}
        options = [(key, labels[key]) for key in self._makers]
        self._links = ViewLinks(options, name="block_views", parent=self)
        self._links.setVisible(len(options) > 1)
        self._links.chosen.connect(self.show_view)
        line = row_layout(None, self._role, self._facts, space=theme.PADDING_PX)
        line.addStretch(1)
        line.addWidget(self._links)
        self._copy = tool_button(theme, "mdi6.content-copy", "Copy", name="block_copy", parent=self)
        set_style_property(self._copy, "compact", value=True)
        self._copy.clicked.connect(lambda: copy_text(self._copied()))
        line.addWidget(self._copy)
        notes = plain_label(
            visible("\n".join(self._rendering.notes)),
            tone="warning",
            name="block_notes",
            wrap=True,
            parent=self,
        )
        notes.setVisible(bool(self._rendering.notes))
        self._content = column_layout(None, space=0)
        column = column_layout(self, line, notes, self._content, space=theme.px(2))
        save = self._rendering.save
        if save is not None and self._has_file:
            column.addWidget(self._file_line(save))
        meta = self._block.get("_meta") if isinstance(self._block, dict) else None
        if meta is not None:
            make = lambda: AutoHeightJson(meta, theme=theme, name="meta")  # noqa: E731
            column.addWidget(CollapsibleSection("_meta", make, theme=theme, name="meta"))

    def _file_line(self, save: Saveable) -> QWidget:
        """Return the line below an image or audio: its facts, and *Save as…*."""
        line = QWidget(self)
        facts = ElidedLabel(" · ".join(filter(None, self._rendering.facts)), parent=line)
        set_tone(facts, "muted")
        set_theme_font(facts, self._theme, tokens.SMALL)
        link = link_button("Save as…", name="save_block", parent=line)
        link.clicked.connect(
            lambda: save_as(save.supply, source_name=save.file_name, mime=save.mime, parent=self)
        )
        row_layout(line, facts, link, space=self._theme.PADDING_PX).addStretch(1)
        return line

    @property
    def _kind(self) -> str:
        return self._rendering.kind

    @property
    def _has_file(self) -> bool:
        """Whether the content is a file rather than a text."""
        return self._kind in {"image", "audio"}

    def _views(self) -> dict[str, Callable[[], QWidget]]:
        """Return what makes each view; the first is shown first."""
        makers = {view.key: view.make for view in self._rendering.views}
        text = self._prose()
        if text is not None and "text" in makers:
            makers["text"] = lambda: prose(text, theme=self._theme)
        raw = lambda: AutoHeightJson(self._block, theme=self._theme, name="raw_json")  # noqa: E731
        return makers | {RAW: raw}

    def _prose(self) -> str | None:
        block = self._block
        text = block.get("text") if isinstance(block, dict) and self._kind == "text" else None
        return text if isinstance(text, str) else None

    def _facts_text(self, note: str) -> str:
        kind = "" if self._prose() is not None else self._kind
        annotations = read_annotations(self._block).text()
        own = () if self._has_file else self._rendering.facts
        facts = (note, kind, *own, self._rendering.address, *annotations)
        return " · ".join(fact for fact in facts if fact)

    def _copied(self) -> str:
        text = self._prose()
        return json_codec.write(self._block, indent=2) if text is None else text

    def _dress(self) -> None:
        theme = self._theme
        self._role.setFont(theme.font(tokens.SMALL, bold=True))
        self._facts.setFont(theme.font(tokens.SMALL))
        for link in self._links.findChildren(QToolButton):
            link.setFixedHeight(theme.px(LINE_PX))
        self._copy.setFixedSize(*[theme.px(LINE_PX)] * 2)


def prose(text: str, *, theme: Theme) -> QWidget:
    """Return a widget with a text that is read, in the font of texts, whole and as it came."""
    if len(text) > MAX_PROSE:
        view = AutoHeightText(theme=theme, name="prose", mono=False)
        view.set_text(text)
        return view
    label = plain_label(visible(text), name="prose", wrap=True, selectable=True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label
