"""What holds for every name and every catalogue: one answer, whatever the order; a declared name is itself; exact names build nothing."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tamis
from helpers import ROOT
from tamis.core.catalog import Catalog
from tamis.core.policy import Policy
from tamis.core.resolver import verbs, words
from tamis.core.resolver.lexicon import LOOSE, STRICT, opposed, root
from tamis.core.resolver.strategy import resolve

STRATEGIES = ("cascade", "four_signal", "exact")
CORPORA = ROOT / "tests" / "corpora"

_WORDS = ("get", "list", "create", "delete", "update", "file", "files", "folder", "user", "order", "all", "not", "status", "to", "from", "of", "2",
          "v1", "serch", "xq")  # fmt: skip
_word = st.sampled_from(_WORDS)
_names = st.lists(_word, min_size=1, max_size=4).map("_".join)
_catalogs = st.lists(_names, min_size=1, max_size=12, unique=True)
_arguments = st.none() | st.dictionaries(st.sampled_from(["path", "name", "id", "arguments", "x"]), st.sampled_from(["a", "folder", ""]), max_size=3)


def declared(names: list[str]) -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": {"path": {"type": "string"}, "kind": {"enum": ["folder", "file"]}}, "required": ["path"]}
    return [{"name": name, "parameters": schema} for name in names]


@cache
def lines(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines())


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(names=_catalogs, emitted=_names | st.text(max_size=30), arguments=_arguments, seed=st.integers())
def test_one_answer_whatever_the_order(strategy: str, names: list[str], emitted: str, arguments: dict[str, Any] | None, seed: int) -> None:
    policy = Policy(resolver=strategy)
    found = resolve(emitted, arguments, Catalog.of(declared(names)), policy)
    assert found.name is None or (found.name in names and not found.candidates), "one tool, or several, never both"
    assert set(found.candidates) <= set(names)
    shuffled = random.Random(seed).sample(names, len(names))
    assert resolve(emitted, arguments, Catalog.of(declared(shuffled)), policy) == found
    assert resolve(emitted, arguments, Catalog.of(declared(names)), policy) == found


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=60, deadline=None)
@given(names=_catalogs, arguments=_arguments)
def test_a_declared_name_is_itself(strategy: str, names: list[str], arguments: dict[str, Any] | None) -> None:
    catalog = Catalog.of(declared(names))
    for name in names:
        assert resolve(name, arguments, catalog, Policy(resolver=strategy)).name == name
    assert catalog._index is None, "an exact name costs a look-up, no index"


def test_every_declared_name_of_the_corpus_is_itself() -> None:
    for line in lines("catalogs"):
        catalog = Catalog.of(line["tools"], line["server_aliases"])
        for tool in line["tools"]:
            for strategy in STRATEGIES:
                assert resolve(tool["name"], {}, catalog, Policy(resolver=strategy)).rule == "exact"


def test_the_arguments_never_make_a_certain_name_another_one() -> None:
    # what arguments may do is refuse; a tool that they choose would be a guess upon a guess
    for row in lines("names")[::7]:
        catalog = Catalog.of(_tools(row))
        sure = resolve(row["emitted"], None, catalog, Policy())
        told = resolve(row["emitted"], row["args"], catalog, Policy())
        if sure.name is not None and told.name is not None:
            assert told.name == sure.name


@cache
def _by_catalog() -> dict[str, list[dict[str, Any]]]:
    return {line["catalog"]: line["tools"] for line in lines("catalogs")}


def _tools(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [tool for tool in _by_catalog()[row["catalog"]] if tool["name"] not in row.get("remove", ())]


def test_foreign_names_reach_a_tool_in_one_of_a_thousand() -> None:
    # every tool's name and arguments against the catalogues of all others; what is dispatched is nearly always the same thing by another server
    catalogs = {name: Catalog.of(tools) for name, tools in _by_catalog().items()}
    pairs = reached = 0
    for home, tools in _by_catalog().items():
        for tool in tools[::3]:
            arguments = dict.fromkeys(tool["parameters"].get("required", ()), "x")
            for other, catalog in catalogs.items():
                if other != home and catalog.get(tool["name"]) is None:
                    pairs += 1
                    reached += resolve(tool["name"], arguments, catalog, Policy()).name is not None
    assert pairs > 5000
    assert reached <= pairs / 500


def test_every_cut_gives_the_same() -> None:
    tools = declared(["list_files", "get_user_order", "delete_folder"])
    calls = ({"name": "lits_files", "arguments": {"path": "a"}}, {"name": "user_order", "arguments": {}})
    text = "x " + " ".join(f"<tool_call>{json.dumps(call)}</tool_call>" for call in calls)
    whole = tamis.parse(text, tools)
    assert [call.name for call in whole.calls] == ["list_files"]
    for at in range(1, len(text)):
        session = tamis.Session(tools)
        turn = tamis.collect(session.receive(text[:at]) + session.receive(text[at:]) + session.finish("stop"))
        assert (turn.calls, turn.rejections) == (whole.calls, whole.rejections)


@settings(max_examples=100, deadline=None)
@given(emitted=st.text(st.sampled_from("aeglst_.:/-()`2 "), max_size=128), arguments=_arguments)
def test_no_name_makes_it_fail(emitted: str, arguments: dict[str, Any] | None) -> None:
    found = resolve(emitted, arguments, Catalog.of(declared(["get_tags", "list_tags", "get_all_tags"]), ("tags", "")), Policy())
    assert found.name in {"get_tags", "list_tags", "get_all_tags", None}


# -- the words


def test_words_that_mean_the_same_are_no_opposites() -> None:
    for table in (STRICT, LOOSE):
        by_group: dict[int, list[str]] = {}
        for word, groups in table.items():
            for group in groups:
                by_group.setdefault(group, []).append(word)
        assert [(one, other) for group in by_group.values() for one in group for other in group if one < other and opposed(one, other)] == []


def test_opposites_are_two() -> None:
    assert [pair for pair in words.OPPOSITES if root(pair[0]) == root(pair[1])] == []
    assert opposed("create", "delete")
    assert opposed("mute", "unmute")
    assert not opposed("get", "fetch")


def test_what_may_be_left_out_only_looks() -> None:
    assert [word for word in verbs.QUIET if word in verbs.DESTRUCTIVE] == []
    assert words.SCOPE & words.FILLER == words.NEGATING & words.FILLER == frozenset()
