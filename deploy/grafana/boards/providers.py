"""The providers with a board of their own, and what an operator should know of each."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROVIDERS", "Provider"]


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider: its label in the metrics, its name, and notes in Markdown."""

    label: str
    title: str
    notes: str


PROVIDERS: tuple[Provider, ...] = (
    Provider(
        "vllm",
        "vLLM",
        "The tool parser is chosen by a flag of the server. With none, or the wrong one, raw markup arrives as content and shows here as "
        "`recovered`. Reasoning has been sent as `reasoning_content` and as `reasoning`; both are read.",
    ),
    Provider(
        "nvidia_nim",
        "NVIDIA NIM",
        "OpenAI chunks. The container picks its tool parser by a setting; unset, markup stays in the content. Small default token "
        "limits cut calls: look for finish reason `length` beside cause `truncated`.",
    ),
    Provider(
        "openrouter",
        "OpenRouter",
        "Many hosts behind one name: the format of a model may change with the host. Keep-alive comments, errors in mid-stream, "
        "`native_finish_reason` and `reasoning_details` are its own.",
    ),
    Provider(
        "openai",
        "OpenAI",
        "Native calls, so nearly everything should be `native` and `clean`. A padding field is normal. Text calls come from gpt-oss "
        "(format `harmony`).",
    ),
    Provider(
        "anthropic",
        "Anthropic",
        "Native calls through its own wire. Markup with `invoke` in text comes from prompts that show it. A thought may carry a signature.",
    ),
    Provider(
        "gcp.gemini",
        "Google Gemini",
        "Reports faults of its own as finish reasons, counted as `malformed_call`. Gemma models write code fences or call tokens as text.",
    ),
    Provider(
        "moonshot",
        "Moonshot",
        "Kimi's section tokens leak when a server does not know them; names carry `functions.` and a counter, which is a repair.",
    ),
    Provider(
        "deepseek",
        "DeepSeek",
        "Three notations by version: full-width tool tokens with a fence, without one, and the marked-up invoke form. A new version "
        "shows as a new format here.",
    ),
    Provider("mistral_ai", "Mistral", "A marker, then a JSON array or name and arguments. Older templates lose the marker: then format `bare_json`."),
    Provider("together", "Together", "Hosts many open models; the tool parser differs by model. Compare formats by model."),
    Provider(
        "groq", "Groq", "Refuses calls it cannot parse itself and sends an error frame: cause `upstream_error`. Very fast, so stalls stand out."
    ),
    Provider(
        "ollama",
        "Ollama",
        "Template-driven parsing: a model with a changed template returns text. Quantised models repair more and make up more results.",
    ),
    Provider(
        "sglang",
        "SGLang",
        "The tool parser is a flag, as with vLLM. An unknown tool name may drop the server's whole buffer: compare chunks with calls.",
    ),
    Provider(
        "litellm",
        "LiteLLM",
        "A proxy: the provider behind it decides what arrives. Give that provider's name where it is known, or all of them are one here.",
    ),
    Provider("azure.ai.openai", "Azure OpenAI", "Content filters end responses: finish reason `content_filter` completes nothing."),
    Provider("aws.bedrock", "Amazon Bedrock", "Several model families behind one door, with gateways between: formats differ by model."),
    Provider("fireworks", "Fireworks", "Hosts open models with its own parsers; leaked markup shows as `recovered`."),
    Provider("zhipu", "Zhipu", "GLM writes name, then key and value tags. A server without its parser leaks them."),
    Provider("x_ai", "xAI", "Native calls; whole calls in one chunk are normal, so time to first call is the time of the whole call."),
)
