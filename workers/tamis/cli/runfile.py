"""The run file: where a running `tamis up` can be found, for the other commands of the same user."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from tamis.cli.output import CommandError

__all__ = ["Running", "read", "remove", "write"]


@dataclass(frozen=True, slots=True)
class Running:
    """A running service: its broker (`kafka://…`), the base address of its pages, and the pid of the `tamis up` that owns it."""

    broker: str
    web: str
    embedded: bool
    pid: int


def path() -> Path:
    """The run file of this user: in XDG_RUNTIME_DIR, else in a folder under the temporary one that only this user can enter."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and Path(base).is_dir():
        return Path(base) / "tamis" / "run.json"
    return Path(tempfile.gettempdir()) / f"tamis-{os.getuid() if hasattr(os, 'getuid') else os.environ.get('USERNAME', 'user')}" / "run.json"


def write(running: Running) -> Path:
    """Writes the run file whole or not at all. Raises `CommandError` where the folder belongs to somebody else."""
    target = path()
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _own(target.parent)
        draft = target.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(asdict(running)) + "\n", "utf-8")
        draft.replace(target)
    except OSError as error:
        said = f"cannot write the run file in {str(target.parent)!r}: {error.strerror}"
        raise CommandError(said, "set XDG_RUNTIME_DIR to a folder of yours") from None
    return target


def read() -> Running | None:
    """The running service, or None. A file whose process is gone is removed."""
    target = path()
    try:
        _own(target.parent)
        value = json.loads(target.read_text("utf-8"))
        running = Running(broker=str(value["broker"]), web=str(value["web"]), embedded=bool(value["embedded"]), pid=int(value["pid"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not ours, or half a file of an older version: as good as none
    if _alive(running.pid):
        return running
    remove(running.pid)
    return None


def remove(pid: int) -> None:
    """Removes the run file if it is still the one of `pid`."""
    target = path()
    try:
        if json.loads(target.read_text("utf-8")).get("pid") == pid:
            target.unlink()
    except (OSError, ValueError, AttributeError):
        pass  # somebody else's, or gone already


def _own(folder: Path) -> None:
    # In a shared temporary folder somebody else may have made ours first, to lead us to a broker of theirs.
    if hasattr(os, "getuid"):
        state = folder.lstat()
        if state.st_uid != os.getuid() or state.st_mode & 0o022 or folder.is_symlink():
            raise PermissionError(1, "the folder is not this user's alone")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return False  # another user's process has taken the number
    return True
