"""What is a secret, and how text is shown without it: the one definition for the screen, copies, the command line and saved files.

A value is secret by the name of its variable, header, parameter, JSON member or command argument, or by its place in a URL. Pure; never
raises. What stands in the place of a secret is up to the caller (`Hide`): dots where it is shown, a marker where it is written to a file.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Hide = Callable[[str], str]
    """Gives what stands in the place of a secret."""

MASK = "••••••••"
"""What is shown for a secret: always as long, so that its length stays secret too."""

SHORTEST_SECRET = 6
"""Characters; shorter values are not looked for in other text, where they would be found by chance."""

_ANYWHERE = re.compile(
    r"token(?!s|i[sz])|secret|passw|passphrase|passcode|credential|cookie|authorization"
    r"|api[-_.]?key|session[-_.]?(?:id|key)|connection[-_.]?string|signature"
    r"|^dpop$"  # a proof that a token is used by who holds its key
    r"|(?:database|db|redis|mongo(?:db)?|postgres(?:ql)?|mysql|amqp|broker)[-_.]?ur[il]",
    re.IGNORECASE,
)
"""Marks a name wherever it stands in it."""

_WORDS = frozenset(
    {
        "auth",
        "oauth",
        "authentication",
        "key",
        "keys",
        "pat",
        "pass",
        "pwd",
        "pw",
        "sig",
        "jwt",
        "otp",
    }
    | {"dsn", "sid", "creds", "cred", "bearer", "session", "assertion", "apikey"}
)
"""Marks a name when it is one of its words."""

_WORD_ENDS = re.compile(r"(?:key|pass)$")
_NO_KEYS = frozenset({"monkey", "turkey", "hotkey", "donkey", "bypass", "compass", "trespass"})

_NOT_SECRET = frozenset({"pwd", "oldpwd", "xdg_session_type", "dbus_session_bus_address"})
"""Whole names, in lower case, that would be taken for secrets by a word."""

_SWITCHES = frozenset(
    {
        "no",
        "without",
        "disable",
        "enable",
        "skip",
        "require",
        "allow",
        "use",
        "with",
        "show",
        "list",
    }
    | {"print", "verify", "check", "generate", "ignore"}
)
"""First word of an option that takes no secret: `--no-auth`."""

OAUTH_NAMES = frozenset(
    {
        *(
            "access_token",
            "actor_token",
            "assertion",
            "client_assertion",
            "client_secret",
            "code",
            "code_verifier",
        ),
        *(
            "id_token",
            "password",
            "refresh_token",
            "registration_access_token",
            "state",
            "subject_token",
            "token",
        ),
    }
)
"""Parameters and members that are secret in an exchange of authorization, and may mean anything elsewhere."""

_OAUTH = "|".join(sorted(OAUTH_NAMES))
_OAUTH_FIELD = re.compile(rf"((?:^|[?&#\s])(?:{_OAUTH})=)([^&#\s\"'<>]+)")
_OAUTH_MEMBER = re.compile(rf'("(?:{_OAUTH})"\s*:\s*")((?:[^"\\]|\\.)+)')

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FIRST_LINE = re.compile(rb"(?:HTTP/\d|[!-~]+ \S+ HTTP/\d)")
_PARAMETER = re.compile(r"([?&;#]([\w.\-\[\]%]+)=)([^&#\s\"'<>]+)")
_USERINFO = re.compile(r"(://)([^/@\s\"'<>]+)@")
_PASSWORD = re.compile(r"://[^/@\s\"'<>:]*:([^/@\s\"'<>]+)@")
_SCHEME = re.compile(r"(?:Bearer|DPoP|Basic|Digest|Negotiate|Token|ApiKey)(?= )", re.IGNORECASE)
_ASSIGNED = re.compile(r"([-/]{0,2}([A-Za-z][\w.\-]*)=)(.+)", re.DOTALL)
_INNER = re.compile(r"((?<![\w?&;#.%\[\]-])([A-Za-z_]\w*)=[\"']?)([^\s;&|\"'<>]+)")
_KEY_TEXT = "-----BEGIN "
"""How the text of a key or certificate begins; it looks like an option."""
_OPTION = re.compile(r"--?([A-Za-z][\w.\-]*)")
_HEADER = re.compile(r"([A-Za-z][\w\-]*):[ \t]*(\S.*)", re.DOTALL)
_MEMBER = re.compile(
    r"""((["'])([\w.\-]+)\2\s*:\s*)(["'])((?:\\.|(?!\4)[^\\])++|(?:(?!\4).)++)\4""", re.DOTALL
)
_SHORT_OPTION = re.compile(r"--|-[A-Za-z]$")
_MARKER = re.compile(r"\[redacted:\d+-bytes:([0-9a-f]+)\]")
_NAMED = r"\$\{(?:[^{}]|(?<!\$)\{)*+\}|\{\{(?:[^{}]|\{(?!\{))*+\}\}"
_PLACEHOLDER = re.compile(rf"{_NAMED}|\$\w+|%\w+%|{MASK}")
_PLACEHOLDER_IN_ADDRESS = re.compile(rf"{_NAMED}|{MASK}")
"""Those that cannot be a password by chance."""


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Whether the value of a variable, header, parameter, member or option of this name should not be seen.

    Challenges such as `WWW-Authenticate` are no secrets.
    """
    if name.lower() in _NOT_SECRET:
        return False
    if _ANYWHERE.search(name):
        return True
    text = [part.lower() for part in _PART.findall(name)]
    return any(
        word in _WORDS or (_WORD_ENDS.search(word) and word not in _NO_KEYS) for word in text
    )


def is_placeholder(value: str) -> bool:
    """Whether a value only names where the secret comes from, such as `${TOKEN}`, or is what is shown for one."""
    scheme = _SCHEME.match(value)
    return _PLACEHOLDER.fullmatch(value, scheme.end() + 1 if scheme else 0) is not None


def _is_filled_later(part: str) -> bool:
    """Whether a part of a URL holds nothing but placeholders."""
    return not _PLACEHOLDER_IN_ADDRESS.sub("", part).strip(":")


def marker(size: int, fingerprint: str) -> str:
    """What stands in a file in the place of a secret of `size` bytes; equal secrets have one fingerprint, in hexadecimal digits."""
    return f"[redacted:{size}-bytes:{fingerprint}]"


def fingerprint_in(text: str) -> str:
    """The fingerprint of the first marker in `text`; empty where there is no marker."""
    found = _MARKER.search(text)
    return found[1] if found is not None else ""


def holds_marker(text: str) -> bool:
    """Whether a marker stands in `text`."""
    return _MARKER.search(text) is not None


def dots(secret: str) -> str:
    """What is shown in the place of a secret; a marker tells nothing, and stays."""
    return secret if _MARKER.fullmatch(secret) else MASK


def holds_secret(name: str, value: str) -> bool:
    """Whether the value of `name` is a secret, or a URL with one in it."""
    if not value or is_placeholder(value):
        return False
    return is_secret_name(name) or mask_addresses(value) != value


def mask_addresses(text: str, hide: Hide = dots) -> str:
    """`text` without passwords in addresses, and without the values of secret parameters."""
    if "=" not in text and "://" not in text:  # as most header fields of every request
        return text

    def hide_part(part: str) -> str:
        return part if _is_filled_later(part) else hide(part)

    def mask_parameter(found: re.Match[str]) -> str:
        return found[1] + (hide_part(found[3]) if is_secret_name(found[2]) else found[3])

    if "://" in text:
        text = _USERINFO.sub(lambda found: f"{found[1]}{hide_part(found[2])}@", text)
    return _PARAMETER.sub(mask_parameter, text) if "=" in text else text


def secrets_in_address(text: str) -> tuple[str, ...]:
    """The passwords and secret parameters of the addresses in `text`."""
    text = _MARKER.sub(
        "", text
    )  # what stands in it is no secret, and no password before the next @
    found = [each[1] for each in _PASSWORD.finditer(text)]
    found += [each[3] for each in _PARAMETER.finditer(text) if is_secret_name(each[2])]
    return tuple(part for part in found if not _is_filled_later(part))


def mask_arguments(arguments: Sequence[str], hide: Hide = dots) -> list[str]:
    """The arguments of a program without their secrets, each in its place."""
    return [shown for shown, _ in _judged(arguments, hide)]


def secrets_in_arguments(arguments: Sequence[str]) -> tuple[str, ...]:
    """The secrets among the arguments of a program."""
    return tuple(secret for _, secrets in _judged(arguments, dots) for secret in secrets if secret)


def _judged(arguments: Sequence[str], hide: Hide) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each argument as it may be shown, with the secrets in it."""
    is_value = False
    for argument in arguments:
        is_option = _SHORT_OPTION.match(argument) and not argument.startswith(_KEY_TEXT)
        if is_value and not is_option and not is_placeholder(argument):
            is_value = False
            yield hide(argument), (argument,)
            continue
        option = _OPTION.fullmatch(argument)
        is_value = option is not None and _takes_secret(option[1])
        yield _judge_argument(argument, hide)


def _judge_argument(argument: str, hide: Hide) -> tuple[str, tuple[str, ...]]:
    assigned = _ASSIGNED.fullmatch(argument)
    if assigned and _takes_secret(assigned[2]) and not is_placeholder(assigned[3]):
        return f"{assigned[1]}{hide(assigned[3])}", (assigned[3],)
    header = _HEADER.fullmatch(argument)
    if header and "://" not in argument[: header.end(1) + 3] and is_secret_name(header[1]):
        secret = header[2].partition(" ")[2] if _SCHEME.match(header[2]) else header[2]
        return argument.replace(header[2], mask_value(header[1], header[2], hide)), (secret,)
    members = [each[5] for each in _MEMBER.finditer(argument) if is_secret_name(each[3])]
    shown = _MEMBER.sub(lambda found: _mask_member(found, hide), argument) if members else argument
    inner = [each[3] for each in _INNER.finditer(argument) if _is_inner_secret(each)]
    if inner:
        shown = _INNER.sub(
            lambda found: found[1] + hide(found[3]) if _is_inner_secret(found) else found[0], shown
        )
    return mask_addresses(shown, hide), (*members, *inner, *secrets_in_address(argument))


def _is_inner_secret(found: re.Match[str]) -> bool:
    """Whether an assignment inside of an argument, as in `--env=API_KEY=…` and in a line for a shell, is that of a secret."""
    return _takes_secret(found[2]) and not is_placeholder(found[3]) and not holds_marker(found[3])


def _mask_member(found: re.Match[str], hide: Hide) -> str:
    if not is_secret_name(found[3]):
        return found[0]
    return f"{found[1]}{found[4]}{hide(found[5])}{found[4]}"


def _takes_secret(option: str) -> bool:
    """Whether the value of an option is a secret; a switch has none."""
    return is_secret_name(option) and re.split(r"[-_.]", option)[0].lower() not in _SWITCHES


def mask_value(name: str, value: str, hide: Hide = dots) -> str:
    """The value of an HTTP header as it may be shown; what kind of authorization it is stays."""
    if name.lower() == "location":
        return mask_target(value, hide)
    if not is_secret_name(name):
        return mask_addresses(value, hide)
    scheme = _SCHEME.match(value)
    if scheme is None:
        return hide(value)
    secret = value[scheme.end() :].lstrip(" \t")
    return f"{value[: len(value) - len(secret)]}{hide(secret)}"


def is_head(raw: bytes) -> bool:
    """Whether these bytes look like the head of an HTTP message."""
    return _FIRST_LINE.match(raw) is not None


def mask_head(raw: bytes, hide: Hide = dots) -> bytes:
    """The head of an HTTP message, secrets hidden; order, names and everything else stay as they are."""
    first, *lines = raw.decode("utf-8", "surrogateescape").split("\r\n")
    masked = [mask_addresses(first, hide), *(_mask_line(line, hide) for line in lines)]
    return "\r\n".join(masked).encode("utf-8", "surrogateescape")


def mask_oauth(raw: bytes, hide: Hide = dots) -> bytes:
    """A head or body of an authorization without its secrets: those of forms, queries, fragments and JSON."""
    masked = _mask_oauth(raw.decode("utf-8", "surrogateescape"), hide)
    return masked.encode("utf-8", "surrogateescape")


def mask_target(url: str, hide: Hide = dots) -> str:
    """Where a redirect leads, as it may be shown: an authorization sends codes along."""
    return _mask_oauth(mask_addresses(url, hide), hide)


def _mask_oauth(text: str, hide: Hide) -> str:
    def mask(found: re.Match[str]) -> str:
        return found[1] + hide(found[2])

    return _OAUTH_MEMBER.sub(mask, _OAUTH_FIELD.sub(mask, text))


def secrets_in_head(raw: bytes) -> tuple[str, ...]:
    """The secrets in the head of an HTTP message."""
    first, *lines = raw.decode("utf-8", "surrogateescape").split("\r\n")
    found = list(secrets_in_address(first))
    for line in lines:
        name, _, value = line.partition(":")
        value = value.strip()
        if is_secret_name(name.strip()):
            found += [value, value.partition(" ")[2] if _SCHEME.match(value) else ""]
    return tuple(each for each in found if each)


def _mask_line(line: str, hide: Hide) -> str:
    name, colon, value = line.partition(":")
    is_secret = is_secret_name(name) or name.lower() == "location"
    if not (is_secret or "=" in value or "://" in value):  # as nearly always
        return line
    bare = value.strip()
    masked = mask_value(name, bare, hide) if bare else bare
    return f"{name}{colon}{value.replace(bare, masked, 1)}"
