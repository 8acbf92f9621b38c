"""The three coercers of the source paper, as examples to copy or to use as they are, with the catalogue that they belong to (R32).

They are not on by themselves, because another host's `widget_create` is another tool. Use them all with `examples.register()`, or one:

    tamis.coercer("widget_create")(examples.widget_create)

Each shows one of the three things that only a coercer can know: what a flat shape is called when it is nested (`widget_create`), which
ids the names of an earlier result have (`workspace_create`), and what "the workspace" is (`workspace_apply`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tamis.core.coercion.crossturn import rows
from tamis.core.coercion.history import results
from tamis.core.coercion.registry import registry
from tamis.core.coercion.words import PROSE, letters, tokens

__all__ = ["CATALOG", "register", "widget_create", "workspace_apply", "workspace_create"]

_ID = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[a-z]{1,4}[0-9]+$"}]}
CATALOG: list[dict[str, Any]] = [
    {
        "name": "widget_create",
        "description": "Makes a widget from its spec; gives its id.",
        "parameters": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "spec": {
                    "type": "object",
                    "properties": {"kind": {"type": "string", "enum": ["markdown", "chart", "table", "metric"]}, "props": {"type": "object"}},
                    "required": ["kind"],
                    "additionalProperties": False,
                },
            },
            "required": ["name", "spec"],
            "additionalProperties": False,
        },
    },
    {
        "name": "workspace_create",
        "description": "Makes a workspace of widgets; gives its id.",
        "parameters": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "widget_ids": {"type": "array", "items": _ID}},
            "required": ["name", "widget_ids"],
            "additionalProperties": False,
        },
    },
    {
        "name": "workspace_apply",
        "description": "Shows a workspace.",
        "parameters": {"type": "object", "properties": {"workspace_id": _ID}, "required": ["workspace_id"], "additionalProperties": False},
    },
]
"""The tools that these coercers are for, as plain declarations."""

_KIND = ("kind", "type", "widget_type")
_NAMES = ("name", "title", "label")
_NAME_LENGTH = 40  # characters of prose that make a name: a line in a list
_RECENT = 12  # ids that stand for "the widgets" when none is named: what one screen shows


def widget_create(arguments: dict[str, Any], history: list[Any]) -> dict[str, Any]:
    """`{"type": "markdown", "text": "hello"}` -> `{"name": "hello", "spec": {"kind": "markdown", "props": {"text": "hello"}}}`.

    A spec that is there is kept, and a name that is there too; a missing name comes from the first prose field, else from the kind.
    """
    rest = dict(arguments)
    name = next((rest.pop(key) for key in _NAMES if isinstance(rest.get(key), str) and rest[key].strip()), None)
    if isinstance(rest.get("spec"), dict):
        spec = rest.pop("spec")
    else:
        kind = next((rest.pop(key) for key in _KIND if isinstance(rest.get(key), str)), None)
        props = rest.pop("props", None)
        props = {**props, **rest} if isinstance(props, dict) else rest
        if kind is None:
            return arguments  # nothing says what the widget is
        spec, rest = {"kind": kind.casefold(), **({"props": props} if props else {})}, {}
    return {"name": name or _name_of(spec), "spec": spec, **rest}


def _name_of(spec: dict[str, Any]) -> str:
    props = spec.get("props")
    prose = [text for key, text in props.items() if letters(key) in PROSE and isinstance(text, str)] if isinstance(props, dict) else []
    lines = [line.strip(" #*-\t") for text in prose for line in text.splitlines()]
    first = next((line for line in lines if line), "")
    return first[:_NAME_LENGTH].strip() or f"{spec.get('kind', 'widget')} widget"


def workspace_create(arguments: dict[str, Any], history: list[Any]) -> dict[str, Any]:
    """`{"name": "Ops", "widgets": ["Churn"]}` -> `{"name": "Ops", "widget_ids": [22]}`, the ids by name from earlier results.

    Widgets that no result names leave the arguments as they are. Without any mention of widgets all recent ones are meant.
    """
    if "widget_ids" in arguments:
        said = arguments["widget_ids"]
        rest = {key: value for key, value in arguments.items() if key != "widget_ids"}
    else:
        said = arguments.get("widgets")
        rest = {key: value for key, value in arguments.items() if key != "widgets"}
    known = list(_known("widget", history))
    if said is None or said == [] or (isinstance(said, str) and said.strip().casefold() == "all"):
        ids = list(dict.fromkeys(number for number, _ in known))[:_RECENT][::-1]
        return {**rest, "widget_ids": ids} if ids else arguments
    found = [_id_of(item, known) for item in (said if isinstance(said, list) else [said])]
    return arguments if None in found else {**rest, "widget_ids": found}


def workspace_apply(arguments: dict[str, Any], history: list[Any]) -> dict[str, Any]:
    """`{"workspace": "Ops"}`, `{"workspace": {"id": 3}}` or `{}` -> `{"workspace_id": 3}`; nothing said means the newest workspace."""
    known = list(_known("workspace", history))
    said = next((arguments[key] for key in ("workspace_id", "workspace", *_NAMES, "id") if arguments.get(key) is not None), None)
    found = (known[0][0] if known else None) if said is None and not any(arguments.values()) else _id_of(said, known)
    return arguments if found is None else {"workspace_id": found}


def _known(thing: str, history: list[Any]) -> Iterator[tuple[Any, str]]:
    """(id, name) of everything of a kind in earlier results, newest result first."""
    for result in reversed(results(history)):
        for named, row in rows(result.value):
            if thing in tokens(named) or f"{thing}s" in tokens(named) or (not named and thing in tokens(result.tool)):
                number = row.get(f"{thing}_id", row.get("id"))
                if isinstance(number, str | int) and not isinstance(number, bool):
                    yield number, next((row[key] for key in _NAMES if isinstance(row.get(key), str)), "")


def _id_of(said: Any, known: list[tuple[Any, str]]) -> Any:
    """The id that somebody means by an id, a name or an object that has either; None when no earlier result knows it."""
    if isinstance(said, dict):
        said = next((said[key] for key in ("id", *_NAMES) if key in said), None)
    ids = {str(number): number for number, _ in reversed(known)}
    if isinstance(said, str | int) and str(said) in ids:
        return ids[str(said)]
    same = [number for number, name in known if isinstance(said, str) and name.strip().casefold() == said.strip().casefold() != ""]
    return same[0] if same and all(number == same[0] for number in same) else None


def register() -> None:
    """Use all three. Raises `UsageError` when a tool of these names has another coercer."""
    for function in (widget_create, workspace_create, workspace_apply):
        registry.add(function.__name__, function)
