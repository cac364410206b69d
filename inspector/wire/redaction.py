"""What is a secret, and how text is displayed without it: the one definition for the screen, copies, the command line and saved files.

A value is secret by the name of its variable, header, parameter, JSON member or command argument, or by its position in a URL. A state handle
of a server (`requestState`, the id of a task) is secret in copies: with it others can continue what it identifies. Pure; never raises.
The caller decides what replaces a secret (`Hide`): dots on the screen, a marker in a file.

Source: security best practices, "State Handle Hijacking".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Hide = Callable[[str], str]
    """Returns what replaces a secret."""

MASK = "••••••••"
"""What is displayed for a secret: always as long, so that its length stays secret too."""

MIN_SECRET_CHARS = 6
"""Shorter values are not searched for in other text, where they would be found by chance."""

_ANYWHERE = re.compile(
    r"token(?!s|i[sz])|secret|passw|passphrase|passcode|credential|cookie|authorization"
    r"|api[-_.]?key|session[-_.]?(?:id|key)|connection[-_.]?string|signature"
    r"|^dpop$"  # a proof that a token is used by who holds its key
    r"|(?:database|db|redis|mongo(?:db)?|postgres(?:ql)?|mysql|amqp|broker|webhook)[-_.]?ur[il]",
    re.IGNORECASE,
)
"""Marks a name that contains it."""

_PARTS = frozenset(
    {"auth", "oauth", "authentication", "key", "keys", "pat", "pass", "pwd", "pw", "sig", "jwt"}
    | {"otp", "dsn", "sid", "creds", "cred", "bearer", "session", "assertion", "apikey"}
)
"""Parts of a name that make it secret."""

_PART_ENDS = re.compile(r"(?:key|pass|pwd)$")
_NO_KEYS = frozenset({"monkey", "turkey", "hotkey", "donkey", "bypass", "compass", "trespass"})

_NOT_SECRET = frozenset({"pwd", "oldpwd", "xdg_session_type", "dbus_session_bus_address"})
"""Whole names, in lower case, that have a part of `_PARTS` and are not secret."""

OAUTH_NAMES = frozenset(
    {"access_token", "actor_token", "assertion", "client_assertion", "client_secret", "code"}
    | {"code_verifier", "id_token", "password", "refresh_token", "registration_access_token"}
    | {"state", "subject_token", "token"}
)
"""Parameters and members that are secret in an OAuth exchange, and may mean anything elsewhere."""

# Patterns that few sessions need are compiled by `re` at their first use: together they take as long as importing three modules.
_OAUTH = "|".join(sorted(OAUTH_NAMES))
_OAUTH_FIELD = rf"((?:^|[?&#\s])(?:{_OAUTH})=)([^&#\s\"'<>]+)"
_OAUTH_MEMBER = rf'("(?:{_OAUTH})"\s*:\s*")((?:[^"\\]|\\.)+)'

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FIRST_LINE = re.compile(rb"(?:HTTP/\d|[!-~]++ \S++ HTTP/\d)")
_PARAMETER = re.compile(
    r"(?P<before>[?&;#](?P<name>[\w.\-\[\]%]+)=)(?P<part>(?:[^&#\s\"'<>;]++|;(?![\w.\-\[\]%]+=|[\s\"'<>]|$))+)"
)
"""A parameter and its value; a semicolon that ends a sentence or a command, or that separates parameters, is no part of the value."""
_USERINFO = re.compile(
    r"(?P<before>://)(?P<part>[^/@\s\"'<>]++(?=@)"
    r"|[^/@\s\"'<>:\[]*+:(?![\d*]*(?:[/?#,]|$)|\$?\{|\$\w++/)(?:[^@\s\"'<>:]++|:(?!//))+(?=@))"
)
"""User name and password; where no port follows the colon, also a password with unencoded `/`, `?` or `#`."""
SCHEME = re.compile(r"(?:Bearer|DPoP|Basic|Digest|Negotiate|Token|ApiKey)(?= )", re.IGNORECASE)
_AFTER_SCHEME = (
    r"\b(?P<before>(?i:Bearer|DPoP|Basic|Negotiate|Token|ApiKey)[ \t]++)"
    r"(?!\w++=[\"']|[A-Z]?[a-z]{1,15}+(?:-[a-z]++)*+[.,:]?(?![\w.~+/=-]))(?P<part>[\w.~+/=-]{6,}+)"
)
"""What follows the scheme of an authorization inside of any text; a word of a sentence is no secret."""
_MARKER = re.compile(r"\[redacted:\d+-bytes:([0-9a-f]+)\]")
_NAMED = r"\$\{(?:[^{}]|(?<!\$)\{)*+\}|\{\{(?:[^{}]|\{(?!\{))*+\}\}"
_PLACEHOLDER = rf"{_NAMED}|\$\w+|%\w+%|{MASK}"
_PLACEHOLDER_IN_URL = rf"{_NAMED}|{MASK}"
"""Those that cannot be a password by chance."""


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Return whether the value of a variable, header, parameter, member or option of this name is secret.

    Challenges such as `WWW-Authenticate` are not.
    """
    if name.lower() in _NOT_SECRET:
        return False
    if _ANYWHERE.search(name):
        return True
    parts = [part.lower() for part in _PART.findall(name)]
    return any(
        part in _PARTS or (_PART_ENDS.search(part) and part not in _NO_KEYS) for part in parts
    )


def is_placeholder(value: str) -> bool:
    """Return whether a value only names where the secret comes from, such as `${TOKEN}`, or is `MASK`."""
    scheme = SCHEME.match(value)
    return re.fullmatch(_PLACEHOLDER, value[scheme.end() + 1 if scheme else 0 :]) is not None


def _is_filled_later(part: str) -> bool:
    """Return whether a part of a URL consists of placeholders."""
    return not re.sub(_PLACEHOLDER_IN_URL, "", part).strip(":")


def marker(size: int, fingerprint: str) -> str:
    """Return what replaces a secret of `size` bytes in a file; equal secrets have one fingerprint, in hexadecimal digits."""
    return f"[redacted:{size}-bytes:{fingerprint}]"


def fingerprint_in(text: str) -> str:
    """Return the fingerprint of the first marker in `text`; empty without a marker."""
    found = _MARKER.search(text)
    return found[1] if found is not None else ""


def has_marker(text: str) -> bool:
    """Return whether `text` contains a marker."""
    return _MARKER.search(text) is not None


def without_markers(text: str) -> str:
    """Return `text` with every marker masked: a marker differs from one recording to the next."""
    return _MARKER.sub(MASK, text)


def dots(secret: str) -> str:
    """Return what is displayed for a secret; a marker reveals nothing, and stays."""
    return secret if _MARKER.fullmatch(secret) else MASK


def has_secret(name: str, value: str) -> bool:
    """Return whether the value of `name` is a secret, or contains a URL with one."""
    if not value or is_placeholder(value):
        return False
    return is_secret_name(name) or mask_urls(value) != value


def mask_urls(text: str, hide: Hide = dots) -> str:
    """Return `text` without passwords in URLs, and without the values of secret parameters."""
    if "=" not in text and "://" not in text:  # as most header fields of every request
        return text

    def mask(found: re.Match[str]) -> str:
        return found["before"] + hide(found["part"]) if _is_secret_part(found) else found[0]

    if "://" in text:
        text = _USERINFO.sub(mask, text)
    return _PARAMETER.sub(mask, text) if "=" in text else text


def mask_text(text: str, hide: Hide = dots) -> str:
    """Return any text, such as that of an error, without the secrets of its URLs and what follows the scheme of an authorization."""
    return re.sub(
        _AFTER_SCHEME, lambda each: each["before"] + hide(each["part"]), mask_urls(text, hide)
    )


def secrets_in_urls(text: str) -> tuple[str, ...]:
    """Return the passwords and secret parameters of the URLs in `text`."""
    text = _MARKER.sub("", text)  # its content is no secret, and no password before the next @
    parts = [each["part"] for each in _USERINFO.finditer(text) if _is_secret_part(each)]
    found = [part.partition(":")[2] for part in parts]
    found += [each["part"] for each in _PARAMETER.finditer(text) if _is_secret_part(each)]
    return tuple(part for part in found if not _is_filled_later(part))


def spans_in_urls(text: str) -> list[tuple[int, int]]:
    """Return where the parts are that `mask_urls` hides, in their order."""
    found = (*_USERINFO.finditer(text), *_PARAMETER.finditer(text))
    return sorted(each.span("part") for each in found if _is_secret_part(each))


def _is_secret_part(found: re.Match[str]) -> bool:
    """Return whether a part of a URL is a secret: user information, or the value of a secret parameter."""
    name = found.groupdict().get("name")
    return not _is_filled_later(found["part"]) and (name is None or is_secret_name(name))


def mask_value(name: str, value: str, hide: Hide = dots) -> str:
    """Return the value of an HTTP header without its secrets; the scheme of an authorization stays."""
    if name.lower() == "location":
        return mask_target(value, hide)
    if not is_secret_name(name):
        return mask_urls(value, hide)
    scheme = SCHEME.match(value)
    if scheme is None:
        return hide(value)
    secret = value[scheme.end() :].lstrip(" \t")
    return f"{value[: len(value) - len(secret)]}{hide(secret)}"


def is_header_block(raw: bytes) -> bool:
    """Return whether these bytes start like the header block of an HTTP message."""
    return _FIRST_LINE.match(raw) is not None


def mask_header_block(raw: bytes, hide: Hide = dots) -> bytes:
    """Return a header block without its secrets; order, names and everything else stay."""
    start, *lines = raw.decode("utf-8", "surrogateescape").split("\r\n")
    masked = [mask_urls(start, hide), *(_mask_line(line, hide) for line in lines)]
    return "\r\n".join(masked).encode("utf-8", "surrogateescape")


def mask_oauth(raw: bytes, hide: Hide = dots) -> bytes:
    """Return a header block or body of an OAuth exchange without the secrets of its forms, queries, fragments and JSON."""
    masked = _mask_oauth(raw.decode("utf-8", "surrogateescape"), hide)
    return masked.encode("utf-8", "surrogateescape")


def mask_target(url: str, hide: Hide = dots) -> str:
    """Return the target of a redirect without its secrets, OAuth codes included."""
    return _mask_oauth(mask_urls(url, hide), hide)


def _mask_oauth(text: str, hide: Hide) -> str:
    def mask(found: re.Match[str]) -> str:
        return found[1] + hide(found[2])

    return re.sub(_OAUTH_MEMBER, mask, re.sub(_OAUTH_FIELD, mask, text))


def secrets_in_header_block(raw: bytes) -> tuple[str, ...]:
    """Return the secrets in a header block."""
    start, *lines = raw.decode("utf-8", "surrogateescape").split("\r\n")
    found = list(secrets_in_urls(start))
    for line in lines:
        name, _, value = line.partition(":")
        value = value.strip()
        if is_secret_name(name.strip()):
            found += [value, value.partition(" ")[2] if SCHEME.match(value) else ""]
    return tuple(each for each in found if each)


def _mask_line(line: str, hide: Hide) -> str:
    name, colon, value = line.partition(":")
    is_secret = is_secret_name(name) or name.lower() == "location"
    if not (is_secret or "=" in value or "://" in value):  # as nearly always
        return line
    bare = value.strip()
    masked = mask_value(name, bare, hide) if bare else bare
    return f"{name}{colon}{value.replace(bare, masked, 1)}"


_RAW_MASK = MASK.encode()
STATE_HANDLES = (b"requestState", b"taskId")
"""A message without any of these has no state handle."""

_STRING = rb'"(?:[^"\\]|\\.)*+"?'
_CUT = "…".encode() + rb'(?:[^"\\\r\n]|\\.)*+"?'
"""A string whose beginning is cut off."""
_HANDLE = re.compile(rb'(?s)("(?:requestState|taskId)"\s*+:\s*+)(' + _STRING + rb"|" + _CUT + rb")")
_LIST = re.compile(rb'(?s)("taskIds"\s*+:\s*+\[)((?:' + _STRING + rb'|[^\]"])*+)')
_TASK_METHOD = re.compile(rb"^mcp-method:\s*tasks/", re.IGNORECASE | re.MULTILINE)
_NAME = re.compile(rb"^(mcp-name:[ \t]*)([^\r\n]+)", re.IGNORECASE | re.MULTILINE)


def mask_state_handles(raw: bytes) -> bytes:
    """Return the text of a message, which need not be JSON, without its state handles; one that is cut off is hidden to its end."""
    if not any(mark in raw for mark in STATE_HANDLES):
        return raw
    named = sorted((*_positions(raw, b'"requestState"'), *_positions(raw, b'"taskId"')))
    raw = _replaced(raw, named, _HANDLE, lambda found: found[1] + _hidden(found[2]))
    return _replaced(
        *(raw, _positions(raw, b'"taskIds"'), _LIST),
        lambda found: found[1] + re.sub(b"(?s)" + _STRING, lambda item: _hidden(item[0]), found[2]),
    )


def _positions(raw: bytes, text: bytes) -> list[int]:
    """Return where a text between quotes stands; searched from the end, which takes a third of the time."""
    found, at = list[int](), raw.rfind(text)
    while at >= 0:
        found.append(at)
        at = raw.rfind(text, 0, at + 1)  # its first quote may be the last of the one before
    return found[::-1]


def _replaced(
    raw: bytes,
    positions: Sequence[int],
    pattern: re.Pattern[bytes],
    replace: Callable[[re.Match[bytes]], bytes],
) -> bytes:
    """Return the same as `pattern.sub`, which can match at these positions only: in a tenth of the time where they are few."""
    parts, end = list[bytes | memoryview](), 0
    for at in positions:
        if at >= end and (found := pattern.match(raw, at)):
            parts += (memoryview(raw)[end:at], replace(found))
            end = found.end()
    return b"".join((*parts, memoryview(raw)[end:])) if parts else raw


def mask_task_id(header: bytes) -> bytes:
    """Return the header block of a request without the id of the task that it is about."""
    return _NAME.sub(rb"\1" + _RAW_MASK, header) if _TASK_METHOD.search(header) else header


def _hidden(string: bytes) -> bytes:
    """An empty string is no handle."""
    return string if string == b'""' else b'"' + _RAW_MASK + b'"'
