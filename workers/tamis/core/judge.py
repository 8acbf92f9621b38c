"""Names, values, schema: the gates a draft has to pass before it may be dispatched (P87-P93, P113)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tamis.core.catalog import UNAVAILABLE, Catalog, Tool
from tamis.core.choice import ToolChoice
from tamis.core.coercion.apply import Coercion
from tamis.core.coercion.default import Coerced
from tamis.core.drafts import Draft, Fault, RawValue, plain_name
from tamis.core.events import Cause, Repair
from tamis.core.jsontext import depth
from tamis.core.limits import Limits
from tamis.core.native import NativeCall
from tamis.core.policy import Policy
from tamis.core.resolver.strategy import resolve
from tamis.core.validate import check, conflict
from tamis.core.values import type_element, type_raw
from tamis.core.verdicts import Accepted, Refused, Verdict

__all__ = ["Judge"]

_WHOLE_OBJECT = ("arguments", "args", "parameters", "input")  # one undeclared parameter of such a name may hold them all (P69)


_ANY = ToolChoice()


class Judge:
    """Turns drafts into verdicts against one catalogue; one cause a call: body, then name, then schema."""

    __slots__ = ("_catalog", "_choice", "_coercion", "_limits", "_policy", "reason")

    def __init__(self, catalog: Catalog, policy: Policy, history: Sequence[Any] = (), choice: ToolChoice = _ANY) -> None:
        self._catalog = catalog
        self._choice = choice
        self._coercion = Coercion(policy, history)
        self._policy = policy
        self._limits: Limits = policy.limits
        self.reason: str | None = None  # set when the response breaks off: what comes after completes nothing

    def text(self, item: Draft | Fault, raw: str) -> Verdict:
        """The verdict on a call that was read from text."""
        if forbidden := self._choice.forbids(None):
            return Refused(Cause.CALLS_NOT_ALLOWED, item.name, forbidden, item.format, raw=raw)
        if isinstance(item, Fault) and item.value is not None and item.name is not None and self.reason is None:
            item = self._coercion.loose(item, self._catalog)
        if isinstance(item, Fault) and item.cause is Cause.SCHEMA_VIOLATION and item.name is not None:
            refused = self._resolve(item.name, None, item.format, raw, exact=False)[1]  # the name comes before the schema (P113)
            return refused or Refused(item.cause, item.name, item.detail, item.format, raw=raw)
        if isinstance(item, Fault):
            return Refused(item.cause, item.name, item.detail, item.format, raw=raw)
        if self.reason is not None:
            return Refused(Cause.TRUNCATED, item.name, f"the response ended ({self.reason}) before the call was closed", item.format, raw=raw)
        if len(item.name) > self._limits.name:
            name = item.name[: self._limits.name]
            return Refused(Cause.UNKNOWN_TOOL, name, f"the name is longer than {self._limits.name} characters", item.format,
                           available=self._available(), raw=raw)  # fmt: skip
        emitted = item.emitted or item.name
        if item.arguments is not None and any(map(self._too_deep, item.arguments.values())):
            return Refused(Cause.MALFORMED_JSON, item.name, self._deep(), item.format, raw=raw)
        if self._policy.mode == "strict" and item.repairs:
            rules = ", ".join(dict.fromkeys(repair.rule for repair in item.repairs))
            cause = Cause.MALFORMED_JSON if item.values is None else Cause.MALFORMED_MARKUP
            return Refused(cause, item.name, f"strict mode reads exact forms only; needed: {rules}", item.format, raw=raw)
        given = item.arguments if item.values is None else {value.key: value.text for value in item.values}
        tool, refused, rule = self._resolve(emitted, given, item.format, raw, exact=self._policy.mode == "strict")
        if refused is not None:
            refused.name = item.name
            return refused
        name = tool.name if tool is not None else plain_name(item.name)
        repairs = list(item.repairs)
        if name not in (item.name, emitted):
            repairs.insert(0, Repair(rule or "name", "", emitted, name))
        arguments = item.arguments
        if arguments is None:
            try:
                arguments, more = self._values(item.values or [], tool)
            except ValueError as fault:
                return Refused(Cause.MALFORMED_MARKUP, item.name, str(fault), item.format, raw=raw)
            repairs += more
        verdict = self._gate(tool, Accepted(name, arguments, item.format, emitted, tuple(repairs), None, tool is not None), raw)
        if isinstance(verdict, Refused):
            verdict.name = item.name
        return verdict

    def native(self, call: NativeCall, finish_reason: str | None) -> Verdict:
        """The verdict on an assembled native call: the gates apply, nothing is altered unless the policy says `native="repair"`."""
        verdict = self._native(call, finish_reason)
        if isinstance(verdict, Refused):
            verdict.provider_id = call.id  # the model's side of the conversation has a call of this id: the refusal answers it
        return verdict

    def _native(self, call: NativeCall, finish_reason: str | None) -> Verdict:
        raw = "".join(call.arguments)
        if forbidden := self._choice.forbids(None):
            return Refused(Cause.CALLS_NOT_ALLOWED, call.name or None, forbidden, "native", raw=raw)
        arguments, fault, cut = call.read(self._limits.nesting)
        repair = self._policy.native == "repair" and self._policy.mode != "strict"
        mended: tuple[Repair, ...] = ()
        if arguments is None and repair:
            arguments, mended = call.mend(self._limits.nesting)
        if self.reason is not None or arguments is None:
            broken = self.reason is not None or (cut and finish_reason in ("length", "max_tokens", None)) or cut
            cause = Cause.TRUNCATED if broken else Cause.MALFORMED_JSON
            return Refused(cause, call.name or None, fault or "the response ended before the call was complete", "native", raw=raw)
        if not call.name:
            return Refused(Cause.MALFORMED_MARKUP, None, "the native call has no name", "native", raw=raw)
        tool, refused, rule = self._resolve(call.name, arguments, "native", raw, exact=not repair)
        if refused is not None:
            return refused
        name = tool.name if tool is not None else call.name
        repairs = mended if name == call.name else (Repair(rule or "name", "", call.name, name), *mended)
        accepted = Accepted(name, arguments, "native", call.name, repairs, call.id, tool is not None)
        return self._gate(tool, accepted, raw, coerced=repair)

    def _too_deep(self, value: Any) -> bool:
        """Whether an argument's value is nested too deep: asked here, behind every decoder, for texts within texts are deeper than they look."""
        return depth(value) > self._limits.nesting

    def _deep(self) -> str:
        return f"an argument is nested deeper than {self._limits.nesting} levels"

    def _available(self) -> tuple[str, ...]:
        return tuple(sorted(self._catalog.names))

    def _resolve(
        self, emitted: str, arguments: dict[str, Any] | None, label: str, raw: str, *, exact: bool
    ) -> tuple[Tool | None, Refused | None, str]:
        catalog = self._catalog
        if catalog is UNAVAILABLE:
            return None, Refused(Cause.CATALOG_UNAVAILABLE, emitted, "the response names a catalogue that is not loaded", label, raw=raw), ""
        if not catalog.given:
            return None, None, ""
        if exact:
            tool = catalog.get(emitted)
            if tool is not None:
                return tool, None, "exact"
            match = None
        else:
            match = resolve(emitted, arguments, catalog, self._policy)
            if match.name is not None:
                return catalog.tool(match.name), None, match.rule
        if match is not None and match.candidates:
            detail = f"{emitted!r} fits several declared tools: {', '.join(match.candidates)}"
            nearest = tuple(catalog.suggest(emitted, match.candidates))
            return None, Refused(Cause.AMBIGUOUS_TOOL, emitted, detail, label, nearest, self._available(), raw), ""
        suggestions = tuple(catalog.suggest(emitted))
        return None, Refused(Cause.UNKNOWN_TOOL, emitted, f"no declared tool is named {emitted!r}", label, suggestions, self._available(), raw), ""

    def _values(self, values: list[RawValue], tool: Tool | None) -> tuple[dict[str, Any], list[Repair]]:
        """Typed arguments from raw tag values."""
        properties = tool.properties if tool is not None else {}
        if len(values) == 1 and values[0].key in _WHOLE_OBJECT and values[0].key not in properties:
            whole = type_raw(values[0].text, {"type": "object"}, mark=None)
            if isinstance(whole, dict):
                if any(map(self._too_deep, whole.values())):
                    raise ValueError(self._deep())
                return whole, [Repair("unwrapped_arguments", f"$.{values[0].key}")]
        arguments: dict[str, Any] = {}
        for item in values:
            schema = self._coercion.schema_of(tool, item.key) if tool is not None else None
            root = tool.schema if tool is not None else None
            value = type_raw(item.text, schema, mark=item.mark, root=root) if item.element is None else type_element(item.element, schema, root or {})
            if self._too_deep(value):
                raise ValueError(self._deep())
            if item.key in arguments and arguments[item.key] != value:
                raise ValueError(f"parameter {item.key!r} stands twice with different values")
            arguments[item.key] = value
        return arguments, []

    def _gate(self, tool: Tool | None, call: Accepted, raw: str, *, coerced: bool = True) -> Verdict:
        """The last gate, behind coercion: strict, whatever was mended before."""
        if forbidden := self._choice.forbids(call.name):
            return Refused(Cause.CALLS_NOT_ALLOWED, call.emitted_name, forbidden, call.format, raw=raw)
        if tool is None:
            return call
        found = self._coercion.run(tool, call.arguments) if coerced else Coerced(call.arguments)
        call.arguments = found.arguments
        call.repairs = (*call.repairs, *found.repairs)
        violation = conflict(found.conflict) if found.conflict is not None else check(tool, call.arguments, found.near)
        if violation is None:
            return call
        if self._policy.schema_gate == "flag":
            call.repairs = (*call.repairs, Repair("schema_violation", violation.path))
            return call
        failed = any(item.rule == "coercer_failed" for item in found.repairs)
        detail = f"{violation.detail}; the tool's own coercer failed" if failed else violation.detail
        return Refused(Cause.SCHEMA_VIOLATION, call.emitted_name, detail, call.format, raw=raw)
