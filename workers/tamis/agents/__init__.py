"""The worker: records of `raw-stream` in, canonical records out, state through snapshots and barriers.

    parse          the Faust agent: lists of records of one partition, and the seams to Faust and the broker
    engine         take, publish, and the barrier: outputs, then state, then offset
    partition      what is held of one partition, and what a list of its records does
    sessions       what is open in one session, and what one record does to it
    surroundings   what all sessions of a worker share
    open_response  one response and its choices
    outputs        records on their way to the broker
    store          sessions as rows of the changelog
    guard          contiguous offsets, asked from the broker
    observed       what the metrics hear of a response
    lag            how far behind a partition is, pure
    health         lag, rebalances, saturation as metrics
    startup        topics as they must be, or a refusal that says how to mend it
    web            /metrics, /healthz, /readyz
"""

__all__: list[str] = []
