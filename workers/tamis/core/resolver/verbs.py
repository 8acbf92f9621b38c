"""What the verbs of tool names do: words for the same act, the class of each act, and which acts take something away. Data; add freely."""

from __future__ import annotations

__all__ = ["CLASS_OF", "DESTRUCTIVE", "GETTING", "HEAD_ONLY", "LOOSE_ACTS", "MANY", "ONE", "QUIET", "SAME_ACTS", "VERBS"]

SAME_ACTS: tuple[str, ...] = (
    "get fetch retrieve obtain",
    "list enumerate",
    "search find lookup locate seek query",
    "create make build",
    "delete remove erase destroy",
    "update edit modify change alter amend",
    "add append insert",
    "send transmit",
    "start begin launch",
    "stop halt",
    "cancel abort void",
    "execute exec run invoke",
    "check verify inspect",
    "calculate compute calc",
    "move relocate",
    "copy duplicate clone",
    "merge unify",
    "reserve book",
    "buy purchase",
    "reply respond answer",
    "login signin authenticate",
    "logout signout",
    "register signup enroll",
    "terminate kill",
    "convert transform",
    "describe explain",
    "rename retitle",
    "navigate goto",
    "increase raise increment",
    "decrease lower decrement reduce",
    "replace substitute",
    "set configure assign",
    "replicate mirror",
    "adjust tune",
    "discard dispose",
    "restore recover",
    "approve accept",
    "reject decline deny",
    "notify alert",
    "schedule plan",
    "summarize summarise",
    "generate produce",
    "analyze analyse",
    "compare diff",
    "grant permit",
    "save store persist",
    "pause suspend",
    "resume unpause continue",
    "post publish",
    "capture take",
    "show display view",
    "read load",
    "close shut",
    "visualize visualise plot draw",
    "estimate predict forecast",
    "evaluate eval",
    "initialize init initialise",
    "synchronize sync synchronise",
    "complete finish",
    "group categorize categorise",
    "count tally",
)
"""Verbs of one line say the same about a tool: to take one for another changes only the spelling of what was meant."""

LOOSE_ACTS: tuple[str, ...] = (
    "get fetch retrieve obtain read load show display view lookup pull",
    "get describe explain show",
    "get fetch retrieve obtain show display view list enumerate browse",
    "search find lookup locate seek query browse discover",
    "create make build new generate add produce compose draft construct",
    "add append insert attach put include create push",
    "delete remove erase drop destroy purge discard wipe trash unlink",
    "update edit modify change alter amend patch revise adjust rewrite",
    "write save store persist put",
    "set configure assign update change adjust apply",
    "send post publish deliver submit dispatch",
    "start begin launch initiate run open",
    "stop end halt terminate quit finish",
    "cancel abort void revoke",
    "execute run invoke perform call trigger",
    "check verify inspect examine",
    "calculate compute evaluate",
    "move relocate transfer",
    "copy duplicate clone replicate",
    "reply respond answer",
    "book reserve make",
    "capture take grab snap",
    "navigate goto go visit open",
    "replace substitute swap overwrite",
    "translate convert transform",
    "analyze inspect examine",
    "connect join link attach",
    "disconnect detach unlink",
    "install setup",
    "subscribe follow",
    "unsubscribe unfollow",
    "exchange trade swap",
    "merge combine join",
    "play start",
    "complete finish close",
    "rename retitle",
    "restore recover",
    "generate create",
    "summarize condense",
    "download fetch",
    "press hit",
    "reorder rearrange",
    "upload push",
    "record log",
    "track monitor watch",
    "estimate calculate",
    "set put",
    "give provide",
    "select choose pick",
)
"""Verbs of one line often say the same: arguments have to agree before one is taken for another."""

_CLASSES: dict[str, str] = {
    "read": """
        get fetch retrieve obtain read load show display view list enumerate browse describe explain lookup find search seek locate query check
        verify inspect examine validate test count compare diff calculate compute calc evaluate analyze analyse summarize estimate predict
        forecast filter sort is has wait observe monitor watch listen preview measure discover translate convert transform extract parse
    """,
    "create": """
        create make build new generate add append insert attach put compose draft construct register signup open book reserve upload install setup
        init initialize save store write record schedule plan fork clone copy duplicate subscribe follow import
    """,
    "change": """
        update edit modify change alter amend patch revise adjust set configure assign rename move relocate replace swap merge apply reorder
        toggle enable disable mark pin lock unlock archive restore resolve close complete finish convert increase decrease raise lower approve
        reject write transfer exchange star unstar label sync reset unpause pause resume
    """,
    "delete": """
        delete remove erase destroy drop purge clear wipe empty trash discard dispose uninstall unregister unsubscribe unlink revoke prune rm
        rmdir truncate flush reset overwrite detach leave unfollow
    """,
    "act": """
        send post publish submit deliver transmit run execute exec invoke start begin launch stop halt terminate kill cancel abort void restart
        reboot shutdown deploy rollback revert buy purchase sell order pay refund withdraw deposit transfer login logout press click type drag
        hover navigate goto go play skip call reply respond answer notify broadcast dismiss commit push pull checkout give grab take fund place
        turn connect disconnect mute unmute share invite ban block return request charge format
    """,
}
"""Class -> verbs that belong to it; a verb may be in several."""
VERBS: frozenset[str] = frozenset(word for words in _CLASSES.values() for word in words.split()) | frozenset(
    word for line in (*SAME_ACTS, *LOOSE_ACTS) for word in line.split()
)
"""Words that are verbs in tool names, perhaps among other things."""
CLASS_OF: dict[str, frozenset[str]] = {
    word: frozenset(name for name, words in _CLASSES.items() if word in words.split()) for line in _CLASSES.values() for word in line.split()
}
"""A verb's classes: read, create, change, delete, act."""

DESTRUCTIVE: frozenset[str] = frozenset(
    """
        abort ban buy cancel charge clear delete deploy destroy discard dispose drop empty erase flush format kill overwrite pay prune purchase
        purge reboot refund remove replace reset revert revoke rm rmdir rollback sell shutdown terminate transfer trash truncate uninstall
        unregister void wipe withdraw
    """.split()
)
"""Verbs of tools that take away, pay or end something: such a tool is destructive unless its declaration says otherwise."""
QUIET: frozenset[str] = frozenset("describe display enumerate fetch get list load lookup obtain read retrieve show take view".split())
"""Verbs that a name may leave out without a change of meaning: the noun alone asks for the thing."""
HEAD_ONLY: frozenset[str] = frozenset(
    """
        answer block book call change charge check comment count display exchange file filter fork format fund group label link list load lock log
        mark message monitor move open order pin place plan play post press query record reply report request return schedule search set share
        show sort star state store tag take test track trade transfer turn type update view watch
    """.split()
)
"""Words that are verbs at the head of a name and nouns (or the like) elsewhere: `order` in `get_order_history` does nothing."""

ONE: frozenset[str] = frozenset("describe fetch get obtain read retrieve show view".split())
"""Verbs about one thing by its key."""
MANY: frozenset[str] = frozenset("browse enumerate find list search".split())
"""Verbs about many things: between them and those about one the number of the noun is part of the meaning."""
GETTING: frozenset[str] = frozenset("fetch get obtain retrieve show".split())
"""Verbs about one thing that people use for a listing too."""
