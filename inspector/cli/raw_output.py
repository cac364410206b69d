"""The bytes of one content block, for `--raw`: the text, or the image, audio or resource behind the base64, unchanged."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from inspector.cli.options import positive_count
from inspector.errors import RequestAborted

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from inspector.cli.options import Options
    from inspector.wire.json_codec import Json

_BASE64_MEMBERS = ("data", "blob")


def add_raw_options(parser: ArgumentParser) -> None:
    """Add the options about the bytes of a result."""
    text = "write the text of the result, or the bytes of its image, audio or blob, unchanged"
    parser.add_argument("--raw", action="store_true", help=text)
    text = "write content block N alone, counted from 1 (implies --raw)"
    parser.add_argument("--block", type=positive_count, metavar="N", help=text)


def raw_problem(options: Options) -> str:
    """Return why the options cannot be used together; empty if they can."""
    return "either --json or --raw" if options.json and (options.raw or options.block) else ""


def raw_bytes(blocks: Sequence[Json], number: int = 0) -> bytes:
    """Return the bytes of the content block with this number, counted from 1; 0 for the only one.

    Raises:
        RequestAborted: there is no such block, or it has neither text nor base64.
    """
    if not number and len(blocks) != 1:
        reason = f"the result has {len(blocks)} content blocks, and --raw writes one"
        raise RequestAborted(reason, hint="Name one with --block N." if blocks else "")
    at = number or 1
    if not 1 <= at <= len(blocks):
        raise RequestAborted(f"there is no content block {at}: the result has {len(blocks)}")
    return _bytes_of(blocks[at - 1], at)


def _bytes_of(block: Json, number: int) -> bytes:
    found = block if isinstance(block, dict) else {}
    embedded = found.get("resource")
    members = embedded if isinstance(embedded, dict) else found
    text = members.get("text")
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    encoded = next((each for key in _BASE64_MEMBERS if (each := members.get(key))), None)
    if not isinstance(encoded, str):
        raise RequestAborted(f"content block {number} has neither text nor base64")
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise RequestAborted(f"content block {number} is not valid base64: {error}") from error
