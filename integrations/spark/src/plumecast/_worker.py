"""A client of `plumecast worker`; docs/worker.md of plumecast specifies the frames."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, NoReturn

import pyarrow as pa

from ._command import CommandError, find_command
from ._version import __version__

PROTOCOL_VERSION = 1
#: The first two numbers of this version must be those of the worker.
PLUMECAST_VERSION = __version__
#: The most bytes of a data frame.
_DATA_BYTES = 1 << 20
#: A longer answer to a request that is not results is no answer of a worker.
_TEXT_BYTES = 1 << 22


class WorkerError(RuntimeError):
    """The worker has ended, or what it sent is not an answer."""


class VersionError(WorkerError):
    """The worker is of another version than this package."""


class RequestError(ValueError):
    """The worker rejects a request: an option, or the data, are wrong.

    `record` has `tag`, `subject`, `problem`, `allowed`, `source`, `row` and `column`, as far as they are known.
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__(str(record["message"]))
        self.record = dict(record)

    def __reduce__(self) -> tuple[Any, ...]:
        return (RequestError, (self.record,))


class Worker:
    """A process of `plumecast worker` that answers one request after the other.

    It is started with `command` (see `find_command`) and ends when it is closed, or this process ends. Raises CommandError if
    it cannot be started, VersionError if it is of another version, and WorkerError if it ends at once.
    """

    def __init__(self, command: str | Sequence[str] | None = None) -> None:
        self._command = find_command(command)
        try:
            self._process = subprocess.Popen(
                [*self._command, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise CommandError(f"command of plumecast: {error} on {socket.gethostname()}") from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        _widen(self._input)
        _widen(self._output)
        try:
            self._check_versions(self._read_frame())
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether another request can be sent."""
        return self._process.poll() is None and not self._input.closed

    def request(
        self, fields: Mapping[str, Any], batches: Iterable[pa.RecordBatch] = (), schema: pa.Schema | None = None
    ) -> pa.Table:
        """Send a request with its data, and return the table of results.

        `fields` are those of docs/worker.md without `version`; `schema` is that of `batches`, if there are data. Raises
        RequestError if the worker rejects the request, after which it takes the next one, and WorkerError if it ends.
        """
        try:
            self._send(b"Q", json.dumps({"version": PROTOCOL_VERSION, **fields}, allow_nan=False).encode())
            rows = 0
            if schema is not None:
                with pa.ipc.new_stream(_DataFrames(self), schema) as writer:
                    for batch in batches:
                        writer.write_batch(batch)
                        rows += batch.num_rows
            self._send(b"E", struct.pack("<Q", rows))
            self._input.flush()
            return self._read_answer()
        except RequestError:
            raise
        except OSError as error:
            self._raise_ended(error)
        except BaseException:
            # Nothing that is sent after half a request would be understood.
            self.kill()
            raise

    def close(self) -> int:
        """End the process, and return its exit code: 3 if some requests failed, 1 if all did."""
        self._input.close()
        return self._process.wait()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        for end in (self._input, self._output):
            try:
                end.close()
            except OSError:
                pass

    def _check_versions(self, frame: tuple[bytes, bytes]) -> None:
        kind, payload = frame
        hello = json.loads(payload) if kind == b"H" else {}
        theirs = str(hello.get("plumecast"))
        if hello.get("version") == PROTOCOL_VERSION and theirs.split(".")[:2] == PLUMECAST_VERSION.split(".")[:2]:
            return
        raise VersionError(
            f"plumecast on {socket.gethostname()}: is of another version; received {theirs}, protocol "
            f"{hello.get('version')}; allowed: {PLUMECAST_VERSION}, protocol {PROTOCOL_VERSION}"
        )

    def _send(self, kind: bytes, payload: bytes | memoryview) -> None:
        self._input.write(kind + struct.pack("<I", len(payload)))
        self._input.write(payload)

    def _read(self, count: int) -> bytes:
        data = self._output.read(count)
        if len(data) < count:
            self._raise_ended(None)
        return data

    def _read_frame(self) -> tuple[bytes, bytes]:
        kind, length = struct.unpack("<cI", self._read(5))
        if kind not in b"HNREX" or length > _TEXT_BYTES:
            raise WorkerError(f"plumecast worker: sends no frames; received {kind!r}; is {self._command} plumecast?")
        return kind, self._read(length)

    def _read_answer(self) -> pa.Table:
        blocks: list[bytes] = []
        while True:
            kind, payload = self._read_frame()
            if kind == b"X":
                record = json.loads(payload)
                if record["closes"]:
                    self.kill()
                raise RequestError(record)
            if kind == b"E":
                break
            if kind == b"R":
                blocks.append(payload)
        # A part of a whole may have no complete window.
        table = pa.table({}) if not blocks else pa.ipc.open_stream(pa.py_buffer(b"".join(blocks))).read_all()
        (rows,) = struct.unpack("<Q", payload)
        if table.num_rows == rows:
            return table
        raise WorkerError(f"plumecast worker: sent {table.num_rows} rows and says that there are {rows}")

    def _raise_ended(self, cause: BaseException | None) -> NoReturn:
        self.kill()
        code = self._process.returncode
        raise WorkerError(f"plumecast worker: has ended with {code} before its answer was complete") from cause


def _widen(pipe: IO[bytes]) -> None:
    """Let a pipe hold a frame of data instead of 64 kB, where the system allows it: its ends wait for each other less often."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _DATA_BYTES)
        except OSError:
            pass


class _DataFrames:
    """A file for Arrow's writer: what is written becomes data frames."""

    closed = False

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        for at in range(0, len(view), _DATA_BYTES):
            self._worker._send(b"D", view[at : at + _DATA_BYTES])
        return len(view)

    def flush(self) -> None:
        pass


_local = threading.local()


def shared_worker(command: str | Sequence[str] | None = None) -> Worker:
    """The worker of this thread for a command; it is started once, and again after it has ended."""
    key = (os.getpid(), find_command(command))
    workers: dict[tuple[int, tuple[str, ...]], Worker] = _local.__dict__.setdefault("workers", {})
    worker = workers.get(key)
    if worker is None or not worker.is_alive:
        worker = workers[key] = Worker(command)
    return worker
