"""The command that starts plumecast."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
from collections.abc import Sequence

ENVIRONMENT = "PLUMECAST_COMMAND"


class CommandError(RuntimeError):
    """The command of plumecast cannot be found or started on this machine."""


def find_command(command: str | Sequence[str] | None = None) -> tuple[str, ...]:
    """Find the command of plumecast on this machine.

    It is `command`, a text as for a shell or a list of arguments (`"/opt/node/bin/node /opt/plumecast/dist/cli.js"`); else
    the environment variable PLUMECAST_COMMAND; else `plumecast` of PATH. Raises CommandError if its program is not there.
    """
    given = command if command is not None else os.environ.get(ENVIRONMENT) or "plumecast"
    words = shlex.split(given) if isinstance(given, str) else list(given)
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise CommandError(
            f"command of plumecast: not found on {socket.gethostname()}; received {given!r}; "
            f"allowed: the argument command, the environment variable {ENVIRONMENT}, or plumecast in PATH"
        )
    return (program, *words[1:])
