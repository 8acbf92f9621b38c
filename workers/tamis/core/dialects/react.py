"""Action and Action Input lines, or an action fence."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect

DIALECT = Dialect(
    name="react",
    family="head_json",
    summary="Action: NAME / Action Input: X lines, or Action: and an action/action_input fence (catalogue needed)",
    models=("models under a ReAct or structured-chat prompt",),
    options=HeadJson(
        call=r"Action:[ \t]*(?P<name>[^\s{}\[\]`]{1,160})[ \t]*\r?\n\s*Action Input:", mark=r"(?!)",
        plain=r"\n(?=\s{0,8}(?:Observation|Action|Thought|Final Answer)\s*:)", plain_to_end=True,
        sibling=r"\n[ \t]{0,8}(?=(?:Observation|Action|Thought|Final Answer)\s*:)",
    ),
    example='Action: get_tide\nAction Input: {"port": "Brest"}',
    drift=("plain text as input", "action fence"),
    sentinel=False,
)  # fmt: skip
