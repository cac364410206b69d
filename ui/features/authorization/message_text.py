"""Requests and responses of an authorization as text to read and to edit, one header or parameter a line. Pure.

Secrets are masked unless requested; a masked value that is left as it stands in an edited text means the value behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit, urlunsplit

from msgspec.structs import replace

from inspector.auth import messages
from inspector.auth.check import CheckResult
from inspector.auth.messages import FORM, HttpRequest
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.redaction import MASK, OAUTH_NAMES, mask_oauth, mask_urls, mask_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.auth.check import Check
    from inspector.auth.messages import HttpResponse, Pairs


def request_text(request: HttpRequest, *, with_secrets: bool = False) -> str:
    """Return verb and URL, headers, and the body: a form as one parameter a line, JSON indented."""
    url = request.url if with_secrets else _masked(request.url)
    lines = [f"{request.verb} {url}"]
    lines += [
        _header_line(name, value, with_secrets=with_secrets) for name, value in request.headers
    ]
    if request.body:
        lines += ["", *_body_lines(request, with_secrets=with_secrets)]
    return "\n".join(lines)


def visit_text(url: str, *, with_secrets: bool = False) -> str:
    """Return a URL that a browser opens: its address, then one parameter a line."""
    return request_text(_as_request(url), with_secrets=with_secrets)


def response_text(response: HttpResponse, *, with_secrets: bool = False) -> str:
    """Return status, headers and body of a response, or why no response arrived."""
    if not response.status:
        return f"No response: {response.problem}" if response.problem else ""
    lines = [f"HTTP {response.status}"]
    lines += [
        _header_line(name, value, with_secrets=with_secrets) for name, value in response.headers
    ]
    body = _indented(response.body)
    return "\n".join([*lines, "", body if with_secrets else _masked(body)]).rstrip("\n")


def callback_text(url: str, *, with_secrets: bool = False) -> str:
    """Return where the browser was redirected, and what that brought."""
    return visit_text(url, with_secrets=with_secrets).replace("GET ", "Redirect to ", 1)


def read_request(text: str, original: HttpRequest) -> HttpRequest:
    """Return the request that an edited `request_text` of `original` describes.

    Raises:
        ValueError: it describes none; the argument is a sentence.
    """
    if text in {request_text(original), request_text(original, with_secrets=True)}:
        return original
    top, _, body = text.partition("\n\n")
    first, *lines = top.split("\n")
    verb, _, url = first.strip().partition(" ")
    if not verb.isalpha() or not _is_http(url):
        raise ValueError("The first line must be a method and an http or https URL.")
    headers = tuple(_read_header(line, original) for line in lines if line.strip())
    request = HttpRequest(verb.upper(), url.strip(), headers, follows=original.follows)
    return replace(
        request, url=_unmasked_url(request.url, original.url), body=_read_body(body, original)
    )


def read_visit(text: str, original: str) -> str:
    """Return the URL that an edited `visit_text` of `original` describes.

    Raises:
        ValueError: it describes none; the argument is a sentence.
    """
    if text in {visit_text(original), visit_text(original, with_secrets=True)}:
        return original
    request = read_request(text, _as_request(original))
    parts = urlsplit(request.url)
    query = request.body.decode()
    joined = "&".join(each for each in (parts.query, query) if each)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, joined, parts.fragment))


def changed_lines(text: str, original: str) -> tuple[int, ...]:
    """Return the numbers of lines, from 0, that do not stand in `original`."""
    known = set(original.split("\n"))
    return tuple(at for at, line in enumerate(text.split("\n")) if line not in known)


def change_count(text: str, original: str) -> int:
    """Return how many lines were changed, added or removed."""
    removed = len(changed_lines(original, text))
    return max(len(changed_lines(text, original)), removed)


def checked_lines(text: str, checks: Sequence[Check]) -> dict[int, str]:
    """Return the tone of each line, by its number from 0, that holds what a broken rule is about."""
    found: dict[int, str] = {}
    lines = text.split("\n")
    tones = {CheckResult.WARNING: "warning", CheckResult.FAILED: "error"}
    for check in sorted(checks, key=lambda each: each.result is CheckResult.FAILED):
        name = check.pointer.removeprefix("/").partition("/")[0].lower()
        if check.result not in tones or not name:
            continue
        starts = (f'"{name}":', f"{name}:", f"{name}=")
        for at, line in enumerate(lines):
            if line.strip().lower().startswith(starts):
                found[at] = tones[check.result]
                break
    return found


def _as_request(url: str) -> HttpRequest:
    try:
        parts = urlsplit(url)
    except ValueError:
        return HttpRequest("GET", url)
    address = urlunsplit((parts.scheme, parts.netloc, parts.path, "", parts.fragment))
    return HttpRequest("GET", address, (), parts.query.encode())


def _header_line(name: str, value: str, *, with_secrets: bool) -> str:
    if with_secrets:
        return f"{name}: {value}"
    hidden = MASK if name.lower() in {"dpop", "set-cookie"} else mask_value(name, value)
    return f"{name}: {_masked(hidden)}"


def _body_lines(request: HttpRequest, *, with_secrets: bool) -> Iterable[str]:
    if not _is_form(request.body, request.headers):
        body = _indented(request.body)
        return (body if with_secrets else _masked(body)).split("\n")
    return [
        f"{name}={value if with_secrets or name not in OAUTH_NAMES else MASK}"
        for name, value in request.form
    ]


def _is_form(body: bytes, headers: Pairs) -> bool:
    kinds = [value for name, value in headers if name.lower() == "content-type"]
    return kinds == [FORM] or (not kinds and not body.lstrip().startswith((b"{", b"[")))


def _indented(body: bytes) -> str:
    """Return JSON with indents, if nothing in it would be lost by that; any other body as it came."""
    try:
        read = json_codec.read(body)
    except JsonSyntaxError:
        return body.decode("utf-8", "replace")
    is_plain = isinstance(read.value, dict | list) and not read.notes
    return json_codec.write(read.value, indent=2) if is_plain else body.decode("utf-8", "replace")


def _masked(text: str) -> str:
    return mask_oauth(mask_urls(text).encode("utf-8", "surrogateescape")).decode(
        "utf-8", "surrogateescape"
    )


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def _unmasked_url(url: str, original: str) -> str:
    if MASK not in url:
        return url
    if url == _masked(original):
        return original
    raise ValueError("Show the secrets before you change a URL that holds one.")


def _read_header(line: str, original: HttpRequest) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        raise ValueError(f"“{line.strip()}” must be a header: a name, a colon and a value.")
    if MASK in value:
        value = next((each for key, each in original.headers if key == name.strip()), value)
    return name.strip(), value.strip()


def _read_body(body: str, original: HttpRequest) -> bytes:
    if not body.strip():
        return b""
    if not _is_form(original.body, original.headers):
        if MASK in body:
            raise ValueError("Show the secrets before you change a body that holds one.")
        return body.encode()
    fields = [line.partition("=")[::2] for line in body.split("\n") if line.strip()]
    known = dict(messages.read_form(original.body.decode("utf-8", "replace")))
    return urlencode(
        [(name, known.get(name, value) if value == MASK else value) for name, value in fields]
    ).encode()
