"""The params of `elicitation/create`: what a server requests from the user.

Source: client/elicitation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from inspector.finding import Severity
from inspector.spec.json_types import type_text
from inspector.spec.keys import META
from inspector.spec.view import View
from inspector.visible_text import hidden_characters

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

FORM, URL = "form", "url"
"""The two modes."""

PRIMITIVES = frozenset({"string", "number", "integer", "boolean"})
"""Types that a field of a form may have; a choice of several is a list."""

FORMATS = frozenset({"email", "uri", "date", "date-time"})
"""Formats that a text field may have."""

_SECRET = re.compile(
    r"pass(?:word|phrase|wd)|secret|token|api[_-]?key|credential|card.?number|\bcvv\b|\bpin\b", re.I
)
_REFUSAL = re.compile(r"\b(?:do not|don['\u2019]t|never)\b[^.;:!)]*", re.I)
"""What a server says that it does not want."""
_HOST = re.compile(r"[\w.:-]+", re.ASCII)
"""A host name or address, without percent signs and what else ends or hides one."""

_LINK = re.compile(r"\bhttps?://\S", re.I)
_PRE_AUTHENTICATED = re.compile(r"(?:^|[?&])(?:access_token|token|api_key|password)=", re.I)

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""Where plain http is a matter of development."""


class ElicitationView(View):
    """The params of `elicitation/create`; a missing mode means a form (C-ELI-04)."""

    SUBJECT: ClassVar[str] = "elicitation"
    RULE: ClassVar[str] = "L-ELI-02"
    NOUN: ClassVar[str] = "the params of elicitation/create"
    POINTER: ClassVar[str] = "/params"

    def _read_members(self) -> None:
        self.mode = FORM
        if self.revision is None or self.revision.has_url_elicitation:
            self.mode = self.text("mode") or FORM
            self.task = self.value("task")
        self.message = self.text("message", required=True)
        self.meta = self.members(META)
        self.url = ""
        self.elicitation_id: Json = None
        self.requested_schema: Json = True
        if self.mode == URL:
            self._read_url()
        else:
            self._read_form()

    @property
    def is_url(self) -> bool:
        """Whether a page is to be visited, rather than a form filled in."""
        return self.mode == URL

    def _read_url(self) -> None:
        self.url = self.text("url", required=True)
        if self.revision is None or self.revision.has_elicitation_complete:
            self._read_id()
        for rule, text in url_cautions(self.url):
            self.add_finding(text, "url", rule=rule, severity=Severity.WARNING)

    def _read_id(self) -> None:
        self.elicitation_id = self.value("elicitationId")
        if not isinstance(self.elicitation_id, str):
            self.add_finding("`elicitationId` must be a string", "elicitationId", rule="L-ELI-09")

    def _read_form(self) -> None:
        schema = self.value("requestedSchema")
        self.requested_schema = schema if isinstance(schema, dict) else True
        if not isinstance(schema, dict):
            text = f"`requestedSchema` must be an object, not {type_text(schema)}"
            text_found = text if self.has("requestedSchema") else "`requestedSchema` is missing"
            self.add_finding(text_found, "requestedSchema")
            return
        if schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
            text = '`requestedSchema` must have "type": "object" and `properties`'
            self.add_finding(text, "requestedSchema")
        properties = schema.get("properties")
        for name, field in (properties if isinstance(properties, dict) else {}).items():
            self._check_field(name, field)

    def _check_field(self, name: str, field: Json) -> None:
        where = ("requestedSchema", "properties", name)
        if not isinstance(field, dict):
            self.add_finding(
                f"field {name!r}: the schema must be an object", *where, rule="L-ELI-03"
            )
            return
        problem = _field_problem(field, self.revision)
        if problem:
            message = f"field {name!r} is not allowed in a form: {problem}"
            self.add_finding(message, *where, rule="L-ELI-03", severity=Severity.WARNING)
        kind, format_ = field.get("type"), field.get("format")
        if (
            kind == "string"
            and format_ is not None
            and not (isinstance(format_, str) and format_ in FORMATS)
        ):
            message = (
                f"field {name!r}: `format` must be email, uri, date or date-time, not {format_!r}"
            )
            self.add_finding(message, *where, rule="L-ELI-04")
        texts = [name, field.get("title"), field.get("description")]
        text_found = " ".join(text for text in texts if isinstance(text, str))
        if _SECRET.search(_REFUSAL.sub("", text_found)):
            message = f"field {name!r} appears to request a secret, which forms must not do"
            self.add_finding(message, *where, rule="L-ELI-01")
        if _LINK.search(text_found):
            message = f"field {name!r} contains a URL in its text; do not follow it"
            self.add_finding(message, *where, rule="L-ELI-13")


def _field_problem(field: JsonObject, revision: Revision | None) -> str:
    """Return why a field is not allowed in a form; an empty string if it is."""
    kind = field.get("type")
    if isinstance(kind, str) and kind in PRIMITIVES:
        return ""
    if kind == "array":
        if revision is not None and not revision.has_url_elicitation:
            return f"arrays are not supported in {revision}"
        items = field.get("items")
        is_choice = isinstance(items, dict) and ("enum" in items or "anyOf" in items)
        return "" if is_choice else "an array must be a multiple choice of strings"
    if "$ref" in field:
        return "$ref is not allowed"
    return "nested objects are not allowed" if kind == "object" else f"type is {type_text(kind)}"


def host_of(url: str) -> str:
    """Return the host as DNS sees it, in ASCII; an empty string if the URL has none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return host


def _why_unusable(scheme: str, host: str, ascii_host: str) -> str:
    """Return why no browser gets to the page; an empty string if one may."""
    if not scheme:
        return "not an http(s) URL: it has no scheme"
    if scheme not in {"http", "https"}:
        return f"not an http(s) URL: scheme {scheme!r}"
    if not host:
        return "the URL has no host"
    if ":" in host and "%" in host:
        return "browsers do not open an IPv6 address with a zone"
    return "" if _HOST.fullmatch(ascii_host) else "the host is not a valid host name"


def url_cautions(url: str) -> list[tuple[str, str]]:
    """Return rule and text of each warning for the user before `url` is opened (C-ELI-20)."""
    try:
        split = urlsplit(url)
        host = split.hostname or ""
        _ = split.port
    except ValueError as error:
        return [("L-ELI-09", f"invalid URL: {error}")]
    found: list[tuple[str, str]] = []
    if unusable := _why_unusable(split.scheme.lower(), host, host_of(url)):
        found.append(("L-ELI-09", unusable))
    elif split.scheme.lower() == "http" and host not in LOCAL_HOSTS:
        found.append(("L-ELI-11", "unencrypted connection (http)"))
    if "@" in split.netloc:
        found.append(("L-ELI-12", "the text before @ is a user name, not the host"))
    if not host.isascii() or any(part.startswith("xn--") for part in host.split(".")):
        text = f"the host contains non-ASCII letters and may imitate another host: {host_of(url)}"
        found.append(("L-ELI-20", text))
    if " " in url:
        found.append(("L-ELI-20", "the URL contains a space"))
    if any(each.isspace() and each != " " for each in url) or hidden_characters(url):
        found.append(("L-ELI-20", "the URL contains invisible characters"))
    if _PRE_AUTHENTICATED.search(split.query):
        found.append(("L-ELI-12", "the URL appears to contain a credential"))
    return found
