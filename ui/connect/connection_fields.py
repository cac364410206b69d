"""How an HTTP server is reached: certificates and the proxy. Seldom needed, so that it stands in a fold of the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QWidget,
)

from ui.connect.line_edit import LineEdit
from ui.widgets.buttons import push_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from ui.theme import Theme

CERTIFICATES = "Certificates (*.pem *.crt *.cer *.key);;All files (*)"


class FileField(NamedTuple):
    """A field that names a file, with its button."""

    row: QWidget
    """Both beside each other."""
    field: LineEdit
    """The path."""


class ConnectionFields(QWidget):
    """Certificates and proxy of one profile.

    Signals:
        changed: a person changed a field.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show what a new profile has."""
        super().__init__(parent)
        self.setObjectName("connection_fields")
        self._theme = theme
        self._filling = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.verify = QCheckBox("Verify certificates", self)
        self.verify.setObjectName("verify")
        self.verify.setAccessibleName("Verify certificates")
        self.verify.setChecked(True)
        self.ca = self._file("ca_file", "Trusted certificates", "System certificates")
        self.cert = self._file(
            "client_cert", "Client certificate", "None (PEM file with certificate and key)"
        )
        self.proxy = LineEdit(self)
        self.proxy.setObjectName("proxy")
        self.proxy.setAccessibleName("Proxy")
        self.proxy.setPlaceholderText("From environment (HTTPS_PROXY)")
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._form.addRow(self.verify)
        self._add("Trusted certificates", self.ca.row, self.ca.field)
        self._add("Client certificate", self.cert.row, self.cert.field)
        self._add("Proxy", self.proxy, self.proxy)

    def _file(self, name: str, text: str, nothing: str) -> FileField:
        field = LineEdit(self)
        field.setObjectName(name)
        field.setAccessibleName(text)
        field.setPlaceholderText(nothing)
        button = push_button("Browse…", name=f"browse_{name}", parent=self)
        button.setAccessibleName(f"Browse for {text.lower()}")
        button.clicked.connect(lambda: self._browse(field))
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(self._theme.PADDING_PX)
        line.addWidget(field, 1)
        line.addWidget(button)
        return FileField(row, field)

    def _add(self, text: str, row: QWidget, buddy: QWidget) -> None:
        label = plain_label(text, tone="muted", parent=self)
        label.setBuddy(buddy)
        self._form.addRow(label, row)

    def _wire(self) -> None:
        self.verify.toggled.connect(self._on_changed)
        for field in self._fields():
            field.textChanged.connect(self._on_changed)
        self._theme.changed.connect(self._refresh)

    def _fields(self) -> tuple[LineEdit, ...]:
        return (self.ca.field, self.cert.field, self.proxy)

    def _refresh(self) -> None:
        self._form.setHorizontalSpacing(self._theme.px(12))
        self._form.setVerticalSpacing(self._theme.px(6))
        for field in self._fields():
            field.setFont(self._theme.mono())

    def apply(self, profile: Profile) -> Profile:
        """`profile` with what the fields say."""
        return replace(
            profile,
            verify=self.verify.isChecked(),
            ca_file=self.ca.field.text(),
            client_cert=self.cert.field.text(),
            proxy=self.proxy.text().strip(),
        )

    def set_profile(self, profile: Profile) -> None:
        """Show another profile; `changed` stays silent."""
        self._filling = True
        self.verify.setChecked(profile.verify)
        self.ca.field.set_value(profile.ca_file)
        self.cert.field.set_value(profile.client_cert)
        self.proxy.set_value(profile.proxy)
        self._filling = False
        self._refresh()

    def _on_changed(self) -> None:
        if not self._filling:
            self.changed.emit()

    def _browse(self, field: LineEdit) -> None:
        dialog = QFileDialog(self, field.accessibleName(), field.text(), CERTIFICATES)
        dialog.setObjectName(f"{field.objectName()}_dialog")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(field.set_value)
        dialog.open()


def is_unusual(profile: Profile) -> bool:
    """Whether a profile sets something here, so that it should be in view at once."""
    return not profile.verify or bool(profile.ca_file or profile.client_cert or profile.proxy)
