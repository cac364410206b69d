"""HTTP requests and responses of an authorization, as values. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import parse_qsl, urlencode

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values in order; a name may occur twice."""

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


class HttpRequest(FrozenStruct, frozen=True):
    """A request, sent or not."""

    verb: str
    """`GET` or `POST`."""
    url: str
    """The URL."""
    headers: Pairs = ()
    """Headers beside those that every request carries."""
    body: bytes = b""
    """The body; empty for none."""
    follows: bool = True
    """Whether a redirect on the same host is followed, if the request has no secret."""

    @property
    def form(self) -> Pairs:
        """The fields of a body that is a form."""
        return read_form(self.body.decode("utf-8", "replace"))


class HttpResponse(FrozenStruct, frozen=True):
    """A response, or the reason without one."""

    status: int = 0
    """The status; 0 where no response came."""
    headers: Pairs = ()
    """Names and values in order, as received."""
    body: bytes = b""
    """The body, or its beginning."""
    frame: int = 0
    """The frame that started the exchange."""
    problem: str = ""
    """Why there is no response; empty if there is one."""
    hint: str = ""
    """What to do about that; empty if it is not known."""

    def header(self, name: str) -> str:
        """Return the first header of a name in lower case; empty without one."""
        return first_header(self.headers, name)

    @property
    def is_good(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    @property
    def media_type(self) -> str:
        """The media type of the body, in lower case and without parameters; empty without one."""
        return self.header("content-type").partition(";")[0].strip().lower()


def first_header(headers: Pairs, name: str) -> str:
    """Return the value of the first header of a name in lower case; empty without one."""
    return next((value for each, value in headers if each.lower() == name), "")


def token_in(sent: Pairs) -> str:
    """Return the access token that a request with these headers carried; empty without one."""
    return next((value.partition(" ")[2] for name, value in sent if name == "Authorization"), "")


def form(fields: Iterable[tuple[str, str]]) -> bytes:
    """Return the body of a form; empty values are left out."""
    return urlencode([(name, value) for name, value in fields if value]).encode()


def read_form(text: str) -> Pairs:
    """Return the fields of a form, decoded once; empty for anything else."""
    try:
        return tuple(parse_qsl(text, keep_blank_values=True, max_num_fields=1000))
    except ValueError:
        return ()
