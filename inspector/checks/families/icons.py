"""Icons of a server and of what it lists: where they are, and what is in those that are part of a message.

Source: basic, "Icons".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes, urlsplit

from inspector.checks.families.identity import OPENING, info_of
from inspector.checks.seen import ListedItem
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.media_types import decode_base64, mismatch
from inspector.spec.pointer import join
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json, JsonObject

MAX_ICON_CHARACTERS = 100_000
"""A longer `data:` icon costs more than it shows."""

MAX_ICONS = 20
"""Icons of one item that are looked at."""

_SCRIPT = re.compile(rb"<script|<foreignobject|\son[a-z]+\s*=|javascript:", re.IGNORECASE)
"""What makes an SVG more than a picture."""


def _icons(owner: Json, pointer: str) -> Iterator[tuple[str, JsonObject, str]]:
    """Yield pointer, icon and source of the icons of an item."""
    icons = owner.get("icons") if isinstance(owner, dict) else None
    for index, icon in enumerate(icons[:MAX_ICONS] if isinstance(icons, list) else ()):
        source = icon.get("src") if isinstance(icon, dict) else None
        if isinstance(icon, dict) and isinstance(source, str):
            yield join(join(pointer, "icons"), index), icon, source


def _icons_of(seen: ReceivedMessage | ListedItem) -> Iterator[tuple[str, JsonObject, str]]:
    if isinstance(seen, ListedItem):
        return _icons(seen.value, seen.pointer)
    pointer, owner = info_of(seen)
    return _icons(owner, pointer)


def _has_icons(seen: ReceivedMessage | ListedItem, history: History) -> bool:
    del history
    return next(_icons_of(seen), None) is not None


def check_icon_host(seen: ReceivedMessage | ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about an icon that another host serves."""
    own = urlsplit(str(history.notes["opened"].get("url", ""))).hostname
    for pointer, _, source in _icons_of(seen):
        try:
            host = urlsplit(source).hostname
        except ValueError:
            continue
        if host and own and host != own and not host.endswith(f".{own}"):
            text = f"the icon is on {one_line(host, 60)}, but the server is on {one_line(own, 60)}"
            yield make_finding("L-ICO-02", text, join(pointer, "src"), seen.revision)
            return


def _has_icons_and_host(seen: ReceivedMessage | ListedItem, history: History) -> bool:
    return "opened" in history.notes and _has_icons(seen, history)


def _data_of(source: str) -> tuple[str, bytes | None]:
    """Return the media type and the bytes of a `data:` URI; None for bytes that cannot be read."""
    head, comma, body = source[len("data:") :].partition(",")
    media_type, *options = head.split(";")
    if not comma:
        return media_type, None
    if "base64" in options:
        return media_type, decode_base64(body[:MAX_ICON_CHARACTERS]).data
    return media_type, unquote_to_bytes(body[:MAX_ICON_CHARACTERS])


def check_icon_data(seen: ReceivedMessage | ListedItem, history: History) -> Iterator[Finding]:
    """Yield what is wrong with an icon that is in the message itself."""
    del history
    for pointer, icon, source in _icons_of(seen):
        if not source.startswith("data:"):
            continue
        text, (media_type, data) = "", _data_of(source)
        declared = icon.get("mimeType")
        named = declared if isinstance(declared, str) else media_type
        if len(source) > MAX_ICON_CHARACTERS:
            text = f"the icon has {len(source):,} characters"
        elif not media_type.startswith("image/"):
            text = f"the media type of an icon must start with `image/`, not “{one_line(media_type, 40)}”"
        elif data is None:
            text = "the icon is not valid base64"
        elif found := mismatch(named, data):
            text = f"the media type is “{one_line(named, 40)}”, but the bytes are {found}"
        if text:
            yield make_finding("L-ICO-04", text, join(pointer, "src"), seen.revision)


def check_svg(seen: ReceivedMessage | ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a picture that can run scripts."""
    del history
    for pointer, _, source in _icons_of(seen):
        if not source.startswith("data:image/svg"):
            continue
        found = _SCRIPT.search(_data_of(source)[1] or b"")
        if found is not None:
            part = one_line(found.group().decode("ascii", "replace").strip(), 40)
            text = f"the SVG has active content: “{part}”"
            yield make_finding("L-ICO-05", text, join(pointer, "src"), seen.revision)


_ITEMS = tuple(
    On(Subject.ITEM, f"{each}/list")
    for each in ("tools", "prompts", "resources", "resources/templates")
)

RULES = (
    Rule(
        "L-ICO-02",
        Severity.INFO,
        "icons",
        "icon from another host",
        why="The host can track who uses the server, and some clients reject the icon.",
        hint="Serve icons from the host of the server, or as `data:` URIs.",
        section="Icons",
        level="quality",
        since=4,
        transports=HTTP_ONLY,
        on=(*OPENING, *_ITEMS),
        check=check_icon_host,
        when=_has_icons_and_host,
    ),
    Rule(
        "L-ICO-04",
        Severity.INFO,
        "icons",
        "icon data too large or not an image",
        why="Clients show no icon, and every list gets larger.",
        hint="Embed small images in base64, with their own media type.",
        section="Icons",
        level="quality",
        since=4,
        on=(*OPENING, *_ITEMS),
        check=check_icon_data,
        when=_has_icons,
    ),
    Rule(
        "L-ICO-05",
        Severity.INFO,
        "icons",
        "SVG icon with active content",
        why="A client that renders it as a web page runs the script.",
        hint="Remove scripts, event handlers and foreign objects from the SVG.",
        section="Icons",
        level="quality",
        since=4,
        on=(*OPENING, *_ITEMS),
        check=check_svg,
        when=_has_icons,
    ),
)
