"""The boards' data drawn where Grafana would draw it, for readers without one. The layout is that of the board's own JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")  # before pyplot, so that no display is needed

from matplotlib import pyplot

from boards.model import WIDTH, Board
from golden.panels import Answer, Span
from golden.scraper import Series

__all__ = ["PICTURES", "draw"]

PICTURES = {
    "overview": ("tamis-overview", ("At a glance", "No tool wanted, or tool lost?", "Rate, errors, duration")),
    "nvidia-nim": ("tamis-provider-nvidia-nim", ("At a glance", "Refusals and repairs", "Wire")),
}
"""File name -> board, and those of its rows that are drawn."""
_UNIT_INCHES = 0.68  # of one column of the grid
_LINES = 8  # of a panel: a legend with more cannot be read
_DPI = 72


def draw(board: Board, rows: Iterable[str], answers: list[Answer], span: Span, path: Path) -> None:
    """Write one picture of some rows of a board."""
    part = dataclasses.replace(board, rows=tuple(row for row in board.rows if row.title in rows))
    found = {answer.panel.title: answer for answer in answers if answer.board == board.uid}
    places = {item["title"]: item["gridPos"] for item in part.json()["panels"] if item["title"] in found and item["type"] != "row"}
    top = min(place["y"] for place in places.values())
    height = max(place["y"] + place["h"] for place in places.values()) - top
    figure = pyplot.figure(figsize=(WIDTH * _UNIT_INCHES, height * _UNIT_INCHES * 0.62))
    figure.suptitle(board.title, x=0.01, ha="left", fontsize=13, fontweight="bold")
    scale = 0.96  # the rest is the title's
    for title, place in places.items():
        left, width = (place["x"] + 0.7) / WIDTH, (place["w"] - 0.9) / WIDTH
        bottom = scale * (1 - (place["y"] + place["h"] - top - 0.9) / height)
        axes = figure.add_axes((left, bottom, width, scale * (place["h"] - 2.4) / height))
        axes.set_title(title, fontsize=9, loc="left", fontweight="bold")
        _panel(axes, found[title], span)
    figure.savefig(path, dpi=_DPI)
    pyplot.close(figure)


def _panel(axes: Any, answer: Answer, span: Span) -> None:
    axes.tick_params(labelsize=7)
    named = [(_name(query.legend, item.labels), _while_it_ran(item, answer, span)) for query, series in answer.series for item in series]
    named = [(name, points) for name, points in named if points]
    lines = [item for item in named if any(value for _, value in item[1])] or named[:1]
    unit = answer.panel.unit
    if answer.panel.kind in ("stat", "table"):
        axes.axis("off")
        if answer.panel.kind == "stat":
            text = "\n".join(f"{name}  {_text(points[-1][1], unit)}".strip() for name, points in lines)
            axes.text(0.02, 0.5, text, fontsize=15 if len(lines) == 1 else 10, va="center", color=_color(answer, lines[0][1][-1][1]))
        else:
            _table(axes, answer)
    elif answer.panel.kind == "bargauge":
        bars = sorted(((points[-1][1], name) for name, points in lines), reverse=True)[: _LINES + 2][::-1]
        axes.barh(range(len(bars)), [value for value, _ in bars], color="#9dbdf8")
        for at, (_, name) in enumerate(bars):
            axes.text(0, at, f" {name}", fontsize=7.5, va="center")
        axes.set_yticks([])
        axes.spines[["top", "right"]].set_visible(False)
    elif answer.panel.kind == "heatmap":
        _heatmap(axes, answer, span)
    else:
        lines.sort(key=lambda item: -max(value for _, value in item[1]))
        for name, points in lines[:_LINES]:
            axes.plot([when - span.start for when, _ in points], [value for _, value in points], label=name, linewidth=1.2)
        if unit == "percentunit":
            axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.set_ylim(bottom=0, top=1.5 * max(value for _, points in lines for _, value in points) or 1)  # room for the legend
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=6.5, frameon=False, loc="upper left", ncols=2)


def _while_it_ran(item: Series, answer: Answer, span: Span) -> list[tuple[float, float]]:
    """What a reader has seen who looked just when the load ended; what is asked for one moment is asked at the end."""
    return item.points if answer.panel.kind in ("table", "bargauge") else [point for point in item.points if point[0] <= span.sent]


def _heatmap(axes: Any, answer: Answer, span: Span) -> None:
    pairs = ((float(item.labels["le"]), dict(_while_it_ran(item, answer, span))) for item in answer.series[0][1])
    series = sorted(pairs, key=lambda item: item[0])
    times = sorted({when for _, points in series for when in points})
    below = [0.0] * len(times)
    cells = []
    for _, points in series:  # buckets are cumulative
        whole = [points.get(when, 0.0) for when in times]
        cells.append([now - before for now, before in zip(whole, below, strict=True)])
        below = whole
    axes.imshow(cells, aspect="auto", origin="lower", cmap="Oranges", extent=(0, span.sent - span.start, 0, len(cells)))
    axes.set_yticks([at + 0.5 for at in range(0, len(cells), 3)], [f"{series[at][0]:g} s" for at in range(0, len(cells), 3)])


def _table(axes: Any, answer: Answer) -> None:
    keys = sorted({tuple(sorted(item.labels.items())) for _, series in answer.series for item in series if "__name__" not in item.labels})
    columns = [query.legend for query, _ in answer.series]
    cells: dict[str, list[str]] = {}
    for at, (query, series) in enumerate(answer.series):
        unit = dict(answer.panel.units).get(query.legend, "short")
        for item in series:
            name = " ".join(item.labels.values())
            if item.points:
                cells.setdefault(name, [""] * len(columns))[at] = _text(item.points[-1][1], unit)
    if cells and keys:
        drawn = axes.table(cellText=list(cells.values()), rowLabels=list(cells), colLabels=columns, loc="upper right", edges="horizontal",
                           colWidths=[0.15] * len(columns))  # fmt: skip
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(8)


def _name(legend: str, labels: dict[str, str]) -> str:
    for name, value in labels.items():
        legend = legend.replace("{{" + name + "}}", value)
    return legend


def _text(value: float, unit: str) -> str:
    if unit == "percentunit":
        return f"{value:.1%}"
    if unit == "s":
        return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def _color(answer: Answer, value: float) -> str:
    found = "green"
    for limit, color in answer.panel.thresholds:
        if limit is None or value >= limit:
            found = color
    return {"green": "#2e9b4f", "orange": "#d9822b", "red": "#c0392b"}[found]
