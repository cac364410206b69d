"""The web pages of the authorization endpoint. What a client sent is escaped; nothing on them runs or loads."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FRAME = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>body {{ font: 1rem/1.5 sans-serif; max-width: 32rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere }}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""

CONSENT = """\
<p><strong>{client}</strong> asks for access to <code>{resource}</code>.</p>
<p>The answer goes to <code>{redirect_uri}</code>.</p>
<form method="post" action="{action}">
<input type="hidden" name="request" value="{request}">
<p><label>User name <input name="login" value="demo-user" autocomplete="username" required></label></p>
<fieldset><legend>Scopes</legend>
{scopes}
</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>"""

SCOPE = '<label><input type="checkbox" name="scope" value="{scope}" checked> {scope}</label><br>'

APP_PAGE = FRAME.format(title="Demo", body='<div id="app">This application needs JavaScript.</div>')
"""What a single-page application answers to every path it does not know."""


def consent_page(
    *,
    client: str,
    resource: str,
    redirect_uri: str,
    action: str,
    request: str,
    scopes: Sequence[str],
) -> str:
    """Ask the user."""
    body = CONSENT.format(
        client=escape(client),
        resource=escape(resource),
        redirect_uri=escape(redirect_uri),
        action=escape(action),
        request=escape(request),
        scopes="\n".join(SCOPE.format(scope=escape(scope)) for scope in scopes),
    )
    return FRAME.format(title="Demo server: log in and allow", body=body)


def error_page(error: str, description: str) -> str:
    """Tell the user what is wrong with a request that must not be answered by redirect."""
    body = f"<p><code>{escape(error)}</code>: {escape(description)}</p>"
    return FRAME.format(title="The request cannot be answered", body=body)
