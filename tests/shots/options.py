"""In which themes, sizes and text scales the scenes are drawn: every combination of what is asked for."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from ui.theme.palettes import PALETTES

USUAL = (
    *((theme, 1.0) for theme in PALETTES),
    ("light", 2.0),
    ("dark", 2.0),
)
"""Themes and text scales without options."""

STANDARD_SIZES = ((1024, 640), (1280, 720), (1360, 860), (1440, 900), (1920, 1080), (2560, 1440))
"""Sizes that `--sizes all` draws."""


class Variant(NamedTuple):
    """One way to draw a scene."""

    theme: str
    """A name in `PALETTES`."""
    scale: float
    """Of the text."""
    size: tuple[int, int] | None = None
    """Of the main window, in pixels; None for the one it has."""

    @property
    def suffix(self) -> str:
        """What distinguishes its file."""
        size = f"-{self.size[0]}x{self.size[1]}" if self.size else ""
        scale = "" if self.scale == 1 else f"-{self.scale * 100:.0f}"
        return f"{self.theme}{scale}{size}"


class Options(NamedTuple):
    """What is drawn, and how."""

    scenes: tuple[str, ...]
    """Their names; none for all."""
    variants: tuple[Variant, ...]
    """Drawn of each."""


def parse(arguments: list[str]) -> Options:
    """Read a command line such as `connected --themes light,dark_contrast --sizes 1280x720 --scales 1,2`."""
    parser = argparse.ArgumentParser("tests.shots", description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="those to draw; all by default")
    parser.add_argument("--themes", type=_names, help=", ".join(PALETTES))
    parser.add_argument("--sizes", type=_sizes, default=(None,), help="such as 1280x720, or all")
    parser.add_argument("--scales", type=_scales, help="of the text, such as 1,1.5,2")
    found = parser.parse_args(arguments)
    looks = USUAL
    if found.themes or found.scales:
        looks = tuple(
            (theme, scale) for scale in found.scales or (1.0,) for theme in found.themes or PALETTES
        )
    variants = [Variant(*look, size) for size in found.sizes for look in looks]
    return Options(tuple(found.scenes), tuple(variants))


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - set(PALETTES):
        raise argparse.ArgumentTypeError(f"no such theme: {', '.join(sorted(unknown))}")
    return names


def _scales(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split(",")))


def _sizes(text: str) -> tuple[tuple[int, int], ...]:
    if text == "all":
        return STANDARD_SIZES
    pairs = (part.split("x") for part in text.split(","))
    return tuple((int(width), int(height)) for width, height in pairs)
