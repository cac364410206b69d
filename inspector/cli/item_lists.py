"""Lists of a server, one line an item."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inspector.cli.exit_codes import ERROR_RESPONSE, SUCCESS
from inspector.cli.findings_report import finding_lines
from inspector.cli.json_output import finding_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.cli.console import Console
    from inspector.session.listing import Listing
    from inspector.spec.view import View
    from inspector.wire.jsontext import JsonObject

T = TypeVar("T", bound="View")


async def read_list(console: Console, listing: Listing[T]) -> None:
    """Read a list, also one that the server does not declare."""
    if not listing.offered:
        console.err(f"the server does not declare “{listing.capability}”; requested anyway")
    await listing.refresh()


def print_list(
    console: Console,
    listing: Listing[T],
    noun: str,
    cells: Callable[[T], tuple[str, ...]] | None,
    *,
    has_findings: bool,
) -> int:
    """Print the rows of a list (none for `--json`) and return the exit code.

    With `has_findings`, what was found about the frames is printed later, and only what concerns the list as a whole now.

    Raises:
        InspectorError: the list could not be read to its end.
    """
    if cells is not None:
        console.out_table([cells(item) for item in listing.items])
    notes = [note for note in listing.notes if not has_findings or not note.place]
    for line in finding_lines(notes, listing.method):
        console.err(line)
    if listing.failure is not None:
        raise listing.failure
    if listing.is_unusable:
        console.err(listing.words(noun))
        console.err(
            f"    Let the server respond to {listing.method} with an object that has the list as a member."
        )
        return ERROR_RESPONSE
    if not listing.items:
        console.err(f"no {noun}")
    return SUCCESS


def list_to_json(name: str, listing: Listing[T]) -> JsonObject:
    """Return a list with its findings."""
    return {
        name: [item.raw for item in listing.items],
        "notes": [finding_to_json(note) for note in listing.notes],
        "more": listing.more,
    }
