"""What a board is made of: queries, panels, boards; and how each of them reads as Grafana's JSON.

A panel says its unit, what it means and from where on it is worth a look; the layout is counted out here, so that no panel has a place of
its own in the sources. Only core panel types and features that Grafana has had since version 10 are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Board", "Panel", "Query", "Row", "Variable", "bad_above", "bad_below"]

SCHEMA_VERSION = 39  # of dashboards as Grafana 11 writes them; later versions read it
WIDTH = 24  # Grafana's grid
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
NEUTRAL = ((None, "green"),)

Steps = tuple[tuple[float | None, str], ...]
Kind = Literal["stat", "timeseries", "bargauge", "table", "heatmap", "text"]


def bad_above(warn: float, bad: float) -> Steps:
    """Thresholds of a value that should be low."""
    return ((None, "green"), (warn, "orange"), (bad, "red"))


def bad_below(bad: float, warn: float) -> Steps:
    """Thresholds of a value that should be high."""
    return ((None, "red"), (bad, "orange"), (warn, "green"))


@dataclass(frozen=True, slots=True)
class Query:
    """One PromQL expression; `legend` is Grafana's template for a series, in a table the name of the column."""

    expr: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel. `unit` is one of Grafana's; `text` is the Markdown of a text panel; `link` a data link of a table's first column."""

    title: str
    meaning: str
    unit: str
    queries: tuple[Query, ...]
    kind: Kind = "timeseries"
    thresholds: Steps = NEUTRAL
    width: int = 8
    height: int = 8
    stacked: bool = False
    text: str = ""
    link: str = ""
    units: tuple[tuple[str, str], ...] = ()  # of a table's columns

    def json(self, number: int, x: int, y: int) -> dict[str, Any]:
        """The panel as Grafana has it."""
        body: dict[str, Any] = {
            "id": number, "type": self.kind, "title": self.title, "description": self.meaning,
            "gridPos": {"h": self.height, "w": self.width, "x": x, "y": y},
        }  # fmt: skip
        if self.kind == "text":
            return {**body, "options": {"mode": "markdown", "content": self.text}}
        instant = self.kind in ("table", "bargauge")
        body |= {
            "datasource": DATASOURCE,
            "targets": [_target(query, at, self.kind, instant) for at, query in enumerate(self.queries)],
            "fieldConfig": {"defaults": self._defaults(), "overrides": self._overrides()},
            "options": self._options(),
        }
        if self.kind == "table":
            body["transformations"] = self._columns()
        return body

    def _defaults(self) -> dict[str, Any]:
        defaults: dict[str, Any] = {
            "unit": self.unit,
            "thresholds": {"mode": "absolute", "steps": [{"color": color, "value": value} for value, color in self.thresholds]},
            "color": {"mode": "palette-classic" if self.kind == "timeseries" else "thresholds"},
        }
        if self.kind == "timeseries":
            defaults["custom"] = {
                "fillOpacity": 30 if self.stacked else 8, "showPoints": "never", "lineWidth": 1,
                "stacking": {"mode": "normal" if self.stacked else "none", "group": "A"},
                "thresholdsStyle": {"mode": "line" if len(self.thresholds) > 1 else "off"},
            }  # fmt: skip
        return defaults

    def _overrides(self) -> list[dict[str, Any]]:
        found = [
            {"matcher": {"id": "byName", "options": name}, "properties": [{"id": "unit", "value": unit}]} for name, unit in self.units
        ]
        if self.link:
            link = {"title": "Open the provider's board", "url": self.link, "targetBlank": False}
            found.append({"matcher": {"id": "byName", "options": "provider"}, "properties": [{"id": "links", "value": [link]}]})
        return found

    def _options(self) -> dict[str, Any]:
        if self.kind == "stat":
            return {"graphMode": "area", "colorMode": "value", "textMode": "auto", "reduceOptions": {"calcs": ["lastNotNull"]}}
        if self.kind == "bargauge":
            return {"orientation": "horizontal", "displayMode": "basic", "reduceOptions": {"calcs": ["lastNotNull"]}}
        if self.kind == "table":
            return {"showHeader": True, "sortBy": [{"displayName": self.queries[0].legend, "desc": True}]}
        if self.kind == "heatmap":
            return {"calculate": False, "yAxis": {"unit": self.unit}, "color": {"mode": "scheme", "scheme": "Oranges"}, "cellGap": 1}
        legend = {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"]}
        return {"legend": legend, "tooltip": {"mode": "multi", "sort": "desc"}}

    def _columns(self) -> list[dict[str, Any]]:
        names = {"Value": self.queries[0].legend} | {f"Value #{_ref(at)}": query.legend for at, query in enumerate(self.queries)}
        return [
            {"id": "merge", "options": {}},
            {"id": "organize", "options": {"excludeByName": {"Time": True}, "renameByName": names}},
        ]


def _ref(at: int) -> str:
    return chr(ord("A") + at)


def _target(query: Query, at: int, kind: Kind, instant: bool) -> dict[str, Any]:
    shape = {"table": "table", "heatmap": "heatmap"}.get(kind, "time_series")
    return {
        "refId": _ref(at), "datasource": DATASOURCE, "expr": query.expr, "legendFormat": query.legend or "__auto", "format": shape,
        "instant": instant, "range": not instant,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A titled group of panels; a collapsed one is only read when it is opened."""

    title: str
    panels: tuple[Panel, ...]
    collapsed: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A template variable: out of a query (`label_values(…)`), or out of `choices` of which the first is the default."""

    name: str
    label: str
    query: str = ""
    choices: tuple[str, ...] = ()
    multi: bool = True

    def json(self) -> dict[str, Any]:
        """The variable as Grafana has it."""
        body: dict[str, Any] = {"name": self.name, "label": self.label, "hide": 0}
        if self.name == "datasource":
            return {**body, "type": "datasource", "query": "prometheus", "refresh": 1}
        if self.choices:
            options = [{"text": text, "value": text, "selected": at == 0} for at, text in enumerate(self.choices)]
            return {**body, "type": "custom", "query": ",".join(self.choices), "options": options, "current": options[0]}
        body |= {"type": "query", "datasource": DATASOURCE, "query": {"query": self.query, "refId": self.name}, "refresh": 2, "sort": 1}
        if self.multi:
            body |= {"multi": True, "includeAll": True, "allValue": ".*", "current": {"text": ["All"], "value": ["$__all"], "selected": True}}
        return body


@dataclass(frozen=True, slots=True)
class Board:
    """One dashboard: `uid` is its name in links and in its file's."""

    uid: str
    title: str
    meaning: str
    variables: tuple[Variable, ...]
    rows: tuple[Row, ...]
    tags: tuple[str, ...] = ("tamis",)
    annotations: tuple[tuple[str, str, str], ...] = field(default=())  # name, expression, colour

    def panels(self) -> list[Panel]:
        """All panels, in their order."""
        return [panel for row in self.rows for panel in row.panels]

    def json(self) -> dict[str, Any]:
        """The dashboard as Grafana has it."""
        return {
            "uid": self.uid, "title": self.title, "description": self.meaning, "tags": list(self.tags), "schemaVersion": SCHEMA_VERSION, "version": 1,
            "editable": False, "graphTooltip": 1, "refresh": "30s", "time": {"from": "now-1h", "to": "now"}, "timezone": "browser",
            "links": [{
                "type": "dashboards", "title": "Tamis", "tags": ["tamis"], "asDropdown": True, "keepTime": True, "includeVars": True,
            }],
            "annotations": {"list": [
                {"name": name, "datasource": DATASOURCE, "expr": expr, "enable": True, "hide": False, "iconColor": color, "titleFormat": name}
                for name, expr, color in self.annotations
            ]},
            "templating": {"list": [item.json() for item in self.variables]},
            "panels": _laid_out(self.rows),
        }  # fmt: skip


def _laid_out(rows: Sequence[Row]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    number, y = 1, 0
    for row in rows:
        inside: list[dict[str, Any]] = []
        head = {"id": number, "type": "row", "title": row.title, "collapsed": row.collapsed, "gridPos": {"h": 1, "w": WIDTH, "x": 0, "y": y}}
        number, y = number + 1, y + 1
        x = high = 0
        for panel in row.panels:
            if x + panel.width > WIDTH:
                x, y, high = 0, y + high, 0
            inside.append(panel.json(number, x, y))
            number, x, high = number + 1, x + panel.width, max(high, panel.height)
        y += high
        found.append({**head, "panels": inside if row.collapsed else []})
        if not row.collapsed:
            found += inside
    return found
