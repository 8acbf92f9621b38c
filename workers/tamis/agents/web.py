"""/metrics, /healthz and /readyz on the worker's web server."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from faust.web import View

from tamis import metrics
from tamis.agents import health
from tamis.agents.parse import engine
from tamis.app import app, settings

__all__: list[str] = []

_STALE = 30.0  # seconds without a barrier while partitions are held: some thirty of its intervals


@app.page("/metrics", name="tamis_metrics")
class MetricsPage(View):
    """What Prometheus scrapes; made off the event loop."""

    async def get(self, request: Any, **keywords: Any) -> Any:
        """The exposition."""
        health.fresh()
        text = await asyncio.to_thread(metrics.exposition)
        return self.bytes(text, headers={"Content-Type": metrics.CONTENT_TYPE})


@app.page("/healthz", name="tamis_healthz")
class HealthPage(View):
    """The event loop answers: all that liveness may ask, or a broker's fault restarts every worker."""

    async def get(self, request: Any, **keywords: Any) -> Any:
        """Always 200."""
        return self.json({"status": "ok"})


@app.page("/readyz", name="tamis_readyz")
class ReadyPage(View):
    """Whether this worker takes records."""

    async def get(self, request: Any, **keywords: Any) -> Any:
        """200 when partitions are assigned and the table has recovered, else 503; warnings stand in the body."""
        assigned = sorted(tp.partition for tp in app.assignor.assigned_actives() if tp.topic == settings.prefix + "raw-stream")
        tables: Any = app.tables
        recovered = tables.recovery.completed.is_set()
        age = time.monotonic() - engine.last_barrier
        reasons = []
        if app.rebalancing or not app.started:
            reasons.append("the group is rebalancing")
        if not recovered:
            reasons.append("the sessions are being read back")
        if engine.partitions and age > _STALE:
            reasons.append(f"no barrier for {age:.0f} s")
        warnings = [
            f"partition {number}: {part.misplaced} keys where murmur2 partitioning would not put them"
            for number, part in engine.partitions.items() if part.misplaced
        ]
        body = {"status": "ready" if not reasons else "not ready", "partitions": assigned, "reasons": reasons, "warnings": warnings}
        return self.json(body, status=503 if reasons else 200)
