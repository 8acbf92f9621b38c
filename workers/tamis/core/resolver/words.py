"""Words of tool names that are no verbs: same things, opposites, and words that say little or very much. Data; add freely."""

from __future__ import annotations

__all__ = ["ABOUT", "FILLER", "JOINING", "KNOWN", "LINKS", "LOOSE_THINGS", "NEGATING", "OPPOSITES", "REVERSING", "SAME_THINGS", "SCOPE", "SHORT"]

SHORT: dict[str, str] = {
    "acct": "account", "addr": "address", "app": "application", "apps": "application", "arg": "argument", "attr": "attribute", "auth": "authentication",
    "avg": "average", "calc": "calculate", "cal": "calendar", "cat": "category", "cfg": "config", "cmd": "command", "cmds": "command", "col": "column", "cols": "column",
    "config": "configuration", "configs": "configuration", "conv": "conversation", "curr": "current", "db": "database", "dbs": "database", "del": "delete",
    "desc": "description", "dest": "destination", "dev": "device", "dict": "dictionary", "dir": "directory", "dirs": "directory", "dist": "distance",
    "doc": "document", "docs": "document", "env": "environment", "envs": "environment", "exec": "execute", "expr": "expression", "fn": "function",
    "func": "function", "hist": "history", "img": "image", "imgs": "image", "info": "information", "infos": "information", "lang": "language",
    "lib": "library", "loc": "location", "max": "maximum", "mem": "memory", "msg": "message", "msgs": "message", "min": "minimum", "mgr": "manager",
    "nav": "navigate", "num": "number", "org": "organization", "orgs": "organization", "param": "parameter", "params": "parameter", "pic": "picture",
    "pics": "picture", "pkg": "package", "pref": "preference", "prefs": "preference", "prev": "previous", "prod": "product", "proc": "process",
    "procs": "process", "proj": "project", "prop": "property", "props": "property", "pwd": "password", "qty": "quantity", "rec": "record", "ref": "reference",
    "regex": "pattern", "repo": "repository", "repos": "repository", "req": "request", "res": "resource", "resp": "response", "sched": "schedule",
    "sess": "session", "specs": "specification", "spec": "specification", "src": "source", "stat": "statistic", "stats": "statistic", "std": "standard",
    "sub": "subscription", "svc": "service", "tbl": "table", "temp": "temperature", "tmp": "temporary", "txn": "transaction", "txns": "transaction",
    "usr": "user", "val": "value", "vals": "value", "var": "variable", "vars": "variable", "vol": "volume", "ws": "workspace", "xact": "transaction",
    "organisation": "organization", "organisations": "organization", "colour": "color", "favourite": "favorite", "favourites": "favorite",
    "pr": "pullrequest", "mr": "mergerequest", "perm": "permission", "perms": "permission", "auths": "authentication", "mins": "minute",
    "sec": "second", "secs": "second", "hrs": "hour", "dept": "department", "emp": "employee", "cust": "customer", "inv": "invoice", "appt": "appointment",
    "appts": "appointment", "notif": "notification", "notifs": "notification", "conn": "connection", "conns": "connection", "dashb": "dashboard",
    "cred": "credential", "creds": "credential", "attrs": "attribute", "ctx": "context", "idx": "index", "lat": "latitude", "lon": "longitude",
}  # fmt: skip
"""Short and other spellings of one word."""

SAME_THINGS: tuple[str, ...] = (
    "information details detail",
    "directory folder",
    "image picture photo",
    "configuration settings setting",
    "email mail",
    "task todo",
    "cost price",
    "state status",
    "expiry expiration",
    "website site",
    "page webpage",
    "song track",
    "comment remark",
    "metric measurement",
    "phone telephone",
    "calendar agenda",
    "vehicle car",
    "meeting appointment",
    "invoice bill",
    "customer client",
    "employee staff",
    "error failure",
    "country nation",
    "movie film",
    "screenshot screengrab",
    "url link",
    "ticker symbol",
    "permission right",
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
    "playlist mix",
    "music song track audio",
    "location place",
    "statistic metric",
    "table sheet",
    "team group",
    "channel room conversation",
    "content text body contents",
    "price rate quote",
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
    "process task",
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
    for pair in (
        "create delete,add remove,add delete,create remove,insert delete,append remove,make delete,get set,read write,load save,get put,get delete,"
        "start stop,begin end,open close,enable disable,activate deactivate,lock unlock,show hide,increase decrease,increment decrement,raise lower,"
        "up down,on off,in out,next previous,first last,before after,begin finish,install uninstall,connect disconnect,attach detach,mute unmute,"
        "pause resume,pause unpause,play pause,play stop,pause play,login logout,signin signout,subscribe unsubscribe,follow unfollow,like unlike,"
        "like dislike,star unstar,pin unpin,archive unarchive,archive restore,delete restore,remove restore,block unblock,ban unban,mark unmark,"
        "select deselect,check uncheck,stage unstage,staged unstaged,read unread,publish unpublish,deploy rollback,commit revert,do undo,undo redo,"
        "zip unzip,compress decompress,compress extract,encrypt decrypt,encode decode,serialize deserialize,import export,upload download,push pull,"
        "send receive,request response,buy sell,deposit withdraw,credit debit,lend borrow,approve reject,accept reject,accept decline,allow deny,"
        "grant revoke,assign unassign,register unregister,join leave,enter exit,expand collapse,maximize minimize,grow shrink,zoom unzoom,"
        "forward back,forward backward,left right,top bottom,north south,east west,min max,minimum maximum,ascending descending,asc desc,"
        "encode parse,source destination,source target,from to,sender recipient,sender receiver,parent child,dependency dependent,"
        "dependencies dependents,incoming outgoing,inbound outbound,input output,internal external,public private,local remote,local global,"
        "old new,oldest newest,latest oldest,earliest latest,active inactive,online offline,valid invalid,visible hidden,pending delivered,"
        "pending completed,open closed,opened closed,current historical,current previous,past future,yesterday tomorrow,today tomorrow,today yesterday,"
        "daily weekly,weekly monthly,monthly yearly,daily monthly,daily yearly,day night,row column,width height,latitude longitude,"
        "sum difference,sum mean,mean median,mean mode,median mode,average sum,plus minus,add subtract,multiply divide,increase reduce,"
        "income expense,profit loss,gain loss,asset liability,balance income,stock crypto,stock option,bid ask,buyer seller,supplier customer,"
        "fahrenheit celsius,miles kilometers,gallon liter,pound kilogram,feet meters,inch centimeter,http https,encode decompress,"
        "success failure,true false,yes no,positive negative,odd even,real imaginary,horizontal vertical,inner outer,upper lower,uppercase lowercase,"
        "male female,read delete,write delete,update delete,edit delete,get create,get update,get remove,list delete,list create,list update,search delete,"
        "compile decompile,assemble disassemble,decompile disassemble,mount unmount,map unmap,bind unbind,wrap unwrap,pack unpack,freeze unfreeze,"
        "load unload,link unlink,hold release,acquire release,arrive depart,arrival departure,origin destination,ingress egress,client server,"
        "start end,start finish,start pause,start cancel,stop resume,cancel confirm,cancel reschedule,cancel refund,confirm decline,complete reopen,"
        "close reopen,resolve reopen,merge split,join split,copy move,copy delete,move delete,rename delete,append overwrite,append replace,"
        "head tail,prefix suffix,prepend append,key value,encrypt hash,dim brighten,heat cool,warm cool,fast slow,soft hard,light dark,"
        "individual batch,single multiple,full partial,checkin checkout,return purchase,return exchange,refund purchase,refund exchange,visit leave"
    ).split(",")
)
"""Two sides of one thing: a name with the one never means a tool with the other."""
REVERSING = ("un", "re", "de", "dis", "in", "non", "anti")
"""Syllables that turn a word round or do it again: no slip of the finger adds or drops them."""

SCOPE: frozenset[str] = frozenset("all batch bulk multiple multi many every each entire whole any everything mass single one".split())
"""How many things a tool touches: never left out, never added."""
NEGATING: frozenset[str] = frozenset("not no never without except excluding un undo non skip dry simulate simulated revert unless cannot dont anti force".split())
"""Words that turn a name round, or say that it is not to be done for good: never left out, never added."""
JOINING: frozenset[str] = frozenset("and or then plus".split())
"""Words between two acts: a name that does two things is not a tool that does one."""

FILLER: frozenset[str] = frozenset(
    "please the a an my your our this that call use do invoke perform now tool tools function functions action operation op request api endpoint method "
    "handler helper".split()
)
"""Words that models put around a name; they say nothing, unless the declared name has them."""
LINKS: frozenset[str] = frozenset("to from for of in on at by with into onto via as per the a an is using".split())
"""Small words that join the others."""
ABOUT: frozenset[str] = frozenset("information info detail details data metadata".split())
"""Words for what is known of a thing: the thing alone asks for it as well."""

KNOWN: frozenset[str] = frozenset(
    "ability access account action active activity ad address admin agent agenda airport album alert alias allergy amount analysis analytics angle answer "
    "app appointment area argument article artist asset assistant attachment attribute audio audit author avatar badge bag balance bank banner bar base "
    "basket battery bed bill bin bind bird bit blob board boat body bond bonus bool boot bot bottle bottom box brake branch brand break bridge browser "
    "budget buffer bug bus bulk button cab cabin cache call camera campaign cap capacity car card care cart case cash cast catalog category cell center "
    "chain chair change channel chapter char charge chart chat child church city class clause client clock cloud cluster coach coat code coin color "
    "column comment commit community company condition conference connection contact container content context contract control cookie cord core corner "
    "cost count country coupon course court cover credit crew criteria crop currency current cursor curve custom customer cut cycle dash dashboard data "
    "database dataset date day deal debt deck deep default degree demand demo department desk detail device diagram dialog diet digest dinner direct disc "
    "discount disk dispute distance district dock doctor document dog domain door dosage dose dot draft drive driver drug due edge effect element email "
    "employee energy engine entity entry error estate event example exam exception exchange experience expense expert export expression face fact factor "
    "family fan farm fare feature fee feed field figure file fine fire fish flag flat fleet flight floor flow folder font food foot form frame fraud "
    "friend front fruit fuel fund game gap garden gas gate gender gift gist goal goods grade graph grid group guest guide habit hall hand hash head "
    "header health heat height help hero highlight history hit hold hole holiday home hook horse hospital host hotel hour house icon idea identity image "
    "impact import index info input insight instance insurance interest interface interval inventory invite invoice issue item job join joint journal "
    "judge jump key keyword kind kit label lamp land lane language laptop law layer layout lead leaf league leak lease leave left legal lesson letter "
    "level library license life lift light limit line link list load loan local location lock log logo loop loss lot lower lunch mail main map margin mark "
    "market match material math matrix meal mean measure media medicine meeting member memo memory menu merge merit message meta meter metric middle mile "
    "milestone mind mine minute mix mode model module moment money month mood motion mountain mouse mouth movie music name net network news node note "
    "notification number object offer office option order org organization origin output overview owner pack package page paint pair panel paper "
    "parameter parent park part partner party pass password past patch path patient pattern pay payment peak people period permission person phone photo "
    "piece pile pin pipe pipeline place plan plane plant plate platform play player playlist plot point policy poll pool port portfolio portion position "
    "post pound power present price print priority privacy process product profile profit program project prompt property protocol provider proxy "
    "public pull pulse purchase purpose queue quiz quota quote race radio rail rain range rank rate ratio reaction reason receipt record recipe region "
    "release reminder rent repair replica reply report repository request reservation resource response rest result return reward review revision ride "
    "right ring risk road role roll roof room root route row rule run sale sample scale scan scene schedule schema school scope score screen script sea "
    "search seat second secret section sector security seed segment sell send seller sensor sentence server service session set setting shape share sheet "
    "shell shift ship shipment shop shot show side sign signal site size skill slide slot smart snapshot snippet soap song sort sound source space spec "
    "speed split sport spot spring sprint stack staff stage star start state statement station statistic status step stock stop storage store story "
    "stream street string strip student style subject subscription suite summary supply support survey symbol system tab table tag tail talk target task "
    "tax team temp temperature template tenant term test text theme thing thread threshold ticket tide time timer tip title token tool top topic total "
    "touch tour town track trade traffic trail train transaction transcript transfer transport trash tree trend trial trigger trip truck trust tube turn "
    "tweet type unit upload url usage user valid value variable vehicle vendor verify version video view virtual visit voice volume vote wage wait walk "
    "wall wallet want ward water wave way weather web webhook website week weight wheel widget width wife wind window wine wing wire wish wood word work "
    "worker workflow workspace worksheet world worth yard year zone zoom".split()
)
"""Plain words: none of them is a slip for another."""
