"""Every combination of annotations, told truthfully about a notebook in memory.

Destructive and idempotent mean nothing on a tool that only reads, so two combinations read and eight write. What
is said to reach the outside world only pretends to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import notebook
from inspector.demo.content import result, structured, text
from inspector.demo.request_errors import ToolError
from inspector.demo.schema import NO_ARGUMENTS, array, record, string, whole
from inspector.demo.tool import Tool, reads, writes

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.demo.notebook import Note
    from inspector.wire.json_codec import JsonObject

NUMBER = whole("Number of the note", minimum=1)

NOTE = record(
    {
        "number": whole("Its number"),
        "text": string("What it says"),
        "tags": array("What it is filed under", {"type": "string"}),
    },
    "number",
    "text",
)


def _read(call: Call) -> JsonObject:
    return structured(call.conversation.notebook.entries())


def _search(call: Call) -> JsonObject:
    message = call.arguments.text("words")
    return result(text(f"The web (which was not asked) knows 3 pages about “{message}”."))


def _add(call: Call) -> JsonObject:
    note = call.conversation.notebook.add(call.arguments.text("text"))
    return _changed(call, f"Note {note.number} added.")


def _tag(call: Call) -> JsonObject:
    note, tag = _note(call), call.arguments.text("tag")
    note.tags.add(tag)
    return _changed(call, f"Note {note.number} is tagged “{tag}”.")


def _tear_out(call: Call) -> JsonObject:
    note = call.conversation.notebook.pop()
    if note is None:
        raise ToolError("The notebook is empty.")
    return _changed(call, f"Note {note.number} is gone: “{note.text}”")


def _rewrite(call: Call) -> JsonObject:
    note = _note(call)
    note.text = call.arguments.text("text")
    return _changed(call, f"Note {note.number} rewritten.")


def _mail(call: Call) -> JsonObject:
    note, recipient = _note(call), call.arguments.text("to")
    return result(text(f"Note {note.number} would have been mailed to {recipient} once more."))


def _share(call: Call) -> JsonObject:
    note = _note(call)
    note.tags.add("shared")
    return _changed(call, f"Note {note.number} would now be visible to everybody.")


def _send_away(call: Call) -> JsonObject:
    note = call.conversation.notebook.pop()
    if note is None:
        raise ToolError("The notebook is empty.")
    return _changed(call, f"Note {note.number} would have been sent away, and is gone here.")


def _publish(call: Call) -> JsonObject:
    notes = call.conversation.notebook.entries()["notes"]
    count = len(notes) if isinstance(notes, list) else 0
    return result(text(f"{count} notes would have replaced what the website showed."))


def _note(call: Call) -> Note:
    number = call.arguments.whole("number")
    note = call.conversation.notebook.note(number)
    if note is None:
        raise ToolError(f"There is no note {number}.")
    return note


def _changed(call: Call, message: str) -> JsonObject:
    was_notified = call.conversation.touch(notebook.URI)
    return result(text(f"{message} {'Subscribers were told.' if was_notified else ''}".rstrip()))


TOOLS = (
    Tool(
        "notes_read",
        "Notes: read",
        "Returns the whole notebook. Only reads.",
        _read,
        NO_ARGUMENTS,
        record({"notes": array("Oldest first", NOTE)}, "notes"),
        hints=reads(),
    ),
    Tool(
        "notes_search_web",
        "Notes: search the web",
        "Pretends to search the web for a subject. Only reads, but from the open world.",
        _search,
        record({"words": string("What to search for")}, "words"),
        hints=reads(open_world=True),
    ),
    Tool(
        "notes_add",
        "Notes: add",
        "Adds a note. Destroys nothing; twice adds two.",
        _add,
        record({"text": string("What it says", minLength=1)}, "text"),
        hints=writes(),
    ),
    Tool(
        "notes_tag",
        "Notes: tag",
        "Adds a tag to a note. Destroys nothing; twice is the same as once.",
        _tag,
        record({"number": NUMBER, "tag": string("One word", pattern="^[^ ]+$")}, "number", "tag"),
        hints=writes(idempotent=True),
    ),
    Tool(
        "notes_tear_out",
        "Notes: tear out the newest",
        "Removes the newest note. Destructive; twice removes two.",
        _tear_out,
        NO_ARGUMENTS,
        hints=writes(destructive=True),
    ),
    Tool(
        "notes_rewrite",
        "Notes: rewrite",
        "Replaces the text of a note. Destructive; twice is the same as once.",
        _rewrite,
        record({"number": NUMBER, "text": string("The new text")}, "number", "text"),
        hints=writes(destructive=True, idempotent=True),
    ),
    Tool(
        "notes_mail",
        "Notes: mail",
        "Pretends to mail a note. Reaches the open world, destroys nothing; twice mails two.",
        _mail,
        record(
            {"number": NUMBER, "to": string("The recipient's address", format="email")},
            "number",
            "to",
        ),
        hints=writes(open_world=True),
    ),
    Tool(
        "notes_share",
        "Notes: share",
        "Pretends to show a note to everybody. Reaches the open world; twice is the same as once.",
        _share,
        record({"number": NUMBER}, "number"),
        hints=writes(idempotent=True, open_world=True),
    ),
    Tool(
        "notes_send_away",
        "Notes: send away the newest",
        "Pretends to send the newest note away and removes it. Open world, destructive; twice takes two.",
        _send_away,
        NO_ARGUMENTS,
        hints=writes(destructive=True, open_world=True),
    ),
    Tool(
        "notes_publish_all",
        "Notes: publish all",
        "Pretends to replace a website with all notes. Open world, destructive; twice is the same as once.",
        _publish,
        NO_ARGUMENTS,
        hints=writes(destructive=True, idempotent=True, open_world=True),
    ),
)
