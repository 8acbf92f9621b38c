"""What to tell a model about a refusal: the cause by name, and what to do next."""

from __future__ import annotations

from typing import NamedTuple

from tamis.core.events import Cause

__all__ = ["Told", "error_line", "tell"]


class Told(NamedTuple):
    """`feedback` is ready to be sent back to the model, `hint` is its last sentence."""

    feedback: str
    hint: str
    retryable: bool


_HINTS: dict[Cause, tuple[str, bool]] = {
    Cause.UNKNOWN_TOOL: ("Call one of the available tools by its exact name, or answer in plain text.", True),
    Cause.AMBIGUOUS_TOOL: ("Repeat the call with the full, exact name of one tool.", True),
    Cause.TRUNCATED: ("Repeat the whole call, with shorter arguments or in several smaller calls.", True),
    Cause.MALFORMED_JSON: ("Repeat the call with valid JSON: double quotes, every bracket closed, no stray words.", True),
    Cause.MALFORMED_MARKUP: ("Repeat the call with its complete markup and the tool's name.", True),
    Cause.SCHEMA_VIOLATION: ("Repeat the call with arguments that satisfy the tool's schema.", True),
    Cause.UNRESOLVED_VALUE: ("Repeat the call with literal values instead of variables, placeholders or nested calls.", True),
    Cause.CALLS_NOT_ALLOWED: ("Answer in plain text; tools may not be called in this turn.", True),
    Cause.CATALOG_UNAVAILABLE: ("Nothing is wrong with the call: the host must publish the catalogue and ask again.", True),
    Cause.EMPTY_COMPLETION: ("Answer the request, or call a tool.", True),
    Cause.SEQUENCE_GAP: ("Parts of the answer were lost on the way; send it again.", True),
    Cause.LIMIT_EXCEEDED: ("Answer again, much shorter.", False),
    Cause.UPSTREAM_ERROR: ("The provider failed; ask again later.", True),
}
_WHAT = {
    Cause.UNKNOWN_TOOL: "the tool does not exist",
    Cause.AMBIGUOUS_TOOL: "the name fits several tools",
    Cause.TRUNCATED: "the call was cut off before it was complete",
    Cause.MALFORMED_JSON: "the JSON of the call could not be read",
    Cause.MALFORMED_MARKUP: "the markup of the call could not be read",
    Cause.SCHEMA_VIOLATION: "the arguments do not satisfy the tool's schema",
    Cause.UNRESOLVED_VALUE: "an argument is not a value",
    Cause.CALLS_NOT_ALLOWED: "tools may not be called now",
    Cause.CATALOG_UNAVAILABLE: "the list of tools is not available",
    Cause.EMPTY_COMPLETION: "the answer was empty",
    Cause.SEQUENCE_GAP: "the stream of the answer has a gap",
    Cause.LIMIT_EXCEEDED: "the answer exceeds a limit",
    Cause.UPSTREAM_ERROR: "the provider reported an error",
}
_LISTED = 40  # names listed in a text: more would fill the model's context; the record carries all of them


def tell(cause: Cause, name: str | None, detail: str, available: tuple[str, ...], suggestions: tuple[str, ...], *, token_limit: bool = False) -> Told:
    """The texts for one refusal. `token_limit`: the response ended at the provider's token limit, which is then named."""
    hint, retryable = _HINTS[cause]
    what = _WHAT[cause]
    if cause is Cause.TRUNCATED and token_limit:
        what = "the token limit (finish reason length) cut the call off before it was complete"
    subject = f"The call of {name!r}" if name else "The turn" if cause in _TURN else "The call"
    text = f"{subject} was refused ({cause.value}): {what}."
    if detail:
        text += f" Detail: {detail}."
    if suggestions:
        text += f" Did you mean: {', '.join(suggestions)}?"
    if cause is Cause.UNKNOWN_TOOL and available:
        more = "" if len(available) <= _LISTED else f" and {len(available) - _LISTED} more"
        text += f" Available tools: {', '.join(available[:_LISTED])}{more}."
    return Told(f"{text} {hint}", hint, retryable)


def error_line(cause: Cause, detail: str) -> str:
    """One line on what was wrong: the cause by name, and the detail where there is one."""
    return f"{cause.value}: {detail}" if detail else cause.value


_TURN = frozenset({Cause.EMPTY_COMPLETION, Cause.SEQUENCE_GAP, Cause.LIMIT_EXCEEDED, Cause.UPSTREAM_ERROR})
