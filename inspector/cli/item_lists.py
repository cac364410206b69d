"""Lists of a server, one line an item."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from inspector.cli.exit_codes import ERROR_RESPONSE, SUCCESS
from inspector.cli.findings_report import finding_lines
from inspector.export.jsonl import finding_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.paginated_list import PaginatedList
    from inspector.session.session import Session
    from inspector.spec.view import View
    from inspector.wire.json_codec import JsonObject

T = TypeVar("T", bound="View")


async def show_list(
    make: Callable[[Session], PaginatedList[T]],
    noun: str,
    cells: Callable[[T], tuple[str, ...]],
    session: Session,
    options: Options,
    console: Console,
) -> int:
    """Print the list that `make` returns, a row of `cells` for each item; returns the exit code."""
    listing = make(session)
    await read_list(console, listing)
    if options.json:
        console.out_json(list_to_json(noun, listing))
    rows = None if options.json else cells
    return print_list(console, listing, noun, rows, has_findings=not options.quiet)


async def read_list(console: Console, listing: PaginatedList[T]) -> None:
    """Read a list, also one that the server does not declare."""
    if not listing.offered:
        console.err(
            f"server does not declare {listing.capability}; sending {listing.method} anyway"
        )
    await listing.refresh()


def print_list(
    console: Console,
    listing: PaginatedList[T],
    noun: str,
    cells: Callable[[T], tuple[str, ...]] | None,
    *,
    has_findings: bool,
) -> int:
    """Print the rows of a list unless `cells` is None, and return the exit code.

    With `has_findings`, findings about frames are printed later; only those about the whole list are printed here.

    Raises:
        InspectorError: the list could not be read to its end.
    """
    if cells is not None:
        console.out_table([cells(item) for item in listing.items])
    notes = [note for note in listing.notes if not has_findings or not note.pointer]
    for line in finding_lines(notes, listing.method):
        console.err(line)
    if listing.failure is not None:
        raise listing.failure
    if listing.is_unusable:
        console.err(listing.status_text(noun))
        console.err(
            f"    Return an object with the list as a member in response to {listing.method}."
        )
        return ERROR_RESPONSE
    if not listing.items:
        console.err(f"no {noun}")
    return SUCCESS


def list_to_json(name: str, listing: PaginatedList[T]) -> JsonObject:
    """Return a list with its findings."""
    return {
        name: [item.raw for item in listing.items],
        "notes": [finding_to_json(note) for note in listing.notes],
        "more": listing.more,
    }
