"""Every field of a profile, to correct what was understood. Only fields of the transport show."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QWidget,
)

from inspector.config.authorization import encode_basic, is_basic_entered
from inspector.config.profile import Profile
from inspector.config.secret_extraction import ENV, HEADER
from inspector.session import transport_factory
from inspector.session.negotiation import HANDSHAKE
from inspector.session.transport_factory import transport_kind
from inspector.spec.revision import REVISIONS
from ui.connect.argv_edit import ArgvEdit
from ui.connect.authorization_fields import AuthorizationFields, is_chosen
from ui.connect.cached_era_row import CachedEraRow
from ui.connect.connection_fields import ConnectionFields, is_unusual
from ui.connect.line_edit import LineEdit
from ui.connect.name_value_edit import NameValueEdit
from ui.widgets.buttons import link_button, push_button
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent

    from inspector.session.era_cache import CachedEra
    from ui.theme import Theme

AUTOMATIC = "Automatic (newest common revision)"
WITH_HANDSHAKE = "Automatic (initialize only)"
MAX_SECONDS = 1_000_000.0


class NoWheelSpinBox(QDoubleSpinBox):
    """Seconds; the wheel scrolls the form, not the number."""

    def __init__(self, name: str, text: str, parent: QWidget | None = None) -> None:
        """`words` are its accessible name."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setRange(0.1, MAX_SECONDS)
        self.setDecimals(1)
        self.setSuffix(" s")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def textFromValue(self, val: float) -> str:
        """Without a superfluous fraction."""
        return f"{val:.12g}"

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whoever scrolls."""
        event.ignore()


class ProfileForm(QWidget):
    """The fields of one profile.

    Signals:
        changed: a person changed a field.
        reveal_requested: a sealed value should be fetched.
        split_requested: arguments that were typed into the command should move.
        forget_requested: what earlier connections found out should be forgotten.
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
        self.name = self._field("server_name", "Name")
        self._taken = plain_label(tone="warning", name="name_taken", parent=self)
        self.transport = QComboBox(self)
        self.transport.setObjectName("transport")
        self.transport.setAccessibleName("Transport")
        for kind in transport_factory.TRANSPORTS:
            self.transport.addItem(kind.title, kind.key)
        self.command = self._field("command", "Command")
        self.command.setPlaceholderText("Program only, e.g. npx or /usr/bin/python3")
        self._split = link_button("Split into arguments", name="split_command", parent=self)
        self._found = plain_label(tone="muted", name="found_program", parent=self)
        self.arguments = ArgvEdit(theme=self._theme, parent=self)
        self.env = NameValueEdit("Variable", theme=self._theme, name="environment", parent=self)
        self.cwd = self._field("cwd", "Working directory")
        self.cwd.setPlaceholderText("Same as Spyglass")
        self._browse = push_button("Browse…", name="browse_cwd", parent=self)
        self.url = self._field("url", "URL")
        self.url.setPlaceholderText("https://…")
        self.headers = NameValueEdit("Header", theme=self._theme, name="headers", parent=self)
        self._encode = link_button("Encode name:password", name="encode_basic", parent=self)
        self.authorization = AuthorizationFields(theme=self._theme, parent=self)
        self.access = CollapsibleSection(
            "Authorization",
            lambda: self.authorization,
            theme=self._theme,
            name="authorization_section",
            parent=self,
        )
        self.authorization.hide()
        self.connection = ConnectionFields(theme=self._theme, parent=self)
        self.advanced = CollapsibleSection(
            "Advanced",
            lambda: self.connection,
            theme=self._theme,
            name="advanced_connection",
            parent=self,
        )
        self.connection.hide()
        self._build_protocol()
        self._arrange()

    def _build_protocol(self) -> None:
        self.revision = QComboBox(self)
        self.revision.setObjectName("revision")
        self.revision.setAccessibleName("Protocol revision")
        self.revision.addItem(AUTOMATIC, "")
        self.revision.addItem(WITH_HANDSHAKE, HANDSHAKE)
        for revision in reversed(REVISIONS):
            how = "initialize handshake" if revision.stateful else "stateless"
            self.revision.addItem(f"{revision.name}, {how}", revision.date)
        self._remembered = CachedEraRow(theme=self._theme, parent=self)
        self.timeout = NoWheelSpinBox("timeout", "Idle timeout (seconds)", self)
        self.total = NoWheelSpinBox("total_timeout", "Total timeout (seconds)", self)
        self.restart = QCheckBox("Restart when files change", self)
        self.restart.setObjectName("restart_on_change")
        self.restart.setAccessibleName("Restart when files change")
        self.restart.setToolTip(
            "Watches the script, the source files beside it, and those in the working directory."
        )
        self.record_secrets = QCheckBox("Record secrets in clear", self)
        self.record_secrets.setObjectName("record_secrets")
        self.record_secrets.setAccessibleName("Record secrets in clear")
        self.record_secrets.setToolTip(
            "Otherwise markers take the place of tokens, cookies and keys in recordings."
        )

    def _field(self, name: str, text: str) -> LineEdit:
        field = LineEdit(self)
        field.setObjectName(name)
        field.setAccessibleName(text)
        return field

    def _arrange(self) -> None:
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._command_row = _row(self._theme, self.command, self._split)
        self._timeouts = _row(
            self._theme, self.timeout, _text("idle,"), self.total,
            _text("total"),
        )  # fmt: skip
        cast("QHBoxLayout", self._timeouts.layout()).addStretch(1)
        self._add("&Name", self.name)
        self._form.addRow("", self._taken)
        self._form.setRowVisible(self._taken, False)
        self._add("&Transport", self.transport)
        self._add("&Command", self._command_row, buddy=self.command)
        self._form.addRow("", self._found)
        self._add("Arguments", self.arguments)
        self._add("Environment", self.env)
        self._cwd_row = _row(self._theme, self.cwd, self._browse)
        self._add("Working directory", self._cwd_row, buddy=self.cwd)
        self._add("&URL", self.url)
        self._add("Headers", self.headers)
        self._form.addRow("", self._encode)
        self._form.addRow(self.access)
        self._add("&Revision", self.revision)
        self._form.addRow("", self._remembered)
        self._form.setRowVisible(self._remembered, False)
        self._add("Timeouts", self._timeouts, buddy=self.timeout)
        self._add("Restart", self.restart)
        self._add("Recordings", self.record_secrets)
        self._form.addRow(self.advanced)
        self._rows: dict[str, QWidget] = {
            "command": self._command_row,
            "args": self.arguments,
            "env": self.env,
            "cwd": self._cwd_row,
            "restart_on_change": self.restart,
            "url": self.url,
            "headers": self.headers,
            "authorization": self.access,
            "verify": self.advanced,
        }
        """Rows that are hidden for a transport without that field of the profile."""

    def _add(self, text: str, field: QWidget, *, buddy: QWidget | None = None) -> None:
        label = plain_label(text, tone="muted", parent=self)
        label.setBuddy(buddy or field)
        self._form.addRow(label, field)

    def _wire(self) -> None:
        for field in (self.name, self.command, self.cwd, self.url):
            field.textChanged.connect(self._on_changed)
        for box in (self.transport, self.revision):
            box.currentIndexChanged.connect(self._on_changed)
        for spin in (self.timeout, self.total):
            spin.valueChanged.connect(self._on_changed)
        for box in (self.record_secrets, self.restart):
            box.toggled.connect(self._on_changed)
        for rows in (
            self.arguments,
            self.env,
            self.headers,
            self.authorization,
            self.connection,
        ):
            rows.changed.connect(self._on_changed)
        self.authorization.reveal_requested.connect(self.reveal_requested)
        self.env.reveal_requested.connect(self.reveal_requested)
        self.headers.reveal_requested.connect(self.reveal_requested)
        self._encode.clicked.connect(self._on_encode_clicked)
        self._split.clicked.connect(self.split_requested)
        self._remembered.forget_wanted.connect(self.forget_requested)
        self._browse.clicked.connect(self._on_browse_clicked)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        theme = self._theme
        self._form.setHorizontalSpacing(theme.px(12))
        self._form.setVerticalSpacing(theme.px(6))
        for field in (self.command, self.cwd, self.url):
            field.setFont(theme.mono())
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
        """The profile as the fields say it; what no field shows is kept."""
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
        if date and self.revision.findData(date) < 0:  # saved by a newer Spyglass, or by hand
            self.revision.addItem(date, date)
        self.revision.setCurrentIndex(max(0, self.revision.findData(date)))

    def show_found(self, text: str, *, can_split: bool) -> None:
        """Say where the program was found, and whether arguments can be split off the command."""
        self._found.setText(text)
        self._split.setVisible(can_split)
        self._refresh()

    def show_remembered(self, verdict: CachedEra | None) -> None:
        """Say what earlier connections found out, which decides how the next one begins."""
        self._remembered.show_verdict(verdict)
        self._form.setRowVisible(self._remembered, verdict is not None)

    def show_name(self, guess: str, free: str) -> None:
        """Say what the name will be if it is left empty, or if another server has it."""
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
        dialog = QFileDialog(self, "Working directory", self.cwd.text())
        dialog.setObjectName("cwd_dialog")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.cwd.setText)
        dialog.open()


def find_program(profile: Profile, command: str) -> str | None:
    """Where a program would be found, with the PATH that the profile would give it."""
    path = dict(profile.env).get("PATH")
    return shutil.which(command, path=path)


def is_folder(path: str) -> bool:
    """Whether a program could work there."""
    try:
        return Path(path).expanduser().is_dir()
    except (OSError, RuntimeError, ValueError):
        return False


def _sealed(profile: Profile, prefix: str) -> tuple[str, ...]:
    places = (place for place in profile.extracted if place.startswith(prefix))
    return tuple(place.removeprefix(prefix) for place in places)


def _text(text: str) -> QLabel:
    return plain_label(text, tone="muted")


def _row(theme: Theme, *widgets: QWidget) -> QWidget:
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(theme.PADDING_PX)
    for widget in widgets:
        line.addWidget(widget, 1 if isinstance(widget, LineEdit) else 0)
    return row
