"""A server on the official Python SDK, version 2: a little of everything that a client meets.

    sdk2_server.py             over stdio
    sdk2_server.py http PORT   over streamable HTTP
    sdk2_server.py sse PORT    over HTTP+SSE

Runs in the environment of the peer `sdk2`, never in ours. Same tools as `sdk1_server.py`, which is on version 1.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportUnknownParameterType=false
# The SDK is not in our environment on purpose: Spyglass must not lean on it.

from __future__ import annotations

import sys
import zlib
from struct import pack

import anyio
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel, Field
from sdk_replay import Kept

server = MCPServer(
    "sdk2-peer",
    title="Peer on SDK 2",
    description="What the tests of Spyglass talk to.",
    instructions="Call **echo** first.",
    website_url="https://example.com/sdk2",
    version="2.0.1",
    log_level="ERROR",
)


class Forecast(BaseModel):
    """What `forecast` gives."""

    place: str = Field(description="Where")
    degrees: float = Field(description="Celsius")
    sunny: bool = Field(description="Whether the sun is out")


class Name(BaseModel):
    """What `ask_person` wants to know."""

    name: str = Field(description="What to call you")


@server.tool(title="Echo", structured_output=False)
def echo(message: str) -> str:
    """Give back the message."""
    return f"Echo: {message}"


@server.tool()
def add(a: int, b: int = 40) -> int:
    """Add two whole numbers."""
    return a + b


@server.tool(title="Forecast")
def forecast(place: str, celsius: bool = True) -> Forecast:
    """Tell the weather, with structured content."""
    return Forecast(place=place, degrees=21.5 if celsius else 70.7, sunny=True)


@server.tool(structured_output=False)
def picture() -> Image:
    """Draw a square."""
    return Image(data=_square(), format="png")


@server.tool(structured_output=False)
async def countdown(steps: int, seconds: float, ctx: Context) -> str:
    """Take a while and report progress."""
    for done in range(steps):
        await ctx.report_progress(done, steps, f"{steps - done} to go")
        await anyio.sleep(seconds / steps)
    await ctx.report_progress(steps, steps, "Lift-off")
    return f"Counted down {steps} steps."


@server.tool(structured_output=False)
async def wait(seconds: float) -> str:
    """Answer after a while, without a word in between."""
    await anyio.sleep(seconds)
    return f"Waited {seconds:g} seconds."


@server.tool(structured_output=False)
async def chatter(ctx: Context) -> str:
    """Send log messages."""
    await ctx.debug("a detail")
    await ctx.info("something happened")
    await ctx.warning("something odd happened")
    await ctx.error("something bad happened")
    return "Sent 4 log messages."


@server.tool(structured_output=False)
def fail() -> str:
    """Fail with a result."""
    raise ToolError("The printer is out of paper.")


@server.tool(structured_output=False)
def refuse() -> str:
    """Fail with an error of the protocol."""
    raise MCPError(-32602, "This tool wants to be asked politely.", {"magic": "please"})


@server.tool(structured_output=False)
async def ask_person(ctx: Context) -> str:
    """Ask whoever sits in front of the client for a name."""
    answer = await ctx.elicit("Whom am I talking to?", Name)
    return f"The person answered: {answer.action}"


@server.tool(structured_output=False)
async def ask_model(ctx: Context) -> str:
    """Ask the client's model for a sentence."""
    prompt = TextContent(type="text", text="Describe a telescope.")
    message = SamplingMessage(role="user", content=prompt)
    answer = await ctx.session.create_message([message], max_tokens=50)
    return f"The model answered: {answer.content}"


@server.tool(structured_output=False)
async def visit_page(ctx: Context) -> str:
    """Ask whoever sits in front of the client to visit a page."""
    answer = await ctx.elicit_url("Sign in first.", "https://example.com/in", "in-2")
    return f"The person answered: {answer.action}"


@server.tool(structured_output=False)
async def list_folders(ctx: Context) -> str:
    """Ask which folders may be worked in."""
    found = await ctx.session.list_roots()
    return f"Folders: {', '.join(str(root.uri) for root in found.roots) or 'none'}"


@server.tool(structured_output=False)
async def cut_off(ctx: Context) -> str:
    """End the stream of the call before the answer, so that the client has to come back for it."""
    await ctx.report_progress(1, 2, "before the cut")
    await ctx.close_sse_stream()
    await anyio.sleep(0.2)
    return "Said after the cut."


@server.resource("notes://today", mime_type="text/plain")
def today() -> str:
    """A resource."""
    return "Nothing on."


@server.resource("notes://{day}", mime_type="text/plain")
def note(day: str) -> str:
    """A template of resources."""
    return f"Nothing on {day}."


@server.prompt()
def greet(name: str) -> str:
    """A prompt."""
    return f"Please greet {name}."


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


def _square() -> bytes:
    """A red PNG of 8 by 8."""
    rows = b"".join(b"\0" + b"\xd0\x30\x30" * 8 for _ in range(8))
    head = pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["http"]:
        port, events = int(sys.argv[2]), Kept()
        server.run("streamable-http", port=port, event_store=events, retry_interval=100)
    elif sys.argv[1:2] == ["sse"]:
        server.run("sse", port=int(sys.argv[2]))
    else:
        server.run("stdio")
