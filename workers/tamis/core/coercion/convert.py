"""One value against its schema: the safe changes of a value's type, in their order. What is valid already is never looked at.

Each rule is a generator of candidates; the first candidate that satisfies the schema is taken, and without one the value stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from tamis.core.coercion import optin_values as optin
from tamis.core.coercion.run import Run
from tamis.core.coercion.shape import Shape
from tamis.core.coercion.words import letters
from tamis.core.jsonrepair import RepairFault, load_lenient
from tamis.core.jsontext import JSONFault, load_strict

__all__ = ["fit", "is_nothing", "trial"]

_INTEGER = re.compile(r"([+-]?(?:0|[1-9][0-9]*))(?:\.0+)?\Z")
_DECIMAL = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?\Z")
_INT64 = range(-(2**63), 2**63)  # a whole number beyond it is an identifier or a mistake: no reader agrees on it
_DIGITS = 400  # characters of a number's text: the longest finite double written out has 309 digits before the point
_BLANKS = " \t\r\n"
_DECODED = 2  # times that one text is decoded: encoders encode twice, never three times
_PYTHON = frozenset({"single_quotes", "python_literal", "trailing_comma"})
"""Repairs that make a Python literal into JSON."""
_NOTHING = frozenset({"", "null", "none"})
_PAIRS = ({"yes": True, "no": False}, {"on": True, "off": False}, {"true": True, "false": False})
_LISTED = re.compile(r"\s*[,;\n]\s*")
_SEVERAL = re.compile(r"[,;\n]")
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+\Z")  # 1,234 may be one number

Candidate = tuple[str, Any]
Rule = Callable[[Shape, Any, str, Run], Iterator[Candidate]]


def is_nothing(value: Any) -> bool:
    """Whether a value is null, or a word that models write for it."""
    return value is None or (isinstance(value, str) and value.strip().casefold() in _NOTHING)


def trial(shape: Shape, value: Any, path: str, run: Run) -> tuple[bool, Any, Run]:
    """(whether the value fits or can be made to fit, the value that does, the changes that it took)."""
    attempt = run.trial()
    fitted = fit(shape, value, path, attempt)
    return shape.valid(fitted) is True, fitted, attempt


def fit(shape: Shape, value: Any, path: str, run: Run) -> Any:
    """The value, changed where it does not satisfy its schema and one of the rules can make it."""
    try:
        return _fitted(shape, value, path, run) if run.enter() and shape.valid(value) is False else value
    finally:
        run.leave()


def _fitted(shape: Shape, value: Any, path: str, run: Run) -> Any:
    shape = shape.only
    for rule in RULES:
        for name, candidate in rule(shape, value, path, run):
            attempt = run.trial()
            fitted = candidate
            if name in _AGAIN and shape.valid(candidate) is False:
                fitted = fit(shape, candidate, path, attempt)
            if shape.valid(fitted) is True:
                run.note(name, path, value, candidate)
                run.take(attempt)
                return fitted
            run.nearly(name, path)
    return _inside(shape, value, path, run)


def _inside(shape: Shape, value: Any, path: str, run: Run) -> Any:
    """A container whose parts are made to fit; an alternative of a union only when it then fits as a whole."""
    found = _parts(shape, value, path, run)
    if found is not value:
        return found
    fitting: list[tuple[Any, Run]] = []
    for branch in shape.branches:
        attempt = run.trial()
        candidate = fit(branch, value, path, attempt)
        if candidate is not value and shape.valid(candidate) is True and all(candidate != other for other, _ in fitting):
            fitting.append((candidate, attempt))
    if len(fitting) == 1:
        run.take(fitting[0][1])
        return fitting[0][0]
    return value


def _parts(shape: Shape, value: Any, path: str, run: Run) -> Any:
    if isinstance(value, dict) and shape.takes("object") and shape.properties:
        from tamis.core.coercion.objects import mend  # objects hold values and values hold objects

        return mend(shape, value, path, run)
    if isinstance(value, list) and shape.takes("array") and shape.items is not None:
        items = [fit(shape.items, item, f"{path}[{at}]", run) for at, item in enumerate(value)]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


# -- the rules, in their order


def _text_to_json(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """A list or an object written as text, where no text is allowed (P83, P86); at most twice encoded."""
    if not isinstance(value, str) or shape.takes("string") or not (shape.takes("object") or shape.takes("array")):
        return
    text: Any = value
    for _ in range(_DECODED):
        text = _literal(text.strip())
        if not isinstance(text, str):
            yield "text_to_json", text
            return


def _literal(text: str) -> Any:
    """What a text holds as a whole, as JSON or as a plain Python literal; else the text itself."""
    if text[:1] not in ("{", "[", '"', "'"):
        return text
    try:
        return load_strict(text)[0]
    except JSONFault:
        try:
            value, repairs = load_lenient(text)
        except RepairFault:
            return text
        return value if all(item.rule in _PYTHON for item in repairs) else text


def _text_to_number(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """A plain number written as text; nothing is rounded, and no digit that a reader would drop may stand there."""
    if not isinstance(value, str) or shape.takes("string") or not (shape.takes("integer") or shape.takes("number")):
        return
    bare = value.strip(_BLANKS)
    whole = _INTEGER.match(bare) if len(bare) <= _DIGITS else None
    if whole is not None and int(whole[1]) in _INT64:
        yield "text_to_number", int(whole[1])
    elif shape.takes("number") and len(bare) <= _DIGITS and _DECIMAL.match(bare) is not None:
        number = float(bare)
        if _exact(bare, number):
            yield "text_to_number", number
            return
    if bare.casefold() not in _NOTHING:
        run.nearly("text_to_number", path)


def _exact(text: str, number: float) -> bool:
    """Whether a float says what the text says: neither infinite nor rounded."""
    try:
        return Decimal(text) == Decimal(repr(number))
    except InvalidOperation:
        return False


def _integral_float(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """1.0 where the schema's draft takes it for no integer."""
    if isinstance(value, float) and shape.takes("integer") and value.is_integer() and int(value) in _INT64:
        yield "integral_float", int(value)


def _integer_to_text(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """A whole number where a text is due; a fraction has lost its spelling already (1.10)."""
    if isinstance(value, int) and not isinstance(value, bool) and shape.takes("string"):
        yield "integer_to_text", str(value)


def _text_to_boolean(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    if isinstance(value, str) and shape.takes("boolean") and not shape.takes("string"):
        word = value.strip().casefold()
        if word in ("true", "false"):
            yield "text_to_boolean", word == "true"


def _boolean_to_word(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """A boolean for an enum that is exactly such a pair of words."""
    if isinstance(value, bool) and shape.members is not None and len(shape.members) == 2 and all(isinstance(item, str) for item in shape.members):
        for pair in _PAIRS:
            if {member.casefold() for member in shape.members} == pair.keys():
                yield "boolean_to_word", next(member for member in shape.members if pair[member.casefold()] is value)


def _null_word(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """The word null, where null is allowed and text is not (P82)."""
    if isinstance(value, str) and value.strip() == "null" and shape.takes("null") and not shape.takes("string"):
        yield "null_word", None


def _list_split(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """A text that lists numbers, members of an enum or words of a format; never plain words: a comma may be part of one."""
    if not isinstance(value, str) or not shape.takes("array") or shape.takes("string") or shape.items is None:
        return
    items, bare = shape.items.only, value.strip()
    if bare[:1] in ("[", "{") or _SEVERAL.search(bare) is None or _THOUSANDS.match(bare) is not None:
        return
    told = items.members is not None or items.format is not None or (items.kinds is not None and items.kinds <= {"integer", "number"})
    if told and items.valid(value, formats=True) is not True:
        parts = [fit(items, part, path, run.trial()) for part in _LISTED.split(bare)]
        if all(items.valid(part, formats=True) is True for part in parts):
            yield "list_split", parts


def _one_to_array(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """One element where an array is due. A text that may be a list itself is none."""
    if isinstance(value, list) or not shape.takes("array"):
        return
    if isinstance(value, str) and (is_nothing(value) or value.strip()[:1] in ("[", "{") or (_SEVERAL.search(value) and not _listed(shape, value))):
        return
    if value is not None:
        yield "one_to_array", [value]


def _listed(shape: Shape, value: str) -> bool:
    """Whether a text with a comma is one of the elements that the schema lists."""
    return shape.items is not None and shape.items.members is not None and shape.items.valid(value) is True


def _array_of_one(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    if isinstance(value, list) and not shape.takes("array") and shape.kinds is not None:
        if len(value) == 1:
            yield "array_of_one", value[0]
        else:
            run.nearly("array_of_one", path)


def _enum_spelling(shape: Shape, value: Any, path: str, run: Run) -> Iterator[Candidate]:
    """A member of the enum in other case or with other separators."""
    if isinstance(value, str) and shape.members is not None:
        same = [member for member in shape.members if isinstance(member, str) and letters(member) == letters(value) != ""]
        if len(same) == 1:
            yield "enum_spelling", same[0]
        else:
            run.nearly("enum_spelling", path)


RULES: tuple[Rule, ...] = (
    _text_to_json, _text_to_number, _integral_float, _integer_to_text, _text_to_boolean, _boolean_to_word, _null_word,
    _list_split, _one_to_array, _array_of_one, _enum_spelling, optin.candidates,
)  # fmt: skip
_AGAIN = frozenset({"text_to_json", "integer_to_text", "one_to_array", "array_of_one"})
"""Rules whose candidate may need another one: text that holds an array of texts, one text for an array of numbers."""
