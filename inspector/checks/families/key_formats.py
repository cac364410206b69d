"""Formats of keys that are known: what matches one is a key, and nothing that only looks like one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class KeyFormat(NamedTuple):
    """How keys of one kind look."""

    kind: str
    pattern: re.Pattern[str]


KEYS = tuple(
    KeyFormat(kind, re.compile(pattern))
    for kind, pattern in (
        ("AWS access key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
        ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{60,}\b"),
        ("Slack token", r"\bxox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{20,}\b"),
        ("OpenAI key", r"\bsk-(?!ant-)(?:proj-)?[A-Za-z0-9_-]{40,}\b"),
        ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{40,}\b"),
        ("Google API key", r"\bAIza[0-9A-Za-z_-]{35}\b"),
        ("Stripe key", r"\b[sr]k_live_[0-9A-Za-z]{24,}\b"),
        (
            "private key",
            r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----(?:\s|\\[nr])*[A-Za-z0-9+/=]{40}",
        ),
    )
)
"""Keys that last; a word such as `password` proves nothing."""

TOKENS = tuple(
    KeyFormat(kind, re.compile(pattern))
    for kind, pattern in (
        ("access token", r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{20,}=*"),
        ("JSON Web Token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b"),
    )
)
"""Tokens of one session: a tool may return one because it was asked to, and a log should have none."""

_BEGINNINGS = (
    *("-----BEGIN", "AKIA", "ASIA", "AIza", "sk-", "k_live_", "xox", "github_pat_"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "earer", "eyJ"),
)
"""Parts of which one is in each of them: nearly no text has any, and each is searched for at the speed of memory."""

_EXAMPLE = re.compile(r"EXAMPLE|example|xxxx|XXXX|0000000000|1234567890")
"""Parts of keys in documentation."""


def keys_in(text: str, formats: tuple[KeyFormat, ...]) -> Iterator[tuple[str, int]]:
    """Yield the kind and the length of a key of each of `formats` in `text`; those of documentation are no keys."""
    if not any(map(text.__contains__, _BEGINNINGS)):
        return
    for kind, pattern in formats:
        found = next(
            (each for each in pattern.finditer(text) if not _EXAMPLE.search(each[0])), None
        )
        if found is not None:
            yield kind, len(found[0])
