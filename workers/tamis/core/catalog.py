"""The declared tools of a response: names to look up, schemas to check against."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import jsonschema_rs
from rapidfuzz import fuzz, process

from tamis.core.aliases import Aliases, read_aliases
from tamis.core.declare import ToolSpec, read_tools
from tamis.core.errors import CatalogError
from tamis.core.names import PREFIXES, Match, NameTable, fits
from tamis.core.resolver.index import Index

__all__ = ["UNAVAILABLE", "Catalog", "Tool"]

_SUGGESTIONS = 3  # the right tool is among the three nearest in 94 % of the names that were refused although one was meant
_COMPARED = 128  # characters of a name that are compared: a longer one is an attack, not a name


def _refuse(uri: str) -> Any:
    raise ValueError(f"remote reference {uri} is refused: put the schema into the declaration")


class Tool:
    """One declared tool; its validator is compiled at the first use."""

    __slots__ = ("_validator", "aliases", "definitions", "name", "plan", "properties", "required", "schema", "spec")

    def __init__(self, spec: ToolSpec, aliases: Mapping[str, str] | None = None) -> None:
        self.spec = spec
        self.aliases = aliases or {}  # other keys of its arguments -> declared ones
        self.name = spec.name
        self.schema = spec.schema
        self.definitions: Mapping[str, Any] = spec.schema
        properties = spec.schema.get("properties")
        self.properties: dict[str, Any] = properties if isinstance(properties, dict) else {}
        required = spec.schema.get("required")
        self.required: tuple[str, ...] = tuple(key for key in required if isinstance(key, str)) if isinstance(required, list) else ()
        self._validator: Any = None
        self.plan: Any = None  # what coercion has worked out about the schema; see tamis.core.coercion.shape

    def property_schema(self, key: str) -> Any:
        """The schema of one argument, or None when none is declared."""
        if key in self.properties:
            return self.properties[key]
        extra = self.schema.get("additionalProperties")
        return extra if isinstance(extra, dict) else None

    @property
    def validator(self) -> Any:
        """The compiled schema. Raises `CatalogError` when it cannot be compiled."""
        if self._validator is None:
            self._validator = compile_schema(self.schema, self.name)
        return self._validator


def compile_schema(schema: Any, name: str) -> Any:
    """A jsonschema-rs validator; remote references are refused, so that no declaration makes us reach out."""
    try:
        return jsonschema_rs.validator_for(schema, retriever=_refuse)
    except Exception as error:  # noqa: BLE001 - the library raises several kinds, all of them about the declaration
        detail = str(error).splitlines()[0][:200]  # 200: enough to say what is wrong without repeating a schema
        raise CatalogError(f"tool {name!r}: its schema cannot be used: {detail}") from None


class Catalog:
    """All declared tools. `given` is false when none were: then the gate is off."""

    __slots__ = ("_alias_names", "_aliases", "_index", "_names", "_tools", "fingerprint", "given", "initials", "namespaces")

    def __init__(self, specs: Iterable[ToolSpec], namespaces: Sequence[str] = (), aliases: Aliases | None = None) -> None:
        aliases = aliases or Aliases()
        self._tools = {spec.name: Tool(spec, aliases.keys.get(spec.name)) for spec in specs}
        self.namespaces = tuple(namespaces)
        self._names = NameTable(self._tools, namespaces)
        self._index: Index | None = None
        self._aliases = aliases.tools
        self._alias_names = NameTable(aliases.tools, namespaces)
        self.given = bool(self._tools)
        heads = {name[0] for name in (*self._tools, *aliases.tools, *PREFIXES, *namespaces) if name}
        self.initials = frozenset(case for head in heads for case in (head.lower(), head.upper()))
        described: list[Any] = [[tool.name, tool.schema] for tool in self._tools.values()]
        if aliases.tools or aliases.keys:
            described.append([dict(aliases.tools), {tool: dict(keys) for tool, keys in aliases.keys.items()}])
        self.fingerprint = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()

    @classmethod
    def of(
        cls, tools: Iterable[Mapping[str, Any]] | None, namespaces: Sequence[str] = (), aliases: Mapping[str, str] | None = None
    ) -> Catalog:
        """A catalogue from declarations in any known shape, and other names for them (`tamis.core.aliases`).

        Raises `CatalogError`; every schema is compiled here.
        """
        specs = read_tools(tools or ())
        catalog = cls(specs, namespaces, read_aliases(aliases, specs))
        for tool in catalog._tools.values():
            tool.validator  # noqa: B018 - a bad schema must be the caller's error now, not a model's later
        return catalog

    @property
    def names(self) -> Collection[str]:
        """The declared names."""
        return self._tools.keys()

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name."""
        return self._tools.get(name)

    def tool(self, name: str) -> Tool:
        """The tool of a name that `resolve` gave."""
        return self._tools[name]

    def resolve(self, emitted: str, keys: Collection[str] | None = None) -> Match:
        """The declared name that an emitted one means by the exact steps. `keys` of the arguments decide about a bare counter (P91)."""
        match = self._match(emitted)
        bare = emitted.strip().removeprefix("functions.").lstrip(":")
        if match.name is None and not match.candidates and bare.isdigit() and keys is not None:
            able = tuple(sorted(name for name, tool in self._tools.items() if fits(keys, tool.properties, tool.required)))
            return Match(able[0], "name_inferred") if len(able) == 1 else Match(None, "", able or tuple(sorted(self._tools)))
        return match

    def _match(self, emitted: str) -> Match:
        """The declared name, else what an alias stands for: exactly the alias before any rewrite, a rewritten one behind all of them."""
        if not self._aliases or emitted in self._tools:
            return self._names.resolve(emitted)
        if emitted in self._aliases:
            return Match(self._aliases[emitted], "name_alias")
        match = self._names.resolve(emitted)
        if match.name is None and not match.candidates:
            alias = self._alias_names.resolve(emitted)
            meant = tuple(sorted({self._aliases[name] for name in (alias.candidates if alias.name is None else (alias.name,))}))
            if meant:
                return Match(meant[0], "name_alias") if len(meant) == 1 else Match(None, "", meant)
        return match

    @property
    def index(self) -> Index:
        """What the cascade knows of the tools; built at the first name that needs it."""
        if self._index is None:
            self._index = Index.build(self._tools.values(), self.namespaces)
        return self._index

    def declares(self, emitted: str) -> bool:
        """Whether a name fits a declared tool, or several of them."""
        match = self._match(emitted)
        return match.name is not None or bool(match.candidates)

    def needs_arguments(self, emitted: str) -> bool:
        """Whether the tool of that name cannot be called without arguments; true for a name that is not declared."""
        match = self._match(emitted)
        return match.name is None or bool(self._tools[match.name].required)

    def properties(self, emitted: str) -> Mapping[str, Any]:
        """The declared arguments of the tool that a name fits; empty when it fits none or several."""
        match = self._match(emitted)
        return self._tools[match.name].properties if match.name is not None else {}

    def suggest(self, emitted: str, among: Collection[str] = ()) -> list[str]:
        """The three nearest declared names, best first; those of `among` come before all others."""
        said = emitted[:_COMPARED]
        found = process.extract(said, sorted(among), scorer=fuzz.WRatio, limit=_SUGGESTIONS) if among else []
        if len(found) < _SUGGESTIONS:
            found += process.extract(said, sorted(self._tools.keys() - set(among)), scorer=fuzz.WRatio, limit=_SUGGESTIONS - len(found))
        return [name for name, _, _ in found]


UNAVAILABLE = Catalog(())
"""Stands for a catalogue that a response names but that is not loaded: every call is refused, the gate is never off."""
