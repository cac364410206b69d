"""Handles of a server's state in the text of a message: who holds one can act on what it stands for, so copies go without them.

Recognized by their names alone, as text of a message need not be JSON: `requestState`, and the ids of tasks, in the body and in the headers
that repeat it. Pure; never raises; what is cut off is hidden to its end.

Source: security best practices, "State Handle Hijacking".
"""

from __future__ import annotations

import re

from inspector.wire.secrecy import MASK

_DOTS = MASK.encode()

_MARKS = (b"requestState", b"taskId")
"""Without one of these there is nothing to look for."""

_TEXT = rb'"(?:[^"\\]|\\.)*+"?'
_HANDLE = re.compile(rb'("(?:requestState|taskId)"\s*+:\s*+)(' + _TEXT + rb")", re.DOTALL)
_LIST = re.compile(rb'("taskIds"\s*+:\s*+\[)((?:' + _TEXT + rb'|[^\]"])*+)', re.DOTALL)
_ITEM = re.compile(_TEXT, re.DOTALL)
_TASK_HEAD = re.compile(rb"^mcp-method:\s*tasks/", re.IGNORECASE | re.MULTILINE)
_NAME = re.compile(rb"^(mcp-name:[ \t]*)([^\r\n]+)", re.IGNORECASE | re.MULTILINE)


def mask_handles(raw: bytes) -> bytes:
    """The text of a message without the handles in it; everything else stays as it is."""
    if not any(mark in raw for mark in _MARKS):
        return raw
    raw = _HANDLE.sub(lambda found: found[1] + _hidden(found[2]), raw)
    return _LIST.sub(lambda found: found[1] + _ITEM.sub(_hide_item, found[2]), raw)


def mask_task_name(head: bytes) -> bytes:
    """The head of an HTTP request without the id of the task that it is about."""
    if not _TASK_HEAD.search(head):
        return head
    return _NAME.sub(rb"\1" + _DOTS, head)


def _hide_item(found: re.Match[bytes]) -> bytes:
    return _hidden(found[0])


def _hidden(text: bytes) -> bytes:
    """An empty text is no handle."""
    return text if text == b'""' else b'"' + _DOTS + b'"'
