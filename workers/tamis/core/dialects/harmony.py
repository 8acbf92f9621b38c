"""Channel messages; a recipient makes a message a call, the channel says whether it is thought or answer."""

from tamis.core.bodies.head_json import HeadJson
from tamis.core.dialects import Dialect, Opener

# who is no tool: a message to them is thought or text (P37)
NOBODY = r"(?:self|user|assistant|commentary|final|analysis|all)(?![\w.:-])"
TO = rf"(?:functions\.)?(?P<name>(?!{NOBODY})[^\s<>]{{1,160}})"
_CONSTRAIN = r"\s*(?:<\|constrain\|>\s*)?\w{0,32}\s*<\|message\|>"
_START = r"(?:<\|start\|>(?:assistant)?)?"
IN_ROLE = rf"\s*to=\s*{TO}\s*(?:<\|channel\|>\s*\w{{0,32}}{_CONSTRAIN}|<\|message\|>)"
IN_CHANNEL = rf"\s*\w{{0,32}}\s+to=\s*{TO}{_CONSTRAIN}"
_CHANNEL = r"<\|channel\|>"
_REST = r"[^<>\n]{0,160}(?:<\|constrain\|>[^<>\n]{0,32})?<\|message\|>"
_STRIPPED = r"\s+(?:json|code)?\s*(?=\{)"  # the tokens were taken out of the header (P43)
_BODY = rf"(?:{_CHANNEL}{_REST}|<\|message\|>)"

DIALECT = Dialect(
    name="harmony",
    family="head_json",
    summary="gpt-oss channel messages; a recipient to=NAME makes the message a call",
    models=("gpt-oss", "llm-jp"),
    openers={
        "<|start|>": (
            Opener("result", guard=rf"functions\.(?P<name>[^\s<>]{{1,160}})\s+to=assistant{_BODY}"),
            Opener("call", guard=rf"(?:assistant)?(?:{IN_ROLE}|{_CHANNEL}{IN_CHANNEL})", rank=1),
            Opener("private", guard=rf"(?:assistant)?(?:\s*to=self{_BODY}|(?:\s*to=[\w.-]+)?{_CHANNEL}\s*analysis{_REST})", rank=2),
            Opener("public", guard=r"(?:assistant)?\s*to=(?:user|commentary)\s*<\|message\|>", rank=2),
            Opener("text", guard=rf"\w{{0,32}}(?:\s*to=[\w.-]{{1,64}})?{_BODY}", rank=3),
        ),
        "<|channel|>": (
            Opener("call", guard=IN_CHANNEL, rank=1),
            Opener("private", guard=rf"\s*analysis{_REST}", rank=2),
            Opener("text", guard=rf"\s*\w{{1,32}}{_REST}", rank=3),
        ),
        " to=": (
            Opener("call", guard=rf"{TO}(?:\s*(?:{_CHANNEL}\s*\w{{0,32}}{_CONSTRAIN}|<\|message\|>)|{_STRIPPED})", rank=1),
            Opener("private", guard=rf"self\s*{_BODY}", rank=2),
            Opener("public", guard=r"(?:user|commentary)\s*<\|message\|>", rank=2),
            Opener("text", guard=rf"(?:user|commentary)\s*{_BODY}", rank=3),
        ),
    },
    closers=("<|call|>",),
    parts=("<|constrain|>", "<|message|>"),
    options=HeadJson(
        call=rf"{_START}(?:{IN_ROLE}|{_CHANNEL}{IN_CHANNEL}|\s*to=\s*{TO}{_STRIPPED})", mark=r"(?!)",
        ends=(r"\]", r"<\|(?:call|end|return|eom|eot)\|>|assistant(?:final|commentary)"),
    ),
    example='<|channel|>commentary to=functions.get_tide <|constrain|>json<|message|>{"port": "Brest"}<|call|>',
    drift=("recipient before the channel", "constrain word missing", "call token stripped", "all tokens stripped"),
)  # fmt: skip
