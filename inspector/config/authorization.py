"""The authorization settings of a profile: to JSON and back, and to what `inspector.auth` needs; and basic authentication. Pure; reading never raises.

The saved object has a member for each setting that differs from its default, spelled as the other keys of the file:

    {"way": "client-credentials", "clientId": "…", "scopes": ["read"], "callbackPort": 8090}
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.settings import SECRET_FIELDS, Settings, Waiver, Way
from inspector.session.transport_factory import transport_kind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.grant import Access, Grants
    from inspector.config.profile import Pairs, Profile
    from inspector.wire.json_codec import Json, JsonObject

AUTOMATIC = Settings(way=Way.CODE)
"""The default: the user logs in with a browser if the server requires OAuth."""


def members_of(*names: str) -> dict[str, str]:
    """Return fields by the members of a saved object that hold them: `clientId` for `client_id`."""
    return {re.sub(r"_(\w)", lambda found: found[1].upper(), name): name for name in names}


TEXTS = members_of(
    *("client_id", "client_secret", "client_issuer", "client_auth", "private_key"),
    *("signing_algorithm", "client_metadata_url", "resource", "resource_metadata_url", "issuer"),
    *("server_metadata_url", "callback_host", "token_variable", "initial_access_token"),
    *("assertion", "idp_token_endpoint", "idp_client_id", "idp_client_secret", "idp_id_token"),
)
"""Members that are strings, and their fields in `Settings`."""

FLAGS = members_of("sends_resource", "serves_client_metadata", "always_dpop")
"""Members that are booleans."""

SECRETS = tuple(members_of(*SECRET_FIELDS))
"""Members that are secrets: none of them is saved in the list of servers."""

OTHERS = ("way", "tokenCommand", "scopes", "callbackPort", "waivers", "parameters")

MAX_PORT = 65_535


def settings_of(profile: Profile) -> Settings:
    """Return the settings that `inspector.auth` needs for the server of `profile`.

    The way is `NONE` if no token can be used: for a transport without authorization, and if the user entered the header
    `Authorization`.
    """
    chosen = profile.authorization
    has_header = any(name.lower() == "authorization" for name, _ in profile.headers)
    if not transport_kind(profile.transport).has_headers or has_header:
        return replace(chosen, way=Way.NONE)
    return chosen


def access_of(
    profile: Profile,
    grants: Grants,
    open_url: Callable[[str], Awaitable[None]] | None = None,
    *,
    requires_consent: bool = False,
) -> Access | None:
    """Return how the server of `profile` grants access; None if a 401 is an error.

    `open_url` opens the login page; without it, the user cannot log in. With `requires_consent`, it is called only after `Authorizer.allow_login`.
    """
    settings = settings_of(profile)
    if settings.way is Way.NONE:
        return None
    # Imports modules that no other connection needs.
    from inspector.auth.grant import Access
    from inspector.auth.user_agent import browser_for

    make = browser_for(settings, open_url) if open_url is not None else None
    return Access(settings, grants, make, requires_consent=requires_consent)


def is_known(key: str) -> bool:
    """Whether a member of the saved object is known."""
    return key in TEXTS or key in FLAGS or key in OTHERS


def read(value: JsonObject) -> Settings:
    """Return the settings of a saved object; a member whose value is invalid has its default."""
    kinds = {**dict.fromkeys(TEXTS, str), **dict.fromkeys(FLAGS, bool)}
    members = (TEXTS | FLAGS).items()
    simple = {name: value[key] for key, name in members if isinstance(value.get(key), kinds[key])}
    way, port = value.get("way"), value.get("callbackPort")
    return replace(
        AUTOMATIC,
        **simple,
        way=Way(way) if isinstance(way, str) and way in list(Way) else AUTOMATIC.way,
        token_command=_texts(value.get("tokenCommand")),
        scopes=scopes_of(value.get("scopes")),
        callback_port=port if is_port(port) else 0,
        waivers=frozenset(each for each in Waiver if each in _texts(value.get("waivers"))),
        extra=_pairs(value.get("parameters")),
    )


def write(settings: Settings) -> JsonObject:
    """Return the object to save."""
    value: JsonObject = {}
    if settings.way is not AUTOMATIC.way:
        value["way"] = settings.way.value
    for key, name in (*TEXTS.items(), *FLAGS.items()):
        if getattr(settings, name) != getattr(AUTOMATIC, name):
            value[key] = getattr(settings, name)
    if settings.token_command:
        value["tokenCommand"] = [*settings.token_command]
    if settings.scopes:
        value["scopes"] = [*settings.scopes]
    if settings.callback_port:
        value["callbackPort"] = settings.callback_port
    if settings.waivers:
        value["waivers"] = [*sorted(each.value for each in settings.waivers)]
    if settings.extra:
        value["parameters"] = dict[str, "Json"](settings.extra)
    return value


def credentials(settings: Settings) -> dict[str, str]:
    """Return the values that an authorization server gave to the user, by field: the client id and every secret."""
    names = ("client_id", *SECRET_FIELDS)
    return {name: value for name in names if (value := str(getattr(settings, name)))}


def secret(settings: Settings, key: str) -> str:
    """Return the value of a member of `SECRETS`."""
    return str(getattr(settings, TEXTS[key]))


def with_secrets(settings: Settings, values: dict[str, str]) -> Settings:
    """`settings` with other values for some members of `SECRETS`."""
    return replace(settings, **{TEXTS[key]: value for key, value in values.items()})


def scopes_of(value: Json) -> tuple[str, ...]:
    """Return the scopes of an array, or of a string with spaces between them."""
    return tuple(value.split()) if isinstance(value, str) else _texts(value)


def is_port(value: Json) -> bool:
    """Whether a value is a port number."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_PORT


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _pairs(value: Json) -> tuple[tuple[str, str], ...]:
    found = value.items() if isinstance(value, dict) else ()
    return tuple((name, each) for name, each in found if isinstance(each, str))


def is_basic_entered(name: str, value: str) -> bool:
    """Whether a header has a user name and a password in clear: a colon is not a character of Base64 (RFC 7617, section 2)."""
    scheme, _, rest = value.partition(" ")
    return name.lower() == "authorization" and scheme.lower() == "basic" and ":" in rest


def encode_basic(pairs: Pairs) -> Pairs:
    """Return the headers with entered credentials encoded, and all others unchanged."""
    return tuple(
        (name, _basic_value(value) if is_basic_entered(name, value) else value)
        for name, value in pairs
    )


def _basic_value(value: str) -> str:
    scheme, _, rest = value.partition(" ")
    text = rest.strip().encode("utf-8", "surrogateescape")
    return f"{scheme} {base64.b64encode(text).decode()}"
