"""One object against its schema: whose key a key is, then the values, then what may be left out or filled in."""

from __future__ import annotations

from typing import Any

from tamis.core.coercion import optin_keys
from tamis.core.coercion.convert import fit, is_nothing, trial
from tamis.core.coercion.run import Run
from tamis.core.coercion.shape import Shape
from tamis.core.coercion.words import COMMENTARY, PAIRS, ROLES, SELF, WRAPPERS, letters, related, tokens
from tamis.core.jsontext import equal

__all__ = ["droppable", "is_comment", "mend", "respell", "undeclared"]

_ROUNDS = 3  # times the key rules are tried: one that moves a key away may make the next one's case, and two such steps are the most seen
_SLIPS = 32  # undeclared keys that the key rules look at: more are no slip, and each costs a look at every declared key


def is_comment(key: str) -> bool:
    """Whether a key only comments on the call."""
    return key.casefold() in COMMENTARY


def is_empty(value: Any) -> bool:
    """Whether a value says nothing; zero and false say something."""
    return value is None or (isinstance(value, str | list | dict) and not value)


def droppable(key: str, value: Any) -> bool:
    """Whether an undeclared key may go from a closed object: it says nothing, or only why (P93)."""
    return is_empty(value) or is_comment(key)


def undeclared(shape: Shape, value: dict[str, Any]) -> list[str]:
    """The keys of an object that its schema does not declare."""
    return [key for key in value if key not in shape.properties]


def mend(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """The object as its schema may want it; the same object when nothing had to change. Whether it fits now, the caller asks."""
    work = respell(shape, optin_keys.schema_echo(shape, value, path, run), path, run)
    for _ in range(_ROUNDS):
        before = work
        if len(undeclared(shape, work)) > _SLIPS:
            break
        for rule in (_key_by_word, _nest, _unnest, _flatten):
            work = rule(shape, work, path, run)
        if work is before:
            break
        work = respell(shape, work, path, run)
    work = optin_keys.apply(shape, work, path, run)
    work = _values(shape, work, path, run)
    return _leftovers(shape, _filled(shape, work, path, run), path, run)


# -- keys


def respell(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """Undeclared keys that have the letters of exactly one declared key. An unequal double is a conflict: nobody knows which was meant."""
    if shape.is_map:
        return value
    renamed: dict[str, str] = {}
    double: set[str] = set()
    held = {key: value[key] for key in value if key in shape.properties}
    for key in undeclared(shape, value):
        declared = shape.spellings.get(letters(key))
        if declared is None:
            continue
        if declared not in held:
            held[declared] = value[key]
            renamed[key] = declared
            run.note("key_spelling", f"{path}.{declared}", key, declared)
        elif equal(held[declared], value[key]) or is_empty(value[key]):
            double.add(key)
            run.note("duplicate_key", f"{path}.{declared}", key, None)
        else:
            run.conflict = run.conflict or f"{path}.{declared}"
    return {renamed.get(key, key): item for key, item in value.items() if key not in double} if renamed or double else value


def _key_by_word(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """One undeclared key and one missing required key that are words for one thing, and no other key that could be meant."""
    extra = [key for key in undeclared(shape, value) if not droppable(key, value[key])]
    missing = [key for key in shape.required if key not in value]
    if len(extra) != 1 or len(missing) != 1 or shape.is_map:
        return value
    (said,), (meant,) = extra, missing
    rivals = [key for key in shape.properties if key not in value and key != meant and related(said, key, run.tool)]
    fits, _, _ = trial(shape.properties[meant], value[said], f"{path}.{meant}", run)
    if rivals or not fits or _is_side(shape, meant) or _many_end_so(shape, said, meant) or not related(said, meant, run.tool):
        run.nearly("key_by_word", path)
        return value
    run.note("key_by_word", f"{path}.{meant}", said, meant)
    return {meant if key == said else key: item for key, item in value.items()}


def _is_side(shape: Shape, key: str) -> bool:
    """Whether a key is one side of a pair that is declared as a whole: old and new, from and to."""
    words = tokens(key)
    declared = {tokens(other) for other in shape.properties}
    for pair in PAIRS:
        for one, other in (pair, pair[::-1]):
            if one in words and tuple(other if word == one else word for word in words) in declared:
                return True
    return False


def _many_end_so(shape: Shape, said: str, meant: str) -> bool:
    """Whether a key is only the end of several declared ones: the `name` of a tool with `file_name` and `folder_name`. An id is the tool's own."""
    end = tokens(said)
    if end[-1:] == ("id",) or len(tokens(meant)) <= len(end):
        return False
    return sum(tokens(key)[-len(end) :] == end for key in shape.properties) > 1


def _nest(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """Undeclared keys that exactly one declared object declares."""
    out = value
    for key in undeclared(shape, value):
        homes = [name for name, part in shape.properties.items() if part.only.takes("object") and letters(key) in part.only.spellings]
        if len(homes) != 1 or shape.is_map:
            continue
        (home,) = homes
        inner = shape.properties[home].only.spellings[letters(key)]
        held = out.get(home, {})
        if not isinstance(held, dict) or (inner in held and not equal(held[inner], out[key])):
            run.nearly("nest", f"{path}.{home}")
            continue
        moved = {**held, inner: out[key]}
        out = {**{name: item for name, item in out.items() if name != key}, home: moved}
        run.note("nest", f"{path}.{home}.{inner}", key, inner)
    return out


def _unnest(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """A required key that stands one level too deep, in an object that may not hold it."""
    out = value
    for key in shape.required:
        if key in out:
            continue
        found = [
            (home, inner)
            for home, part in shape.properties.items()
            if isinstance(held := out.get(home), dict) and part.only.properties and part.valid(held) is False
            for inner in undeclared(part.only, held)
            if letters(inner) == letters(key)
        ]
        if len(found) == 1:
            ((home, inner),) = found
            rest = {name: item for name, item in out[home].items() if name != inner}
            run.note("unnest", f"{path}.{key}", inner, key)
            out = {**out, home: rest, key: out[home][inner]}
    return out


def _flatten(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """The one undeclared object, where all its keys are declared here; not one whose name says that it restricts the call."""
    extra = [key for key in undeclared(shape, value) if not droppable(key, value[key])]
    if len(extra) != 1 or shape.is_map:
        return value
    (key,) = extra
    held = value[key]
    if not isinstance(held, dict) or not held or any(word in ROLES for word in tokens(key)):
        return value
    if letters(key) in WRAPPERS and any(letters(other) in SELF for other in value):
        return value  # a name beside it may be another tool's: then these are that tool's arguments
    targets = [shape.spellings.get(letters(inner)) for inner in held]
    if None in targets or len(set(targets)) != len(targets) or any(target in value for target in targets):
        run.nearly("flatten", path)
        return value
    run.note("flatten", f"{path}.{key}")
    rest = {name: item for name, item in value.items() if name != key}
    return rest | {str(target): item for target, item in zip(targets, held.values(), strict=True)}


# -- values and what is left


def _values(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    out = dict(value)
    for key, item in value.items():
        part = shape.properties.get(key)
        if part is None or part.valid(item) is not False:
            continue
        if is_nothing(item) and not (item == "null" and part.takes("null")) and (item is None or not part.takes("string")):
            if key not in shape.required or part.only_value is not None:
                del out[key]
                if key not in shape.required:
                    run.note("null_dropped", f"{path}.{key}", item, None)
                continue
            run.nearly("null_dropped", f"{path}.{key}")
        out[key] = fit(part, item, f"{path}.{key}", run)
    return out if len(out) != len(value) or any(out[key] is not value[key] for key in out) else value


def _filled(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """Required keys whose value the schema leaves no choice about: a const, the one member of an enum, the default (P92)."""
    out = value
    for key in shape.required:
        part = shape.properties[key]
        if key not in out and part.only_value is not None and part.valid(part.only_value[0]) is not False:
            out = {**out, key: part.only_value[0]}
            run.note("only_value", f"{path}.{key}", None, part.only_value[0])
    return out


def _leftovers(shape: Shape, value: dict[str, Any], path: str, run: Run) -> dict[str, Any]:
    """Undeclared keys in a closed object: empties and commentary go, all others stay and refuse the call."""
    if not shape.closed or shape.is_map:
        return value
    gone = [key for key in undeclared(shape, value) if droppable(key, value[key])]
    if len(gone) < len(undeclared(shape, value)):
        run.nearly("dropped_key", path)
    if not gone:
        return value
    for key in gone:
        run.note("dropped_key", f"{path}.{key}", value[key], None)
    return {key: item for key, item in value.items() if key in shape.properties or not droppable(key, item)}
