"""Small wrong changes of a module's source, one at a time: what a test suite worth its name notices."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

__all__ = ["Mutant", "mutants"]

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_BINARY: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: its line, the text of that line, what changed (with a number where a line has several alike), and the source with it."""

    line: int
    text: str
    what: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a module; line numbers are those of the module as it is."""
    count = sum(1 for _ in _places(ast.parse(source)))
    lines = source.split("\n")
    seen: Counter[tuple[int, str]] = Counter()
    for number in range(count):
        tree = ast.parse(source)
        node, change, what = next(place for at, place in enumerate(_places(tree)) if at == number)
        line = getattr(node, "lineno", 0)
        seen[line, what] += 1
        change()
        again = seen[line, what]
        yield Mutant(line, lines[line - 1].strip(), what if again == 1 else f"{what} ({again})", ast.unparse(ast.fix_missing_locations(tree)))


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, Callable[[], None], str]]:
    """Every place that can be changed, with the change as a callable and in words."""
    documents = {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}  # type: ignore[attr-defined]
    loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    notes = {id(part) for node in ast.walk(tree) for part in _annotations(node)}
    for node in ast.walk(tree):
        if id(node) in notes or (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Compare):
            for at, operator in enumerate(node.ops):
                swapped = _COMPARE[type(operator)]
                yield node, _setter(node.ops, at, swapped()), f"{type(operator).__name__} to {swapped.__name__}"
        elif isinstance(node, ast.BoolOp):
            other = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield node, _field(node, "op", other()), f"{type(node.op).__name__} to {other.__name__}"
        elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY and not _texts(node):
            other_op = _BINARY[type(node.op)]
            yield node, _field(node, "op", other_op()), f"{type(node.op).__name__} to {other_op.__name__}"
        elif isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.Constant):
            negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
            test = node.test.operand if negated else ast.UnaryOp(ast.Not(), node.test)  # type: ignore[attr-defined]
            yield node, _field(node, "test", test), "condition turned round"
        elif isinstance(node, ast.Return) and node.value is not None and not _plain(node.value):
            yield node, _field(node, "value", ast.Constant(None)), "returns None"
        elif isinstance(node, ast.Constant) and id(node) not in documents and id(node) not in loose:
            value = node.value
            if isinstance(value, bool):
                yield node, _field(node, "value", not value), f"{value} to {not value}"
            elif isinstance(value, int):
                yield node, _field(node, "value", value + 1), f"{value} to {value + 1}"


def _plain(value: ast.expr) -> bool:
    """A truth value or None: turning True round is a mutant of its own, and None says the same as False."""
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))


def _has_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """Everything inside type annotations: it means nothing at run time."""
    for field in ("annotation", "returns"):
        found = getattr(node, field, None)
        if found is not None:
            yield from ast.walk(found)


def _texts(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.Constant | ast.JoinedStr) and not isinstance(getattr(side, "value", ""), int) for side in (node.left, node.right))


def _field(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _setter(items: list[ast.cmpop], at: int, value: ast.cmpop) -> Callable[[], None]:
    return partial(items.__setitem__, at, value)
