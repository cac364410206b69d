"""Error codes, reserved names, links and pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec import error_codes, keys, pointer, spec_urls
from inspector.spec.json_types import type_text
from inspector.spec.revision import (
    REVISIONS,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Revision,
)

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


@pytest.mark.parametrize(
    ("code", "revision", "name"),
    [
        (-32700, V2024_11_05, "Parse error"),
        (-32600, V2025_11_25, "Invalid request"),
        (-32601, V2026_07_28, "Method not found"),
        (-32602, V2026_07_28, "Invalid params"),
        (-32603, None, "Internal error"),
        (-32002, V2025_11_25, "Resource not found"),
        (-32002, V2026_07_28, "Resource not found (retired code)"),
        (-32000, V2024_11_05, "Server-defined error"),
        (-32019, V2026_07_28, "Server-defined error"),
        (-32020, V2026_07_28, "Header mismatch"),
        (-32020, V2025_11_25, "Server-defined error"),
        (-32021, V2026_07_28, "Missing client capability"),
        (-32022, None, "Unsupported protocol version"),
        (-32042, V2025_11_25, "URL elicitation required"),
        (-32042, V2026_07_28, "URL elicitation required (retired code)"),
        (-32050, V2026_07_28, "Reserved code"),
        (-32500, V2026_07_28, "Reserved by JSON-RPC"),
        (-1, V2025_11_25, "Rejected by the user"),
        (-1, V2026_07_28, "Application error"),
        (0, V2026_07_28, "Application error"),
        (404, None, "Application error"),
        (10**30, V2026_07_28, "Application error"),
        ("x", V2026_07_28, "Not an error code"),
        (True, V2026_07_28, "Not an error code"),
        (None, None, "Not an error code"),
        (1.5, V2026_07_28, "Not an error code"),
    ],
)
def test_every_code_has_an_explanation_in_every_revision(
    code: Json, revision: Revision | None, name: str
) -> None:
    """Source: basic, "Error Codes"; JSON-RPC 2.0, section 5.1."""
    found = error_codes.explain(code, revision)

    assert found.name == name
    assert found.summary


def test_the_stateless_era_forbids_the_codes_it_retired() -> None:
    """Source: basic, "Error Codes" of 2026-07-28."""
    assert not error_codes.explain(-32002, V2026_07_28).allowed
    assert not error_codes.explain(-32042, V2026_07_28).allowed
    assert error_codes.explain(-32002, V2025_11_25).allowed


@pytest.mark.parametrize(
    "key", ["a", "a.b/c", "io.modelcontextprotocol/tasks", "mcp.dev/", "a-b/c_d.e", "x9/1"]
)
def test_well_formed_meta_keys_pass(key: str) -> None:
    """Source: basic, "_meta"."""
    assert keys.is_meta_key(key)


@pytest.mark.parametrize(
    "key", ["", "/a", "9a/b", "a-/b", "a..b/c", "a/b/c", "-a", "a b", "a_b/c", "é"]
)
def test_malformed_meta_keys_do_not(key: str) -> None:
    """Source: basic, "_meta"."""
    assert not keys.is_meta_key(key)


@pytest.mark.parametrize(
    ("key", "third", "fourth"),
    [
        ("mcp.dev/x", True, False),
        ("dev.mcp/x", False, True),
        ("io.modelcontextprotocol/x", False, True),
        ("a.mcp.b/x", True, True),
        ("a.b.mcp/x", False, False),
        ("mcp/x", False, False),
        ("mcp", False, False),
    ],
)
def test_the_reserved_prefix_changed_its_rule(key: str, third: bool, fourth: bool) -> None:
    """Source: basic, "_meta" of 2025-06-18 and of 2025-11-25."""
    assert keys.is_reserved_prefix(key, V2025_06_18) is third
    assert keys.is_reserved_prefix(key, V2025_11_25) is fourth
    assert not keys.is_reserved_prefix(key, V2025_03_26)


def test_content_types_came_one_after_the_other() -> None:
    """Source: ContentBlock of each schema."""
    counts = [sum(row.applies_to(revision) for row in keys.CONTENT_TYPES) for revision in REVISIONS]

    assert counts == [3, 4, 5, 7, 7]
    assert keys.content_type("video") is None


@pytest.mark.parametrize(
    ("subject", "revision", "section", "path"),
    [
        ("tools", V2024_11_05, "", "specification/2024-11-05/server/tools"),
        ("messages", V2024_11_05, "", "specification/2024-11-05/basic/messages"),
        ("messages", V2025_03_26, "Responses", "specification/2025-03-26/basic#responses"),
        ("lifecycle", V2026_07_28, "", "specification/2026-07-28/basic/versioning"),
        ("tasks", V2024_11_05, "", "specification/2025-11-25/basic/utilities/tasks"),
        ("tasks", V2026_07_28, "", "docs/extensions/tasks/overview"),
        ("ping", V2026_07_28, "", "specification/2026-07-28/changelog"),
        ("meta", None, "_meta", "specification/2026-07-28/basic#meta"),
        (
            "http",
            V2025_11_25,
            "Security Warning",
            "specification/2025-11-25/basic/transports#security-warning",
        ),
        (
            "http",
            V2026_07_28,
            "Security Warning",
            "specification/2026-07-28/basic/transports/streamable-http#security-%26-endpoint",
        ),
        (
            "elicitation",
            V2025_06_18,
            "Requested Schema",
            "specification/2025-06-18/client/elicitation#request-schema",
        ),
    ],
)
def test_a_subject_is_linked_where_its_revision_describes_it(
    subject: str, revision: Revision | None, section: str, path: str
) -> None:
    """Source: the site map of the specification."""
    assert spec_urls.link(subject, revision, section) == f"https://modelcontextprotocol.io/{path}"


def test_every_subject_has_an_address_in_every_revision() -> None:
    """Ours."""
    for subject in spec_urls.TOPICS:
        assert all(spec_urls.link(subject, each).startswith("https://") for each in REVISIONS)


def test_pointers_escape_what_the_grammar_reserves_and_back() -> None:
    """Source: RFC 6901, section 3."""
    place = pointer.join("/result", "a/b", "c~d", 3, "")

    assert place == "/result/a~1b/c~0d/3/"
    assert pointer.parts(place) == ["result", "a/b", "c~d", "3", ""]
    assert pointer.parts("") == []


KINDS: list[tuple[Json, str]] = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (1, "a number"),
    (1.5, "a number"),
    ("", "a string"),
    ([], "an array"),
    ({}, "an object"),
]


@pytest.mark.parametrize(("value", "text"), KINDS)
def test_each_kind_of_value_has_words(value: Json, text: str) -> None:
    """Ours."""
    assert type_text(value) == text
