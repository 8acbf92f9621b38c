"""Envelopes and objects whose own delimiters are escaped: what is read, where it ends, and what is said about it."""

from __future__ import annotations

import pytest

from tamis.core import parse
from tamis.core.bodies.escaped_span import escaped_span
from tamis.core.source import Source

LOG = {"name": "log_catch", "parameters": {"type": "object", "properties": {"species": {"type": "string"}}}}
OBJECT = '{"name": "log_catch", "arguments": {"species": "cod"}}'
SLASHED = OBJECT.replace('"', '\\"')
ENTITIES = OBJECT.replace('"', "&quot;")


@pytest.mark.parametrize(
    ("text", "format", "repair"),
    [
        (SLASHED, "bare_json", "backslashed_quotes"),
        (f'"{SLASHED}"', "bare_json", "json_string"),
        (ENTITIES, "bare_json", "html_entities"),
        (f"&lt;tool_call&gt;{OBJECT}&lt;/tool_call&gt;", "xml_sentinel", "html_entities"),
        (f"&#x3C;tool_call&#x3E;{OBJECT}&lt;/tool_call&gt;", "xml_sentinel", "html_entities"),
        ("&lt;log_catch&gt;\n&lt;species&gt;cod&lt;/species&gt;\n&lt;/log_catch&gt;", "cline_xml", "html_entities"),
        (f"<tool_call>{SLASHED}</tool_call>", "xml_sentinel", "backslashed_quotes"),
        (f"<tool_call>{ENTITIES}</tool_call>", "xml_sentinel", "html_entities"),
    ],
)
def test_an_escaped_call_says_how_it_was_escaped(text: str, format: str, repair: str) -> None:
    (call,) = parse(text, [LOG]).calls
    assert (call.arguments, call.format, [item.rule for item in call.repairs]) == ({"species": "cod"}, format, [repair])


@pytest.mark.parametrize(("size", "calls"), [(64, 1), (65, 0)])
@pytest.mark.parametrize("text", [SLASHED, ENTITIES, f'"{SLASHED}"'])
def test_it_shows_itself_within_some_characters(text: str, size: int, calls: int) -> None:
    head, mark = text[: text.index("{") + 1], "&quot;" if text == ENTITIES else '\\"'
    text = head + " " * (size - len(head) - len(mark)) + text[len(head) :]
    turn = parse(text, [LOG])
    assert (len(turn.calls), turn.content) == (calls, "" if calls else text)


def read(text: str, size: int) -> tuple[str, str, str, str] | None:
    """(state, text, repair, what is left) of an escaped object."""
    source = Source()
    steps = escaped_span(source)
    for at in range(0, len(text) + size, size):
        source.feed(text[at : at + size])
        source.ended = at >= len(text)
        try:
            next(steps)
        except StopIteration as stop:
            if stop.value is None:
                return None
            span, repair = stop.value
            return span.state, span.text, repair, source.rest() + text[at + size :]
    raise AssertionError("it waits although the text has ended")


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\\"a\\": \\"b } c\\"} d', ("whole", '{"a": "b } c"}', "backslashed_quotes", " d")),
        ('{\\"a\\": [{\\"b\\": 1}]}', ("whole", '{"a": [{"b": 1}]}', "backslashed_quotes", "")),
        ('[{\\"a\\": \\"b \\\\\\"}\\\\\\" c\\"}]', ("whole", '[{"a": "b \\"}\\" c"}]', "backslashed_quotes", "")),
        ('{&quot;a&quot;: &#34;b } c&quot;}', ("whole", '{"a": "b } c"}', "html_entities", "")),
        ("{&#34;a&#34;: &quot;b } c&quot;}", ("whole", '{"a": "b } c"}', "html_entities", "")),
        ("{&quot;a&quot;: &quot;b \\&quot;}\\&quot; c&quot;}", ("whole", '{"a": "b \\"}\\" c"}', "html_entities", "")),
        ('{\\"a\\": \\"b', ("cut", '{"a": "b', "backslashed_quotes", "")),
        ('{"a": 1}', None),
        ("{" + " " * 61 + '\\"a\\": 1}', ("whole", "{" + " " * 61 + '"a": 1}', "backslashed_quotes", "")),
        ("{" + " " * 62 + '\\"a\\": 1}', None),
    ],
)
def test_an_escaped_object_ends_where_it_balances(text: str, expected: object, size: int) -> None:
    assert read(text, size) == expected


def test_it_ends_as_soon_as_it_can() -> None:
    source = Source()
    steps = escaped_span(source)
    source.feed('{\\"a\\": 1} and more text')
    with pytest.raises(StopIteration):
        next(steps)
    assert source.rest() == " and more text"
