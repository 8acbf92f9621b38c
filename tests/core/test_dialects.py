"""The registry: every dialect is declared, shown by cases, read by its own example, and allowed or denied by policy."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import readme_table
from helpers import CORPUS, ROOT
from tamis.core import Session, UsageError, collect, parse
from tamis.core.dialects import Dialect, load, openers
from tamis.core.marks import MARKS

TIDE = {"name": "get_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}}
FILES = sorted(Path(ROOT, "workers/tamis/core/dialects").glob("[a-z]*.py"))
NO_CALLS = {"prose", "hallucinated_results"}  # labels of cases that are no dialect


def test_every_dialect_has_cases_and_every_case_file_a_dialect() -> None:
    assert {path.stem for path in CORPUS.glob("*.jsonl")} - NO_CALLS == set(load())
    assert len(load()) == 67


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_dialect_is_data(path: Path) -> None:
    text = path.read_text("utf-8")
    loops = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For | ast.While | ast.AsyncFor)]
    assert loops == []
    assert 10 <= len(text.splitlines()) <= 62


@pytest.mark.parametrize("dialect", load().values(), ids=lambda item: item.name)
def test_its_example_is_one_call(dialect: Dialect) -> None:
    turn = parse(dialect.example, [TIDE])
    assert [(call.name, call.arguments, call.format) for call in turn.calls] == [("get_tide", {"port": "Brest"}, dialect.name)]
    assert (turn.content.strip(), turn.rejections) == ("", [])


@pytest.mark.parametrize("dialect", load().values(), ids=lambda item: item.name)
def test_its_example_inside_a_thought_that_goes_on_is_no_call(dialect: Dialect) -> None:
    turn = parse(f"<think>\n{dialect.example}\nor rather not.</think>Fine.", [TIDE])
    assert bool(turn.calls) is (dialect.name == "apertus_prefix")  # its family calls from inside its thought
    assert turn.content.strip() == "Fine."


@pytest.mark.parametrize("dialect", load().values(), ids=lambda item: item.name)
def test_its_example_as_documentation_is_no_call(dialect: Dialect) -> None:
    quoted = "\n".join(f"> {line}" for line in dialect.example.splitlines())
    turn = parse(f"The format looks like this:\n{quoted}\n\nNothing was called.", [TIDE])
    assert (turn.calls, turn.rejections) == ([], [])
    assert turn.content.split() == f"The format looks like this:\n{quoted}\n\nNothing was called.".split()


@pytest.mark.parametrize("dialect", load().values(), ids=lambda item: item.name)
def test_a_policy_that_denies_it_leaves_its_example_alone(dialect: Dialect) -> None:
    related = {"denies": [dialect.name, "sentinel_free"]}
    turn = parse(dialect.example, [TIDE], policy={"dialects": {"deny": related["denies"]}})
    assert [call.format for call in turn.calls if call.format == dialect.name] == []


def test_a_policy_may_allow_a_few() -> None:
    text = load()["xml_sentinel"].example + "\n" + load()["kimi_special"].example
    turn = parse(text, [TIDE], policy={"dialects": ["kimi_special"]})
    assert [call.format for call in turn.calls] == ["kimi_special"]
    assert "<tool_call>" in turn.content


def test_without_sentinel_free_dialects_json_is_an_answer() -> None:
    text = json.dumps({"name": "get_tide", "arguments": {"port": "Brest"}})
    assert len(parse(text, [TIDE]).calls) == 1
    for policy in ({"dialects": {"deny": ["sentinel_free"]}}, {"mode": "strict"}):
        turn = parse(text, [TIDE], policy=policy)
        assert (turn.calls, turn.content) == ([], text)


def test_strict_mode_refuses_what_needs_a_repair() -> None:
    exact = '<tool_call>{"name": "get_tide", "arguments": {"port": "Brest"}}</tool_call>'
    assert len(parse(exact, [TIDE], policy={"mode": "strict"}).calls) == 1
    for broken in (exact.replace('"', "'"), exact.replace("arguments", "args"), exact.replace("get_tide", "functions.get_tide")):
        assert len(parse(broken, [TIDE]).calls) == 1
        turn = parse(broken, [TIDE], policy={"mode": "strict"})
        assert (turn.calls, len(turn.rejections)) == ([], 1)


@pytest.mark.parametrize("rule", [["reakt"], {"allow": ["reakt"]}, {"only": []}, "react", 5])
def test_a_policy_of_no_dialect_is_refused(rule: object) -> None:
    with pytest.raises(UsageError, match="dialect"):
        Session([TIDE], policy={"dialects": rule})


def test_a_hint_breaks_a_tie_and_excludes_nothing() -> None:
    bare = '<function name="get_tide"></function>'
    assert parse(bare, format="minicpm5_xml").calls[0].format == "minicpm5_xml"
    for dialect in load().values():
        turn = parse(dialect.example, [TIDE], format="kimi_special")
        assert [call.format for call in turn.calls] == [dialect.name]
    with pytest.raises(UsageError, match="tamis dialects list"):
        Session(format="reakt")


def test_no_marker_belongs_to_a_thought_and_a_dialect() -> None:
    marks = {mark for mark, _, _ in MARKS}
    assert marks & set(openers()) == set()


def test_the_readme_has_the_table_of_the_registry() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert readme_table.with_table(text) == text, "run `make table`"


def test_two_dialects_in_one_turn_both_count() -> None:
    names = [item.name for item in load().values() if item.sentinel and item.closers]
    text = "\n".join(load()[name].example for name in names)
    turn = collect([*(session := Session([TIDE])).receive(text), *session.finish("stop")])
    assert [call.format for call in turn.calls] == names
