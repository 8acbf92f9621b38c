"""Which models need to be told how to call a tool: families whose calls have been seen as text, by the words of their names."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

__all__ = ["FAMILIES", "Family", "family"]


class Family(NamedTuple):
    """`pattern` is looked for at the beginning of a word of the lower-case model name; `seen` are the notations its calls leaked in."""

    name: str
    pattern: str
    seen: tuple[str, ...]


FAMILIES: tuple[Family, ...] = (
    Family("Kimi", r"kimi|moonshot", ("kimi_special", "kimi_k3_xtml", "xml_invoke")),
    Family("Qwen", r"qwen|qwq|qvq", ("xml_sentinel", "qwen3_coder_xml", "qwen_fncall")),
    Family("Llama 3 and 4", r"llama[-_ .]?v?[34](?!\d)", ("llama3_json", "pythonic_list")),
    Family("Mistral", r"mistral|mixtral|ministral|magistral|devstral|codestral|pixtral", ("mistral",)),
    Family("DeepSeek", r"deepseek", ("deepseek_v3", "deepseek_v31", "deepseek_dsml")),
    Family("Hermes", r"hermes", ("xml_sentinel",)),
    Family("GLM", r"(chat)?glm", ("glm4_name_json", "glm_xml")),
    Family("Gemma", r"gemma|functiongemma", ("gemma3_tool_code", "gemma4", "functiongemma")),
    Family("Phi", r"phi(?![a-z])", ("functools_json",)),
    Family("Granite", r"granite", ("granite_array", "xml_sentinel")),
    Family("Command R", r"(command[-_ .]?[ra]|aya)(?![a-z])", ("cohere_action", "command_r_action")),
    Family("InternLM", r"internlm|intern[-_ .]?s1", ("internlm_plugin",)),
    Family("MiniMax", r"minimax", ("minimax_m2", "tool_calls_json")),
    Family("Hunyuan", r"hunyuan", ("hunyuan_hy", "tool_calls_json")),
    Family("ERNIE", r"ernie", ("xml_sentinel",)),
    Family("Nemotron", r"nemotron", ("nemotron_toolcall",)),
    Family("OLMo", r"olmo", ("olmo3_functions",)),
    Family("Seed-OSS", r"seed[-_ .]?oss", ("seed_oss_xml",)),
    Family("LFM2", r"lfm[-_ .]?2", ("lfm2_pythonic",)),
    Family("Jamba", r"jamba", ("tool_calls_json",)),
    Family("xLAM", r"xlam", ("bare_json",)),
    Family("gpt-oss", r"gpt[-_ .]?oss", ("harmony",)),
    Family("Apertus", r"apertus", ("apertus_prefix",)),
    Family("LongCat", r"longcat", ("longcat",)),
    Family("EXAONE", r"exaone", ("xml_sentinel",)),
    Family("Functionary", r"functionary", ("functionary_v32",)),
)
"""In this order; the first that fits counts. Adding a family is adding a row."""


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], Family], ...]:
    # the beginning of a word: `llama3` is not in codellama-34b; what follows may be a number or a variant (qwen3, mistralai)
    return tuple((re.compile(rf"(?<![a-z])(?:{item.pattern})"), item) for item in FAMILIES)


def family(model: str) -> Family | None:
    """The family of a model's name in any spelling of hosts (`moonshotai/Kimi-K2-Instruct`, `llama3.1:8b`), or None."""
    name = model.casefold()
    return next((item for pattern, item in _compiled() if pattern.search(name) is not None), None)
