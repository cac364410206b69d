"""What tools, prompts and resources define for the panels of their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from PySide6.QtWidgets import QWidget

from inspector.session.operation import Operation
from ui.render.block_column import BlockResult
from ui.render.operation_status import Outcome, outcome_of
from ui.widgets.error_panel import ErrorText, error_text

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json

A = TypeVar("A", bound=Operation)
R = TypeVar("R", bound=BlockResult)


class AnswerKind(QWidget, Generic[A, R]):
    """The part of an answer panel that its own kind defines; `A` is the kind of operation, `R` the view of its result."""

    name: ClassVar[str]
    """Object names of the parts begin with it."""
    empty: ClassVar[tuple[str, str]]
    """Title and text while there is no operation."""
    empty_recorded: ClassVar[tuple[str, str]]
    """The same in a recording."""
    repeat: ClassVar[str]
    """The tooltip for sending a request again."""
    reuse: ClassVar[str] = ""
    """The tooltip for putting what was sent back into the fields; empty for no such button."""
    history_title: ClassVar[str]
    """What the history lists."""
    compare_text: ClassVar[str] = ""
    """The tooltip for comparing with the operation before; empty for no such button."""

    operation: A | None = None
    """The operation that is shown."""
    _cached: tuple[A, R] | None = None

    def _build(self) -> None:
        """Make the parts, and lay them out with `assemble`."""
        raise NotImplementedError

    def clear(self) -> None:
        """Forget the entry: the list belongs to another server."""
        raise NotImplementedError

    def operations(self, session: OpenSession) -> list[A]:
        """Return the operations of the selected entry in all runs, oldest first."""
        raise NotImplementedError

    def request_text(self, operation: A) -> str:
        """Return what was requested, for the history."""
        raise NotImplementedError

    def brief_text(self, operation: A) -> str:
        """Return what was requested in short, for the history; by default all."""
        return self.request_text(operation)

    def has_preview(self) -> bool:
        """Whether there is something to show of the entry before its first operation."""
        return False

    def compare(self) -> None:
        """Show how the operation differs from the one before."""

    def read_result(self, operation: A) -> R | None:
        """Read the result of an operation; None without one."""
        raise NotImplementedError

    def send_again(self, operation: A) -> None:
        """Send the request of an operation again."""
        raise NotImplementedError

    def error_text(self, operation: A, error: PeerError) -> ErrorText:
        """Return the text of a JSON-RPC error."""
        return error_text(error, operation.revision)

    def schema_of(self, operation: A) -> Json:
        """Return the schema of the arguments; None without one."""
        return None

    def outcome_of(self, operation: A) -> Outcome:
        """Return the state of an operation in one line."""
        return outcome_of(operation)

    def progress_of(self, operation: A) -> str:
        """Return what the server says of the progress."""
        return operation.progress.status_text if operation.progress is not None else ""

    def can_cancel(self, operation: A) -> bool:
        """Whether a running operation is cancelled here; by default beside the button that sent it."""
        return False

    def better_views(self, operation: A) -> dict[str, str]:
        """Return which views to show instead of others for this result."""
        return {}

    def result_of(self, operation: A) -> R | None:
        """Return the result of an operation, which is read once while its views are filled."""
        if self._cached is None or self._cached[0] is not operation:
            result = self.read_result(operation)
            self._cached = (operation, result) if result is not None else None
        return self._cached[1] if self._cached is not None else None
