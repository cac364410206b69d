"""Audio blocks: facts that are known without playing, bytes, and *Save as…*. Nothing is played."""

from __future__ import annotations

import io
import wave
from typing import TYPE_CHECKING

from inspector.spec.media_types import mismatch
from ui.render.image import bytes_view
from ui.render.payload import decode
from ui.render.rendering import Host, Malformed, Rendering, Saveable, View, text_of
from ui.render.text import text_views
from ui.widgets import units
from ui.widgets.key_values import KeyValue, KeyValues

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.wire.json_codec import JsonObject
    from ui.render.payload import Payload


def render_audio(content: JsonObject, host: Host) -> Rendering:
    """An `audio` block."""
    data = content.get("data")
    if not isinstance(data, str):
        raise Malformed("audio block without data")
    mime = text_of(content, "mimeType")
    payload = decode(data)
    raw = payload.raw
    facts_view = View("facts", "Info", lambda: _facts_widget(payload, mime, host))
    views = text_views(data, host) if payload.unreadable else (facts_view, bytes_view(raw, host))
    return Rendering(
        icon="mdi6.volume-high",
        kind="audio",
        facts=(mime or payload.found, units.size(len(raw)), play_time(raw)),
        notes=(
            *(() if mime else ("media type missing",)),
            *payload.notes,
            *_mismatch(payload, mime),
        ),
        views=views,
        save=None if payload.unreadable else Saveable(lambda: raw, "", payload.found or mime),
    )


def _mismatch(payload: Payload, mime: str) -> tuple[str, ...]:
    found = mismatch(mime, payload.raw)
    return (f"declared {mime}, content is {found}",) if found else ()


def _facts_widget(payload: Payload, mime: str, host: Host) -> QWidget:
    facts = [
        KeyValue("declared type", mime or "none"),
        KeyValue("detected type", payload.found or "unknown"),
        KeyValue("size", units.size_exact(len(payload.raw)), mono=False),
    ]
    facts += [KeyValue(name, value, mono=False) for name, value in wave_facts(payload.raw).items()]
    table = KeyValues(theme=host.theme, name="audio_facts")
    table.set_facts(facts)
    pad = host.theme.PADDING_PX
    table.setContentsMargins(pad, host.theme.SPACING_PX, pad, pad)
    return table


def play_time(raw: bytes) -> str:
    """How long a WAV file plays; nothing for other formats."""
    return wave_facts(raw).get("plays", "")


def wave_facts(raw: bytes) -> dict[str, str]:
    """What the header of a WAV file says; nothing for other formats and damaged files."""
    try:
        with wave.open(io.BytesIO(raw)) as file:
            rate, frames = file.getframerate(), file.getnframes()
            channels, bits = file.getnchannels(), 8 * file.getsampwidth()
    except (wave.Error, EOFError):
        return {}
    plays = units.duration(frames / rate) if rate else "unknown"
    return {
        "plays": plays,
        "channels": str(channels),
        "rate": f"{rate:,} Hz",
        "sample": f"{bits} bits",
    }
