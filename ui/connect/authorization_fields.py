"""How a server is authorized: the way first, then the fields of that way; seldom needed ones are in a collapsed section."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QComboBox, QWidget

from inspector.auth.client import METHODS, NONE, SIGNED
from inspector.auth.settings import Waiver, Way
from inspector.config.authorization import AUTOMATIC, MAX_PORT, SECRETS, TEXTS, scopes_of
from inspector.config.secret_extraction import AUTH
from ui.connect.form_fields import (
    FieldForm,
    LineEdit,
    SecretEdit,
    check_box,
    combo_box,
    field_row,
)
from ui.connect.row_edits import ArgvEdit, NameValueEdit
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.config.profile import Profile
    from ui.theme import Theme

WAYS = {
    Way.CODE: "Automatic: OAuth login when the server requires it",
    Way.CLIENT_CREDENTIALS: "Client credentials, without a user",
    Way.ENTERPRISE: "Enterprise-managed: exchange an identity token",
    Way.WORKLOAD: "Workload identity: exchange an assertion",
    Way.VARIABLE: "Token from an environment variable",
    Way.COMMAND: "Token from a command",
    Way.NONE: "None: show a 401 as an error",
}

ALL = frozenset({Way.CODE, Way.CLIENT_CREDENTIALS, Way.ENTERPRISE, Way.WORKLOAD})
"""Ways of OAuth."""


class Row(NamedTuple):
    """A text of the settings with a field."""

    name: str
    """The field of `Settings`; also the object name."""
    label: str
    """Its label."""
    ways: frozenset[Way]
    """The ways that it belongs to."""
    placeholder: str = ""
    """The meaning of an empty field."""


ROWS = (
    Row("token_variable", "Variable", frozenset({Way.VARIABLE}), "NAME"),
    Row("client_id", "Client ID", ALL, "registered automatically where the server allows it"),
    Row("client_secret", "Client secret", ALL),
    Row("private_key", "Private key (PEM)", ALL),
    Row("assertion", "Assertion", frozenset({Way.WORKLOAD})),
    Row("idp_token_endpoint", "IdP token endpoint", frozenset({Way.ENTERPRISE}), "https://…"),
    Row("idp_client_id", "IdP client ID", frozenset({Way.ENTERPRISE})),
    Row("idp_client_secret", "IdP client secret", frozenset({Way.ENTERPRISE})),
    Row("idp_id_token", "Identity token", frozenset({Way.ENTERPRISE})),
)
"""Fields that a way needs, in order."""

OVERRIDES = (
    Row("client_metadata_url", "Client metadata URL", frozenset({Way.CODE}), "none"),
    Row("initial_access_token", "Initial access token", frozenset({Way.CODE})),
    Row("client_issuer", "Client issuer", ALL, "any authorization server"),
    Row("resource", "Resource", ALL, "from the resource metadata"),
    Row("resource_metadata_url", "Resource metadata URL", ALL, "from the challenge"),
    Row("issuer", "Authorization server", ALL, "from the resource metadata"),
    Row("server_metadata_url", "Server metadata URL", ALL, "from the issuer"),
)
"""Fields that replace discovered values."""

FLAGS = {
    "sends_resource": "Send the resource parameter",
    "serves_client_metadata": "Serve client metadata on this computer",
    "always_dpop": "Always bind tokens to a key (DPoP)",
}
"""Fields of `Settings` that are on or off, in the same section."""

WAIVERS = {
    Waiver.ISSUER: "Accept another issuer in the server metadata",
    Waiver.RESOURCE: "Accept resource metadata of another URL",
    Waiver.PKCE: "Accept a server that does not list PKCE S256",
    Waiver.PLAIN_HTTP: "Accept http URLs of the authorization server",
    Waiver.ADDRESS: "Accept private addresses of the authorization server",
}

HOSTS = ("127.0.0.1", "localhost")
ALGORITHMS = ("ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "EdDSA")
HIDDEN = {TEXTS[key]: key for key in SECRETS}
"""Fields of `Settings` that are secrets, and the members that they are saved as."""

HEADER_NOTE = "The header Authorization of this server is sent instead of a token."


class AuthorizationFields(QWidget):
    """The authorization of one profile.

    Signals:
        changed: the user changed a field.
        reveal_requested: fetch the sealed values.
    """

    changed = Signal()
    reveal_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show the values of a new profile."""
        super().__init__(parent)
        self.setObjectName("authorization_fields")
        self._theme = theme
        self._filling = False
        self._texts: dict[str, LineEdit] = {}
        self._secrets: dict[str, SecretEdit] = {}
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.way = self._combo(
            "authorization_way", "Authorization", ((t, w) for w, t in WAYS.items())
        )
        self._note = plain_label(
            HEADER_NOTE, tone="muted", name="authorization_note", wrap=True, parent=self
        )
        for row in (*ROWS, *OVERRIDES):
            self._make(row)
        methods = [("none (public client)" if each == NONE else each, each) for each in METHODS]
        self.client_auth = self._combo(
            "client_auth", "Client authentication", [("Automatic", ""), *methods]
        )
        self.algorithm = self._combo(
            "signing_algorithm", "Signing algorithm", zip(ALGORITHMS, ALGORITHMS, strict=True)
        )
        self.command = ArgvEdit(theme=theme, parent=self)
        self.command.setObjectName("token_command")
        self.command.setAccessibleName("Command and its arguments")
        self.parameters = NameValueEdit(
            "Parameter", theme=theme, name="authorization_parameters", parent=self
        )
        self.scopes = LineEdit(
            self,
            name="scopes",
            label="Scopes",
            placeholder="as the server requires; separated by spaces",
        )
        hosts = zip(HOSTS, HOSTS, strict=True)
        self.callback_host = combo_box("callback_host", "Callback host", hosts, parent=self)
        self.callback_host.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.callback_port = LineEdit(
            self, name="callback_port", label="Callback port", placeholder="any free port"
        )
        self.callback_port.setValidator(QIntValidator(1, MAX_PORT, self))
        self.flags = {name: check_box(name, text, parent=self) for name, text in FLAGS.items()}
        self.waivers = {
            each: check_box(f"waiver_{each.value}", text, parent=self)
            for each, text in WAIVERS.items()
        }
        self._arrange()

    def _make(self, row: Row) -> None:
        if row.name in HIDDEN:
            self._secrets[row.name] = SecretEdit(
                row.label, theme=self._theme, name=row.name, parent=self
            )
        else:
            self._texts[row.name] = LineEdit(
                self, name=row.name, label=row.label, placeholder=row.placeholder
            )

    def _combo(self, name: str, label: str, options: Iterable[tuple[str, object]]) -> QComboBox:
        box = combo_box(name, label, options, parent=self)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def _arrange(self) -> None:
        self._form = form = self._make_form(self)
        form.add("Method", self.way)
        form.addRow("", self._note)
        form.add("Command", self.command)
        for row in ROWS:
            if row.name == "private_key":
                form.add("Client authentication", self.client_auth)
            form.add(row.label, self._field(row.name))
            if row.name == "private_key":
                form.add("Signing algorithm", self.algorithm)
        form.add("Scopes", self.scopes)
        self._callback = field_row(self._theme.SPACING_PX, self.callback_host, self.callback_port)
        form.add("Callback", self._callback, buddy=self.callback_port)
        self._others = self._make_others()
        self._others.hide()
        self.overrides = CollapsibleSection(
            "Overrides",
            lambda: self._others,
            theme=self._theme,
            name="authorization_overrides",
            parent=self,
        )
        form.addRow(self.overrides)

    def _make_form(self, owner: QWidget) -> FieldForm:
        form = FieldForm(owner, theme=self._theme)
        form.setRowWrapPolicy(FieldForm.RowWrapPolicy.WrapLongRows)  # large text, small screen
        return form

    def _make_others(self) -> QWidget:
        others = QWidget(self)
        self._inner = self._make_form(others)
        for row in OVERRIDES:
            self._inner.add(row.label, self._field(row.name))
        self._inner.add("Login parameters", self.parameters)
        for box in (*self.flags.values(), *self.waivers.values()):
            self._inner.addRow(box)
        return others

    def _field(self, name: str) -> QWidget:
        return self._secrets[name] if name in self._secrets else self._texts[name]

    def _wire(self) -> None:
        for box in (self.way, self.client_auth, self.algorithm, self.callback_host):
            box.currentIndexChanged.connect(self._on_changed)
        for field in (*self._texts.values(), self.scopes, self.callback_port):
            field.textChanged.connect(self._on_changed)
        self.command.changed.connect(self._on_changed)
        self.parameters.changed.connect(self._on_changed)
        for secret in self._secrets.values():
            secret.changed.connect(self._on_changed)
            secret.reveal_requested.connect(self.reveal_requested)
        for check in (*self.flags.values(), *self.waivers.values()):
            check.toggled.connect(self._on_changed)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        for field in (*self._texts.values(), self.scopes, self.callback_port):
            field.setFont(self._theme.mono())
        way = Way(self.way.currentData())
        for row in ROWS:
            self._form.setRowVisible(self._field(row.name), way in row.ways)
        for row in OVERRIDES:
            self._inner.setRowVisible(self._field(row.name), way in row.ways)
        self._inner.setRowVisible(self.flags["serves_client_metadata"], way is Way.CODE)
        self._inner.setRowVisible(self.parameters, way is Way.CODE)
        key = self._secrets["private_key"]
        signs = self.client_auth.currentData() == SIGNED or bool(key.value()) or key.is_sealed
        self._form.setRowVisible(key, way in ALL and signs)
        self._form.setRowVisible(self.algorithm, way in ALL and signs)
        for field in (self.client_auth, self.scopes, self.overrides):
            self._form.setRowVisible(field, way in ALL)
        self._form.setRowVisible(self._callback, way is Way.CODE)
        self._form.setRowVisible(self.command, way is Way.COMMAND)

    def show_header(self, *, has_header: bool) -> None:
        """Show whether a header of the profile replaces the token."""
        self._form.setRowVisible(self._note, has_header)

    def apply(self, profile: Profile) -> Profile:
        """Return `profile` with the values of the fields; `extracted` lists the secrets that are in the keyring and in no field."""
        port = self.callback_port.text()
        settings = replace(
            profile.authorization,
            way=Way(self.way.currentData()),
            client_auth=self.client_auth.currentData(),
            signing_algorithm=self.algorithm.currentData(),
            token_command=self.command.values(),
            extra=self.parameters.pairs(),
            scopes=scopes_of(self.scopes.text()),
            callback_host=self.callback_host.currentData(),
            callback_port=int(port) if port.isdecimal() else 0,
            waivers=frozenset(each for each, box in self.waivers.items() if box.isChecked()),
            **{name: box.isChecked() for name, box in self.flags.items()},
            **{name: field.text().strip() for name, field in self._texts.items()},
            **{name: field.value() for name, field in self._secrets.items()},
        )
        names = [key for key in SECRETS if self._secrets[TEXTS[key]].is_sealed]
        kept = tuple(slot for slot in profile.extracted if not slot.startswith(AUTH))
        sealed = (*kept, *(f"{AUTH}{name}" for name in names))
        return replace(profile, authorization=settings, extracted=sealed)

    def set_profile(self, profile: Profile) -> None:
        """Show another profile; `changed` stays silent."""
        self._filling = True
        settings = profile.authorization
        self.way.setCurrentIndex(list(WAYS).index(settings.way))
        _select(self.client_auth, settings.client_auth)
        _select(self.algorithm, settings.signing_algorithm)
        _select(self.callback_host, settings.callback_host)
        self.command.set_values(settings.token_command)
        self.parameters.set_pairs(settings.extra)
        self.scopes.set_value(" ".join(settings.scopes))
        self.callback_port.set_value(str(settings.callback_port or ""))
        for name, box in self.flags.items():
            box.setChecked(bool(getattr(settings, name)))
        for each, box in self.waivers.items():
            box.setChecked(each in settings.waivers)
        for name, field in self._texts.items():
            field.set_value(str(getattr(settings, name)))
        for name, secret in self._secrets.items():
            is_sealed = f"{AUTH}{HIDDEN[name]}" in profile.extracted
            secret.set_value(str(getattr(settings, name)), is_sealed=is_sealed)
        self.overrides.set_open(self.overrides.is_open() or _has_overrides(profile))
        self._filling = False
        self._refresh()

    def _on_changed(self) -> None:
        if not self._filling:
            self._refresh()
            self.changed.emit()


def is_chosen(profile: Profile) -> bool:
    """Whether the user changed something here, so that the section should be open."""
    return profile.authorization != AUTOMATIC or any(
        slot.startswith(AUTH) for slot in profile.extracted
    )


def _has_overrides(profile: Profile) -> bool:
    settings = profile.authorization
    texts = any(getattr(settings, row.name) for row in OVERRIDES)
    flags = any(getattr(settings, name) != getattr(AUTOMATIC, name) for name in FLAGS)
    return texts or flags or bool(settings.waivers or settings.extra)


def _select(box: QComboBox, value: str) -> None:
    """Select a value, which may be one that only the file has."""
    if box.findData(value) < 0:
        box.addItem(value, value)
    box.setCurrentIndex(box.findData(value))
