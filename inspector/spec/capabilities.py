"""Tolerant reading of declared capabilities.

`{}` declares a capability, `null` does not. Every other type is a finding and is read as what was probably meant, so that nothing
that works is hidden. Keys that no revision defines are kept and marked. Nothing here raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.spec.capability_table import CAPABILITIES, EXTENSIONS, Capability, CapabilityType
from inspector.spec.findings import make_finding
from inspector.spec.json_types import type_text
from inspector.spec.method import Side
from inspector.spec.pointer import join
from inspector.spec.spec_urls import link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.method import RequiredCapability
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

RULE_SHAPE = "L-CAP-07"
RULE_LATER = "L-JR-34"
RULE_DEPRECATED = "L-CAP-12"
RULE_EXTENSION = "L-DSC-13"

_NO_TEXTS = frozenset({"", "0", "false", "no", "none", "null", "off"})


class CapabilityRow(FrozenStruct, frozen=True):
    """One line of a table of capabilities."""

    path: tuple[str, ...]
    """Keys from `capabilities` inward."""
    declared: bool
    """Whether it counts as declared."""
    raw: Json
    """What stood there; None also when nothing did."""
    summary: str
    """Its label, or why it means nothing."""
    present: bool = True
    """Whether the key is present."""
    known: Capability | None = None
    """The row of the table, or None for a key that no revision defines there."""
    defined: bool = False
    """Whether the revision defines it."""
    link: str = ""
    """Where the specification describes it."""
    deprecated: bool = False
    """Whether the revision in force advises against it."""
    findings: tuple[Finding, ...] = ()
    """What is odd about it; places begin at the capabilities object."""

    @property
    def name(self) -> str:
        """How people write it, e.g. `resources.subscribe`."""
        return ".".join(self.path)

    @property
    def label(self) -> str:
        """The last key, for display beside its parent."""
        return self.path[-1]

    @property
    def depth(self) -> int:
        """How far in it stands; 0 for a capability that is not part of another."""
        return len(self.path) - 1


def rows(declared: Json, side: Side, revision: Revision) -> list[CapabilityRow]:
    """Return a row for each capability `revision` defines for `side`, and one for every other key found.

    A row stands directly after the one that holds it. Undeclared ones are included, except inside what is undeclared itself.
    """
    found = declared if isinstance(declared, dict) else {}
    return list(_under((), found, side, revision))


def problems(declared: Json, side: Side, revision: Revision, pointer: str = "") -> list[Finding]:
    """Return everything odd about `declared`, with places that begin at `place`."""
    found = [] if isinstance(declared, dict) else [_not_an_object(declared, revision)]
    found += [finding for row in rows(declared, side, revision) for finding in row.findings]
    return [replace(each, pointer=pointer + each.pointer) for each in found]


def declares(declared: Json, *path: str) -> bool:
    """Whether `declared` declares the capability at `path`, read tolerantly."""
    value = declared
    for depth, step in enumerate(path, 1):
        if not isinstance(value, dict):
            return False
        if not meant(value.get(step)) and not _is_implied(path[:depth], value):
            return False
        value = value.get(step)
    return True


def satisfied(need: RequiredCapability | None, client: Json, server: Json) -> bool:
    """Whether the side that must declare `need` did; `client` and `server` are the declared capabilities."""
    if need is None:
        return True
    return declares(server if need.side is Side.SERVER else client, *need.path)


def meant(value: Json) -> bool:
    """Whether a value, right or wrong, means "declared"."""
    if isinstance(value, str):
        return value.strip().lower() not in _NO_TEXTS
    return isinstance(value, dict | list) or bool(value)


def _is_implied(path: tuple[str, ...], parent: JsonObject) -> bool:
    # Source: client/elicitation, "Capabilities": an empty object stands for form mode only.
    return path == ("elicitation", "form") and "form" not in parent and "url" not in parent


def _under(
    prefix: tuple[str, ...], found: JsonObject, side: Side, revision: Revision
) -> Iterator[CapabilityRow]:
    """Rows for what stands directly in `found`, each followed by those inside it."""
    table = [row for row in CAPABILITIES if row.side is side and row.path[:-1] == prefix]
    for known in table:
        if known.applies_to(revision) or known.path[-1] in found:
            row = _known_row(known, found, revision)
            yield row
            if row.declared and isinstance(row.raw, dict):
                yield from _inside(known, row.raw, revision)
    expected = {row.path[-1] for row in table}
    for key in found:
        if key not in expected:
            raw, text = found[key], "not defined in this revision"
            yield CapabilityRow((*prefix, key), meant(raw), raw, text)


def _inside(known: Capability, found: JsonObject, revision: Revision) -> Iterator[CapabilityRow]:
    if known.shape is CapabilityType.MAP:
        for key, value in found.items():
            yield _member_row(known, key, value, revision)
    elif known.shape is CapabilityType.OBJECT:
        yield from _under(known.path, found, known.side, revision)


def _known_row(known: Capability, found: JsonObject, revision: Revision) -> CapabilityRow:
    key = known.path[-1]
    raw, present = found.get(key), key in found
    implied = _is_implied(known.path, found)
    defined = known.applies_to(revision)
    deprecated = defined and known.deprecated_in is not None and revision >= known.deprecated_in
    return CapabilityRow(
        path=known.path,
        declared=implied or meant(raw),
        raw=raw,
        present=present,
        known=known,
        defined=defined,
        summary=f"{known.summary} (implied)" if implied else known.summary,
        link=link(known.subject, revision if defined else known.since),
        deprecated=deprecated,
        findings=tuple(_anomalies(known, raw, revision)) if present else (),
    )


def _anomalies(known: Capability, raw: Json, revision: Revision) -> Iterator[Finding]:
    pointer = join("", *known.path)
    if not isinstance(raw, bool if known.shape is CapabilityType.FLAG else dict):
        severity = Severity.WARNING if raw is None else Severity.ERROR
        read_as = "declared" if meant(raw) else "not declared"
        text = f"`{known.name}` must be {known.shape.value}, not {type_text(raw)}; treated as {read_as}"
        yield make_finding(
            RULE_SHAPE, text, pointer, revision, severity=severity, subject=known.subject
        )
    if not known.applies_to(revision):
        is_early = revision < known.since
        when = f"added in {known.since}" if is_early else f"removed after {known.last}"
        text = f"`{known.name}` is not part of {revision}: it was {when}"
        yield make_finding(RULE_LATER, text, pointer, revision, subject=known.subject)
    elif known.deprecated_in is not None and revision >= known.deprecated_in and meant(raw):
        text = f"`{known.name}` is deprecated since {known.deprecated_in}"
        yield make_finding(RULE_DEPRECATED, text, pointer, revision)


def _member_row(holder: Capability, key: str, raw: Json, revision: Revision) -> CapabilityRow:
    """Return the row for one experiment or extension."""
    is_extension = holder.path == ("extensions",)
    text = EXTENSIONS.get(key, "unknown extension") if is_extension else "experimental feature"
    problems: list[tuple[str, str]] = []
    if not isinstance(raw, dict):
        problems.append((RULE_SHAPE, f"`{key}` must be an object, not {type_text(raw)}"))
    if is_extension and "/" not in key:
        problems.append((RULE_EXTENSION, f"extension `{key}` has no vendor prefix"))
    pointer, subject = join("", *holder.path, key), holder.subject
    return CapabilityRow(
        path=(*holder.path, key),
        declared=meant(raw),
        raw=raw,
        defined=not is_extension or key in EXTENSIONS,
        summary=text,
        link=link(subject, revision),
        findings=tuple(
            make_finding(rule, problem, pointer, revision, subject=subject)
            for rule, problem in problems
        ),
    )


def _not_an_object(declared: Json, revision: Revision) -> Finding:
    text = f"capabilities must be an object, not {type_text(declared)}; treated as empty"
    return make_finding(RULE_SHAPE, text, "", revision)
