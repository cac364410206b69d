"""How a server is authorized: the way first, then the fields of that way; what is seldom needed stands in a fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QHBoxLayout, QLabel, QWidget

from inspector.auth.client import METHODS, NONE, SIGNED
from inspector.auth.settings import Waiver, Way
from inspector.config.authorization import AUTOMATIC, MAX_PORT, SECRETS, TEXTS, scopes_of
from inspector.config.secret_extraction import AUTH
from ui.connect.argv_edit import ArgvEdit
from ui.connect.line_edit import LineEdit
from ui.connect.name_value_edit import NameValueEdit
from ui.connect.secret_edit import SecretEdit
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
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
    """What it is called."""
    ways: frozenset[Way]
    """The ways that it belongs to."""
    placeholder: str = ""
    """What an empty field means."""


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
"""Fields in place of what is discovered."""

FLAGS = {
    "sends_resource": "Send the resource parameter",
    "serves_client_metadata": "Serve client metadata on this computer",
    "always_dpop": "Always bind tokens to a key (DPoP)",
}
"""Fields of `Settings` that are on or off, in the same place."""

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
        reveal_requested: a sealed value is to be fetched.
    """

    changed = Signal()
    reveal_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show what a new profile has."""
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
        self.way = self._combo("authorization_way", "Authorization")
        for way, text in WAYS.items():
            self.way.addItem(text, way)
        self._note = plain_label(
            HEADER_NOTE, tone="muted", name="authorization_note", wrap=True, parent=self
        )
        for row in (*ROWS, *OVERRIDES):
            self._make(row)
        self.client_auth = self._combo("client_auth", "Client authentication")
        self.client_auth.addItem("Automatic", "")
        for method in METHODS:
            self.client_auth.addItem("none (public client)" if method == NONE else method, method)
        self.algorithm = self._combo("signing_algorithm", "Signing algorithm")
        for name in ALGORITHMS:
            self.algorithm.addItem(name, name)
        self.command = ArgvEdit(theme=self._theme, parent=self)
        self.command.setObjectName("token_command")
        self.command.setAccessibleName("Command and its arguments")
        self.parameters = NameValueEdit(
            "Parameter", theme=self._theme, name="authorization_parameters", parent=self
        )
        self.scopes = self._line("scopes", "Scopes", "as the server requires; separated by spaces")
        self.callback_host = self._combo("callback_host", "Callback host")
        self.callback_host.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for host in HOSTS:
            self.callback_host.addItem(host, host)
        self.callback_port = self._line("callback_port", "Callback port", "any free port")
        self.callback_port.setValidator(QIntValidator(1, MAX_PORT, self))
        self.flags = {name: self._check(name, text) for name, text in FLAGS.items()}
        self.waivers = {
            each: self._check(f"waiver_{each.value}", text) for each, text in WAIVERS.items()
        }
        self._arrange()

    def _make(self, row: Row) -> None:
        if row.name in HIDDEN:
            self._secrets[row.name] = SecretEdit(
                row.label, theme=self._theme, name=row.name, parent=self
            )
        else:
            self._texts[row.name] = self._line(row.name, row.label, row.placeholder)

    def _line(self, name: str, label: str, placeholder: str) -> LineEdit:
        field = LineEdit(self)
        field.setObjectName(name)
        field.setAccessibleName(label)
        field.setPlaceholderText(placeholder)
        return field

    def _combo(self, name: str, label: str) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(name)
        box.setAccessibleName(label)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def _check(self, name: str, label: str) -> QCheckBox:
        box = QCheckBox(label, self)
        box.setObjectName(name)
        box.setAccessibleName(label)
        return box

    def _arrange(self) -> None:
        self._form = _form(self)
        self._add("Method", self.way)
        self._form.addRow("", self._note)
        self._add("Command", self.command)
        for row in ROWS:
            if row.name == "private_key":
                self._add("Client authentication", self.client_auth)
            self._add(row.label, self._field(row.name))
            if row.name == "private_key":
                self._add("Signing algorithm", self.algorithm)
        self._add("Scopes", self.scopes)
        self._callback = QWidget(self)
        line = QHBoxLayout(self._callback)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(self._theme.SPACING_PX)
        line.addWidget(self.callback_host)
        line.addWidget(self.callback_port, 1)
        self._add("Callback", self._callback, buddy=self.callback_port)
        self._others = self._make_others()
        self._others.hide()
        self.overrides = CollapsibleSection(
            "Overrides",
            lambda: self._others,
            theme=self._theme,
            name="authorization_overrides",
            parent=self,
        )
        self._form.addRow(self.overrides)

    def _make_others(self) -> QWidget:
        others = QWidget(self)
        self._inner = _form(others)
        for row in OVERRIDES:
            self._inner.addRow(_label(row.label, self._field(row.name)), self._field(row.name))
        self._inner.addRow(_label("Login parameters", self.parameters), self.parameters)
        for box in (*self.flags.values(), *self.waivers.values()):
            self._inner.addRow(box)
        return others

    def _field(self, name: str) -> QWidget:
        return self._secrets[name] if name in self._secrets else self._texts[name]

    def _add(self, label: str, field: QWidget, *, buddy: QWidget | None = None) -> None:
        self._form.addRow(_label(label, buddy or field), field)

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
        for form in (self._form, self._inner):
            form.setHorizontalSpacing(self._theme.px(12))
            form.setVerticalSpacing(self._theme.px(6))
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
        """Say whether a header of the profile takes the place of a token."""
        self._form.setRowVisible(self._note, has_header)

    def apply(self, profile: Profile) -> Profile:
        """`profile` with what the fields say; `sealed` has the secrets that lie in the keyring and in no field."""
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
        kept = tuple(place for place in profile.extracted if not place.startswith(AUTH))
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
    """Whether the user chose something here, so that it is in view at once."""
    return profile.authorization != AUTOMATIC or any(
        place.startswith(AUTH) for place in profile.extracted
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


def _form(parent: QWidget) -> QFormLayout:
    form = QFormLayout(parent)
    form.setContentsMargins(0, 0, 0, 0)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # large text on a small screen
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return form


def _label(text: str, buddy: QWidget) -> QLabel:
    label = plain_label(text, tone="muted")
    label.setBuddy(buddy)
    return label
