"""Words for keys: which name the same thing, and which turn a meaning round. Data; no word here stands for one tool."""

from __future__ import annotations

import re

__all__ = ["COMMENTARY", "PAIRS", "PROSE", "ROLES", "SELF", "WRAPPERS", "letters", "related", "tokens"]

COMMENTARY = frozenset({"thought", "thoughts", "reasoning", "explanation", "rationale"})
"""Undeclared keys that only comment on the call: dropped where the schema is closed (P93)."""
WRAPPERS = frozenset({"arguments", "argument", "args", "parameters", "params", "input", "inputs", "kwargs", "toolinput", "toolargs", "toolarguments",
                      "toolparameters", "actioninput", "functionarguments", "payload", "data", "body", "request", "options", "json"})  # fmt: skip
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
        "dir directory folder dirname dirpath folderpath directorypath",
        "content contents text body message msg",
        "query q search searchquery searchterm searchterms searchtext searchstring querystring querytext keyword keywords term terms phrase",
        "query sql sqlquery statement",
        "url uri link href webpage website",
        "command cmd commandline shellcommand",
        "code sourcecode script snippet",
        "expression expr formula equation",
        "pattern regex regexp",
        "type kind",
        "name title",
        "title subject heading",
        "question query",
        "question prompt",
        "status state",
        "quantity count",
        "username user login",
        "password pass passwd",
        "sheet worksheet",
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
_FILLER = frozenset({"the", "my", "your", "given", "value", "input", "this", "full"})
_ROLE_OF = frozenset({"name", "title"})
"""Words of one group that part behind another word: a job's title is not its name."""
_SUFFIXES = frozenset({"id", "name", "key", "number", "slug", "uuid"})
"""What names a thing: `channel` and `channel_id` are the same thing, where the schema takes the value."""
_FOLDERS = ("path", _GROUPS[1])
"""A folder is a path where the tool is about folders or about many files; for the path of one file it is another thing."""
_ABOUT_FOLDERS = frozenset({"directory", "folder", "tree", "list", "search", "find", "files", "ls", "cd", "mkdir", "rmdir"})
_SIDES = frozenset(word for pair in PAIRS for word in pair)
_IDS = (("id",), ("gid",), ("uuid",), ("guid",), ("uid",))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")


def letters(word: str) -> str:
    """A key or an enum member without case and separators: two of the same letters are two spellings of one."""
    return "".join(char for char in word.casefold() if char.isalnum())


def tokens(key: str) -> tuple[str, ...]:
    """The words of a key, small, short forms written out."""
    return tuple(_SHORT.get(word, word) for found in _WORD.findall(key[:128]) for word in (found.lower(),))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _same(one: str, other: str) -> bool:
    """Whether two keys, as letters, are two words for one thing."""
    return any(one in group and other in group for group in _GROUPS)


def related(emitted: str, declared: str, tool: str) -> bool:
    """Whether an emitted key may be another word for a declared one.

    The tool's own words add nothing, on one of the two sides: `search_query` is the `query` of a search. On both sides they would make
    `task_id` and `project_id` of one tool the same.
    """
    said, meant = tokens(emitted), tokens(declared)
    if not said or not meant:
        return False
    if _same(letters(emitted), letters(declared)) or _same("".join(said), "".join(meant)):
        return True
    if _is_folder(letters(emitted), letters(declared), tool) or _is_folder(letters(declared), letters(emitted), tool):
        return True
    if said in _IDS:
        return meant[-1:] in _IDS
    if meant in _IDS:
        return said[-1:] in _IDS and _plain(said[:-1]) == _plain(tokens(tool)[1:])  # behind its verb the tool names the one thing it is about
    if meant[:-1] == said and meant[-1] in _SUFFIXES and not (said[-1] in PROSE and meant[-1] != "name"):
        return True
    one, other = _plain(said), _plain(meant)
    own = {_singular(word) for word in tokens(tool)}
    return bool(one) and (one == other or _plus(one, other, own) or _plus(other, one, own) or _one_word_apart(one, other))


def _is_folder(folder: str, path: str, tool: str) -> bool:
    general, folders = _FOLDERS
    return path == general and folder in folders and any(word in _ABOUT_FOLDERS for word in tokens(tool))


def _plain(words: tuple[str, ...]) -> list[str]:
    return [_singular(word) for word in words if word not in _FILLER]


def _plus(longer: list[str], shorter: list[str], own: set[str]) -> bool:
    """Whether one key is the other one behind words of the tool's own."""
    extra = len(longer) - len(shorter)
    return bool(shorter) and extra > 0 and longer[extra:] == shorter and all(word in own and word not in _SIDES for word in longer[:extra])


def _one_word_apart(said: list[str], meant: list[str]) -> bool:
    """Equal but for one word that has another for the same thing."""
    if len(said) != len(meant):
        return False
    apart = [(one, other) for one, other in zip(said, meant, strict=True) if one != other]
    return len(apart) == 1 and apart[0][0] not in _ROLE_OF and _same(*apart[0])

