"""Words for keys: which name the same thing, and which turn a meaning round. Data; no word here stands for one tool."""

from __future__ import annotations

import re

__all__ = ["COMMENTARY", "PAIRS", "PROSE", "ROLES", "SELF", "WRAPPERS", "related", "tokens"]

COMMENTARY = frozenset({"thought", "thoughts", "reasoning", "explanation", "rationale"})
"""Undeclared keys that only comment on the call: dropped where the schema is closed (P93)."""
WRAPPERS = frozenset({"arguments", "argument", "args", "parameters", "params", "input", "inputs", "kwargs", "toolinput", "toolargs", "actioninput",
                      "payload", "data"})  # fmt: skip
"""Letters of a key that models put around all arguments."""
SELF = frozenset({"name", "tool", "toolname", "function", "functionname", "action"})
"""Letters of a key beside a wrapper that repeats the tool's own name."""
ROLES = frozenset({"where", "filter", "filters", "match", "except", "excluding", "exclude", "not", "without", "unless", "if", "when", "only", "old",
                   "previous", "before", "from", "default", "defaults", "example", "fallback", "otherwise"})  # fmt: skip
"""Words that say what an object is for: its keys are no plain arguments, however they are spelt."""

_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "path file filename filepath pathname",
        "path dir directory folder dirname dirpath folderpath directorypath",
        "content contents text body message msg",
        "query q search searchquery searchterm searchterms searchtext searchstring querystring querytext",
        "query sql sqlquery statement",
        "url uri link href webpage",
        "command cmd commandline shellcommand",
        "code sourcecode script snippet",
        "expression expr formula",
        "pattern regex regexp",
        "type kind",
        "name title",
        "description desc",
        "email mail emailaddress mailaddress",
        "phone phonenumber telephone tel",
        "limit maxresults numresults topk",
        "recipient to",
        "symbol ticker",
        "image picture img",
        "prompt instruction instructions",
    )
)
"""Letters of whole keys that people use for the same thing. Overlap is no bridge: only two words of one group are related."""
_SHORT: dict[str, str] = {
    "addr": "address", "amt": "amount", "attr": "attribute", "cfg": "config", "cmd": "command", "col": "column", "curr": "current",
    "db": "database", "desc": "description", "dest": "destination", "dir": "directory", "doc": "document", "docs": "document", "dst": "destination",
    "env": "environment", "expr": "expression", "idx": "index", "img": "image", "info": "information", "lang": "language", "lat": "latitude",
    "len": "length", "lng": "longitude", "lon": "longitude", "msg": "message", "num": "number", "org": "organization", "param": "parameter",
    "prev": "previous", "prio": "priority", "pwd": "password", "qty": "quantity", "repo": "repository", "src": "source", "tbl": "table",
    "temp": "temperature", "tz": "timezone", "usr": "user", "val": "value", "vol": "volume",
}  # fmt: skip
"""Short forms of one word of a key."""
PAIRS: tuple[tuple[str, str], ...] = (
    ("old", "new"), ("source", "destination"), ("source", "target"), ("from", "to"), ("start", "end"), ("min", "max"), ("begin", "end"),
    ("before", "after"), ("first", "last"), ("left", "right"), ("origin", "destination"), ("base", "target"), ("input", "output"), ("base", "head"),
    ("sender", "recipient"), ("previous", "next"), ("parent", "child"), ("upper", "lower"), ("width", "height"), ("latitude", "longitude"),
)  # fmt: skip
"""Words of two keys that stand for the two sides of one thing, the first one the side that comes first: to take one for the other reverses it."""
PROSE = frozenset({"text", "content", "body", "message", "markdown"})
"""Keys whose value is prose."""
_FILLER = frozenset({"the", "a", "my", "your", "given", "value", "input", "target", "this", "full"})
_SUFFIXES = frozenset({"id", "name", "key", "number", "slug", "uuid"})
"""What names a thing: `channel` and `channel_id` are the same thing, where the schema takes the value."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")


def tokens(key: str) -> tuple[str, ...]:
    """The words of a key, small, short forms written out."""
    return tuple(_SHORT.get(word, word) for found in _WORD.findall(key[:128]) for word in (found.lower(),))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _same(one: str, other: str) -> bool:
    """Whether two keys, as letters, are two words for one thing."""
    return any(one in group and other in group for group in _GROUPS)


def related(emitted: str, declared: str, tool: str) -> bool:
    """Whether an emitted key may be another word for a declared one. The tool's own words add nothing: `search_query` is its `query`."""
    own = {_singular(word) for word in tokens(tool)}
    said, meant = tokens(emitted), tokens(declared)
    if not said or not meant:
        return False
    if _same("".join(said), "".join(meant)) or _same(_letters(emitted), _letters(declared)):
        return True
    if said == ("id",):
        return meant[-1] == "id"
    if meant == ("id",):
        return said[-1] == "id" and all(_singular(word) in own for word in said[:-1])
    if meant[:-1] == said and meant[-1] in _SUFFIXES:
        return True
    plain = [[_singular(word) for word in words if word not in _FILLER] for words in (said, meant)]
    if plain[0] and plain[0] == plain[1]:
        return True
    rest = [[word for word in words if word not in own] for words in plain]
    if rest[0] and rest[0] == rest[1]:
        return True
    return _one_word_apart(plain[0], plain[1]) or _one_word_apart(rest[0], rest[1])


def _one_word_apart(said: list[str], meant: list[str]) -> bool:
    """Equal but for one word that has another for the same thing."""
    if len(said) != len(meant):
        return False
    apart = [(one, other) for one, other in zip(said, meant, strict=True) if one != other]
    return len(apart) == 1 and _same(*apart[0])


def _letters(key: str) -> str:
    return "".join(char for char in key.casefold() if char.isalnum())
