"""URLs of an authorization: where metadata lies, what is ours, what may be used."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth import urls

A = "https://a.example"
PRM, OAUTH, OPENID = (
    f"/.well-known/{name}" for name in (urls.RESOURCE, urls.OAUTH_SERVER, urls.OPENID)
)


@pytest.mark.parametrize(
    ("url", "places"),
    [
        (f"{A}/mcp", (f"{A}{PRM}/mcp", f"{A}{PRM}")),
        (f"{A}/mcp/", (f"{A}{PRM}/mcp/", f"{A}{PRM}")),
        (f"{A}/", (f"{A}{PRM}",)),
        (A, (f"{A}{PRM}",)),
        ("nonsense", ()),
    ],
)
def test_metadata_of_a_server_is_looked_for_by_its_path_first(
    url: str, places: tuple[str, ...]
) -> None:
    """C-AUT-04."""
    assert urls.resource_metadata_urls(url) == places


@pytest.mark.parametrize(
    ("issuer", "places"),
    [
        (A, (f"{A}{OAUTH}", f"{A}{OPENID}")),
        (f"{A}/", (f"{A}{OAUTH}", f"{A}{OPENID}")),
        (f"{A}/t1", (f"{A}{OAUTH}/t1", f"{A}{OPENID}/t1", f"{A}/t1{OPENID}")),
    ],
)
def test_metadata_of_an_authorization_server_is_looked_for_in_the_order_of_the_specification(
    issuer: str, places: tuple[str, ...]
) -> None:
    """C-AUT-06."""
    assert urls.server_metadata_urls(issuer) == places


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTPS://MCP.Example/Mcp", "https://mcp.example/Mcp"),
        ("https://mcp.example/", "https://mcp.example"),
        ("https://mcp.example:443/a/#x", "https://mcp.example/a/"),
        ("http://user:secret@127.0.0.1:80/mcp", "http://127.0.0.1/mcp"),
        ("https://[::1]:8443/mcp?a=b", "https://[::1]:8443/mcp?a=b"),
    ],
)
def test_a_server_has_one_canonical_uri(url: str, canonical: str) -> None:
    """C-AUT-26, C-AUT-27."""
    assert urls.canonical(url) == canonical


@pytest.mark.parametrize(
    ("resource", "is_ours"),
    [
        (f"{A}/mcp", True),
        (f"{A}/mcp/", True),
        (f"{A}:443/mcp", True),
        (A, True),
        (f"{A}/mc", False),
        (f"{A}/mcp/more", False),
        ("http://a.example/mcp", False),
        ("https://b.example/mcp", False),
        ("", False),
    ],
)
def test_a_resource_is_ours_if_it_is_the_server_or_a_path_above_it(
    resource: str, is_ours: bool
) -> None:
    """C-AUT-49."""
    assert urls.covers(resource, f"{A}/mcp") is is_ours


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "vbscript:x",
        "http://a.example/x",
        "https://user@a.example/",
        "https://a.example/#x",
        "https://",
        "//a.example",
        "https://a b/",
        "",
    ],
)
def test_nothing_is_sent_to_a_url_with_another_scheme_or_in_clear(url: str) -> None:
    """C-SEC-07, C-SEC-08, C-SEC-12, C-AUT-46."""
    assert urls.problem(url)


@pytest.mark.parametrize(
    "url",
    ["https://a.example/x?y=z", "http://127.0.0.1:1/x", "http://[::1]/", "http://localhost/x"],
)
def test_https_and_this_machine_may_be_used(url: str) -> None:
    """C-SEC-07."""
    assert urls.problem(url) == ""


@pytest.mark.parametrize(
    ("named", "word"),
    [
        ("http://a.example/mcp", "X-Forwarded-Proto"),
        ("http://backend.internal:8080/mcp", "X-Forwarded-Host"),
        ("https://a.example:8443/mcp", "port"),
        ("https://a.example/mcp/", "slash"),
        ("https://a.example/other", "path"),
        ("", "https://a.example/mcp"),
    ],
)
def test_what_is_to_be_repaired_follows_from_how_urls_differ(named: str, word: str) -> None:
    """Ours: the usual mistakes behind proxies."""
    assert word in urls.repair(named, "https://a.example/mcp")


@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_is_given_for_a_url_nothing_is_raised(one: str, other: str) -> None:
    """Ours."""
    urls.covers(one, other)
    urls.resource_metadata_urls(one)
    urls.server_metadata_urls(one)
    urls.canonical(one)
    urls.problem(one)
    urls.difference(one, other)
    urls.repair(one, other)
