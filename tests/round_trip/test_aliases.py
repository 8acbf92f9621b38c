"""Other names that a catalogue declares, and the way from published records to a proposal of them."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import tamis
from tamis.core import Catalog
from tamis.core.learn import learn
from tamis.wire.records import About, event_record

TOOLS: list[dict[str, Any]] = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"],
            "additionalProperties": False,
        },
    },
    {"name": "log_write", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
]  # fmt: skip
ALIASES = {"fetch_forecast": "get_weather", "get_weather.town": "city", "diary": "log_write"}


def said(name: str, arguments: dict[str, Any]) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def read(text: str, **more: Any) -> tamis.Turn:
    return tamis.parse(text, tools=Catalog.of(TOOLS, aliases=ALIASES), **more)


# -- a catalogue's aliases


def test_a_tools_alias_is_a_name_of_it() -> None:
    (call,) = read(said("fetch_forecast", {"city": "Rome"})).calls
    assert (call.name, call.emitted_name) == ("get_weather", "fetch_forecast")
    assert [(item.rule, item.before, item.after) for item in call.repairs] == [("name_alias", "fetch_forecast", "get_weather")]


def test_an_alias_is_folded_and_stripped_as_any_name() -> None:
    for name in ("fetchForecast", "functions.fetch_forecast:0", "fetch-forecast"):
        (call,) = read(said(name, {"city": "Rome"})).calls
        assert (call.name, call.repairs[0].rule) == ("get_weather", "name_alias")


def test_a_keys_alias_is_a_name_of_it_in_json_and_in_tags() -> None:
    tags = '<function_calls><invoke name="get_weather"><parameter name="town">007</parameter></invoke></function_calls>'
    for text, value in ((said("get_weather", {"town": "Rome", "days": 2}), "Rome"), (tags, "007")):
        (call,) = read(text).calls
        assert call.arguments["city"] == value
        assert [(item.rule, item.path, item.before, item.after) for item in call.repairs] == [("key_alias", "$.city", "town", "city")]


def test_a_declared_key_is_never_replaced_by_an_alias() -> None:
    turn = read(said("get_weather", {"town": "Rome", "city": "Bern"}))
    assert [item.cause for item in turn.rejections] == ["schema_violation"]
    (call,) = read(said("log_write", {"text": "x", "town": "Rome"})).calls
    assert call.arguments == {"text": "x", "town": "Rome"}, "an alias holds for its own tool"


def test_what_does_not_fit_under_the_declared_key_is_refused() -> None:
    assert [item.cause for item in read(said("get_weather", {"town": {"a": 1}})).rejections] == ["schema_violation"]


def test_strict_mode_and_native_calls_know_no_aliases() -> None:
    strict = {"mode": "strict"}
    assert [item.cause for item in read(said("fetch_forecast", {"city": "Rome"}), policy=strict).rejections] == ["unknown_tool"]
    assert [item.cause for item in read(said("get_weather", {"town": "Rome"}), policy=strict).rejections] == ["schema_violation"]
    for native, expected in (("pass", []), ("repair", ["get_weather"])):
        session = tamis.Session(Catalog.of(TOOLS, aliases=ALIASES), policy={"native": native})
        events = session.receive_delta({"index": 0, "id": "c", "function": {"name": "fetch_forecast", "arguments": '{"city": "Rome"}'}})
        assert [item.name for item in tamis.collect([*events, *session.finish("stop")]).calls] == expected


def test_an_alias_counts_as_declared_where_only_declared_names_are_calls() -> None:
    text = json.dumps({"name": "diary", "arguments": {"text": "x"}})
    assert [call.name for call in read(text).calls] == ["log_write"]
    assert tamis.parse(text, tools=TOOLS).calls == []


def test_an_alias_of_two_meanings_under_folding_is_ambiguous() -> None:
    catalog = Catalog.of(TOOLS, aliases={"noteIt": "log_write", "note_it": "get_weather"})
    assert [item.cause for item in tamis.parse(said("note-it", {}), tools=catalog).rejections] == ["ambiguous_tool"]
    assert tamis.parse(said("noteIt", {"text": "x"}), tools=catalog).calls[0].name == "log_write"


def test_the_fingerprint_tells_catalogues_with_other_aliases_apart() -> None:
    prints = [Catalog.of(TOOLS, aliases=aliases).fingerprint for aliases in (None, {}, ALIASES, {**ALIASES, "x": "log_write"})]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3


@pytest.mark.parametrize(
    ("aliases", "fault"),
    [
        ({"x": "nope"}, "neither a declared tool"),
        ({"get_weather.town": "nope"}, "nor a key of 'get_weather'"),
        ({"get_weather.days": "city"}, "declares a key 'days' itself"),
        ({"log_write": "get_weather"}, "may not take its calls away"),
        ({"x": 5}, "must be names"),
        ({"": "get_weather"}, "must be names"),
        (["x"], "must be an object"),
    ],
)
def test_an_alias_that_cannot_be_is_refused_by_name(aliases: Any, fault: str) -> None:
    with pytest.raises(tamis.TamisError, match=fault):
        Catalog.of(TOOLS, aliases=aliases)


def test_an_alias_with_two_readings_is_refused() -> None:
    tools = [*TOOLS, {"name": "city", "parameters": {"type": "object"}}]
    with pytest.raises(tamis.TamisError, match="rename one"):
        Catalog.of(tools, aliases={"get_weather.town": "city"})


# -- learning them


class Log:
    """Records as the worker would publish them: one response after the other, a minute apart."""

    def __init__(self) -> None:
        self.values: list[dict[str, Any]] = []
        self.number = 0

    def turn(self, text: str, session: str = "s", minutes: int = 1, *, raw: bool = True, tools: Any = TOOLS) -> Log:
        self.number += minutes
        about = About(session, f"r{self.number}", 0, None, "vllm", "kimi-k2", None, 0, 0, time_ms=self.number * 60_000)
        turn = tamis.parse(text, tools=tools)
        self.values += [json.loads(event_record(event, about, raw=raw).value) for event in [*turn.rejections, *turn.calls]]
        return self


def corrected(log: Log, **more: Any) -> Log:
    return log.turn(said("sky_report", {"city": "Rome"}), **more).turn(said("get_weather", {"city": "Rome"}), **more)


def test_a_name_that_was_refused_and_then_put_right_is_proposed() -> None:
    learned = learn(corrected(corrected(Log())).values)
    assert learned.aliases == {"sky_report": "get_weather"}
    (lesson,) = learned.proposed
    assert (lesson.rewritten, lesson.corrected, lesson.count) == (0, 2, 2)
    assert lesson.examples[0] == {"response_id": "r2", "ordinal": 0, "provider": "vllm", "model": "kimi-k2", "format": "xml_sentinel"}
    assert tamis.parse(said("sky_report", {"city": "Rome"}), tools=Catalog.of(TOOLS, aliases=learned.aliases)).calls[0].name == "get_weather"


def test_once_is_not_enough_unless_asked_for() -> None:
    values = corrected(Log()).values
    assert learn(values).aliases == {}
    assert learn(values, least=1).aliases == {"sky_report": "get_weather"}
    assert learn(values * 5).aliases == {}, "a redelivered record counts once"


def test_a_key_that_was_rewritten_is_proposed() -> None:
    log = Log()
    for _ in range(2):
        log.turn(said("open_file", {"file": "a"}), tools=[{"name": "open_file", "parameters": {
            "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": False}}])  # fmt: skip
    assert learn(log.values).aliases == {"open_file.file": "path"}
    assert learn(log.values).proposed[0].rewritten == 2


def test_a_key_that_was_refused_and_then_put_right_is_proposed() -> None:
    log = Log()
    for _ in range(2):
        log.turn(said("get_weather", {"place": "Secret Cove", "days": 2})).turn(said("get_weather", {"city": "Secret Cove", "days": 2}))
    learned = learn(log.values)
    assert learned.aliases == {"get_weather.place": "city"}
    assert "Secret" not in json.dumps([repr(learned)])


@pytest.mark.parametrize("second", [{"city": "Bern", "days": 2}, {"city": "Rome", "days": 3}, {"city": "Rome"}])
def test_other_values_are_no_evidence_for_a_key(second: dict[str, Any]) -> None:
    log = Log()
    for _ in range(2):
        log.turn(said("get_weather", {"place": "Rome", "days": 2})).turn(said("get_weather", second))
    assert learn(log.values, least=1).proposed == ()


def test_what_is_read_without_help_is_no_lesson() -> None:
    log = Log()
    for name in ("getWeather", "functions.get_weather:3", "get-weather", "get_weather"):
        for _ in range(3):
            log.turn(said(name, {"City": "Rome"}))
    assert learn(log.values, least=1).proposed == ()


def test_another_session_another_response_and_a_long_time_are_told_apart() -> None:
    bad, good = said("sky_report", {"city": "Rome"}), said("get_weather", {"city": "Rome"})
    assert learn(Log().turn(bad, "a").turn(good, "b").values, least=1).aliases == {}
    assert learn(Log().turn(bad + good).values, least=1).aliases == {}
    assert learn(Log().turn(bad).turn(good, minutes=11).values, least=1).aliases == {}


def test_a_name_that_was_neither_suggested_nor_called_alike_is_not_guessed() -> None:
    tools = [*TOOLS, *({"name": f"sky_report_{number}", "parameters": {"type": "object"}} for number in range(3))]
    log = Log().turn(said("sky_report", {"city": "Rome"}), tools=tools).turn(said("get_weather", {"city": "Bern"}), tools=tools)
    assert learn(log.values, least=1).aliases == {}


def test_one_word_for_two_things_is_contested() -> None:
    log = Log()
    for _ in range(3):
        log.turn(said("sky_report", {"city": "Rome"})).turn(said("get_weather", {"city": "Rome"}))
        log.turn(said("sky_report", {"text": "x"})).turn(said("log_write", {"text": "x"}))
    learned = learn(log.values)
    assert learned.aliases == {}
    assert [(item.meant, item.count) for item in learned.contested] == [("get_weather", 3), ("log_write", 3)]


def test_without_the_models_words_names_are_still_learned_by_suggestion() -> None:
    log = corrected(corrected(Log(), raw=False), raw=False)
    assert learn(log.values).aliases == {"sky_report": "get_weather"}


def test_the_order_of_the_records_does_not_matter_and_junk_is_passed_over() -> None:
    log = corrected(corrected(Log()))
    mixed = [*log.values, {}, {"session_id": "s"}, {"session_id": "s", "name": 5, "emitted_name": "x", "arguments": {}}]
    random.Random(3).shuffle(mixed)
    assert learn(mixed) == learn(log.values)
