"""The worker: records of `raw-stream` in, canonical records out, state through snapshots and barriers.

    parse      the Faust agent: lists of records of one partition
    sessions   what is open in each session, and what one record does to it
    open_response  one response of one choice
    outputs    records on their way to the broker
    barrier    outputs, then state, then offset
    store      sessions as rows of the changelog
    guard      contiguous offsets, asked from the broker
    startup    topics as they must be, or a refusal that says how to mend it
    web        /metrics, /healthz, /readyz
"""

__all__: list[str] = []
