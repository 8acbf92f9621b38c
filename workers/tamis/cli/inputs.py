"""Files that people give to a command: read with bounds, decoded strictly, refused with the reason and the next step."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tamis.cli.output import CommandError, Exit

__all__ = ["read_text", "read_tools"]

MAX_INPUT = 256 * 1024 * 1024  # bytes; far beyond any capture of one session, and still held in memory with ease


def read_text(path: str, what: str = "input") -> str:
    """The text of a file, or of stdin for `-`. Raises `CommandError` on what is no readable UTF-8 text."""
    name = "stdin" if path == "-" else repr(path)
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_INPUT + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(MAX_INPUT + 1)
    except FileNotFoundError:
        raise CommandError(f"{what} file {name} does not exist", "check the path, or use - for stdin", Exit.USAGE) from None
    except IsADirectoryError:
        raise CommandError(f"{what} {name} is a folder", "name one file in it", Exit.USAGE) from None
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot read {what} {name}: {getattr(error, 'strerror', None) or error}", "", Exit.USAGE) from None
    if len(data) > MAX_INPUT:
        raise CommandError(f"{what} {name} is larger than {MAX_INPUT} bytes", "split it", Exit.USAGE)
    if b"\x00" in data[:8192]:
        raise CommandError(f"{what} {name} looks binary, not text", "give the model's text as UTF-8", Exit.USAGE)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise CommandError(f"{what} {name} is no UTF-8 text (byte {error.start})", "convert it: iconv -t UTF-8", Exit.USAGE) from None


def read_tools(path: str) -> list[dict[str, Any]]:
    """Tool declarations out of a JSON file: a list, or an object with `tools`. Raises `CommandError`."""
    text = read_text(path, "tools")
    shape = 'write a JSON list of declarations, such as [{"name": "get_tide", "parameters": {"type": "object"}}]'
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno}, column {error.colno}: {error.msg})" if isinstance(error, json.JSONDecodeError) else ""
        raise CommandError(f"tools file {path!r} is no JSON{where}", shape, Exit.USAGE) from None
    if isinstance(value, dict) and isinstance(value.get("tools"), list):
        value = value["tools"]
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise CommandError(f"tools file {path!r} holds no list of declarations", shape, Exit.USAGE)
    return value
