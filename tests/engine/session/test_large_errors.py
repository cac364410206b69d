"""Errors of any size: what is displayed of them at once is bounded, and nothing of them is lost."""

from __future__ import annotations

import pytest

from inspector.errors import PeerError
from inspector.session.error_responses import MAX_DATA, MAX_VALUE, error_of
from inspector.transcript.frame_processor import RecordedMessage
from inspector.wire import json_codec
from inspector.wire.message import read

LONG = "[" + "1.5," * 100_000 + "1]"


def error_with(body: str) -> PeerError:
    error = error_of(
        RecordedMessage(7, read(f'{{"jsonrpc":"2.0","id":1,"error":{body}}}'.encode()), 3)
    )
    assert isinstance(error, PeerError)
    return error


@pytest.mark.parametrize(
    "body",
    [
        LONG,
        f"{'[1,' * 10}{LONG}{']' * 10}",
        f'{{"code":1,"message":{LONG}}}',
        LONG.replace("1]", "NaN]"),
        f'"{"x" * 10_000}"',
    ],
)
def test_a_value_in_the_place_of_a_text_ends_in_an_ellipsis(body: str) -> None:
    """C-SEC-18: half a megabyte was written as text, and laid out, for one line."""
    error = error_with(body)
    assert MAX_VALUE < len(error.reason) < MAX_VALUE + 100
    assert error.reason.endswith("…")


def test_the_data_of_an_error_is_kept_whole_and_its_text_is_bounded() -> None:
    """C-SEC-18: an error of many megabytes."""
    data = error_with(f'{{"code":1,"message":"no","data":{LONG}}}').data
    assert json_codec.write(data) == LONG
    assert len(json_codec.write_readable(data)) == json_codec.MAX_READABLE + 1


def test_short_data_is_displayed_whole() -> None:
    """Ours: the data of an error often names its cause."""
    data = error_with('{"code":1,"message":"no","data":{"a":[1]}}').data
    assert json_codec.write_readable(data) == '{\n  "a": [\n    1\n  ]\n}'


def test_data_of_many_megabytes_stays_text() -> None:
    """C-SEC-18: to read it took a second of a turn of the loop for each ten megabytes."""
    text = "[" + "1," * (MAX_DATA // 2) + "1]"
    data = error_with(f'{{"code":1,"message":"no","data":{text}}}').data
    assert isinstance(data, json_codec.RawJson)
    assert json_codec.write(data) == text
