"""Changes of a value that a tool's policy may name, because they change the meaning somewhere: `policy.coercion_rules`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import DamerauLevenshtein

from tamis.core.coercion.crossturn import id_of
from tamis.core.coercion.run import Run
from tamis.core.coercion.shape import Shape
from tamis.core.coercion.words import PROSE, letters

__all__ = ["candidates"]

_LOOSE = {"yes": True, "no": False, "on": True, "off": False, "1": True, "0": False, "y": True, "n": False}
_PARTS = re.compile(r"\n|[,;]")
_ONE_TYPO, _TWO_TYPOS = 4, 9  # letters from which a word may have one or two typos and still be one word
_COMPARED = 64  # letters of a word that are compared: an enum's members are words, not texts


def candidates(shape: Shape, value: Any, path: str, run: Run) -> Iterator[tuple[str, Any]]:
    """What the optional rules that are on would make of a value; a rule that is off is noted as one that nearly fired."""
    for name, candidate in _all(shape, value, path, run):
        if run.on(name, path):
            yield name, candidate
        elif shape.valid(candidate) is True:
            run.would(name, path)


def _all(shape: Shape, value: Any, path: str, run: Run) -> Iterator[tuple[str, Any]]:
    if shape.takes("boolean") and isinstance(value, str | int) and not isinstance(value, bool):
        word = str(value).strip().casefold()
        if word in _LOOSE:
            yield "loose_bool", _LOOSE[word]
    if shape.takes("string") and isinstance(value, float):
        yield "float_to_string", repr(value)
    if isinstance(value, str) and shape.members is not None:
        near = _nearest(value, shape)
        if near is not None:
            yield "enum_near_miss", near
    if shape.takes("array") and isinstance(value, str) and value.strip()[:1] not in ("[", "{"):
        parts = [part.strip() for part in _PARTS.split(value)]
        if len(parts) > 1 and all(parts):
            yield "split_strings", parts
    if shape.takes("string") and isinstance(value, dict | list) and value:
        lines = isinstance(value, list) and all(isinstance(item, str) for item in value)
        yield "to_text", "\n".join(value) if lines else json.dumps(value, ensure_ascii=False)
    if shape.takes("object") and isinstance(value, str):
        prose = [key for key in shape.properties if letters(key) in PROSE]
        if len(prose) == 1:
            yield "guessed_nesting", {prose[0]: value}
    if isinstance(value, str) and shape.takes("integer") and run.history:
        found = id_of(value, path.rpartition(".")[2], run.history)
        if found is not None:
            yield "name_to_id", found


def _nearest(value: str, shape: Shape) -> Any:
    """The one member of an enum that a misspelt word can mean."""
    word = letters(value[:_COMPARED])
    allowed = 2 if len(word) >= _TWO_TYPOS else 1 if len(word) >= _ONE_TYPO else 0
    near = [
        member
        for member in shape.members or ()
        if isinstance(member, str) and allowed and DamerauLevenshtein.distance(word, letters(member[:_COMPARED]), score_cutoff=allowed) <= allowed
    ]
    return near[0] if len(near) == 1 else None
