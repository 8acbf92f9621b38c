"""What providers and models send in the golden run: good calls, every kind of fault, in the notations that they really use.

Every provider with a board takes part. One of them, NVIDIA NIM, runs into its token limit from the third wave on: the story that the README
follows from the overview to the cause.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["MODELS", "PROVIDERS", "Message", "Source", "bad_records", "wave"]

TOOLS = [
    {
        "name": "get_tide",
        "parameters": {"type": "object", "properties": {"port": {"type": "string"}, "days": {"type": "integer"}}, "required": ["port"]},
    },
    {"name": "write_log", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
]
ARGUMENTS = {"port": "Brest", "days": 3}
STALL_MS = 3000
BEGIN_MS = 1800  # responses of a wave begin within so long
GOOD = 6  # good calls of each model in a wave: faults are the exception


@dataclass(frozen=True, slots=True)
class Source:
    """One provider: its label on the boards, the name that its gateway sends, models with their notations, and its pace."""

    label: str
    sent: str
    models: tuple[tuple[str, str], ...]
    pace_ms: int = 20


@dataclass(frozen=True, slots=True)
class Message:
    """One record to send; `at_ms` is when it is due, counted from the wave's begin; `partition` None where its key says."""

    key: bytes | None
    value: bytes | None
    at_ms: int = 0
    headers: tuple[tuple[str, bytes], ...] = ()
    partition: int | None = None
    topic: str = "raw-stream"


PROVIDERS: tuple[Source, ...] = (
    Source("vllm", "vLLM", (("qwen3-coder-30b", "qwen3"), ("hermes-4-70b", "hermes"))),
    Source("nvidia_nim", "nim", (("nemotron-nano-9b", "nemotron"), ("llama-3.3-70b", "llama"))),
    Source("openrouter", "openrouter", (("kimi-k2", "kimi"), ("glm-4.6", "glm"))),
    Source("openai", "openai", (("gpt-oss-120b", "harmony"), ("gpt-4.1-mini", "hermes")), 12),
    Source("anthropic", "claude", (("claude-bridge", "invoke"), ("claude-bridge-2", "invoke")), 25),
    Source("gcp.gemini", "google", (("gemma-3-27b", "gemma"), ("gemini-json", "bare"))),
    Source("moonshot", "kimi", (("kimi-k2-thinking", "kimi"), ("kimi-k2.5", "kimi"))),
    Source("deepseek", "deepseek", (("deepseek-v3.1", "deepseek"), ("deepseek-r1", "deepseek"))),
    Source("mistral_ai", "mistral", (("devstral-small", "mistral"), ("ministral-8b", "mistral"))),
    Source("together", "together-ai", (("llama-4-scout", "python"), ("qwen2.5-72b", "hermes"))),
    Source("groq", "groq", (("llama-3.1-8b", "llama"), ("qwen3-32b", "hermes")), 4),
    Source("ollama", "ollama", (("qwen3-8b-q4", "hermes"), ("granite-3.3-8b", "bare")), 80),
    Source("sglang", "sglang", (("glm-4.5-air", "glm"), ("qwen3-next-80b", "qwen3"))),
    Source("litellm", "litellm", (("proxy-hermes", "hermes"), ("proxy-kimi", "kimi"))),
    Source("azure.ai.openai", "azure-openai", (("gpt-4.1-azure", "hermes"), ("gpt-oss-azure", "harmony"))),
    Source("aws.bedrock", "bedrock", (("nova-text", "invoke"), ("llama-bedrock", "llama"))),
    Source("fireworks", "fireworks", (("deepseek-fireworks", "deepseek"), ("qwen3-fireworks", "qwen3"))),
    Source("zhipu", "z.ai", (("glm-5", "glm"), ("glm-4.7", "glm"))),
    Source("x_ai", "xai", (("grok-text", "hermes"), ("grok-code", "bare")), 8),
)
MODELS = tuple(model for source in PROVIDERS for model, _ in source.models)
STRANGERS = 20  # models a wave that nobody has named: with the waves they are more than have places
_FORMATS = {"qwen3": "qwen3_coder_xml", "hermes": "xml_sentinel", "kimi": "kimi_special", "glm": "glm_xml"}


def _text(notation: str, name: str, arguments: dict[str, Any]) -> str:
    """A call as a model of that notation writes it."""
    whole = json.dumps({"name": name, "arguments": arguments})
    only = json.dumps(arguments)
    pairs = arguments.items()
    if notation == "qwen3":
        inside = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in pairs)
        return f"<tool_call>\n<function={name}>\n{inside}</function>\n</tool_call>"
    if notation == "kimi":
        call = f"<|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{only}<|tool_call_end|>"
        return f"<|tool_calls_section_begin|>{call}<|tool_calls_section_end|>"
    if notation == "glm":
        inside = "".join(f"<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n" for key, value in pairs)
        return f"<tool_call>{name}\n{inside}</tool_call>"
    if notation == "invoke":
        inside = "".join(f'<parameter name="{key}">{value}</parameter>\n' for key, value in pairs)
        return f'<function_calls>\n<invoke name="{name}">\n{inside}</invoke>\n</function_calls>'
    if notation == "deepseek":
        return f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{only}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    if notation in ("gemma", "python"):
        call = f"{name}({', '.join(f'{key}={value!r}' for key, value in pairs)})"
        return f"```tool_code\n{call}\n```" if notation == "gemma" else f"<|python_start|>[{call}]<|python_end|>"
    return {
        "hermes": f"<tool_call>\n{whole}\n</tool_call>",
        "nemotron": f"<TOOLCALL>[{whole}]</TOOLCALL>",
        "llama": f'<|python_tag|>{{"name": "{name}", "parameters": {only}}}',
        "mistral": f"[TOOL_CALLS]{name}[ARGS]{only}",
        "harmony": f"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{only}<|call|>",
        "bare": whole,
    }[notation]


def wave(number: int) -> list[Message]:
    """One wave of the whole fleet: a few seconds of traffic."""
    out: list[Message] = []
    for source in PROVIDERS:
        for model, notation in source.models:
            out += _good(source, model, notation, f"{number}-{source.label}-{model}")
        model, notation = source.models[number % 2]
        out += _faults(source, model, notation, f"{number}-{source.label}-{model}")
        out += _native(source, f"{number}-{source.label}-native")
    if number >= 2:
        nim = PROVIDERS[1]
        for at in range(20):
            out += _response(nim, nim.models[1][0], f"{number}-cut-{at}", _text("llama", "get_tide", ARGUMENTS)[:-9], finish_reason="length")
    gateway = Source("other", "our-own-gateway", ())
    for at in range(STRANGERS):
        out += _response(gateway, f"stranger-{number}-{at}", f"{number}-stranger-{at}", "Good evening.")
    return out + _odd(number)


def _good(source: Source, model: str, notation: str, key: str) -> Iterator[Message]:
    """What one model does right in a wave, all of it through a gateway's native envelope."""
    for at in range(GOOD):
        yield from _response(source, model, f"{key}-call-{at}", _text(notation, "get_tide", ARGUMENTS), format=_FORMATS.get(notation, "auto"))
    for at in range(GOOD // 2):
        yield from _response(source, model, f"{key}-talk-{at}", "The tide tables of Brest are printed once a year.")


def _faults(source: Source, model: str, notation: str, key: str) -> Iterator[Message]:
    """Every kind of fault of a model, each once."""
    call = _text(notation, "get_tide", ARGUMENTS)
    yield from _response(source, model, f"{key}-unknown", _text(notation, "raise_anchor", {"now": "yes"}))
    faulty = "<tool_call>\n{'name': 'functions.get_tide', 'arguments': {'port': 'Brest', 'days': '3'}}\n</tool_call>"
    yield from _response(source, model, f"{key}-wrong", faulty, format="kimi_special")
    yield from _response(source, model, f"{key}-schema", _text("hermes", "get_tide", {"days": "soon"}))
    yield from _response(source, model, f"{key}-cut", "<tool_call>\n" + '{"name": "get_tide", "arguments": {"por', finish_reason="length")
    yield from _response(source, model, f"{key}-made-up", call + "\n<tool_response>\nlow water at noon\n</tool_response>\n")
    yield from _response(source, model, f"{key}-opener", 'Ahoy. <|launch_tool|>{"name": "get_tide", "arguments": {"port": "Brest"}}<|end_launch|>')


def _native(source: Source, key: str) -> Iterator[Message]:
    """A native call in chat chunks, with usage and a field that nobody knows; and a response with a hole in it."""
    model = source.models[0][0]
    chunk = {"id": f"chat-{key}", "object": "chat.completion.chunk", "model": model}
    first = {"index": 0, "id": f"call-{key}", "function": {"name": "get_tide", "arguments": '{"port"'}}
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "obfuscation": "xx", "brand_new_field": 1},
        {"tool_calls": [first]},
        {"tool_calls": [{"index": 0, "function": {"arguments": ': "Brest"}'}}]},
    ]
    values: list[dict[str, Any]] = [{"v": 1, "kind": "start", "response_id": f"chat-{key}", "tools": TOOLS, "provider": source.sent, "model": model}]
    values += [{**chunk, "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    values.append({**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    usage = {"prompt_tokens": 210, "completion_tokens": 34, "completion_tokens_details": {"reasoning_tokens": 12}}
    values.append({**chunk, "choices": [], "usage": usage})
    sent = list(_messages(key, values, source.pace_ms))
    yield from sent
    result = {"v": 1, "call_id": f"call-{key}", "response_id": f"chat-{key}", "result": "low water at noon"}
    for at in range(2 if source.label == "vllm" else 1):  # one dispatcher answers twice
        yield Message(key.encode(), json.dumps(result).encode(), sent[-1].at_ms + 500 + at, topic="tool-results")
    holed = [item for item in _records(source, model, f"{key}-hole", "One, two, three, four, five.", {}) if item.get("seq") != 2]
    yield from _messages(f"{key}-hole", holed, source.pace_ms)


def _odd(number: int) -> list[Message]:
    """What gateways and producers do wrong, limits, silence: things that have no provider's board but have a metric."""
    who = PROVIDERS[0]
    model = who.models[1][0]
    out = list(_response(who, model, f"{number}-twice", "Said twice."))
    out += [out[2], out[-1]]  # the same seq once more; a record of a response that has ended
    out += _response(who, model, f"{number}-calls", _text("hermes", "get_tide", ARGUMENTS) * 3, policy={"limits": {"calls": 1}})
    out += _response(who, model, f"{number}-argument", _text("hermes", "write_log", {"text": "x" * 200}), policy={"limits": {"arguments": 64}})
    out += list(_response(who, model, f"{number}-silent", "And then", end=False))
    stalled = list(_response(PROVIDERS[12], PROVIDERS[12].models[0][0], f"{number}-stall", "One moment. " * 4))
    out += [Message(item.key, item.value, item.at_ms + (STALL_MS if at > 3 else 0)) for at, item in enumerate(stalled)]
    out += [Message(f"{number}-misplaced-{at}".encode(), stalled[0].value, partition=at % 4) for at in range(4)]
    catalogs = {f"fleet-{number}": {"v": 1, "tools": TOOLS}, "broken": {"v": 1, "tools": []}, f"fleet-{number - 2}": None}
    out += [Message(name.encode(), body and json.dumps(body).encode(), topic="tool-catalog") for name, body in catalogs.items()]
    if number in (1, 5):
        # more undecided text than the worker may hold: one call that never closes, in two sessions
        for at in range(2):
            key = f"{number}-large-{at}"
            records = _records(who, model, key, "<tool_call>\n" + '{"name": "write_log", "arguments": {"text": "' + "x" * 180_000, {}, size=60_000)
            out += _messages(key, records[:-1], 1)
    return out


def bad_records(number: int) -> list[Message]:
    """What is no chunk at all."""
    return [
        Message(f"{number}-bad-1".encode(), b"\xff no chunk"),
        Message(f"{number}-bad-2".encode(), b"[1]"),
        Message(f"{number}-bad-3".encode(), None),
        Message(None, b'{"v":1,"kind":"delta","text":"whose?"}'),
        Message(f"{number}-bad-4".encode(), b"{}", headers=(("x-wire", b"telegraph"),)),
    ]


def _records(
    source: Source, model: str, response: str, text: str, start: dict[str, Any], size: int = 12, reason: str = "stop"
) -> list[dict[str, Any]]:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    begin = {"v": 1, "kind": "start", "response_id": response, "tools": TOOLS, "provider": source.sent, "model": model, **start}
    deltas = [{"v": 1, "kind": "delta", "response_id": response, "seq": seq, "text": piece} for seq, piece in enumerate(pieces)]
    usage = {"input_tokens": 180, "output_tokens": 3 * len(pieces)}
    return [begin, *deltas, {"v": 1, "kind": "end", "response_id": response, "seq": len(pieces), "finish_reason": reason, "usage": usage}]


def _response(
    source: Source, model: str, key: str, text: str, *, finish_reason: str = "stop", end: bool = True, **start: Any
) -> Iterator[Message]:
    records = _records(source, model, key, text, start, reason=finish_reason)
    return _messages(key, records if end else records[:-1], source.pace_ms)


def _messages(key: str, values: list[dict[str, Any]], pace_ms: int) -> Iterator[Message]:
    for at, value in enumerate(values):
        # responses begin all over the wave, each key where its letters put it
        yield Message(key.encode(), json.dumps(value).encode(), zlib.crc32(key.encode()) % BEGIN_MS + at * pace_ms)
