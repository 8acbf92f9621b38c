"""The sessions of one partition as they lie in memory and in the changelog: read back, woken, laid to rest, written, forgotten."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from tamis.agents.bindings import Bindings
from tamis.agents.changelog import MEMORY, Row, Rows, binding_of, rows_of, text_name, text_of
from tamis.agents.declared import Texts
from tamis.agents.sessions import REMEMBERED_MS, SessionState, Surroundings
from tamis.agents.store import decode, decode_memory, encode, encode_memory, glance, glance_memory
from tamis.core.conversation.fabrications import SESSION_MS
from tamis.core.errors import SnapshotError

__all__ = ["Shelf"]

_TEXTS_SECONDS = 60.0  # between two looks for texts that nothing names any more: they only cost room
_LARGE = 16 * 1024  # characters of open text from which a row is not written at every barrier
_GROWTH = 1.5  # but when the text has grown by half: an argument that comes in pieces is written three times its size at most
_LARGE_SECONDS = 30.0  # or is so old: a worker that takes over replays no more than this
_AGED_SECONDS = 60.0  # and between two looks for sessions whose day is over


@dataclass(slots=True)
class _Resting:
    """A session with nothing open, as its rows: what is left of it is some hundred bytes instead of some thousand."""

    row: bytes
    memory: bytes | None
    offset: int
    last_ms: int
    order: int


@dataclass(slots=True)
class _Written:
    """When a long row was written last, with how many characters of open text; `floor` once a cut has left it out."""

    size: int
    when: float
    floor: int | None = None


class Shelf:
    """`dirty` are the keys whose rows have to be written."""

    def __init__(self, number: int, around: Surroundings) -> None:
        self.number = number
        self.around = around
        self.sessions: dict[bytes, SessionState] = {}
        self.resting: dict[bytes, _Resting] = {}
        self.dirty: set[bytes] = set()
        self.texts = Texts()
        self.bindings = Bindings(around.catalogs, self.texts)
        self.latest_ms = 0  # the newest time of a record: the partition's clock for what lasts a day
        self._rows = Rows(number)
        self._looked = self._aged = time.monotonic()
        self._written: dict[bytes, _Written] = {}
        self._cut_at = 0

    # -- one session

    def find(self, key: bytes) -> SessionState | None:
        """The session of a key, woken when it rests."""
        state = self.sessions.get(key)
        if state is None and (found := self.resting.pop(key, None)) is not None:
            now = time.monotonic()
            state = self.sessions[key] = decode(found.row, self.around, self.bindings, now)
            if found.memory is not None:
                state.conversation.memory = decode_memory(found.memory, now)
        return state

    def new(self, key: bytes, session_id: str) -> SessionState:
        """A session nobody knew."""
        state = self.sessions[key] = SessionState(session_id, self.number, self.around, self.bindings)
        return state

    # -- reading back

    def load(self, table: Mapping[bytes, bytes]) -> None:
        """All rows of this partition. Raises `SnapshotError`."""
        rows, now = rows_of(table, self.number), time.monotonic()
        try:
            for key, value in rows["text"]:
                self.texts.load(text_name(key), text_of(self._rows.read(key, value, table)))
            for key, value in rows["bind"]:
                self.bindings.load(*binding_of(self._rows.read(key, value, table)))
            memories = {key[len(MEMORY) :]: self._rows.read(key, value, table) for key, value in rows["memory"]}
            for key, value in rows["session"]:
                row, memory = self._rows.read(key, value, table), memories.pop(key, None)
                seen = glance(row)
                self.latest_ms = max(self.latest_ms, seen.last_ms)
                told = 0 if memory is None else glance_memory(memory).offset + 1
                self.resting[key] = _Resting(row, memory, seen.offset, seen.last_ms, seen.offset + told)
                if not seen.quiet or (memory is not None and not glance_memory(memory).quiet):
                    self.find(key)
            for key, memory in memories.items():
                self.new(key, key.decode()).conversation.memory = decode_memory(memory, now)
        except SnapshotError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise SnapshotError(f"{type(error).__name__} in a row") from error

    # -- writing

    @property
    def due(self) -> bool:
        """Whether it is time to look for texts and decisions that nothing needs any more."""
        return time.monotonic() - self._looked >= _TEXTS_SECONDS

    def cut(self, at: int, forgotten: list[bytes], at_rest: list[bytes], *, locked: bool) -> list[Row]:
        """The rows of everything that changed, texts before what names them; tombstones for what is `forgotten`.

        `at` is the offset that comes next, `locked` says that the partition stands still until the rows are written: then all are. Else a
        session with a long open buffer is left out while the buffer has not grown much; `floor` says how far offsets may be committed then.
        """
        rows: list[Row] = []
        for key in at_rest:
            self.sessions[key].ended.clear()
        later: set[bytes] = set()
        now = time.monotonic()
        for key in sorted(self.dirty.union(at_rest)):
            state = self.sessions[key]
            if self._waits(key, state, now, locked=locked):
                later.add(key)
                continue
            row, used = encode(state)
            rows += self._text_rows(used)
            rows += self.memory_rows(key)
            rows += self._rows.write(key, row, state.order)
            if key in at_rest:
                memory = state.conversation.memory
                self.resting[key] = _Resting(row, encode_memory(memory) if memory else None, state.offset, state.last_ms, state.order)
        for key in at_rest:
            del self.sessions[key]
        self.dirty = later
        self._cut_at = at
        for key in forgotten:
            order = (self.sessions.get(key) or self.resting[key]).order
            rows += self._rows.bury(key, order) + self._rows.bury(MEMORY + key, order)
        return rows + self._spent() if locked else rows

    def _waits(self, key: bytes, state: SessionState, now: float, *, locked: bool) -> bool:
        """Whether a session's row is long, and what the changelog has of it is good enough for now. Never when all is written."""
        size = state.buffered
        if size < _LARGE:
            self._written.pop(key, None)
            return False
        known = self._written.get(key)
        if not locked and known is not None and size < known.size * _GROWTH and now - known.when < _LARGE_SECONDS:
            if known.floor is None:
                known.floor = self._cut_at  # what it applied before the last cut lies in its row
            return True
        self._written[key] = _Written(size, now)
        return False

    @property
    def floor(self) -> int | None:
        """The first offset that no row may hold yet; None when all do. Offsets behind it must not be committed."""
        return min((item.floor for item in self._written.values() if item.floor is not None), default=None)

    def memory_rows(self, key: bytes) -> list[Row]:
        """The row of a session's memory when that changed."""
        state = self.sessions[key]
        conversation = state.conversation
        if not conversation.changed:
            return []
        conversation.changed = False
        conversation.memory.trim(state.durable)
        return self._rows.write(MEMORY + key, encode_memory(conversation.memory), state.order)

    def decisions(self) -> list[Row]:
        """Rows of fresh decisions, and the texts that they name."""
        rows: list[Row] = []
        for place, name in self.bindings.take_fresh():
            rows += self._text_rows({name} - {""}) + self._rows.binding(place, name)
        return rows

    def written(self, offsets: dict[bytes, int]) -> None:
        """The broker has the rows that were cut when sessions stood at these offsets."""
        for key, offset in offsets.items():
            if (state := self.sessions.get(key)) is not None:
                state.durable = max(state.durable, offset)

    def _text_rows(self, names: set[str]) -> list[Row]:
        rows: list[Row] = []
        for name, text in self.texts.missing(names):
            rows += self._rows.text(name, text)
            self.texts.stored.add(name)
        return rows

    def _spent(self) -> list[Row]:
        """Tombstones for decisions, which the sessions' rows hold by now, and for texts that nothing names."""
        if not self.due:
            return []
        self._looked = time.monotonic()
        rows = [row for place in self.bindings.settle() for row in self._rows.bury_binding(place)]
        used: set[str] = set()
        for state in self.sessions.values():
            for response in (*state.responses.values(), *state.ended.values()):
                used.update(name for name in response.names or () if name)
                if response.declared is not None:
                    used.add(response.declared.hash)
        return rows + [row for name in self.texts.unused(used) for row in self._rows.bury_text(name)]

    def everything(self) -> list[Row]:
        """All live rows, as the changelog has them after the last cut."""
        rows: list[Row] = []
        for key, state in self.sessions.items():
            row, used = encode(state)
            rows += self._rows.write(key, row)
            if state.conversation.memory:
                rows += self._rows.write(MEMORY + key, encode_memory(state.conversation.memory))
            for name in sorted(used):
                rows += self._rows.text(name, self.texts.get(name))
        for key, found in self.resting.items():
            rows += self._rows.write(key, found.row)
            if found.memory is not None:
                rows += self._rows.write(MEMORY + key, found.memory)
        return rows

    # -- who can go

    def silent(self) -> list[bytes]:
        """Sessions with nothing open and not heard of for as long as ended responses are remembered."""
        limit = time.monotonic() - REMEMBERED_MS / 1000
        return [key for key, state in self.sessions.items() if not state.responses and state.touched <= limit and self._settled(key, state)]

    def _settled(self, key: bytes, state: SessionState) -> bool:
        memory = state.conversation.memory
        return key not in self.dirty and not (state.conversation.changed or memory.waiting or memory.outbox)

    @property
    def aging(self) -> bool:
        """Whether it is time to look for sessions at rest whose day is over."""
        return bool(self.resting) and time.monotonic() - self._aged >= _AGED_SECONDS

    def to_forget(self, silent: list[bytes], committed: int) -> tuple[list[bytes], list[bytes]]:
        """Of silent sessions those that can be forgotten, and those that have something to remember for the rest of their day.

        A session is forgotten only behind a commit: else a replay of what it ended with would look like a new one.
        """
        gone, rest = [], []
        for key in silent:
            state = self.sessions[key]
            lasting = state.fabrications.detections or state.conversation.memory
            if lasting and self.latest_ms - state.last_ms <= SESSION_MS:
                rest.append(key)
            elif committed > state.offset:
                gone.append(key)
        if self.aging:
            self._aged = time.monotonic()
            gone += [key for key, item in self.resting.items() if self.latest_ms - item.last_ms > SESSION_MS and committed > item.offset]
        return gone, rest

    def forget(self, keys: list[bytes]) -> None:
        """Drop sessions whose tombstones are written."""
        for key in keys:
            self._written.pop(key, None)
            self.sessions.pop(key, None)
            self.resting.pop(key, None)
