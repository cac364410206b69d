"""The steps of an authorization as rows of a ladder."""

from __future__ import annotations

import pytest

from inspector.auth.settings import Settings, Way
from inspector.auth.state import Stage
from tests.support.scripted_flow import CODE, Script, flow_of, refused
from ui.features.authorization.ladder_delegate import MIN_GAP, ladder_columns
from ui.features.authorization.ladder_rows import Party, RowStatus, ladder_rows


def test_before_the_first_step_every_step_is_to_come() -> None:
    """Ours."""
    rows = ladder_rows((), None, CODE, has_tokens=False)

    assert [row.stage for row in rows] == [
        Stage.RESOURCE,
        Stage.SERVER,
        Stage.CLIENT,
        Stage.AUTHORIZATION,
        Stage.TOKEN,
        Stage.CALL,
    ]
    assert {row.status for row in rows} == {RowStatus.COMING}
    assert [row.number for row in rows] == [1, 2, 3, 4, 5, 6]


def test_a_way_without_a_user_has_no_step_with_a_browser() -> None:
    """Ours."""
    settings = Settings(way=Way.CLIENT_CREDENTIALS)

    stages = {row.stage for row in ladder_rows((), None, settings, has_tokens=False)}

    assert Stage.AUTHORIZATION not in stages
    assert Stage.ASSERTION not in stages


async def test_a_whole_flow_has_a_row_for_each_step_with_its_parties() -> None:
    """Ours."""
    flow = flow_of(Script(), refused())
    await flow.run()

    rows = ladder_rows(flow.steps, None, CODE, has_tokens=True)

    arrows = {row.stage: (row.start, row.end, row.label) for row in rows}
    assert arrows[Stage.CHALLENGE] == (Party.SERVER, Party.CLIENT, "401")
    assert arrows[Stage.RESOURCE] == (Party.CLIENT, Party.SERVER, "200")
    assert arrows[Stage.SERVER] == (Party.CLIENT, Party.AUTHORIZATION_SERVER, "200")
    assert arrows[Stage.CLIENT] == (Party.CLIENT, Party.AUTHORIZATION_SERVER, "201")
    assert arrows[Stage.AUTHORIZATION] == (Party.BROWSER, Party.CLIENT, "redirect")
    assert arrows[Stage.TOKEN] == (Party.CLIENT, Party.AUTHORIZATION_SERVER, "200")
    assert rows[-1].stage is Stage.CALL
    assert rows[-1].is_to_come


async def test_a_failed_step_keeps_its_status_and_tells_why_to_assistive_technology() -> None:
    """Ours: the status of HTTP may be a good one."""
    flow = flow_of(Script(metadata={"issuer": "https://as.example/"}), refused())
    with pytest.raises(Exception, match="issuer"):
        await flow.run()

    rows = ladder_rows(flow.steps, None, CODE, has_tokens=False)
    failed = next(row for row in rows if row.status is RowStatus.FAILED)

    assert (failed.stage, failed.label) == (Stage.SERVER, "200")
    assert "failed" in failed.accessible_text
    assert "https://as.example/" in failed.accessible_text
    assert rows[failed.number].stage is Stage.CLIENT


async def test_the_next_step_shows_what_it_will_send() -> None:
    """Ours."""
    flow = flow_of(Script(), refused())
    await flow.run(Stage.SERVER)
    planned = await flow.next_step()

    rows = ladder_rows(flow.steps, planned, CODE, has_tokens=False)
    following = rows[len(flow.steps)]

    assert following.status is RowStatus.NEXT
    assert following.detail == "POST /register"


async def test_a_place_without_metadata_is_a_miss_and_no_failure() -> None:
    """Ours."""
    flow = flow_of(Script(resource=None), refused())
    await flow.run(Stage.RESOURCE)

    rows = ladder_rows(flow.steps, None, CODE, has_tokens=False)

    assert rows[1].status is RowStatus.MISSED


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("width", [420, 560, 690, 1000])
def test_the_parties_stand_in_order_inside_of_the_row(width: int, scale: float) -> None:
    """Ours."""
    columns = ladder_columns(round(width * scale), scale)

    assert list(columns.parties) == sorted(columns.parties)
    assert columns.parties[-1] < columns.time_left < width * scale
    gaps = zip(columns.parties, columns.parties[1:], strict=False)
    assert min(right - left for left, right in gaps) >= MIN_GAP * scale - 1
    assert columns.title_left < columns.title_right < columns.parties[0]
