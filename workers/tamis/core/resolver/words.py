"""Words of tool names that are no verbs: same things, opposites, and words that say little or very much. Data; add freely."""

from __future__ import annotations

__all__ = ["ABOUT", "FILLER", "JOINING", "LINKS", "LOOSE_THINGS", "NEGATING", "OPPOSITES", "REVERSING", "SAME_THINGS", "SCOPE", "SHORT"]

SHORT: dict[str, str] = {
    "acct": "account", "addr": "address", "app": "application", "apps": "application", "appt": "appointment", "appts": "appointment",
    "arg": "argument", "attr": "attribute", "attrs": "attribute", "auth": "authentication", "auths": "authentication", "avg": "average",
    "behaviour": "behavior", "cal": "calendar", "calc": "calculate", "cancelled": "canceled", "cat": "category", "catalogue": "catalog",
    "catalogues": "catalog", "centre": "center", "cfg": "config", "cheque": "check", "cmd": "command", "cmds": "command", "col": "column",
    "colour": "color", "cols": "column", "config": "configuration", "configs": "configuration", "conn": "connection", "conns": "connection",
    "conv": "conversation", "cred": "credential", "creds": "credential", "ctx": "context", "curr": "current", "cust": "customer",
    "dashb": "dashboard", "db": "database", "dbs": "database", "del": "delete", "dept": "department", "desc": "description", "dest": "destination",
    "dev": "device", "dialogue": "dialog", "dict": "dictionary", "dir": "directory", "dirs": "directory", "dist": "distance", "doc": "document",
    "docs": "document", "emp": "employee", "env": "environment", "envs": "environment", "exec": "execute", "expr": "expression",
    "favourite": "favorite", "favourites": "favorite", "fn": "function", "func": "function", "grey": "gray", "hist": "history", "hrs": "hour",
    "idx": "index", "img": "image", "imgs": "image", "info": "information", "infos": "information", "inv": "invoice", "jewellery": "jewelry",
    "labelled": "labeled", "lang": "language", "lat": "latitude", "lib": "library", "licence": "license", "litre": "liter", "litres": "liter",
    "loc": "location", "lon": "longitude", "max": "maximum", "mem": "memory", "metre": "meter", "metres": "meter", "mgr": "manager",
    "min": "minimum", "mins": "minute", "mr": "mergerequest", "msg": "message", "msgs": "message", "nav": "navigate", "notif": "notification",
    "notifs": "notification", "num": "number", "org": "organization", "organisation": "organization", "organisations": "organization",
    "orgs": "organization", "param": "parameter", "params": "parameter", "perm": "permission", "perms": "permission", "pic": "picture",
    "pics": "picture", "pkg": "package", "pr": "pullrequest", "pref": "preference", "prefs": "preference", "prev": "previous", "proc": "process",
    "procs": "process", "prod": "product", "programme": "program", "proj": "project", "prop": "property", "props": "property", "pwd": "password",
    "pyjamas": "pajamas", "qty": "quantity", "rec": "record", "ref": "reference", "regex": "pattern", "repo": "repository", "repos": "repository",
    "req": "request", "res": "resource", "resp": "response", "sched": "schedule", "sec": "second", "secs": "second", "sess": "session",
    "spec": "specification", "specs": "specification", "src": "source", "stat": "statistic", "stats": "statistic", "std": "standard",
    "sub": "subscription", "svc": "service", "tbl": "table", "temp": "temperature", "theatre": "theater", "tmp": "temporary",
    "travelled": "traveled", "txn": "transaction", "txns": "transaction", "tyre": "tire", "tyres": "tire", "usr": "user", "val": "value",
    "vals": "value", "var": "variable", "vars": "variable", "vol": "volume", "ws": "workspace", "xact": "transaction",
}  # fmt: skip
"""Short and other spellings of one word."""

SAME_THINGS: tuple[str, ...] = (
    "information details detail",
    "directory folder",
    "image picture photo",
    "configuration settings setting",
    "email mail",
    "task todo",
    "expiry expiration",
    "website site",
    "page webpage",
    "song track",
    "comment remark",
    "phone telephone",
    "calendar agenda",
    "vehicle car",
    "invoice bill",
    "employee staff",
    "country nation",
    "movie film",
    "screenshot screengrab",
    "url link",
    "sheet worksheet",
)
"""Words of one line name the same thing."""

LOOSE_THINGS: tuple[str, ...] = (
    "information details detail metadata data summary profile",
    "file document",
    "issue ticket bug",
    "item product",
    "user account person",
    "comment note remark",
    "event meeting appointment",
    "message text",
    "music song track audio",
    "location place",
    "statistic metric",
    "table sheet",
    "team group",
    "channel room conversation",
    "content text body contents",
    "price rate quote cost",
    "state status",
    "ticker symbol",
    "error failure",
    "customer client",
    "metric measurement",
    "article story news",
    "picture photo screenshot",
    "job task",
    "path file",
    "workspace project",
    "device machine",
    "order purchase",
    "booking reservation",
    "ticket case",
    "directory path",
    "record entry row",
    "tag label",
    "log history",
    "trip travel",
    "company firm business",
    "balance amount",
    "result output",
)
"""Words of one line often name the same thing: arguments have to agree."""

OPPOSITES: tuple[tuple[str, str], ...] = tuple(
    (pair.split()[0], pair.split()[1])
    for pair in """
        create delete, add remove, add delete, create remove, insert delete, append remove, make delete, get set, read write, load save, get put,
        get delete, start stop, begin end, open close, enable disable, activate deactivate, lock unlock, show hide, increase decrease,
        increment decrement, raise lower, up down, on off, in out, next previous, first last, before after, begin finish, install uninstall,
        connect disconnect, attach detach, mute unmute, pause resume, pause unpause, play pause, play stop, pause play, login logout,
        signin signout, subscribe unsubscribe, follow unfollow, like unlike, like dislike, star unstar, pin unpin, archive unarchive,
        archive restore, delete restore, remove restore, block unblock, ban unban, mark unmark, select deselect, check uncheck, stage unstage,
        staged unstaged, read unread, publish unpublish, deploy rollback, commit revert, do undo, undo redo, zip unzip, compress decompress,
        compress extract, encrypt decrypt, encode decode, serialize deserialize, import export, upload download, push pull, send receive,
        request response, buy sell, deposit withdraw, credit debit, lend borrow, approve reject, accept reject, accept decline, allow deny,
        grant revoke, assign unassign, register unregister, join leave, enter exit, expand collapse, maximize minimize, grow shrink, zoom unzoom,
        forward back, forward backward, left right, top bottom, north south, east west, min max, minimum maximum, ascending descending, asc desc,
        encode parse, source destination, source target, from to, sender recipient, sender receiver, parent child, dependency dependent,
        dependencies dependents, incoming outgoing, inbound outbound, input output, internal external, public private, local remote, local global,
        old new, oldest newest, latest oldest, earliest latest, active inactive, online offline, valid invalid, visible hidden, pending delivered,
        pending completed, open closed, opened closed, current historical, current previous, past future, yesterday tomorrow, today tomorrow,
        today yesterday, daily weekly, weekly monthly, monthly yearly, daily monthly, daily yearly, day night, row column, width height,
        latitude longitude, sum difference, sum mean, mean median, mean mode, median mode, average sum, plus minus, add subtract, multiply divide,
        increase reduce, income expense, profit loss, gain loss, asset liability, balance income, stock crypto, stock option, bid ask,
        buyer seller, supplier customer, fahrenheit celsius, miles kilometers, gallon liter, pound kilogram, feet meters, inch centimeter,
        http https, encode decompress, success failure, true false, yes no, positive negative, odd even, real imaginary, horizontal vertical,
        inner outer, upper lower, uppercase lowercase, male female, read delete, write delete, update delete, edit delete, get create, get update,
        get remove, list delete, list create, list update, search delete, compile decompile, assemble disassemble, decompile disassemble,
        mount unmount, map unmap, bind unbind, wrap unwrap, pack unpack, freeze unfreeze, load unload, link unlink, hold release, acquire release,
        arrive depart, arrival departure, origin destination, ingress egress, client server, start end, start finish, start pause, start cancel,
        stop resume, cancel confirm, cancel reschedule, cancel refund, confirm decline, complete reopen, close reopen, resolve reopen,
        merge split, join split, copy move, copy delete, move delete, rename delete, append overwrite, append replace, head tail, prefix suffix,
        prepend append, key value, encrypt hash, dim brighten, heat cool, warm cool, fast slow, soft hard, light dark, individual batch,
        single multiple, full partial, checkin checkout, return purchase, return exchange, refund purchase, refund exchange, visit leave
    """.split(",")
)
"""Two sides of one thing: a name with the one never means a tool with the other."""
REVERSING = ("un", "re", "de", "dis", "in", "non", "anti")
"""Syllables that turn a word round or do it again: no slip of the finger adds or drops them."""

SCOPE: frozenset[str] = frozenset("all any batch bulk each entire every everything many mass multi multiple one single whole".split())
"""How many things a tool touches: never left out, never added."""
NEGATING: frozenset[str] = frozenset(
    """
        anti cannot dont dry except excluding force never no non not revert simulate simulated skip un undo unless without
    """.split()
)
"""Words that turn a name round, or say that it is not to be done for good: never left out, never added."""
JOINING: frozenset[str] = frozenset("and or plus then".split())
"""Words between two acts: a name that does two things is not a tool that does one."""

FILLER: frozenset[str] = frozenset(
    """
        a action an api call do endpoint function functions handler helper invoke method my now op operation our perform please request that the
        this tool tools use your
    """.split()
)
"""Words that models put around a name; they say nothing, unless the declared name has them."""
LINKS: frozenset[str] = frozenset("a an as at by for from in into is of on onto per the to using via with".split())
"""Small words that join the others."""
ABOUT: frozenset[str] = frozenset("data detail details info information metadata".split())
"""Words for what is known of a thing: the thing alone asks for it as well."""
