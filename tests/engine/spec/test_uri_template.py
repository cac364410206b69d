"""Templates of addresses, expanded as RFC 6570 wants. Cases of the corpus are played by the tests of the page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.spec.uri_template import UriTemplate, Value, ValueType, read_value

ANY = st.one_of(st.text(), st.lists(st.text()), st.dictionaries(st.text(), st.text()))


@pytest.mark.parametrize(
    ("template", "values", "uri"),
    [
        ("demo://Räum/{x} y", {"x": "1"}, "demo://R%C3%A4um/1%20y"),
        ("a{?q,limit}", {"q": ""}, "a?q="),
        ("a{?q,limit}", {}, "a"),
        ("a{/p*}", {"p": []}, "a"),
        ("a{;m*}", {"m": {}}, "a"),
        ("{+x}", {"x": "100% %20 é"}, "100%25%20%20%20%C3%A9"),
        ("{x}", {"x": "\ud800"}, "%EF%BF%BD"),
        ("plain", {"x": "1"}, "plain"),
        ("", {}, ""),
    ],
)
def test_a_template_becomes_an_address(template: str, values: dict[str, Value], uri: str) -> None:
    """C-RES-08."""
    read = UriTemplate(template)

    assert not read.problems
    assert read.expand(values) == uri


@pytest.mark.parametrize(
    "template", ["{", "}", "{}", "{=x}", "{ x}", "{x", "a{b{c}", "{x:0}", "{x-y}", "{{x}}", "{a,}"]
)
def test_what_is_no_template_is_noted_and_still_makes_an_address(template: str) -> None:
    """C-RES-08: an invalid expression stays as it is."""
    read = UriTemplate(template)

    assert read.problems
    assert "{" in read.expand({"x": "1"}) or "}" in read.expand({"x": "1"})


def test_a_variable_is_asked_for_once_in_the_order_of_its_first_occurrence() -> None:
    """resource-04."""
    names = [variable.name for variable in UriTemplate("{b}{/a*}{b:3}{?a.b,x%20y}").variables]

    assert names == ["b", "a", "a.b", "x%20y"]


@pytest.mark.parametrize(
    ("text", "shape", "value"),
    [
        (" a,b ", ValueType.TEXT, " a,b "),
        ("x,y z", ValueType.LIST, ["x", "y z"]),
        (r"a\,b,\\", ValueType.LIST, ["a,b", "\\"]),
        ("", ValueType.LIST, []),
        ("k=1,b=2=3,c", ValueType.PAIRS, {"k": "1", "b": "2=3", "c": ""}),
    ],
)
def test_what_is_typed_may_mean_a_list_or_pairs(text: str, shape: ValueType, value: Value) -> None:
    """Ours."""
    assert read_value(text, shape) == value


@given(st.text(alphabet="{}+#./;?&=,:*%aé1 "), st.dictionaries(st.sampled_from("aé1"), ANY))
def test_nothing_makes_a_template_raise(template: str, values: dict[str, Value]) -> None:
    """Ours."""
    UriTemplate(template).expand(values)


@pytest.mark.parametrize(
    ("template", "uri", "can_make"),
    [
        ("file:///{path}", "file:///a/b", True),
        ("file:///{path}", "http:///a/b", False),
        ("a{x}bc{y}d", "a1bc2d", True),
        ("a{x}bc{y}d", "a1b-c2d", False),
        ("a{x}a", "a", False),
        ("{x}", "anything", True),
        ("fixed", "fixed", True),
        ("fixed", "fixed-not", False),
        ("", "", False),
    ],
)
def test_what_a_template_may_have_made_has_its_literal_parts(
    template: str, uri: str, *, can_make: bool
) -> None:
    """Ours."""
    assert UriTemplate(template).can_make(uri) is can_make


@given(st.text(alphabet="{}+#./x ab"), st.dictionaries(st.sampled_from("abx"), st.text("ab/x")))
def test_a_template_may_have_made_what_it_makes(template: str, values: dict[str, Value]) -> None:
    """Ours: an empty template makes nothing that is a URI."""
    read = UriTemplate(template)
    assert read.can_make(read.expand(values)) or not template
