"""The form of the saved list, checked by pydantic. Import it late: pydantic costs a tenth of a second.

The check finds entries that are broken; `entry.read_entry` then reads the sound ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

if TYPE_CHECKING:
    from inspector.wire.jsontext import JsonObject


class OwnPart(BaseModel):
    """What Spyglass keeps for itself in an entry."""

    model_config = ConfigDict(extra="allow")

    id: str = ""
    revision: str = ""
    timeoutSeconds: Annotated[float, Field(gt=0, lt=1e9)] = 60
    totalTimeoutSeconds: Annotated[float, Field(gt=0, lt=1e9)] = 600
    secrets: list[str] = []


class SavedServer(BaseModel):
    """One entry of the `mcpServers` map."""

    model_config = ConfigDict(extra="allow")

    type: str = ""
    command: str = ""
    args: list[str] = []
    env: dict[str, str] = {}
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = {}
    spyglass: OwnPart = OwnPart()


def problems(entry: JsonObject) -> list[str]:
    """Return what is wrong with a saved entry: the place and the reason of each fault."""
    try:
        SavedServer.model_validate(entry)
    except ValidationError as error:
        return [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return []
