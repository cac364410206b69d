"""What rules know of earlier runs does not keep those runs."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING
from weakref import ref

from tests.support.answering import AnsweringServer, tool
from tests.support.opened import connect, make_session, open_again

if TYPE_CHECKING:
    from weakref import ReferenceType

    from inspector.transcript.transcript import Transcript


async def test_rules_keep_no_run_that_the_budget_has_dropped() -> None:
    """Ours: of four runs, each compared with the one before, the two latest are left with what is held of them."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("say")]}})
    session = make_session(server)
    await connect(session)
    transcripts: list[ReferenceType[Transcript]] = [ref(session.session.transcript)]
    for _ in range(3):
        session = await open_again(session, server)
        assert session.sweep.rules.history.earlier is not None
        transcripts.append(ref(session.session.transcript))
    del session.runs.earlier[:2]
    gc.collect()

    assert [each() is not None for each in transcripts] == [False, False, True, True]
    await session.aclose()
