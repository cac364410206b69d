"""JSON text to values and back, losing nothing."""

from __future__ import annotations

import copy
import json
import pickle
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire import json_codec, tolerant_json
from inspector.wire.json_codec import Json, JsonSyntaxError, JsonWarning, RawJson, RawNumber
from tests.support.json_texts import FOREIGN, TEXTS, quick


@quick
@given(TEXTS)
def test_writing_what_was_read_keeps_every_spelling_of_a_number(text: str) -> None:
    """Ours: numbers keep their spelling."""
    value = json_codec.read(text.encode()).value

    written = json_codec.write(value)

    assert json_codec.read(written.encode()).value == value
    assert _numbers(written) == _numbers(text)


def _numbers(text: str) -> list[str]:
    found: list[str] = []
    json.loads(
        text,
        parse_float=lambda number: found.append(number),
        parse_int=lambda number: found.append(number),
    )
    return found


@quick
@given(TEXTS)
def test_indented_text_says_the_same(text: str) -> None:
    """Ours."""
    value = json_codec.read(text.encode()).value

    indented = json_codec.write(value, indent=2)

    assert json_codec.write(json_codec.read(indented.encode()).value) == json_codec.write(value)


@quick
@given(FOREIGN)
def test_reading_raises_nothing_but_its_own_error(raw: bytes) -> None:
    """Ours: foreign bytes never raise anything else."""
    try:
        value = json_codec.read(raw).value
    except JsonSyntaxError:
        return
    json_codec.write(value).encode()


@pytest.mark.parametrize(
    "number", ["-0", "1.50", "1e3", "1E+3", "-0.0", "1e400", "9007199254740993", "0.1e-7"]
)
def test_a_number_leaves_as_it_was_written(number: str) -> None:
    """Ours."""
    value = json_codec.read(number.encode()).value

    assert json_codec.write(value) == number
    assert json_codec.write([value], indent=2) == f"[\n  {number}\n]"


def test_an_integer_of_ten_thousand_digits_is_read_and_written() -> None:
    """Ours: Python alone would refuse it."""
    digits = "7" * 10_000

    assert json_codec.write(json_codec.read(digits.encode()).value) == digits


def test_integers_of_usual_size_are_integers() -> None:
    """Ours."""
    assert type(json_codec.read(b"9007199254740993").value) is int


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        (b'{"a":1,"a":2}', "duplicate-key"),
        (b"NaN", "not-a-number"),
        (b"[-Infinity]", "not-a-number"),
        (b'"\\ud83d"', "lone-surrogate"),
        (b'{"\\udc00":1}', "lone-surrogate"),
        (b'"\xff"', "invalid-utf8"),
        (b"\xef\xbb\xbf1", "byte-order-mark"),
    ],
)
def test_what_is_nearly_json_is_read_and_noted(raw: bytes, rule: str) -> None:
    """RFC 8259, sections 4, 6, 8."""
    assert [note.rule for note in json_codec.read(raw).notes] == [rule]


@pytest.mark.parametrize("raw", [b'"\\ud83d\\ude00"', b'{"a":{"a":1}}', b'"\\\\ud83d"', b"{}"])
def test_what_is_json_is_read_without_notes(raw: bytes) -> None:
    """RFC 8259."""
    assert json_codec.read(raw).notes == ()


@pytest.mark.parametrize(
    "raw",
    [b"", b" ", b"{", b"[1,]", b"'a'", b"1 2", b"\xff\xfe", b"01", b'["a', b'"\x01"', b'"\\x"'],
)
def test_what_is_not_json_says_where(raw: bytes) -> None:
    """Ours."""
    with pytest.raises(JsonSyntaxError, match=r"(?<! at) at character"):
        json_codec.read(raw)


def test_the_last_of_equal_names_counts() -> None:
    """RFC 8259, section 4."""
    assert json_codec.read(b'{"a":1,"a":2}').value == {"a": 2}


@pytest.mark.parametrize("depth", [995, 2000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a[":', "}")])
def test_what_is_too_deep_is_read_as_far_as_it_goes_and_loses_nothing(
    depth: int, opening: str, closing: str
) -> None:
    """C-SEC-18."""
    text = f'{{"n":1.50,"deep":{opening * depth}"]"{closing * depth},"after":[{"[" * 990}{"]" * 990}]}}'

    read = json_codec.read(text.encode())

    assert [note.rule for note in read.notes] == ["too-deep"]
    assert isinstance(read.value, dict)
    assert list(read.value) == ["n", "deep", "after"]
    assert json_codec.write(read.value) == text
    assert json_codec.read_value(text.encode()) == read.value


@pytest.mark.parametrize("inner", ["1,", "[1 2]", '"x', "}{", "]", "[", "nul"])
def test_what_is_no_json_is_none_however_deep_it_says_so(inner: str) -> None:
    """C-SEC-18."""
    for depth in (1000, 1205, 5000):
        with pytest.raises(JsonSyntaxError):
            json_codec.read(b"[" * depth + inner.encode() + b"]" * depth)


@pytest.mark.parametrize("inner", ["1", '"\\ud800"', "1.5"])
def test_whatever_depth_could_be_read_can_be_written(inner: str) -> None:
    """C-SEC-18."""
    text = "[" * 900 + inner + "]" * 900

    assert json_codec.write(json_codec.read(text.encode()).value) == text


@pytest.mark.parametrize("indent", [None, 2])
@quick
@given(TEXTS)
def test_the_slow_way_of_writing_gives_what_the_fast_one_gives(
    indent: int | None, text: str
) -> None:
    """Ours: a half surrogate beside it makes the difference."""
    value = json_codec.read(text.encode()).value

    slowly = json_codec.write([value, "\ud800"], indent=indent)

    assert slowly == json_codec.write([value, "half"], indent=indent).replace("half", "\\ud800")


def test_half_surrogates_leave_as_escapes() -> None:
    """RFC 8259, section 8.2."""
    assert json_codec.write({"\udc00": "a\ud83d"}) == '{"\\udc00":"a\\ud83d"}'


def test_raw_text_is_put_in_as_it_is() -> None:
    """Ours: arguments leave exactly as typed."""
    value: Json = {"arguments": RawJson('{"n":1.0, "big":12345678901234567890}')}

    assert json_codec.write(value) == '{"arguments":{"n":1.0, "big":12345678901234567890}}'
    assert json_codec.write_bytes(value).decode() == json_codec.write(value)


PIECES = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"1", b"-", b".", b"1e5", b" ", b"\\", b'"a"'),
    *(b"NaN", b"-Infinity", b"tru", b"null", b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf", b'"\x01"'),
    *(b"\\u00", b'"\\ud83d"', b'"\\ud83d\\ude00"'),
)
TRUNCATED = b'{"a":[1,"\\ud83d\\ude00",{"b":NaN}],"c":-Infinity}'


@quick
@given(
    st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join)
    | st.integers(0, len(TRUNCATED)).map(lambda end: TRUNCATED[:end])
)
def test_a_long_text_is_refused_early_only_where_no_tolerance_helps(raw: bytes) -> None:
    """Ours: white space makes the same text long; it is accepted, or refused, as the short one is."""
    if raw.startswith(b"\xef\xbb\xbf"):
        long = raw[:3] + b" " * json_codec.LONG + raw[3:]
    else:
        long = b" " * json_codec.LONG + raw

    assert _is_read(long) == _is_read(raw)


def _is_read(raw: bytes) -> bool:
    try:
        json_codec.read(raw)
    except JsonSyntaxError:
        return False
    return True


def test_a_long_text_that_begins_wrong_is_refused_without_being_decoded_whole() -> None:
    """Ours: a body of many megabytes is not copied to tell that it is no JSON."""
    raw = b"0" * 3_000_000
    tracemalloc.start()
    with pytest.raises(JsonSyntaxError) as refused:
        json_codec.read(raw)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 400_000
    assert refused.value.position == 1


@pytest.mark.parametrize(
    "token", ["-Infinity", '"\\ud83d\\ude00"', '"€"', "12345", "true", '"a b"']
)
def test_a_token_across_the_end_of_the_part_that_is_looked_at_first_is_read(token: str) -> None:
    """Ours: only what cannot become JSON is refused early."""
    width = len(token.encode())
    for shift in range(width + 2):
        raw = f"[{' ' * (json_codec.LONG - shift)}{token}]".encode()
        assert json_codec.read(raw).value == json_codec.read(f"[{token}]".encode()).value


@pytest.mark.parametrize(
    ("text", "compacted"),
    [
        ('{ "a" : 1.50 ,\n "b": [ ] }', '{"a":1.50,"b":[]}'),
        ('"a  b"', '"a  b"'),
        ('"\\" { "', '"\\" { "'),
        ("[1e3\t,\r\n-0]", "[1e3,-0]"),
        ('{ "unended  } ', '{"unended  } '),
    ],
)
def test_compacting_removes_white_space_between_tokens_only(text: str, compacted: str) -> None:
    """C-STD-03: one message is one line."""
    assert json_codec.compact(text) == compacted


@quick
@given(TEXTS)
def test_compacting_changes_no_value(text: str) -> None:
    """Ours."""
    spaced = json_codec.write(json_codec.read(text.encode()).value, indent=3)

    compacted = json_codec.compact(spaced)

    assert "\n" not in compacted
    assert compacted == json_codec.write(json_codec.read(spaced.encode()).value)


def test_bytes_decoded_in_pieces_are_the_text_that_they_are_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: a character may be cut."""
    monkeypatch.setattr(json_codec, "_STEP_BYTES", 3)
    raw = b'"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff\xe2\x82x\xf0\x9f\xe2\x82\xac"'

    assert json_codec.read(raw).value == raw[1:-1].decode(errors="replace")


def test_a_spelled_number_survives_copying() -> None:
    """Ours."""
    number = RawNumber("1.50")

    assert copy.deepcopy(number).text == "1.50"
    assert pickle.loads(pickle.dumps(number)).text == "1.50"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":[[],[{"b":"\\"]"}]],"a":NaN,"c":{"d":[1,-0,1.50,1e999]}}',
        "[[],[1,]]",
        '[{"a":[]},{"b":}]',
        '[[1],"x]',
        '[["a" "b"],{}]',
        "[" * 600 + "NaN" + "]" * 600,
        "[[]]]",
    ],
)
def test_a_text_read_in_pieces_has_the_values_and_errors_of_one_read_at_once(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: it is read so that other threads run in between."""
    found: list[object] = []
    for limit, flat in ((len(text) + 1, 0), (0, len(text)), (0, 0)):
        monkeypatch.setattr(tolerant_json, "PIECE_CHARS", limit)
        monkeypatch.setattr(tolerant_json, "FLAT_CHARS", flat)
        notes: list[JsonWarning] = []
        try:
            found.append((json_codec.write(tolerant_json.load(text, notes, RawNumber)), notes))
        except JsonSyntaxError as error:
            found.append(str(error))

    assert found[0] == found[1] == found[2]
