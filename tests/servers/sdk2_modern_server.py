"""A server on the official Python SDK, version 2, whose tools are written for both eras: what they ask for is resolved.

    sdk2_modern_server.py [alone]             over stdio
    sdk2_modern_server.py [alone] http PORT   over streamable HTTP

`alone` refuses the handshake, so that only the era without one is left. Runs in the environment of the peer `sdk2`, never in ours.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportUnknownParameterType=false
# The SDK is not in our environment on purpose: Spyglass must not lean on it.

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
from mcp.shared.exceptions import MCPError
from mcp_types import (
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestURLParams,
    InputRequiredResult,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel, Field

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

server = MCPServer("sdk2-modern", version="1", instructions="Ask away.", log_level="ERROR")


class Forecast(BaseModel):
    """What `forecast` gives."""

    place: str = Field(description="Where")
    degrees: float = Field(description="Celsius")


class Name(BaseModel):
    """What `greet` wants to know."""

    name: str = Field(description="What to call you")


class Town(BaseModel):
    """What `greet` wants to know then."""

    town: str = Field(description="Where you are")


async def who() -> Elicit[Name]:
    """Ask the user."""
    return Elicit("Who are you?", Name)


async def where(name: Annotated[Name, Resolve(who)]) -> Elicit[Town]:
    """Ask again, knowing the first answer."""
    return Elicit(f"Where are you, {name.name}?", Town)


@server.tool(structured_output=False)
async def greet(name: Annotated[Name, Resolve(who)], town: Annotated[Town, Resolve(where)]) -> str:
    """Take two rounds to know whom to greet."""
    return f"Hello {name.name} in {town.town}."


Zone = Annotated[str, Field(json_schema_extra={"x-mcp-header": "Zone"})]


@server.tool(structured_output=False)
def route(zone: Zone, other: str = "") -> str:
    """Have an argument that is repeated in a header."""
    return f"{zone}/{other}"


@server.tool(structured_output=False)
async def announce(uri: str, ctx: Context) -> str:
    """Announce that the list of tools and one resource changed."""
    await ctx.notify_tools_changed()
    await ctx.notify_resource_updated(uri)
    return "announced"


@server.tool(structured_output=False)
async def slow(ctx: Context) -> str:
    """Report progress for as long as somebody waits."""
    for done in range(1000):
        await ctx.report_progress(done, 1000)
        await anyio.sleep(0.02)
    return "done"


@server.tool(title="Echo", structured_output=False)
def echo(message: str) -> str:
    """Give back the message."""
    return f"Echo: {message}"


@server.tool(title="Forecast")
def forecast(place: str, celsius: bool = True) -> Forecast:
    """Tell the weather, with structured content."""
    return Forecast(place=place, degrees=21.5 if celsius else 70.7)


@server.tool(structured_output=False)
def fail() -> str:
    """Fail with a result."""
    raise ToolError("The printer is out of paper.")


@server.tool(structured_output=False)
async def chatter(ctx: Context) -> str:
    """Send log messages."""
    await ctx.debug("a detail")
    await ctx.error("something bad happened")
    return "Sent 2 log messages."


@server.tool(structured_output=False)
def ask_person(name: Annotated[Name, Resolve(who)]) -> str:
    """Ask whoever sits in front of the client for a name."""
    return f"The person answered: {name.name}"


def describe() -> Sample:
    """Ask the client's model."""
    prompt = TextContent(type="text", text="Describe a telescope.")
    return Sample([SamplingMessage(role="user", content=prompt)], max_tokens=50)


@server.tool(structured_output=False)
def ask_model(said: Annotated[CreateMessageResult, Resolve(describe)]) -> str:
    """Ask the client's model for a sentence."""
    return f"The model answered: {said.content}"


def folders() -> ListRoots:
    """Ask the client for its roots."""
    return ListRoots()


@server.tool(structured_output=False)
def list_folders(found: Annotated[ListRootsResult, Resolve(folders)]) -> str:
    """Ask which folders may be worked in."""
    return f"Folders: {', '.join(str(root.uri) for root in found.roots) or 'none'}"


@server.tool(structured_output=False)
def visit_page(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Ask whoever sits in front of the client to visit a page."""
    answers = ctx.input_responses
    if answers is None:
        page = ElicitRequestURLParams(message="Sign in first.", url="https://example.com/in")
        return InputRequiredResult(input_requests={"page": ElicitRequest(params=page)})
    text = f"The person answered: {answers['page'].action}"
    return CallToolResult(content=[TextContent(type="text", text=text)])


@server.resource("notes://today", mime_type="text/plain")
def today() -> str:
    """A resource."""
    return f"Nothing on. It is {time.time()}."


@server.resource("notes://{day}", mime_type="text/plain")
def note(day: str) -> str:
    """A template of resources."""
    return f"Nothing on {day}."


@server.prompt()
def ask(name: str) -> str:
    """A prompt."""
    return f"Ask {name}."


@server.prompt()
def travel(country: str, city: str) -> str:
    """A prompt whose arguments can be completed, the second knowing the first."""
    return f"Plan three days in {city}, {country}."


CITIES = {"Italy": ["Milan", "Rome"], "Norway": ["Bergen", "Oslo"]}
"""Country and its cities."""


@server.completion()
async def complete(
    _ref: object, argument: CompletionArgument, context: CompletionContext | None
) -> Completion:
    """Complete the arguments of prompts and templates."""
    told = (context.arguments if context is not None else None) or {}
    names = {
        "country": list(CITIES),
        "city": CITIES.get(told.get("country", ""), []),
        "day": ["monday", "tuesday"],
    }.get(argument.name, [])
    return Completion(values=[name for name in names if name.startswith(argument.value)])


async def refuse_handshakes(
    ctx: ServerRequestContext[object, object], call_next: CallNext
) -> HandlerResult:
    """Serve one era alone, which the SDK has no switch for."""
    if ctx.method == "initialize":
        data = {"supported": ["2026-07-28"], "requested": "one with a handshake"}
        raise MCPError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)
    return await call_next(ctx)


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["alone"]:
        server.middleware.append(refuse_handshakes)
        words = words[1:]
    if words[:1] == ["http"]:
        server.run("streamable-http", port=int(words[1]))
    else:
        server.run("stdio")
