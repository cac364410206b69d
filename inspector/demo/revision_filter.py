"""Leaves out what the agreed revision does not know.

Everything is written down as the newest revision has it; here it is fitted to the one in force. No other module asks
which revision a field belongs to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

    Fact = Callable[[Revision], bool]

ENTRY_FIELDS: Mapping[str, Fact] = {
    "title": lambda revision: revision.has_titles,
    "icons": lambda revision: revision.has_icons,
    "_meta": lambda revision: revision.defines_meta_keys,
}
"""Of resources, templates, prompts and the arguments of prompts."""

TOOL_FIELDS: Mapping[str, Fact] = {
    **ENTRY_FIELDS,
    "annotations": lambda revision: revision.has_tool_annotations,
    "outputSchema": lambda revision: revision.has_structured_content,
    "execution": lambda revision: revision.has_tasks,
}

PERSONAL_FIELDS: Mapping[str, Fact] = {
    "title": lambda revision: revision.has_titles,
    "description": lambda revision: revision.has_icons,
    "icons": lambda revision: revision.has_icons,
    "websiteUrl": lambda revision: revision.has_icons,
}
"""Of `serverInfo`: what came with icons is `description` and `websiteUrl`."""

ANNOTATION_FIELDS: Mapping[str, Fact] = {"lastModified": lambda revision: revision.has_titles}

BLOCKS: Mapping[str, Fact] = {
    "audio": lambda revision: revision.has_audio,
    "resource_link": lambda revision: revision.has_resource_links,
}
"""Content types that were not there from the beginning."""


def fitted(entry: JsonObject, fields: Mapping[str, Fact], revision: Revision) -> JsonObject:
    """`entry` without the fields that `revision` does not know, its annotations included."""
    kept = {name: value for name, value in entry.items() if _is_known(name, fields, revision)}
    annotations = kept.get("annotations")
    if isinstance(annotations, dict):
        kept["annotations"] = {
            name: value
            for name, value in annotations.items()
            if _is_known(name, ANNOTATION_FIELDS, revision)
        }
    return kept


def fitted_block(block: Json, revision: Revision) -> Json:
    """One content block; a type unknown to `revision` becomes a text that says so."""
    if not isinstance(block, dict):
        return block
    kind = block.get("type")
    if isinstance(kind, str) and not _is_known(kind, BLOCKS, revision):
        return {"type": "text", "text": f"(Content type {kind} was added in a later revision.)"}
    own = ENTRY_FIELDS if kind == "resource_link" else {"_meta": ENTRY_FIELDS["_meta"]}
    return fitted(block, own, revision)


def fitted_result(result: JsonObject, revision: Revision) -> JsonObject:
    """The result of a tool or, with `messages`, of a prompt."""
    kept = dict(result)
    if not revision.has_structured_content:
        kept.pop("structuredContent", None)
    content = kept.get("content")
    if isinstance(content, list):
        kept["content"] = [fitted_block(block, revision) for block in content]
    messages = kept.get("messages")
    if isinstance(messages, list):
        kept["messages"] = [_fitted_message(message, revision) for message in messages]
    return kept


def _fitted_message(message: Json, revision: Revision) -> Json:
    if not isinstance(message, dict):
        return message
    return {**message, "content": fitted_block(message.get("content"), revision)}


def _is_known(name: str, fields: Mapping[str, Fact], revision: Revision) -> bool:
    fact = fields.get(name)
    return fact is None or fact(revision)
