"""Groups, alternatives, regular expressions, paths, states and moments in the filter language; ours throughout."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.transcript.filter.query import Query, QueryError, parse, quoted
from inspector.transcript.transcript import Transcript
from tests.support.talk import Talk

if TYPE_CHECKING:
    from pathlib import Path


def a_talk(talk: Talk) -> Talk:
    """Write frames of each sort; their numbers are in the comments."""
    talk.call(1, "get_sum", a=3, b=4)  # 1
    talk.text_result(1, "The sum is 7")  # 2
    talk.call("s-2", "echo", text="3", nothing=None, tags=["red", "blue"])  # 3
    talk.received(  # 4
        {
            "jsonrpc": "2.0",
            "id": "s-2",
            "result": {
                "content": [{"type": "text", "text": "3"}, {"type": "image"}],
                "isError": False,
                "_meta": {"a.b/c": 1.5},
            },
        }
    )
    talk.request(3, "resources/read", uri="file:///x")  # 5
    talk.error(3, -32002, "not found")  # 6
    talk.request(4, "tools/list")  # 7
    talk.note("timed-out", "no response", request=7)  # 8
    talk.result(4, tools=[])  # 9
    talk.request(5, "ping")  # 10
    talk.received(b'[{"jsonrpc":"2.0","method":"x","params":{"level":5}}]')  # 11
    talk.received(b'{"jsonrpc":"2.0","method":"x","params":{"t":"\\ud800","/etc/":1}}')  # 12
    talk.request(6, "ping")  # 13
    talk.sent(
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 6}}
    )  # 14
    talk.stderr(b"cannot read /etc/hosts (missing)")  # 15
    annotations = talk.transcript.annotations
    annotations.set_marked([2, 4], marked=True)
    annotations.set_comment(3, "Why so slow?")
    annotations.set_edited(5)
    return talk


@pytest.fixture(scope="module")
def talk() -> Talk:
    """The frames of `a_talk`."""
    return a_talk(Talk())


def found(talk: Talk, text: str) -> list[int]:
    return list(parse(text).matches(talk.transcript, 1, talk.transcript.count + 1))


CASES: dict[str, list[int]] = {
    # Groups and alternatives.
    "get_sum | echo": [1, 3],
    "get_sum|echo": [1, 3],
    "(get_sum|echo) 2.0 s-2": [3],
    "method:ping | kind:error": [6, 10, 13],
    "method:ping|x": [10, 12, 13],
    "(dir:out | kind:error) -method:tools/*": [5, 6, 10, 13, 14],
    "-(dir:in | dir:note)": [1, 3, 5, 7, 10, 13, 14],
    "-(-dir:out)": [1, 3, 5, 7, 10, 13, 14],
    "((get_sum) | ((echo)))": [1, 3],
    "kind:request (id:1 | id:s-2) | kind:error": [1, 3, 6],
    "kind:request| kind:error": [1, 3, 5, 6, 7, 10, 13],
    "(tool:get_sum sum)": [1, 2],
    "(hosts (missing))": [15],
    '"(missing)"': [15],
    "a(b": [],
    "hosts)": [],
    # Regular expressions.
    r"/sum is \d/": [2],
    "/SUM IS/": [2],
    "-/jsonrpc/": [8, 15],
    "/sum is 7|not found/": [2, 6],
    "(/sum is/ | /not found/)": [2, 6],
    r"/\/etc\/hosts/": [15],
    "/etc/hosts": [15],
    "method:/^tools.(call|list)$/": [1, 2, 3, 4, 7, 9],
    "tool:/^get_/": [1, 2],
    "id:/^s-\\d$/": [3, 4],
    "kind:/^re/": [1, 2, 3, 4, 5, 6, 7, 9, 10, 13],
    # Paths.
    "params.arguments.a=3": [1],
    "params.arguments.a=3.0": [1],
    "params.arguments.a=3,9": [1],
    "params.arguments.a>2": [1],
    "params.arguments.a>=4": [],
    "params.arguments.a<4 params.arguments.b>3": [1],
    "params.arguments.a!=3": [],
    'params.arguments.a="3"': [],
    "params.arguments.text=3": [3],
    'params.arguments.text="3"': [3],
    "params.arguments.text>2": [],
    'params.arguments.text>"2"': [3],
    "params.arguments.nothing=null": [3],
    "params.arguments.tags=red": [],
    "params.arguments.tags[0]=RED": [3],
    "params.arguments.tags[*]=blue": [3],
    "params.arguments.tags[9]=blue": [],
    "params.arguments.*=3": [1, 3],
    "params.name=get_*": [1],
    "params.name!=get_*": [3],
    "params.name=/^(get|ec)/": [1, 3],
    "-params.name=echo kind:request": [1, 5, 7, 10, 13],
    "result.isError=false": [4],
    "result.content[*].type=image": [4],
    'result._meta."a.b/c"=1.5': [4],
    'result._meta["a.b/c"]>1': [4],
    "error.code=-32002": [6],
    "error.code<-32000": [6],
    "params.level=5": [11],
    "params.t=/./": [12],
    "$.id=4": [7, 9],
    '$.id="s-2"': [3, 4],
    "$.event=timed-out": [8],
    "$.params.name=echo": [3],
    "has:params.arguments": [1, 3],
    "has:params.arguments.nothing": [3],
    "has:params.arguments.x": [],
    "has:error": [6],
    "has:params.requestId": [14],
    "params.name": [],
    "id=7": [],
    # States, findings, comments.
    "is:late": [7, 9],
    "is:pending": [10],
    "is:unanswered": [10, 13],
    "is:cancelled": [13],
    "is:timed-out": [7, 9],
    "is:marked": [2, 4],
    "is:edited": [5],
    "is:marked,edited": [2, 4, 5],
    "is:marked|pending": [2, 4, 10],
    "-is:marked tool:*": [1, 3],
    "comment:": [3],
    "comment:slow": [3],
    "comment:fast": [],
    "comment:/so\\sslow/": [3],
    "finding:late-*": [9],
    "finding:info": [9],
    "problem:late-*": [9],
    "run:1 id:1": [1, 2],
    "run:>1": [],
    # Moments.
    "before:#3": [1, 2],
    "before:3": [1, 2],
    "after:13": [14, 15],
    "after:2001-01-01 before:2": [1],
    "before:2001-01-01": [],
    "after:23:59:59.999999": [],
}


@pytest.mark.parametrize("text", CASES)
def test_a_filter_finds_these_frames(talk: Talk, text: str) -> None:
    """Ours."""
    assert found(talk, text) == CASES[text]


WRONG: dict[str, tuple[int, int, str]] = {
    "ping (a | b": (5, 11, "Unclosed parenthesis"),
    "ping ()": (5, 7, "Empty parentheses"),
    "ping ) x": (5, 6, "quote it"),
    "a (b c) )": (8, 9, "quote it"),
    "a |": (2, 3, "both sides"),
    "| a": (0, 1, "both sides"),
    "a | | b": (4, 5, "both sides"),
    "a (b |)": (5, 6, "both sides"),
    "-|a": (0, 1, "followed directly"),
    "a -(": (3, 4, "Unclosed parenthesis"),
    "(" * 51 + "a": (50, 51, "More than 50 parentheses"),
    "x /a(b/": (4, 5, "Invalid regular expression: missing )"),
    "/(?=a)/": (1, 4, "Lookaround"),
    r"/(a)\1/": (4, 6, "backreferences"),
    "/(a{1000}){1000}/": (0, 17, "too large"),
    "method:/[/": (8, 9, "Invalid regular expression"),
    "params.a=/[/": (10, 11, "Invalid regular expression"),
    "params.x=": (0, 8, 'empty string is params.x=""'),
    "params..x=1": (0, 9, "empty"),
    "ping params.x[=1": (5, 14, "“[”"),
    "params.x[]=1": (0, 10, "empty"),
    "params.x>/a/": (9, 12, "not a regular expression"),
    "has:": (0, 4, "for example has:params.arguments.x"),
    "has:arguments.x": (4, 15, "begins with params, result, error or $"),
    "has:/x/": (4, 7, "takes a path"),
    "is:": (0, 3, "takes pending, unanswered"),
    "is:lat": (3, 6, "did you mean is:late?"),
    "run:last": (4, 8, "for example run:2"),
    "run:": (0, 4, "for example run:2"),
    "before:": (0, 7, "before:14:02:30"),
    "before:noon": (7, 11, "before:2026-11-29T14:02"),
    "after:25:00": (6, 11, "no time of day 25:00"),
    "after:12:60": (6, 11, "no time of day 12:60"),
    "kind:request|kind:error": (5, 23, "put spaces around"),
}


@pytest.mark.parametrize("text", WRONG)
def test_an_error_says_where_it_is_and_what_would_be_right(text: str) -> None:
    """Ours: the field underlines these characters."""
    start, stop, message = WRONG[text]

    with pytest.raises(QueryError) as raised:
        parse(text)

    assert (raised.value.position, raised.value.stop) == (start, stop)
    assert message in raised.value.reason


EARLIER = ("ping", "-ping", '"a b"', "a*b", "12:03", "f(x)", "a)", "/etc/hosts", "x=1", "a/b", "=")
"""Texts that earlier versions searched for as they are."""


@pytest.mark.parametrize("text", EARLIER)
def test_a_text_of_an_earlier_version_means_what_it_did(text: str) -> None:
    """Ours: one text, and no operator."""
    talk = Talk()
    talk.call(1, text.strip('-"').replace("*", " and "))
    talk.call(2, "other")

    assert found(talk, text) == ([2] if text.startswith("-") else [1])


TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
SYNTAX = st.lists(
    st.sampled_from(
        [
            "(",
            ")",
            "|",
            "-",
            '"',
            "/",
            " ",
            "a",
            "params.x",
            "=",
            ">",
            "kind:",
            "error",
            "*",
            "[",
            "has:",
        ]
    ),
    max_size=14,
).map("".join)


@given(st.one_of(TEXT, SYNTAX))
@settings(deadline=None)
def test_any_text_is_a_filter_or_has_an_error_inside_it(text: str) -> None:
    """Ours: what is underlined is in the field."""
    error = None
    try:
        parse(text)
    except QueryError as raised:
        error = raised

    if error is not None:
        assert 0 <= error.position < error.stop <= max(len(text), error.position + 1)
        assert error.position <= len(text)
        assert error.reason


@given(TEXT.filter(bool))
@settings(deadline=None)
def test_a_quoted_text_is_found_as_it_is_also_within_parentheses(name: str) -> None:
    """Ours: values that are completed or added by a menu are quoted."""
    talk = Talk()
    talk.call(1, name)
    talk.call(2, "other value")

    assert 1 in found(talk, f"(tool:{quoted(name)} | tool:{quoted(name)})")
    assert 1 in found(talk, f"({quoted(name)})")
    assert 1 in found(talk, f"params.name={quoted(name)}")


FACTORS = st.sampled_from(
    ["dir:out", "is:marked", "sum", "/ping/", "has:params.arguments", "kind:error", "-s-2"]
)


@given(FACTORS, FACTORS, FACTORS)
@settings(deadline=None)
def test_operators_are_those_of_sets(a: str, b: str, c: str) -> None:
    """Ours: whether a condition reads columns, bytes or JSON makes no difference."""
    talk = a_talk(Talk())
    sets = [set(found(talk, text)) for text in (a, b, c)]
    every = set(range(1, talk.transcript.count + 1))

    assert set(found(talk, f"{a} {b} {c}")) == sets[0] & sets[1] & sets[2]
    assert set(found(talk, f"{a} | {b} | {c}")) == sets[0] | sets[1] | sets[2]
    assert set(found(talk, f"({a} | {b}) {c}")) == (sets[0] | sets[1]) & sets[2]
    assert set(found(talk, f"-({a} {b}) | {c}")) == (every - (sets[0] & sets[1])) | sets[2]


@pytest.mark.parametrize("text", ["/(a+)+$/", "/(x+x+)+y/", "/(a|a)*b/", "/a.*a.*a.*a.*a.*c/"])
def test_no_regular_expression_takes_longer_than_the_text(text: str) -> None:
    """Ours: an engine with backtracking would need years for some of them."""
    talk = Talk()
    talk.call(1, "a" * 200_000 + "x" * 200_000)
    started = time.process_time()

    found(talk, text)

    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    "text",
    ["params.data=/99$/", "params.data=line*7", "/line \\d+7/", "(kind:request | line*99) -id:7"],
)
def test_content_of_a_hundred_thousand_frames_is_filtered_in_seconds(text: str) -> None:
    """Ours: half a second on a quiet machine, in slices of any size."""
    talk = Talk()
    talk.flood(100_000)
    started = time.process_time()

    found(talk, text)

    assert time.process_time() - started < 4.0


async def test_states_are_the_same_in_an_opened_recording(tmp_path: Path) -> None:
    """Ours: late, unanswered and cancelled requests are found again from the file alone."""
    talk = Talk()
    talk.transcript = Transcript.create(tmp_path / "a.spyglass", clock=talk.clock)
    a_talk(talk)
    await talk.transcript.aclose()

    opened = Talk()
    opened.transcript = await Transcript.open(tmp_path / "a.spyglass")

    for state in ("late", "pending", "unanswered", "cancelled", "timed-out"):
        assert found(opened, f"is:{state}") == CASES[f"is:{state}"], state


def test_a_filter_knows_what_may_change_its_result() -> None:
    """Ours: rows are filtered again only when they may change."""

    def changes(text: str) -> Query:
        return parse(text)

    assert changes("(kind:request | is:late)").changes
    assert not changes("(kind:request | has:params.x) -/a/").changes
