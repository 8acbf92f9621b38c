"""The PromQL that boards have in common. `where` is the inside of a selector's braces."""

from __future__ import annotations

__all__ = ["JOB", "LOST", "RATE", "increase", "judged", "quantile", "rate", "ratio", "where"]

RATE = "$__rate_interval"
JOB = 'job=~"$job"'
LOST = 'diagnosis=~"rejected|truncated"'
"""A turn in which a tool was wanted and none came out of it."""


def where(*matchers: str) -> str:
    """Matchers joined; empty ones left out."""
    return ",".join(matcher for matcher in matchers if matcher)


def rate(metric: str, matchers: str, *by: str) -> str:
    """Events a second, summed over everything but `by`."""
    return _sum(f"rate({metric}{{{matchers}}}[{RATE}])", by)


def increase(metric: str, matchers: str, *by: str, over: str = "$__range") -> str:
    """Events in a span of time, the board's unless another is given."""
    return _sum(f"increase({metric}{{{matchers}}}[{over}])", by)


def ratio(part: str, whole: str) -> str:
    """A share that is 0 where there is nothing of the part."""
    return f"(({part}) or ({whole}) * 0) / ({whole})"


def judged(matchers: str, *by: str, over: str = RATE) -> str:
    """Calls and refusals together: all that was taken for a call. A rate, or the number in a span that is not the rate's."""
    function = "rate" if over == RATE else "increase"
    both = '__name__=~"tamis_tool_calls_total|tamis_rejections_total"'  # they differ in their labels too: outcome and cause
    return _sum(f"{function}({{{where(both, matchers)}}}[{over}])", by)


def quantile(share: float, histogram: str, matchers: str, *by: str) -> str:
    """A quantile of a histogram, kept apart by `by`."""
    return f"histogram_quantile({share}, {_sum(f'rate({histogram}_bucket{{{matchers}}}[{RATE}])', ('le', *by))})"


def _sum(inner: str, by: tuple[str, ...]) -> str:
    return f"sum by ({', '.join(by)}) ({inner})" if by else f"sum({inner})"
