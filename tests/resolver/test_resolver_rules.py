"""Single rules of the resolver: what is read as what, what is refused, and what the host has to say."""

from __future__ import annotations

from typing import Any

import pytest

import tamis
from tamis.core.catalog import Catalog
from tamis.core.policy import Policy
from tamis.core.resolver.cascade import is_destructive
from tamis.core.resolver.four_signal import best
from tamis.core.resolver.strategy import resolve
from tamis.core.resolver.tokens import singular, slip, split
from tamis.core.resolver.wrappers import bare, forms


def tool(name: str, *keys: str, required: int = 1, **more: Any) -> dict[str, Any]:
    """A declaration with text keys, the first `required` of them required."""
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in keys}, "required": list(keys[:required])}
    return {"name": name, "parameters": schema, **more}


HARBOUR = [
    tool("list_berths", "harbour"),
    tool("get_tide_table", "port"),
    tool("book_berth", "port", "nights", required=2),
    tool("delete_booking", "booking_id"),
    tool("convert_knot_to_kmh", "value"),
    tool("create_or_update_note", "title", "body", required=2),
    tool("turn_on", "lamp"),
    tool("turn_off", "lamp"),
    tool("read_u16", "address"),
]


def name(
    emitted: str, arguments: dict[str, Any] | None, tools: list[dict[str, Any]] = HARBOUR, namespaces: tuple[str, ...] = (), **policy: Any
) -> str | None:
    """What a name is read as: the tool, "ambiguous", or None."""
    found = resolve(emitted, arguments, Catalog.of(tools, namespaces), Policy.of(policy))
    return "ambiguous" if found.candidates else found.name


@pytest.mark.parametrize(
    ("emitted", "arguments", "tool", "rule"),
    [
        ("`list_berths`", {"harbour": "x"}, "list_berths", "name_spelling"),
        ("listBerths()", {"harbour": "x"}, "list_berths", "name_spelling"),
        ("list_berths_v2", {"harbour": "x"}, "list_berths", "name_version"),
        ("api/list_berths", {"harbour": "x"}, "list_berths", "name_prefix"),
        ("berth_list", {"harbour": "x"}, "list_berths", "name_number"),
        ("booking_delete", {"booking_id": "x"}, "delete_booking", "name_order"),
        ("please_list_berths", {"harbour": "x"}, "list_berths", "name_filler"),
        ("remove_booking", {"booking_id": "x"}, "delete_booking", "name_synonym"),
        ("list_bertsh", {"harbour": "x"}, "list_berths", "name_typo"),
        ("lits_berths", {"harbour": "x"}, "list_berths", "name_typo"),
        ("show_tide_table", {"port": "x"}, "get_tide_table", "name_loose_synonym"),
        ("get_tide", {"port": "x"}, "get_tide_table", "name_shortened"),
        ("get_tide_ta", {"port": "x"}, "get_tide_table", "name_cut"),
        ("list_harbour_berths", {"harbour": "x"}, "list_berths", "name_schema_word"),
    ],
)
def test_what_is_read(emitted: str, arguments: dict[str, Any], tool: str, rule: str) -> None:
    found = resolve(emitted, arguments, Catalog.of(HARBOUR), Policy())
    assert (found.name, found.rule) == (tool, rule)


@pytest.mark.parametrize(
    ("emitted", "arguments"),
    [
        ("create_booking", {"booking_id": "x"}),  # the other side
        ("list_all_berths_and_book_berth", {"harbour": "x"}),  # two acts
        ("delete_all_bookings", {"booking_id": "x"}),  # all for one
        ("undo_delete_booking", {"booking_id": "x"}),
        ("convert_kmh_to_knot", {"value": "x"}),  # the way back
        ("read_u32", {"address": "x"}),
        ("turn_of", {"lamp": "x"}),  # a slip between two opposites
        ("read", {"address": "x"}),
        ("update_note", {"title": "x", "body": "y"}),  # half of what the tool does
        ("show_tide_table", {"harbour": "x"}),  # a guess whose arguments do not fit
        ("show_tide_table", {}),
        ("show_tide_table", None),
        ("drop_booking", {"booking_id": "x"}),  # a guess at a destructive tool
        ("weather.list_berths", {"place": "x", "days": "y"}),  # not a namespace that anybody declared to be ours
    ],
)
def test_what_is_refused(emitted: str, arguments: dict[str, Any] | None) -> None:
    assert name(emitted, arguments, namespaces=("marina",)) is None


def test_two_tools_that_are_as_near_are_ambiguous() -> None:
    tools = [tool("get_paris_tide", "port"), tool("get_brest_tide", "port"), tool("get_booking", "id")]
    assert name("get_tide", {"port": "x"}, tools) == "ambiguous"
    turn = tamis.parse('<tool_call>{"name": "get_tide", "arguments": {"port": "x"}}</tool_call>', tools)
    (refusal,) = turn.rejections
    assert refusal.cause is tamis.Cause.AMBIGUOUS_TOOL
    assert set(refusal.suggestions[:2]) == {"get_paris_tide", "get_brest_tide"}
    assert len(refusal.suggestions) == 3


def test_every_refusal_suggests_the_three_nearest_names() -> None:
    turn = tamis.parse('<tool_call>{"name": "get_tides_of_all", "arguments": {}}</tool_call>', HARBOUR)
    (refusal,) = turn.rejections
    assert refusal.cause is tamis.Cause.UNKNOWN_TOOL
    assert refusal.suggestions[0] == "get_tide_table"
    assert len(refusal.suggestions) == 3
    assert "get_tide_table" in refusal.feedback


def test_a_namespace_is_the_servers_own_or_none() -> None:
    arguments = {"harbour": "x"}
    for emitted in ("marina.list_berths", "marina__list_berths", "mcp__marina__list_berths", "mcp_marina_mcp_list_berths", "marina-list_berths"):
        assert name(emitted, arguments, namespaces=("marina",)) == "list_berths"
    for strategy in ("cascade", "exact"):
        assert name("weather.list_berths", arguments, namespaces=("marina",), resolver=strategy) is None
        assert name("weather.list_berths", arguments, resolver=strategy) == "list_berths"  # nobody said whose tools these are


def test_a_mark_that_all_names_share_may_be_missing() -> None:
    tools = [tool(f"marina_{rest}", "port") for rest in ("list_berths", "get_tide", "find_pilot")]
    assert name("find_pilot", {"port": "x"}, tools) == "marina_find_pilot"


def test_the_hosts_word_on_a_tool_goes_before_its_declaration_and_that_before_its_verb() -> None:
    def entry(**annotations: bool) -> Any:
        return Catalog.of([tool("delete_draft", "id", annotations=annotations)]).index.by_name["delete_draft"]

    assert is_destructive(entry(), {})
    assert not is_destructive(entry(destructiveHint=False), {})
    assert not is_destructive(entry(readOnlyHint=True), {})
    assert is_destructive(entry(destructiveHint=False), {"delete_draft": True})
    assert not is_destructive(entry(destructiveHint=True), {"delete_draft": False})
    assert not is_destructive(Catalog.of([tool("get_order_history", "id")]).index.by_name["get_order_history"], {"other": True})


def test_a_destructive_tool_is_never_taken_by_a_guess() -> None:
    tools = [tool("get_tide_table", "port"), tool("list_berths", "harbour")]
    guess = ("show_tide_table", {"port": "x"}, tools)
    assert name(*guess) == "get_tide_table"
    assert name(*guess, destructive=["get_tide_table"]) is None
    assert name("drop_booking", {"booking_id": "x"}, destructive={"delete_booking": False}) == "delete_booking"
    hinted = [{**tools[0], "annotations": {"destructiveHint": True}}, tools[1]]
    assert name("show_tide_table", {"port": "x"}, hinted) is None
    assert name("tide_table_get", {"port": "x"}, hinted) == "get_tide_table", "the name alone proves it: no guess"


def test_arguments_in_a_wrapper_prove_nothing_and_veto_nothing() -> None:
    assert name("list_bertsh", {"arguments": {"harbour": "x"}}) == "list_berths"
    assert name("show_tide_table", {"arguments": {"port": "x"}}) is None


def test_arguments_of_another_tool_veto() -> None:
    assert name("list_bertsh", {"query": "x", "limit": "3"}) is None


def test_the_strategies_differ_as_they_say() -> None:
    arguments = {"booking_id": "x"}
    assert name("booking_delete", arguments, resolver="exact") is None
    assert name("create_booking", arguments, resolver="four_signal") == "delete_booking", "why it is not the default"
    assert name("create_booking", arguments, resolver="four_signal", threshold=0.95) is None
    assert name("functions.delete_booking", arguments, resolver="exact") == "delete_booking"
    assert name("zzz", arguments, resolver="four_signal") is None


def test_strict_mode_and_native_calls_take_exact_names_only() -> None:
    text = '<tool_call>{"name": "lits_berths", "arguments": {"harbour": "x"}}</tool_call>'
    assert tamis.parse(text, HARBOUR).calls[0].name == "list_berths"
    assert tamis.parse(text, HARBOUR, policy={"mode": "strict"}).calls == []
    for native, calls in (("pass", 0), ("repair", 1)):
        session = tamis.Session(HARBOUR, policy={"native": native})
        events = session.receive_delta({"index": 0, "id": "c", "function": {"name": "lits_berths", "arguments": '{"harbour": "x"}'}})
        assert len(tamis.collect(events + session.finish("tool_calls")).calls) == calls


def test_a_rewrite_is_a_repair() -> None:
    turn = tamis.parse('<tool_call>{"name": "functions.remove_booking", "arguments": {"booking_id": "x"}}</tool_call>', HARBOUR)
    (call,) = turn.calls
    assert [(item.rule, item.path, item.before, item.after) for item in call.repairs] == [
        ("name_synonym", "", "functions.remove_booking", "delete_booking")
    ]


def test_prose_stays_prose_however_near_a_name_is() -> None:
    text = 'berth_list(harbour="x")\nlits_berths\n{"name": "remove_booking", "arguments": {"booking_id": "x"}}'
    turn = tamis.parse(text, HARBOUR)
    assert turn.calls == []
    assert turn.content == text


# -- parts


def test_words_of_a_name() -> None:
    assert split("getHTTPUrls2_of-IDs") == ("get", "http", "urls", "2", "of", "ids")
    assert split("ＬＩＳＴ files") == ("list", "files")
    assert split("…") == ()


@pytest.mark.parametrize(
    ("many", "one"),
    [("files", "file"), ("entries", "entry"), ("statuses", "status"), ("boxes", "box"), ("sizes", "size"), ("news", "news"), ("status", "status"),
     ("people", "person"), ("searches", "search")],
)  # fmt: skip
def test_singular(many: str, one: str) -> None:
    assert singular(many) == one


@pytest.mark.parametrize(("said", "meant"), [("serch", "search"), ("searrch", "search"), ("saerch", "search"), ("dearch", "search")])
def test_slips(said: str, meant: str) -> None:
    assert slip(said, meant, 1)


@pytest.mark.parametrize(
    ("said", "meant"), [("search", "search"), ("setarch", "search"), ("pearch", "search"), ("sea", "search"), ("uninstall", "install")]
)
def test_no_slips(said: str, meant: str) -> None:
    assert not slip(said, meant, 1)


def test_wrappers_come_off_mildest_first() -> None:
    assert bare(' "get_tide():0" ') == "get_tide"
    assert bare("get_tide<|channel|>commentary") == "get_tide"
    assert list(forms("functions.marina.get_tide_v2", ("marina",))) == [
        ("functions.marina.get_tide_v2", "name_spelling"), ("marina.get_tide_v2", "name_prefix"), ("get_tide_v2", "name_prefix"),
        ("functions.marina.get_tide", "name_version"), ("marina.get_tide", "name_version"), ("get_tide", "name_version"),
    ]  # fmt: skip


def test_four_signals() -> None:
    assert best("abcd", ["bcde"], 0.0) == ("bcde", 0.75), "three of four letters in a row"
    assert best("get", ["get_x", "put_x"], 0.7) == ("get_x", 0.9)
    assert best("x_get", ["get_x_now"], 0.7) == ("get_x_now", 0.85)
    assert best("x_get", ["get_x"], 1.0) == ("get_x", 1.0)
    assert best("GET_X", ["get_x"], 0.7)[0] is None
    assert best("anything", [], 0.0) == (None, 0.0)
    assert best("", ["get_x"], 0.5) == (None, 0.0)
