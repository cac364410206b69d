"""The schemas of the official JSON Schema Test Suite as forms, and its valid instances in them; ours.

`SPYGLASS_FORM_DRAFTS=all` plays every draft. The suite is a peer: `tests/support/peers.py`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from inspector.wire.json_codec import read, write
from tests.ui.widgets.form.retyping import retype_everything, tidy
from ui.widgets.form import layout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.wire.json_codec import Json, JsonObject
    from ui.widgets.form import Form

DIALECTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
}
"""Folder of the suite → what `$schema` says there."""

DRAFTS = list(DIALECTS) if os.environ.get("SPYGLASS_FORM_DRAFTS") == "all" else ["draft2020-12"]


class Case(NamedTuple):
    """One schema of the suite."""

    name: str
    schema: Json
    instances: list[tuple[Json, bool]]
    """Each with whether it is valid."""


def cases(folder: Path, dialect: str) -> Iterator[Case]:
    for path in sorted(folder.rglob("*.json")):
        for group in cast("list[JsonObject]", read(path.read_bytes()).value):
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": dialect, **schema}
            tests = cast("list[JsonObject]", group["tests"])
            pairs = [(test["data"], test["valid"] is True) for test in tests]
            yield Case(f"{path.name}: {group['description']}", schema, pairs)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("draft", DRAFTS)
def test_a_valid_instance_comes_out_of_the_form_as_it_went_in(
    draft: str, schema_suite: Path, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: with every field typed and chosen again, too."""
    monkeypatch.setattr(layout, "TURN_SECONDS", 60.0)
    changed: list[str] = []
    played = fields = 0

    for case in cases(schema_suite / draft, DIALECTS[draft]):
        form.set_schema(case.schema)
        for instance, is_valid in case.instances:
            if not is_valid:
                continue
            text = write(instance)
            form.set_text(text)
            fields += retype_everything(form)
            played += 1
            if form.text() != text:
                changed.append(f"{case.name}: {text} became {form.text()}")
        tidy()

    assert changed == []
    assert fields > played > 400


@pytest.mark.timeout(400)
@pytest.mark.parametrize("draft", DRAFTS)
def test_instances_are_judged_as_the_suite_says(draft: str, schema_suite: Path, form: Form) -> None:
    """Ours: never is a valid one said to be wrong."""
    wrong: list[str] = []

    for case in cases(schema_suite / draft, DIALECTS[draft]):
        form.set_schema(case.schema)
        for instance, is_valid in case.instances:
            form.set_text(write(instance))
            if is_valid and form.problems():
                wrong.append(f"{case.name}: {write(instance)}: {form.problems()[0].text}")
        tidy()

    assert wrong == []
