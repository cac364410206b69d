"""The panel that gets a prompt: what it is, and its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal

from inspector.visible_text import one_line
from ui.filtered_list import Selection
from ui.request.panel import RequestPanel, scrolled
from ui.request.row import RequestRow
from ui.widgets.argument_fields import Argument, ArgumentFields, Suggest
from ui.widgets.heading import Heading
from ui.widgets.labels import plain_label
from ui.widgets.links import LinkLine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from inspector.finding import Finding
    from inspector.open_session import OpenSession
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.spec.views.prompt import ArgumentView, PromptView
    from ui.theme import Theme


class PromptPanel(RequestPanel[Selection, "dict[str, str]"]):
    """The selected prompt and its arguments.

    Signals:
        get_requested: the prompt is to be got with the arguments as they stand.
        cancel_requested: the pending request is to be cancelled.
    """

    get_requested = Signal()
    cancel_requested = Signal()

    name: ClassVar[str] = "prompt"
    request_name: ClassVar[str] = "get"
    json_name: ClassVar[str] = "prompt_json"
    views: ClassVar[Sequence[tuple[str, str]]] = (("arguments", "Arguments"), ("json", "JSON"))
    views_name: ClassVar[str] = "prompt_views"
    not_selected: ClassVar[tuple[str, str]] = (
        "No prompt selected",
        "Select a prompt to fill in its arguments and get its messages.",
    )
    not_selected_recorded: ClassVar[tuple[str, str]] = (
        "No prompt selected",
        "Select a prompt to see its definition.",
    )
    not_listed: ClassVar[tuple[str, str]] = ("No prompts", "The list is empty.")

    prompt: PromptView | None = None
    """The selected prompt."""
    _key: Selection | None = None
    _connected = False
    _running = False

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a prompt."""
        super().__init__({}, theme=theme, parent=parent)
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.heading = Heading(theme=theme, name="prompt", copy="Copy name")
        self.fields = ArgumentFields(theme=theme, name="prompt_arguments")
        self.note = LinkLine("Send anyway", theme=theme, name="prompt_suggest")
        self._none = plain_label(
            "This prompt has no arguments.", tone="muted", name="prompt_no_arguments"
        )
        area = scrolled((self._none, self.fields, self.note), label="Arguments", theme=theme)
        row = RequestRow("Get", theme=theme, name="get", cancel="get_cancel")
        self.assemble(self.heading, area, row)

    def _wire(self) -> None:
        super()._wire()
        self.fields.changed.connect(self._refresh)
        self.fields.submitted.connect(self.row.press)
        self.row.send_requested.connect(self._on_get_requested)
        self.row.changed.connect(self._refresh)
        self.row.cancel_requested.connect(self.cancel_requested)

    def clear(self) -> None:
        """Forget the prompt."""
        self.prompt, self._key = None, None

    def show_prompt(
        self, prompt: PromptView | None, key: Selection | None, clashes: Sequence[Finding]
    ) -> None:
        """Offer to get `prompt` with its draft; `key` is its selection in the list."""
        self.keep_draft()
        before = self.prompt
        self.prompt = prompt
        if prompt is not before:
            self._headers.start()
        if prompt is not None and key is not None:
            if before is None or key != self._key or before.raw != prompt.raw:
                sendable = [argument for argument in prompt.arguments if argument.has_id]
                again = before is not None and key == self._key
                self.fields.set_arguments([_argument(each) for each in sendable], again=again)
                if not again:
                    self.fields.set_values(self.draft_of(key))
            self._show_heading(prompt, clashes)
            self._json.set_value(prompt.raw)
            self._none.setVisible(not self.fields.fields)
        self._key = key if prompt is not None else None
        self._refresh()

    def _show_heading(self, prompt: PromptView, clashes: Sequence[Finding]) -> None:
        self.heading.show_entry(
            prompt.label,
            prompt.id_label,
            copied=prompt.name if prompt.has_id else None,
            description=prompt.description,
            problems=[finding.summary for finding in (*clashes, *prompt.problems)],
        )

    def arguments(self) -> dict[str, str]:
        """Return the arguments that are set."""
        return self.fields.values()

    def set_arguments(self, values: Mapping[str, str]) -> None:
        """Set the arguments of an earlier request."""
        self.fields.set_values(values)

    def show_state(self, *, connected: bool, running: bool) -> None:
        """Enable the buttons."""
        self._connected, self._running = connected, running
        self._refresh()

    def set_suggest(self, suggest: Suggest | None, absent: str = "") -> None:
        """Suggest values for arguments, or say why there are no suggestions."""
        self.fields.set_suggest(suggest)
        self.note.set_text(absent if self.fields.fields else "")

    def focus_form(self) -> None:
        """Go to the first field, or to the button of a prompt without arguments."""
        if self.fields.fields:
            self.fields.focus_first()
        else:
            self.row.button.setFocus()

    def _refresh(self) -> None:
        self.show_entry(self.prompt is not None)
        missing = self.fields.missing()
        self.row.show_state(
            connected=self._connected,
            running=self._running,
            anyway=bool(missing),
            text=f"required: {one_line(', '.join(missing), 200)}" if missing else "",
        )
        self.show_headers(is_ready=self.prompt is not None)

    def preview(self, session: OpenSession) -> MirroredHeaders | None:
        """Return the headers of the request as it stands."""
        if self.prompt is None:
            return None
        return session.prompts.headers_of(self.prompt, self.row.options.meta())

    def draft_key(self) -> Selection | None:
        """Return the selection of the prompt."""
        return self._key

    def draft(self) -> dict[str, str]:
        """Return the arguments that are set."""
        return self.fields.values()

    def _on_get_requested(self) -> None:
        if self.prompt is not None:
            self.get_requested.emit()


def _argument(argument: ArgumentView) -> Argument:
    return Argument(argument.name, argument.title, argument.description, argument.required)
