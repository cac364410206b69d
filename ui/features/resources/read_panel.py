"""The panel that reads a resource: a listed one, one of a template, or any URI."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit

from ui.features.resources.read_target import FREE
from ui.features.resources.resource_facts import facts
from ui.features.resources.subscribe_row import SubscribeRow
from ui.features.resources.template_form import TemplateForm
from ui.request.panel import RequestPanel, scrolled
from ui.request.row import RequestRow
from ui.widgets.heading import Heading
from ui.widgets.key_values import KeyValues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inspector.features.subscriptions import Subscriptions
    from inspector.open_session import OpenSession
    from inspector.spec.mirrored_headers import MirroredHeaders
    from ui.features.resources.read_target import ReadTarget
    from ui.theme import Theme

FREE_NAME = "uri"
"""The key of a typed URI among the values of templates."""


class ReadPanel(RequestPanel[str, "dict[str, str]"]):
    """What is to be read.

    Signals:
        changed: the URI or the options changed.
        read_requested: the resource is to be read.
        cancel_requested: the pending request is to be cancelled.
        subscribe_requested: subscribe to changes of the resource, or (False) unsubscribe.
    """

    changed = Signal()
    read_requested = Signal()
    cancel_requested = Signal()
    subscribe_requested = Signal(bool)

    name: ClassVar[str] = "wish"
    request_name: ClassVar[str] = "read"
    json_name: ClassVar[str] = "resource_json"
    views: ClassVar[Sequence[tuple[str, str]]] = (("details", "Details"), ("json", "JSON"))
    views_name: ClassVar[str] = "wish_views"
    not_selected: ClassVar[tuple[str, str]] = (
        "No resource selected",
        "Press Enter or double-click a resource to read it.",
    )
    not_selected_recorded: ClassVar[tuple[str, str]] = (
        "No resource selected",
        "Select a resource to see its definition.",
    )
    not_listed: ClassVar[tuple[str, str]] = (
        "No resources",
        "Any URI can be read: use the first button above the list.",
    )

    target: ReadTarget | None = None
    """What the panel offers to read."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with nothing selected."""
        super().__init__({}, theme=theme, parent=parent)
        self.show_target(None)

    def _build(self) -> None:
        theme = self._theme
        self.heading = Heading(theme=theme, name="resource", copy="Copy URI")
        self._facts = KeyValues(theme=theme, name="resource_facts")
        self.form = TemplateForm(theme=theme)
        self.free = QLineEdit()
        self.free.setObjectName("free_uri")
        self.free.setAccessibleName("URI")
        self.free.setPlaceholderText("scheme://…")
        self.subscribe_row = SubscribeRow(theme=theme)
        parts = (self.free, self.form, self._facts, self.subscribe_row)
        area = scrolled(parts, label="Details", theme=theme)
        row = RequestRow("Read", theme=theme, name="read", cancel="read_cancel")
        self.assemble(self.heading, area, row)

    def _wire(self) -> None:
        super()._wire()
        self.form.changed.connect(self.changed)
        self.form.submitted.connect(self.row.press)
        self.free.textChanged.connect(self.changed)
        self.free.returnPressed.connect(self.row.press)
        self.row.send_requested.connect(self.read_requested)
        self.row.changed.connect(self.changed)
        self.row.cancel_requested.connect(self.cancel_requested)
        self.subscribe_row.subscribe_requested.connect(self.subscribe_requested)

    def clear(self) -> None:
        """Forget the target; restore the URI that was typed for this server."""
        self.target = None
        self.free.setText(self.draft_of(FREE).get(FREE_NAME, ""))

    def uri(self) -> str | None:
        """Return the URI that would be sent; None without one."""
        target = self.target
        if target is None:
            return None
        if target.template is not None:
            return self.form.uri() if target.template.has_id else None
        if target.resource is not None:
            return target.resource.uri if target.resource.has_id else None
        return self.free.text()

    def show_target(self, target: ReadTarget | None) -> None:
        """Offer to read `target`, with its draft."""
        self.keep_draft()
        before, self.target = self.target, target
        if before is None or target is None or before.entry is not target.entry:
            self._headers.start()
        self.show_entry(target is not None)
        if target is None:
            return
        entry, template = target.entry, target.template
        self.free.setVisible(entry is None)
        self.form.setVisible(template is not None and bool(template.template.variables))
        self._facts.setVisible(entry is not None)
        self._views.setVisible(entry is not None)
        if template is not None and not _is_same_template(before, target):
            self.form.set_template(template.template)
            self.form.set_texts(self.draft_of(target.source))
        self._show_heading(target)
        if entry is None:
            self._views.choose("details")
            self._body.setCurrentIndex(0)
        else:
            self._facts.set_facts(facts(entry))
            self._json.set_value(entry.raw)
        self.changed.emit()

    def _show_heading(self, target: ReadTarget) -> None:
        entry = target.entry
        if entry is None:
            text = "Sent exactly as typed, listed or not."
            self.heading.show_entry("Read URI…", "", copied=None, description=text)
            return
        self.heading.show_entry(
            entry.label,
            entry.id_label,
            copied=entry.address if entry.has_id else None,
            description=entry.description,
            problems=[finding.summary for finding in (*target.clashes, *entry.problems)],
        )

    def show_state(
        self, subscriptions: Subscriptions | None, *, connected: bool, running: bool
    ) -> None:
        """Enable the buttons, and show the state of the subscription."""
        uri = self.uri()
        self.row.show_state(
            connected=connected,
            running=running,
            sendable=uri is not None,
            text="" if uri is not None else "No URI",
            tone="muted",
        )
        self.show_headers(is_ready=uri is not None)
        self.subscribe_row.setVisible(subscriptions is not None and uri is not None)
        if subscriptions is not None and uri is not None:
            self.subscribe_row.show_state(uri, subscriptions, connected=connected)

    def preview(self, session: OpenSession) -> MirroredHeaders | None:
        """Return the headers of the request as it stands."""
        uri = self.uri()
        return session.reads.headers_of(uri, self.row.options.meta()) if uri is not None else None

    def set_free(self, uri: str) -> None:
        """Type a URI."""
        self.free.setText(uri)

    def focus_form(self) -> None:
        """Go to the first field, or to the button of a resource."""
        target = self.target
        if target is None:
            return
        if target.entry is None:
            self.free.setFocus()
        elif target.template is not None and target.template.template.variables:
            self.form.fields.focus_first()
        else:
            self.row.button.setFocus()

    def draft_key(self) -> str | None:
        """Return the source of the target; None for a listed resource, which has nothing to enter."""
        target = self.target
        return None if target is None or target.resource is not None else target.source

    def draft(self) -> dict[str, str]:
        """Return the values of the template, or the typed URI."""
        is_free = self.target is not None and self.target.entry is None
        return {FREE_NAME: self.free.text()} if is_free else self.form.texts()


def _is_same_template(before: ReadTarget | None, target: ReadTarget) -> bool:
    """Whether the visible fields are those of `target`, listed again."""
    known, template = before.template if before is not None else None, target.template
    return known is not None and template is not None and known.address == template.address
