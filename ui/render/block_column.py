"""What a result holds, part by part in one scrolling column: problems of the whole above, and below what is not displayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.finding import Severity
from inspector.visible_text import one_line, visible
from ui.render.block import BlockWidget
from ui.render.incremental import FEW, IncrementalArea, IncrementalBuilder
from ui.render.registry import render
from ui.widgets.labels import QuotingLabel, plain_label
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inspector.finding import Finding
    from inspector.spec.views.content import ContentView
    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

MAX_PARTS = 100
"""Parts rendered; *Raw* has all of them."""

MAX_WARNINGS = 5
"""Problems shown above the parts; *Problems* has all of them."""

MAX_CHARACTERS = 4000
"""Of a label."""

VIEWS_OF_FIXED_SIZE = {"bytes", "picture"}
"""Views that have no use for more height than they need."""

T = TypeVar("T")


class BlockResult(Protocol):
    """The view of a result that holds content."""

    meta: JsonObject

    @property
    def notes(self) -> list[Finding]:
        """Problems of the result as a whole."""
        ...

    @property
    def findings(self) -> Sequence[Finding]:
        """Problems of the result and of its parts."""
        ...

    @property
    def unknown(self) -> JsonObject:
        """Members that the revision does not define."""
        ...


class BlockColumn(IncrementalArea, Generic[T]):
    """The parts of one result in order."""

    def __init__(
        self,
        add_part: Callable[[T, QVBoxLayout, QWidget], Iterator[None]],
        *,
        theme: Theme,
        name: str,
        label: str,
        parts: str = "blocks",
        fills: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Start empty.

        `add_part` renders a part into a layout, with a parent for its widgets, and yields after each widget. `name` begins the object
        names, `label` is the accessible name, `parts` the plural of what is counted. A block that is alone shrinks where the panel is
        low, and if the column `fills` the panel it takes all its height.
        """
        super().__init__(parent)
        self.setObjectName(f"{name}_content")
        self.setAccessibleName(label)
        self._add_part = add_part
        self._theme = theme
        self._name = name
        self._parts = parts
        self._fills = fills
        self._warnings = QVBoxLayout()

    def show_result(
        self,
        result: BlockResult,
        parts: Sequence[T],
        *,
        above: Sequence[QWidget] = (),
        remarks: Sequence[str] = (),
        count: int | None = None,
        at_once: bool = True,
    ) -> None:
        """Show the parts of a result, between the widgets `above` and the `remarks`.

        `count` is the number of their widgets, by default one for each. Many are added while the column is visible already. Few become
        visible together: at once, or, unless `at_once`, from the next turn of the loop on.
        """
        inner = self.begun()
        column = column_layout(inner, space=self._theme.PADDING_PX)
        self._warnings = QVBoxLayout()
        column.addLayout(self._warnings)
        notes = [note for note in result.notes if note.severity is not Severity.INFO]
        self.add_warnings([note.summary for note in notes[:MAX_WARNINGS]])
        for widget in above:
            column.addWidget(widget)
        blocks = QVBoxLayout()
        column.addLayout(blocks)
        for text in (*self._omitted(len(parts)), *remarks, *_undefined(result)):
            column.addWidget(result_label(f"{self._name}_remark", text, tone="muted"))
        if len(parts) != 1:
            column.addStretch(1)
        steps = self._steps(parts, blocks, column, inner)
        if (len(parts) if count is None else count) > FEW:
            IncrementalBuilder(steps, inner, at_once=False)
            self.put(inner)
        else:
            self.put_rendered(inner, steps, at_once=at_once)

    def add_warnings(self, lines: Sequence[str]) -> None:
        """Show more problems of the result as a whole."""
        for text in lines:
            label = QuotingLabel(visible(f"⚠ {text}"), name=f"{self._name}_warning", tone="warning")
            self._warnings.addWidget(label)

    def _steps(
        self, parts: Sequence[T], blocks: QVBoxLayout, column: QVBoxLayout, inner: QWidget
    ) -> Iterator[None]:
        for part in parts[:MAX_PARTS]:
            yield from self._add_part(part, blocks, inner)
        if len(parts) == 1 and not self._is_filled_by(blocks):
            column.addStretch(1)

    def _is_filled_by(self, blocks: QVBoxLayout) -> bool:
        """Let a block that is alone shrink; return whether it takes all the height as well."""
        item = blocks.itemAt(0)
        block = item.widget() if item is not None else None
        if not isinstance(block, BlockWidget):
            return False
        if self._fills and block.current_view() in VIEWS_OF_FIXED_SIZE:
            return False
        block.set_roomy()
        return self._fills

    def _omitted(self, count: int) -> list[str]:
        more = count - MAX_PARTS
        return [f"{more:,} more {self._parts} in Raw."] if more > 0 else []


def add_blocks(theme: Theme) -> Callable[[ContentView, QVBoxLayout, QWidget], Iterator[None]]:
    """Return the `add_part` of a column of content blocks."""

    def add(block: ContentView, column: QVBoxLayout, parent: QWidget) -> Iterator[None]:
        column.addWidget(render(block.raw, theme=theme, parent=parent))
        yield

    return add


def result_label(name: str, text: str = "", *, tone: str = "") -> QLabel:
    """Return a label of plain text that wraps and can be selected."""
    text = visible(text[:MAX_CHARACTERS])
    return plain_label(text, tone=tone, name=name, wrap=True, selectable=True)


def _undefined(result: BlockResult) -> Iterator[str]:
    """Yield what the column does not render: members that the revision does not define, and `_meta`."""
    if result.unknown:
        names = one_line(", ".join(result.unknown), 200)
        yield f"Not defined in this revision (see JSON): {names}"
    if result.meta:
        yield "Result has _meta (see JSON)."
