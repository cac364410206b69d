"""What a value of a message stands for, and what only looks like it; ours throughout."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from inspector.spec.decodings import DUMPED_BYTES, MAX_JSON, MAX_TEXT, Decoding, decodings
from inspector.wire.redaction import MASK

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def packed(raw: bytes | str) -> str:
    return base64.b64encode(raw.encode() if isinstance(raw, str) else raw).decode()


def token(**claims: Json) -> str:
    parts = ({"alg": "ES256", "typ": "JWT"}, claims)
    texts = (base64.urlsafe_b64encode(json.dumps(each).encode()).decode() for each in parts)
    return ".".join((*(text.rstrip("=") for text in texts), "c2lnbmF0dXJl"))


def only(value: Json, name: str = "value") -> Decoding:
    (found,) = decodings(value, name)
    return found


def test_base64_says_what_it_holds() -> None:
    """Ours: text, JSON, an image, bytes."""
    text = only(packed("Grüße aus Oslo"))
    assert (text.title, text.text) == ("Base64 · text · 16 bytes", "Grüße aus Oslo")
    inner = only(packed('{"page":2,"size":10}'))
    assert inner.title == "Base64 · JSON · 20 bytes"
    assert json.loads(inner.text) == {"page": 2, "size": 10}
    image = only(packed(b"\x89PNG\r\n\x1a\n" + bytes(112)), "data")
    assert (image.title, image.text) == ("Base64 · image/png · 120 bytes", "")
    blob = only(packed(b"\x00\x01\xfe"), "blob")
    assert (blob.title, blob.text) == ("Base64 · 3 bytes", "00 01 fe")


def test_json_in_a_string_is_indented() -> None:
    """Ours: as it was written, numbers and order included."""
    found = only(' {"b": 1.50, "a": [1]} ')
    assert found.title == "JSON in a string"
    assert found.text == '{\n  "b": 1.50,\n  "a": [\n    1\n  ]\n}'


def test_a_token_shows_its_header_and_claims_and_that_nobody_verified_them() -> None:
    """Ours: neither the signature nor secrets in it."""
    raw = token(sub="ada", exp=1_800_000_000, session_key="hush-hush")
    for value in (raw, f"Bearer {raw}"):
        found = only(value, "authorization")
        assert not found.is_verified
        assert '"alg":"ES256"' in found.text
        assert '"sub": "ada"' in found.text
        assert MASK in found.text
        assert "hush-hush" not in found.text
        assert "c2lnbmF0dXJl" not in found.text


def test_data_urls_tell_type_and_text() -> None:
    """Ours: a type that its bytes deny is said."""
    plain = only("data:,a%20b")
    assert (plain.title, plain.text) == ("Data URL · text/plain", "a b")
    coded = only(f"data:text/html;charset=utf-8;base64,{packed('<b>x</b>')}")
    assert (coded.title, coded.text) == ("Data URL · text/html · 8 bytes", "<b>x</b>")
    denied = only(f"data:image/png;base64,{packed(b'GIF89a' + bytes(6))}")
    assert denied.title == "Data URL · image/png, but its bytes are image/gif · 12 bytes"


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (1_700_000_000, "createdAt", "2023-11-14 22:13:20 UTC"),
        (1_700_000_000.25, "start_time", "2023-11-14 22:13:20.250 UTC"),
        (1_700_000_000_123, "timestamp", "2023-11-14 22:13:20.123 UTC"),
        ("1700000000", "exp", "2023-11-14 22:13:20 UTC"),
    ],
)
def test_a_number_is_a_time_where_its_name_says_so(value: Json, name: str, text: str) -> None:
    """Ours."""
    assert only(value, name).text == text


def test_a_url_is_readable_without_its_secrets() -> None:
    """Ours: a secret with an escaped `&` does not end there, and one in a URL in a URL is found."""
    found = only(
        "https://x.example/caf%C3%A9?q=a%20b&token=abc%26def&to=https%3A%2F%2Fy%3Fkey%3Dk1"
    )
    assert found.text == f"https://x.example/café?q=a b&token={MASK}&to=https://y?key={MASK}"


def test_a_header_value_of_the_protocol_is_decoded() -> None:
    """Ours."""
    assert only(f"=?base64?{packed('Zürich')}?=").text == "Zürich"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("authenticationcodes1", "value"),  # letters that are base64 by chance
        ("dGVzdA==", "value"),  # too short to be sure
        ("d41d8cd98f00b204e9800998ecf8427e", "value"),  # hexadecimal
        ("[info] ready [now]", "message"),
        ("{name} and {other}", "template"),
        ("1.2.3", "version"),
        ("www.example.com", "host"),
        ("e30.e30.e30", "token"),  # no algorithm
        ("100%25 of it", "note"),
        ("https://x.example/a?b=c", "url"),
        ("https://x.example/%ff", "url"),  # no UTF-8
        ("data:image/png;base64,***", "src"),
        (1_700_000_000, "size"),
        (12, "time"),
        (float("inf"), "time"),
        (True, "time"),
        ("", "blob"),
        (None, "data"),
        ({"a": 1}, "data"),
    ],
)
def test_what_only_looks_like_it_stays_itself(value: Json, name: str) -> None:
    """Ours."""
    assert decodings(value, name) == ()


def test_a_secret_stays_masked_when_it_is_decoded() -> None:
    """Ours: by its name, and by the names in it."""
    assert only(packed("user:correct horse"), "password").text == MASK
    assert "correct" not in only('{"client_secret": "correct horse"}').text
    assert "correct" not in only(packed('{"password": "correct horse"}')).text


def test_only_the_beginning_of_much_is_decoded_and_that_is_said() -> None:
    """Ours."""
    text = only(packed("long words " * 100_000))
    assert len(text.text) == MAX_TEXT
    assert "1,100,000 bytes · first 20,000 of " in text.title
    raw = only(packed(bytes(range(256)) * 100_000), "blob")
    assert raw.text == bytes(range(DUMPED_BYTES)).hex(" ")
    assert raw.title == "Base64 · 25,600,000 bytes · first 256 bytes"
    large = only(f"[{'1,' * MAX_JSON}1]")
    assert "too large to decode" in large.title


@pytest.mark.parametrize(
    "value", ["\ud800" * 40, '{"a": "\ud800"}', "%" * 50, "data:", "[" * 5000 + "]" * 5000]
)
def test_hostile_text_never_raises(value: str) -> None:
    """Ours."""
    for name in ("value", "blob", "data", "time"):
        decodings(value, name)
