"""A file name to suggest, from whatever a server called the thing. Pure.

The result is one name without a folder, free of characters and names that some system reserves.
"""

from __future__ import annotations

import mimetypes
import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

LONGEST = 100
"""Characters of a suggested name."""

_BAD = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]')
_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
_ENDINGS = {
    "text/plain": ".txt",
    "application/json": ".json",
    "text/markdown": ".md",
    "image/jpeg": ".jpg",
}


def suggested_name(wanted: str, *, mime: str = "", fallback: str = "result") -> str:
    """A clean name from a name or URI, with an ending that fits the media type if it has none."""
    name = _cleaned(_last_part(wanted)) or fallback
    if _RESERVED.match(name):
        name = f"_{name}"
    stem, dot, ending = name.rpartition(".")
    if dot and stem and 0 < len(ending) <= 8:
        return f"{stem[: LONGEST - len(ending) - 1]}.{ending}"
    return name[:LONGEST] + _ending(mime)


def _last_part(wanted: str) -> str:
    try:
        path = urlsplit(wanted).path if "://" in wanted else wanted
    except ValueError:
        path = wanted
    return PurePosixPath(unquote(path).replace("\\", "/")).name


def _cleaned(name: str) -> str:
    printable = name.encode("utf-8", "replace").decode("utf-8")
    return _BAD.sub("_", printable).strip(" .")


def _ending(mime: str) -> str:
    essence = mime.partition(";")[0].strip().lower()
    return _ENDINGS.get(essence) or mimetypes.guess_extension(essence) or ""
