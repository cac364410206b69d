"""Cases that name no era, played once with a handshake and once without: what is listed, read and answered is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from inspector.errors import PeerError
from inspector.features.completion import prompt_ref
from inspector.session.operation import OperationState
from inspector.session.paginated_list import ListState
from tests.support.corpus_stateless import CaseServer, Play, grown, playing, plays
from tests.support.findings import validate_all
from tests.support.modern import params_of
from tests.support.opened import opened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.features.tools import ToolCall
    from inspector.finding import Finding
    from inspector.open_session import OpenSession
    from inspector.session.paginated_list import PaginatedList
    from inspector.spec.views.prompt import PromptView
    from inspector.spec.views.resource import ResourceView
    from inspector.spec.views.tool import ToolView
    from inspector.wire.json_codec import JsonObject

TOOLS = plays(
    "list-06-duplicate-names",
    "list-08-bad-names",
    "schema-01-root-anyof",
    "schema-09-recursive-node",
    "schema-17-empty-schema",
    "schema-19-schema-null-and-array",
    "schema-20-null-entry-in-tools",
    "schema-23-draft07-tuple",
    "schema-28-pattern-not-unicode-safe",
    "schema-30-odd-property-names",
    "schema-33-draft4-boolean-exclusive",
    "schema-39-external-ref",
    "schema-41-type-array-nullable",
    "schema-42-boolean-subschemas",
    "schema-47-regex-redos",
    "schema-51-snake-case-schema-key",
    "text-01-bidi-and-invisible",
    "text-02-rtl-and-emoji",
    "text-06-icons",
)
RESULTS = plays(
    "result-01-structured-only",
    "result-02-both-parts",
    "result-04-content-missing-old-shape",
    "result-05-text-without-text",
    "result-07-resource-link",
    "result-08-embedded-sparse",
    "result-09-svg-image",
    "result-11-image-data-url",
    "result-13-audio",
    "result-14-error-with-structured-mismatch",
    "result-15-outputschema-but-no-structured",
    "result-17-outputschema-uncompilable",
    "result-18-nan-in-body",
    "result-20-bigint-in-result",
    "result-21-huge-text",
    "result-23-whitespace-exact",
    "result-24-json-scalars-in-text",
    "result-26-error-forms",
    "result-27-markup-in-text",
    "text-04-names-as-paths",
)
CURSORS = plays("list-02-cursor-empty-forever-legacy", "list-03-cursor-does-not-advance")
ADDRESSES = plays("resource-06-uri-verbatim", "resource-12-size-and-fields")


def said(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    return [(found.summary, found.pointer) for found in findings]


def of_list(
    listed: PaginatedList[ToolView] | PaginatedList[PromptView] | PaginatedList[ResourceView],
) -> tuple[object, ...]:
    """What is shown of a list, item by item, and what is remarked."""
    items = [[item.raw, item.label, said(item.problems)] for item in listed.items]
    clashes = {number: said(found) for number, found in listed.duplicates.items()}
    return listed.state, items, clashes, said(listed.findings)


@pytest.mark.parametrize("play", TOOLS, ids=str)
async def test_tools_are_listed_as_with_a_handshake(play: Play) -> None:
    """Ours; and the list is all there: nothing is dropped, whatever stands in it."""
    given = play.given
    async with opened(CaseServer(given)) as before, playing(CaseServer(given)) as now:
        assert of_list(now.tools) == of_list(before.tools)
        answered = cast("JsonObject", given.get("listResult", given))
        wanted = grown(answered.get("tools", [given.get("tool")]))
        assert [tool.raw for tool in now.tools.items] == wanted


@pytest.mark.parametrize("play", plays("list-09-result-shapes"), ids=str)
async def test_a_list_of_any_shape_is_read_with_a_note(play: Play) -> None:
    """list-09-result-shapes: the last one is about what only this era defines."""
    server = CaseServer(play.given)
    server.says("tools/list", cast("JsonObject", play.given["result"]))
    async with playing(server) as now:
        tools = now.tools
        assert (tools.state, tools.failure) == (ListState.READ, None)
        text = " ".join(note.summary for note in tools.findings)
        if play.number < 4:
            assert "tools" in text
        else:
            assert "`ttlMs` is negative" in text
            assert "'everyone'; treated as private" in text
            assert tools.caching is not None
            assert (tools.caching.ttl_ms, tools.caching.scope) == (0, "private")


@pytest.mark.parametrize("play", plays("list-01-cursor-empty-modern"), ids=str)
async def test_an_empty_cursor_is_a_cursor(play: Play) -> None:
    """list-01-cursor-empty-modern: C-PAG-06."""
    server = CaseServer(play.given)
    async with playing(server) as now:
        assert [tool.name for tool in now.tools.items] == ["a", "b", "c"]
        sent = [{"params": params_of(each)} for each in server.of("tools/list")]
        assert sent == play.expect["sends"]


@pytest.mark.parametrize("play", CURSORS, ids=str)
async def test_a_cursor_that_comes_back_ends_the_list(play: Play) -> None:
    """list-02-cursor-empty-forever-legacy, list-03-cursor-does-not-advance: nobody asks for ever."""
    server = CaseServer(play.given)
    async with playing(server) as now:
        first = cast("list[JsonObject]", play.given["pages"])[0]
        assert [tool.name for tool in now.tools.items] == first["tools"]
        assert any(note.rule == "L-PAG-04" for note in now.tools.findings)
        assert len(server.of("tools/list")) <= int(str(play.expect["maxRequests"]))


def answering(play: Play) -> CaseServer:
    """A server whose calls are answered as the case says."""
    server = CaseServer(play.given)
    made = cast("JsonObject", play.given.get("generate", {}))
    body = play.given.get("rawBody", grown(play.given.get("result", made.get("result"))))
    server.says("tools/call", cast("JsonObject | str", body))
    return server


async def called(session: OpenSession, play: Play) -> ToolCall:
    tools = session.tools
    wanted = play.given.get("call", tools.items[0].name)
    made = tools.call(next(each for each in tools.items if each.name == wanted), "{}")
    await made.wait()
    return made


def of_call(made: ToolCall) -> tuple[object, ...]:
    """What is shown of a call."""
    error = made.error and (type(made.error), made.error.reason)
    result = made.result
    if result is None:
        return (made.state, error)
    blocks = [block.raw for block in result.content]
    structured = repr(result.structured)  # which says of NaN that it is one
    parts = (result.has_content, result.has_structured, structured, result.is_error)
    return (made.state, error, blocks, *parts, said(result.findings))


@pytest.mark.parametrize("play", RESULTS, ids=str)
async def test_results_are_shown_as_with_a_handshake(play: Play) -> None:
    """Ours; each digit, space and odd block."""
    async with opened(answering(play)) as before, playing(answering(play)) as now:
        made = await called(now, play)
        assert of_call(made) == of_call(await called(before, play))
        assert made.is_finished
        if "result" in play.given:
            given = cast("JsonObject", play.given["result"])
            assert [b.raw for b in made.result.content] == given.get("content", [])  # type: ignore[union-attr] - it has one


@pytest.mark.parametrize("play", plays("result-29-structured-non-object"), ids=str)
async def test_structured_content_may_be_anything_and_null_is_a_value(play: Play) -> None:
    """result-29-structured-non-object: L-TOOL-30 is about older revisions; the text for older clients is missing."""
    given = cast("JsonObject", play.given["result"])
    async with playing(answering(play)) as now:
        made = await called(now, play)
        assert made.result is not None
        assert made.result.has_structured
        assert made.result.structured == given["structuredContent"]
        assert [found.rule for found in made.result.findings] == ["L-TOOL-22"]


@pytest.mark.parametrize("play", ADDRESSES, ids=str)
async def test_resources_are_listed_and_read_as_with_a_handshake(play: Play) -> None:
    """resource-06-uri-verbatim, resource-12-size-and-fields: each address leaves byte for byte."""
    server = CaseServer(play.given)
    async with opened(CaseServer(play.given)) as before, playing(server) as now:
        assert of_list(now.resources) == of_list(before.resources)
        listed = cast("list[JsonObject]", play.given["resources"])
        assert len(now.resources.items) == len(listed)
        for item in now.resources.items:
            if item.has_id:
                reading = now.reads.read(item.uri)
                await reading.wait()
                assert reading.state is OperationState.DONE
        asked = [params_of(each)["uri"] for each in server.of("resources/read")]
        assert asked == [each["uri"] for each in listed if "uri" in each]


@pytest.mark.parametrize("play", plays("resource-09-mime-dispatch"), ids=str)
async def test_contents_are_read_as_with_a_handshake(play: Play) -> None:
    """resource-09-mime-dispatch."""

    async def read(session: OpenSession) -> list[object]:
        reading = session.reads.read("a:1")
        await reading.wait()
        assert reading.result is not None
        return [(block.raw, said(block.notes)) for block in reading.result.contents]

    servers = CaseServer(play.given), CaseServer(play.given)
    for server in servers:
        server.says("resources/read", cast("JsonObject", play.given["result"]))
    async with opened(servers[0]) as before, playing(servers[1]) as now:
        assert await read(now) == await read(before)


@pytest.mark.parametrize("play", plays("resource-10-not-found-codes"), ids=str)
async def test_a_missing_resource_is_told_with_the_code_of_this_era(play: Play) -> None:
    """resource-10-not-found-codes: and the connection goes on."""
    server = CaseServer(play.given)
    server.says("resources/read", str(play.given["rawBody"]))
    async with playing(server) as now:
        reading = now.reads.read("x:1")
        await reading.wait()
        assert reading.error is not None
        assert "-32602" in reading.error.reason
        assert b'"uri":"x:1"' in now.session.transcript.raw(reading.response_frame)
        validate_all(now.sweep)
        assert now.session.transcript.findings(reading.response_frame) == ()
        assert (await now.session.request("tools/list")).message.result


@pytest.mark.parametrize("play", plays("prompt-01-no-arguments-variants"), ids=str)
async def test_prompts_are_listed_and_got_as_with_a_handshake(play: Play) -> None:
    """prompt-01-no-arguments-variants: without arguments, the member is left out."""
    server = CaseServer(play.given)
    async with opened(CaseServer(play.given)) as before, playing(server) as now:
        assert of_list(now.prompts) == of_list(before.prompts)
        for step in cast("list[JsonObject]", play.given["steps"]):
            prompt = next(each for each in now.prompts.items if each.name == step["get"])
            await now.prompts.get(prompt, {}).wait()
        assert [params_of(each) for each in server.of("prompts/get")] == play.expect["sends"]


@pytest.mark.parametrize("play", plays("prompt-06-completion-odd-replies"), ids=str)
async def test_odd_suggestions_are_read_as_with_a_handshake(play: Play) -> None:
    """prompt-06-completion-odd-replies: whatever comes, nothing fails but what is an error."""

    async def suggested(session: OpenSession) -> tuple[object, ...]:
        try:
            found = await session.completions.complete(prompt_ref("p"), "a", "", {})
        except PeerError as error:
            return error.reason, session.completions.is_enabled
        view = found.completion
        return view.raw, view.values, view.total, view.says_more, said(found.notes)

    servers = CaseServer({}), CaseServer({})
    for server in servers:
        if "reply" in play.given:
            server.says("completion/complete", cast("JsonObject", play.given["reply"]))
        if "rawError" in play.given:
            del server.answers["completion/complete"]
    async with opened(servers[0]) as before, playing(servers[1]) as now:
        assert await suggested(now) == await suggested(before)
