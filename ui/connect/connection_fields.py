"""How an HTTP server is reached: certificates and the proxy. Seldom needed, so it is in a collapsed section of the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from ui.connect.form_fields import FieldForm, LineEdit, browse, check_box, field_row
from ui.widgets.buttons import push_button

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from ui.theme import Theme

CERTIFICATES = "Certificates (*.pem *.crt *.cer *.key);;All files (*)"


class ConnectionFields(QWidget):
    """Certificates and proxy of one profile.

    Signals:
        changed: the user changed a field.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show the values of a new profile."""
        super().__init__(parent)
        self.setObjectName("connection_fields")
        self._theme = theme
        self._filling = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.verify = check_box("verify", "Verify certificates", parent=self)
        self.verify.setChecked(True)
        self._form = FieldForm(self, theme=self._theme)
        self._form.addRow(self.verify)
        self.ca_file = self._file("ca_file", "Trusted certificates", "System certificates")
        self.client_cert = self._file(
            "client_cert", "Client certificate", "None (PEM file with certificate and key)"
        )
        self.proxy = LineEdit(
            self, name="proxy", label="Proxy", placeholder="From environment (HTTPS_PROXY)"
        )
        self._form.add("Proxy", self.proxy)

    def _file(self, name: str, label: str, placeholder: str) -> LineEdit:
        field = LineEdit(self, name=name, label=label, placeholder=placeholder)
        button = push_button("Browse…", name=f"browse_{name}", parent=self)
        button.setAccessibleName(f"Browse for {label.lower()}")
        mode = QFileDialog.FileMode.ExistingFile
        button.clicked.connect(lambda: browse(field, label, mode, CERTIFICATES))
        self._form.add(label, field_row(self._theme.PADDING_PX, field, button), buddy=field)
        return field

    def _wire(self) -> None:
        self.verify.toggled.connect(self._on_changed)
        for field in self._fields():
            field.textChanged.connect(self._on_changed)
        self._theme.changed.connect(self._refresh)

    def _fields(self) -> tuple[LineEdit, ...]:
        return (self.ca_file, self.client_cert, self.proxy)

    def _refresh(self) -> None:
        for field in self._fields():
            field.setFont(self._theme.mono())

    def apply(self, profile: Profile) -> Profile:
        """Return `profile` with the values of the fields."""
        return replace(
            profile,
            verify=self.verify.isChecked(),
            ca_file=self.ca_file.text(),
            client_cert=self.client_cert.text(),
            proxy=self.proxy.text().strip(),
        )

    def set_profile(self, profile: Profile) -> None:
        """Show another profile; `changed` stays silent."""
        self._filling = True
        self.verify.setChecked(profile.verify)
        self.ca_file.set_value(profile.ca_file)
        self.client_cert.set_value(profile.client_cert)
        self.proxy.set_value(profile.proxy)
        self._filling = False
        self._refresh()

    def _on_changed(self) -> None:
        if not self._filling:
            self.changed.emit()


def is_unusual(profile: Profile) -> bool:
    """Whether a profile sets something here, so that the section should be open."""
    return not profile.verify or bool(profile.ca_file or profile.client_cert or profile.proxy)
