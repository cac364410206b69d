"""Install links of other clients: the server that is written inside the link; ours."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from inspector.config.importers.paste import Imported, NotRecognized, import_text

ENTRY = {"command": "uvx", "args": ["time-server", "--zone", "a b"]}
JSON_ENTRY = json.dumps(ENTRY)


def read(text: str) -> Imported:
    reading = import_text(text)
    assert isinstance(reading, Imported), reading
    return reading


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


NAMED = json.dumps({"name": "clock", **ENTRY})
LINKS = {
    "vscode": f"vscode:mcp/install?{quote(NAMED)}",
    "vscode insiders": f"vscode-insiders:mcp/install?{quote(NAMED)}",
    "vscode encoded twice": f"vscode:mcp/install?{quote(quote(NAMED))}",
    "vscode with a map": f"vscode:mcp/install?{quote(json.dumps({'clock': ENTRY}))}",
    "vscode web": f"https://vscode.dev/redirect/mcp/install?name=clock&config={quote(JSON_ENTRY)}",
    "vscode insiders web": f"https://insiders.vscode.dev/redirect/mcp/install?name=clock&config={quote(JSON_ENTRY)}&quality=insiders",
    "vscode redirect": f"https://vscode.dev/redirect?url={quote('vscode:mcp/install?' + quote(NAMED), safe='')}",
    "vscode redirect, twice": f"https://vscode.dev/redirect?url={quote('vscode:mcp/install?' + quote(quote(NAMED)), safe='')}",
    "visual studio": f"vsweb+mcp:/install?{quote(NAMED)}",
    "cursor": f"cursor://anysphere.cursor-deeplink/mcp/install?name=clock&config={quote(b64(JSON_ENTRY))}",
    "cursor, base64 not encoded": f"cursor://anysphere.cursor-deeplink/mcp/install?name=clock&config={b64(JSON_ENTRY)}",
    "cursor, no padding": f"https://cursor.com/install-mcp?name=clock&config={b64(JSON_ENTRY).rstrip('=')}",
    "cursor web": f"https://www.cursor.com/en/install-mcp?name=clock&config={quote(b64(quote(JSON_ENTRY)))}",
    "cursor link": f"https://cursor.com/link/mcp%2Finstall?name=clock&config={quote(b64(JSON_ENTRY))}",
    "lmstudio": f"lmstudio://add_mcp?name=clock&config={quote(b64(JSON_ENTRY))}",
    "lmstudio web": f"https://lmstudio.ai/install-mcp?name=clock&config={quote(b64(JSON_ENTRY))}",
    "goose": "goose://extension?cmd=uvx&arg=time-server&arg=--zone&arg=a%20b&timeout=300&id=clock&name=clock",
    "kiro": f"kiro://kiro.mcp/add?name=clock&config={quote(JSON_ENTRY)}",
    "raycast": f"raycast://mcp/install?{quote(NAMED)}",
    "cherry": f"cherrystudio://mcp/install?servers={quote(b64(json.dumps({'mcpServers': {'clock': ENTRY}})))}",
    "trae": f"trae://trae.ai-ide/mcp-import?type=stdio&name=clock&config={quote(b64(JSON_ENTRY))}",
    "another page": f"https://tool.example/mcp/install?name=clock&config={quote(b64(JSON_ENTRY))}",
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
@pytest.mark.parametrize(
    "around", ["{}", "[![Install](badge.svg)]({})", '<a href="{}">Install</a>', "See {} for it."]
)
def test_the_server_inside_an_install_link_is_read(link: str, around: str) -> None:
    """Ours: every client's link, alone, as a Markdown badge, in HTML and in a sentence."""
    (profile,) = read(
        around.format(link.replace("&", "&amp;") if "href" in around else link)
    ).profiles
    assert (profile.name, profile.command, list(profile.args)) == ("clock", "uvx", ENTRY["args"])


def test_links_of_one_server_for_several_clients_are_one_server() -> None:
    """Ours: a README has a badge for each client."""
    assert len(read("\n".join(LINKS.values())).profiles) == 1


@pytest.mark.parametrize(
    "link",
    [
        "windsurf://windsurf-mcp-registry?serverName=x",
        "vscode:mcp/by-name/x",
        "warp://settings/mcp",
    ],
)
def test_a_link_without_a_server_is_never_taken_for_an_address(link: str) -> None:
    """Ours."""
    reading = import_text(link)
    assert isinstance(reading, NotRecognized)
    assert "contains no server" in reading.reason


def test_a_link_whose_configuration_is_broken_is_named_as_such() -> None:
    """Ours."""
    reading = import_text("https://vscode.dev/redirect/mcp/install?name=x&config=%7Bbroken")
    assert isinstance(reading, NotRecognized)
    assert "in this link" in reading.reason
