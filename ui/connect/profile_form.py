"""Every field of a profile, to correct what was detected. Only the fields of the transport are visible."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QWidget,
)

from inspector.config.authorization import encode_basic, is_basic_entered
from inspector.config.profile import Profile
from inspector.config.secret_extraction import ENV, HEADER
from inspector.session import transport_factory
from inspector.session.negotiation import HANDSHAKE
from inspector.session.transport_factory import transport_kind
from inspector.spec.revision import REVISIONS, Era
from inspector.visible_text import one_line
from ui.connect.authorization_fields import AuthorizationFields, is_chosen
from ui.connect.connection_fields import ConnectionFields, is_unusual
from ui.connect.form_fields import (
    FieldForm,
    LineEdit,
    browse,
    check_box,
    combo_box,
    field_row,
)
from ui.connect.row_edits import ArgvEdit, NameValueEdit
from ui.widgets.buttons import link_button, push_button
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.labels import plain_label
from ui.widgets.links import LinkLine

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent

    from inspector.session.era_cache import CachedEra
    from ui.theme import Theme

AUTOMATIC = "Automatic (newest common revision)"
WITH_HANDSHAKE = "Automatic (initialize only)"
MAX_SECONDS = 1_000_000.0

MAX_SERVER_NAME = 80
"""Characters of the name of a server."""

ERAS = {
    Era.STATEFUL: "Remembered: requires initialize; server/discover is skipped",
    Era.STATELESS: "Remembered: stateless; server/discover is used",
}
"""Era that earlier connections found → its text."""


SECONDS_CHARACTERS, REVISION_CHARACTERS = 10, 16
"""Least widths of fields, in characters: a narrow dialog cuts none of them."""


class NoWheelSpinBox(QDoubleSpinBox):
    """Seconds; the wheel scrolls the form, not the number."""

    def __init__(self, name: str, text: str, parent: QWidget | None = None) -> None:
        """`text` is the accessible name."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setRange(0.1, MAX_SECONDS)
        self.setDecimals(1)
        self.setSuffix(" s")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def textFromValue(self, val: float) -> str:
        """Omit a fraction of zero."""
        return f"{val:.12g}"

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the scroll area."""
        event.ignore()


class ProfileForm(QWidget):
    """The fields of one profile.

    Signals:
        changed: the user changed a field.
        reveal_requested: fetch the sealed values.
        split_requested: move the arguments that were typed into the command.
        forget_requested: forget the protocol era that earlier connections found.
    """

    changed = Signal()
    reveal_requested = Signal()
    split_requested = Signal()
    forget_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show an empty profile."""
        super().__init__(parent)
        self.setObjectName("profile_form")
        self._theme = theme
        self._profile = Profile()
        self._filling = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.name = LineEdit(self, name="server_name", label="Name")
        self._taken = plain_label(tone="warning", name="name_taken", parent=self)
        kinds = [(kind.title, kind.key) for kind in transport_factory.TRANSPORTS]
        self.transport = combo_box("transport", "Transport", kinds, parent=self)
        example = "Program only, e.g. npx or /usr/bin/python3"
        self.command = LineEdit(self, name="command", label="Command", placeholder=example)
        self._split = link_button("Split into arguments", name="split_command", parent=self)
        self._found = plain_label(tone="muted", name="found_program", parent=self)
        self.arguments = ArgvEdit(theme=theme, parent=self)
        self.env = NameValueEdit("Variable", theme=theme, name="environment", parent=self)
        self.cwd = LineEdit(
            self, name="cwd", label="Working directory", placeholder="Same as Spyglass"
        )
        self._browse = push_button("Browse…", name="browse_cwd", parent=self)
        self.url = LineEdit(self, name="url", label="URL", placeholder="https://…")
        self.headers = NameValueEdit("Header", theme=theme, name="headers", parent=self)
        self._encode = link_button("Encode name:password", name="encode_basic", parent=self)
        self.authorization = AuthorizationFields(theme=theme, parent=self)
        self.access = self._section("Authorization", "authorization_section", self.authorization)
        self.connection = ConnectionFields(theme=theme, parent=self)
        self.advanced = self._section("Advanced", "advanced_connection", self.connection)
        self._build_protocol()
        self._arrange()

    def _section(self, title: str, name: str, content: QWidget) -> CollapsibleSection:
        content.hide()
        return CollapsibleSection(title, lambda: content, theme=self._theme, name=name, parent=self)

    def _build_protocol(self) -> None:
        self.revision = combo_box("revision", "Protocol revision", parent=self)
        self.revision.setMinimumContentsLength(REVISION_CHARACTERS)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.revision.setSizeAdjustPolicy(policy)
        self.revision.addItem(AUTOMATIC, "")
        self.revision.addItem(WITH_HANDSHAKE, HANDSHAKE)
        for revision in reversed(REVISIONS):
            how = "initialize handshake" if revision.stateful else "stateless"
            self.revision.addItem(f"{revision.name}, {how}", revision.date)
        self._cached_era = LinkLine("Forget", theme=self._theme, name="cached_era", parent=self)
        self.timeout = NoWheelSpinBox("timeout", "Idle timeout (seconds)", self)
        self.total = NoWheelSpinBox("total_timeout", "Total timeout (seconds)", self)
        self.restart = check_box(
            "restart_on_change",
            "Restart when files change",
            tooltip="Watches the script, the source files beside it, and those in the working directory.",
            parent=self,
        )
        self.record_secrets = check_box(
            "record_secrets",
            "Record secrets in clear",
            tooltip="Otherwise markers take the place of tokens, cookies and keys in recordings.",
            parent=self,
        )

    def _arrange(self) -> None:
        space = self._theme.PADDING_PX
        self._form = form = FieldForm(self, theme=self._theme)
        command_row = field_row(space, self.command, self._split)
        cwd_row = field_row(space, self.cwd, self._browse)
        idle, total = (plain_label(text, tone="muted") for text in ("idle,", "total"))
        timeouts = field_row(space, self.timeout, idle, self.total, total)
        cast("QHBoxLayout", timeouts.layout()).addStretch(1)
        form.add("&Name", self.name)
        form.addRow("", self._taken)
        form.setRowVisible(self._taken, False)
        form.add("&Transport", self.transport)
        form.add("&Command", command_row, buddy=self.command)
        form.addRow("", self._found)
        form.add("Arguments", self.arguments)
        form.add("Environment", self.env)
        form.add("Working directory", cwd_row, buddy=self.cwd)
        form.add("&URL", self.url)
        form.add("Headers", self.headers)
        form.addRow("", self._encode)
        form.addRow(self.access)
        form.add("&Revision", self.revision)
        form.addRow("", self._cached_era)
        form.setRowVisible(self._cached_era, False)
        form.add("Timeouts", timeouts, buddy=self.timeout)
        form.add("Restart", self.restart)
        form.add("Recordings", self.record_secrets)
        form.addRow(self.advanced)
        self._rows: dict[str, QWidget] = {
            "command": command_row,
            "args": self.arguments,
            "env": self.env,
            "cwd": cwd_row,
            "restart_on_change": self.restart,
            "url": self.url,
            "headers": self.headers,
            "authorization": self.access,
            "verify": self.advanced,
        }
        """Rows that are hidden for a transport without that field of the profile."""

    def _wire(self) -> None:
        for field in (self.name, self.command, self.cwd, self.url):
            field.textChanged.connect(self._on_changed)
        for box in (self.transport, self.revision):
            box.currentIndexChanged.connect(self._on_changed)
        for spin in (self.timeout, self.total):
            spin.valueChanged.connect(self._on_changed)
        for box in (self.record_secrets, self.restart):
            box.toggled.connect(self._on_changed)
        parts = (self.arguments, self.env, self.headers, self.authorization, self.connection)
        for part in parts:
            part.changed.connect(self._on_changed)
        for part in (self.authorization, self.env, self.headers):
            part.reveal_requested.connect(self.reveal_requested)
        self._encode.clicked.connect(self._on_encode_clicked)
        self._split.clicked.connect(self.split_requested)
        self._cached_era.clicked.connect(self.forget_requested)
        self._browse.clicked.connect(self._on_browse_clicked)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        for field in (self.command, self.cwd, self.url):
            field.setFont(self._theme.mono())
        for spin in (self.timeout, self.total):  # else each is as wide as the largest number
            spin.setMinimumWidth(self._theme.character_width() * SECONDS_CHARACTERS)
        kind = transport_kind(self._transport())
        for field, widget in self._rows.items():
            self._form.setRowVisible(widget, field in kind.fields)
        headers = self.headers.pairs()
        can_encode = any(is_basic_entered(*pair) for pair in headers)
        self._form.setRowVisible(self._encode, kind.has_headers and can_encode)
        names = [name.lower() for name, _ in headers]
        self.authorization.show_header(has_header="authorization" in names)
        self._form.setRowVisible(self._found, kind.is_process and bool(self._found.text()))

    def _transport(self) -> str:
        return str(self.transport.currentData())

    def profile(self) -> Profile:
        """The profile with the values of the fields; what has no field is kept."""
        env, headers = self.env.sealed_names(), self.headers.sealed_names()
        access = self.authorization.apply(self.connection.apply(self._profile))
        return replace(
            access,
            name=self.name.text().strip(),
            transport=self._transport(),
            command=self.command.text(),
            args=self.arguments.values(),
            env=self.env.pairs(),
            cwd=self.cwd.text(),
            url=self.url.text().strip(),
            headers=self.headers.pairs(),
            revision=str(self.revision.currentData()),
            timeout_seconds=self.timeout.value(),
            total_timeout_seconds=self.total.value(),
            record_secrets=self.record_secrets.isChecked(),
            restart_on_change=self.restart.isChecked(),
            extracted=(
                *(ENV + name for name in env),
                *(HEADER + name for name in headers),
                *(slot for slot in access.extracted if not slot.startswith((ENV, HEADER))),
            ),
        )

    def set_profile(self, profile: Profile) -> None:
        """Show another profile; `changed` stays silent."""
        self._filling = True
        self._profile = profile
        self.name.set_value(profile.name)
        self.transport.setCurrentIndex(self.transport.findData(profile.transport))
        self.command.set_value(profile.command)
        self.arguments.set_values(profile.args)
        self.env.set_pairs(profile.env, _sealed(profile, ENV))
        self.cwd.set_value(profile.cwd)
        self.url.set_value(profile.url)
        self.headers.set_pairs(profile.headers, _sealed(profile, HEADER))
        self._show_revision(profile.revision)
        self.timeout.setValue(profile.timeout_seconds)
        self.total.setValue(profile.total_timeout_seconds)
        self.record_secrets.setChecked(profile.record_secrets)
        self.authorization.set_profile(profile)
        self.access.set_open(self.access.is_open() or is_chosen(profile))
        self.restart.setChecked(profile.restart_on_change)
        self.connection.set_profile(profile)
        self.advanced.set_open(self.advanced.is_open() or is_unusual(profile))
        self._filling = False
        self._refresh()

    def _show_revision(self, date: str) -> None:
        if (
            date and self.revision.findData(date) < 0
        ):  # saved by a newer Spyglass, or edited in the file
            self.revision.addItem(date, date)
        self.revision.setCurrentIndex(max(0, self.revision.findData(date)))

    def show_found(self, text: str, *, can_split: bool) -> None:
        """Show where the program was found, and whether arguments can be split off the command."""
        self._found.setText(text)
        self._split.setVisible(can_split)
        self._refresh()

    def show_cached_era(self, cached: CachedEra | None) -> None:
        """Show the protocol era that earlier connections found, which decides how the next one starts."""
        if cached is not None:
            server = one_line(cached.server, MAX_SERVER_NAME).strip()
            self._cached_era.set_text(ERAS[cached.era] + (f" ({server})" if server else ""))
        self._form.setRowVisible(self._cached_era, cached is not None)

    def show_name(self, guess: str, free: str) -> None:
        """Show the name that is saved if the field is left empty, or if another server has that name."""
        self.name.setPlaceholderText(guess)
        taken = bool(self.name.text().strip()) and free != self.name.text().strip()
        self._taken.setText(f"Another server has this name. Saved as “{free}”.")
        self._form.setRowVisible(self._taken, taken)

    def _on_changed(self) -> None:
        if not self._filling:
            self._refresh()
            self.changed.emit()

    def _on_encode_clicked(self) -> None:
        pairs, sealed = encode_basic(self.headers.pairs()), self.headers.sealed_names()
        self.headers.set_pairs(pairs, sealed)
        self._on_changed()

    def _on_browse_clicked(self) -> None:
        browse(self.cwd, "Working directory", QFileDialog.FileMode.Directory)


def find_program(profile: Profile, command: str) -> str | None:
    """Where a program would be found, with the PATH of the profile."""
    path = dict(profile.env).get("PATH")
    return shutil.which(command, path=path)


def is_folder(path: str) -> bool:
    """Whether a program could run in this folder."""
    try:
        return Path(path).expanduser().is_dir()
    except (OSError, RuntimeError, ValueError):
        return False


def _sealed(profile: Profile, prefix: str) -> tuple[str, ...]:
    slots = (slot for slot in profile.extracted if slot.startswith(prefix))
    return tuple(slot.removeprefix(prefix) for slot in slots)
