"""Label values: cleaned, and from closed or bounded sets, whatever a model or producer wrote.

A label is printable and at most 64 characters; one lone surrogate would break every later scrape. Providers are a closed set with
aliases. Models are those that the operator names, then the first ones seen, then `other`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = ["MAX_LABEL", "MAX_MODELS", "NONE", "OTHER", "PROVIDERS", "Bounded", "clean", "field", "finish_reason", "provider"]

OTHER = "other"
NONE = "none"
MAX_LABEL = 64  # characters; the longest real model names (with a path and a quantisation) are near 60
MAX_MODELS = 50  # with 10 providers and 12 causes this keeps the whole exposition below 10,000 series

# What gateways call a provider -> the value of OpenTelemetry's GenAI conventions, or our own for those it has none for.
PROVIDERS: dict[str, str] = {
    **{name: name for name in (
        "openai", "anthropic", "aws.bedrock", "azure.ai.openai", "azure.ai.inference", "gcp.gemini", "gcp.vertex_ai", "mistral_ai", "deepseek",
        "groq", "x_ai", "cohere", "perplexity", "ibm.watsonx.ai", "vllm", "sglang", "ollama", "nvidia_nim", "openrouter", "moonshot", "zhipu",
        "llama.cpp", "litellm", "together", "fireworks", "huggingface",
    )},
    "bedrock": "aws.bedrock", "aws": "aws.bedrock", "amazon": "aws.bedrock", "azure": "azure.ai.openai", "azure.openai": "azure.ai.openai",
    "azure_openai": "azure.ai.openai", "gemini": "gcp.gemini", "google": "gcp.gemini", "vertex": "gcp.vertex_ai", "vertex_ai": "gcp.vertex_ai",
    "mistral": "mistral_ai", "mistralai": "mistral_ai", "xai": "x_ai", "x.ai": "x_ai", "watsonx": "ibm.watsonx.ai", "nim": "nvidia_nim",
    "nvidia": "nvidia_nim", "moonshotai": "moonshot", "kimi": "moonshot", "zai": "zhipu", "z.ai": "zhipu", "zhipuai": "zhipu",
    "llamacpp": "llama.cpp", "together_ai": "together", "fireworks_ai": "fireworks", "claude": "anthropic", "hf": "huggingface",
}  # fmt: skip

# Every provider's word for why it stopped -> one of few.
_REASONS: dict[str, str] = {
    **dict.fromkeys(("stop", "end_turn", "eos", "stop_sequence", "complete", "completed"), "stop"),
    **dict.fromkeys(("tool_calls", "tool_use", "function_call"), "tool_calls"),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"), "length"),
    **dict.fromkeys(("content_filter", "safety", "refusal", "recitation"), "content_filter"),
    **dict.fromkeys(("error", "abort", "aborted", "cancelled"), "error"),
    **dict.fromkeys(("malformed_function_call", "unexpected_tool_call", "too_many_tool_calls", "malformed_response"), "malformed_call"),
}

# Fields of providers' chunks that exist but say nothing about calls: worth a name of their own, since a change in them is news.
_FIELDS = frozenset({
    "annotations", "audio", "citations", "images", "obfuscation", "provider_specific_fields", "reasoning_details", "reasoning_signature",
    "signature", "stop_reason", "token_ids", "parsed", "matched_stop", "hidden_states", "thinking_blocks", "native_finish_reason",
})  # fmt: skip


def clean(value: str) -> str:
    """`value` as a label: printable characters only, the first `MAX_LABEL` of them, `none` when nothing is left.

    Only a bounded head of the text is looked at, so that a name of a megabyte costs no more than a short one.
    """
    head = value[: 4 * MAX_LABEL].strip()
    if not head.isprintable():  # also true of lone surrogates, which are not printable
        head = "".join(letter for letter in head if letter.isprintable())
    return head[:MAX_LABEL] or NONE


def provider(value: str | None) -> str:
    """The provider's label: a member of the closed set, `other`, or `none` when it was not named."""
    if not value:
        return NONE
    return PROVIDERS.get(value) or PROVIDERS.get(clean(value).lower().replace("-", "_"), OTHER)


def field(value: str | None) -> str:
    """The label of a chunk's field that no adapter reads: one that is known to exist, else `other`."""
    return value if value in _FIELDS else OTHER


def finish_reason(value: str | None) -> str:
    """A provider's finish reason, normalised."""
    return NONE if not value else _REASONS.get(clean(value).lower(), OTHER)


class Bounded:
    """The values that one label may take: those in `known`, the first `places` other ones seen, then `other`."""

    __slots__ = ("_known", "_overflow", "_places", "_seen")

    def __init__(self, places: int, overflow: Callable[[], None], known: Iterable[str] = ()) -> None:
        self._places = places
        self._overflow = overflow
        self._known = frozenset(map(clean, known))
        self._seen: set[str] = set()

    def __call__(self, value: str | None) -> str:
        if not value:
            return NONE
        label = clean(value)
        if label in self._known or label in self._seen or label in (OTHER, NONE):
            return label
        if len(self._seen) < self._places:
            self._seen.add(label)
            return label
        self._overflow()
        return OTHER
