"""A code fence that holds only JSON calls; read by the gate of bare_json."""

from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="json_fence",
    family="bare_json",
    summary="a code fence that holds only JSON calls (catalogue needed)",
    models=("generic chat models", "xLAM", "Gemini and GPT under JSON prompts"),
    example='```json\n{"name": "get_tide", "arguments": {"port": "Brest"}}\n```',
    drift=("tildes", "any language word or none", "Python calls inside", "fence not closed", "words behind it"),
    sentinel=False,
)
