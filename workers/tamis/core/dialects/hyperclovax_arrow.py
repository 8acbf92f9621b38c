"""An array of calls behind a role header with an arrow."""

from tamis.core.dialects import Dialect, Opener

DIALECT = Dialect(
    name="hyperclovax_arrow",
    family="json_calls",
    summary="role header 'assistant -> tool/function_call' then a JSON array",
    models=("HyperCLOVAX-SEED-Think-14B",),
    openers={"<|im_start|>assistant -> tool/function_call": Opener("open", guard=r"[\[{]")},
    example='<|im_start|>assistant -> tool/function_call\n[{"name": "get_tide", "arguments": {"port": "Brest"}}]<|im_end|>',
)
