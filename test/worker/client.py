"""A client of `plumecast worker` in some fifty lines, written from docs/worker.md alone; it needs pyarrow."""

import json
import socket
import struct
import subprocess

import pyarrow as pa


class WorkerError(Exception):
    """An error frame: its record is in `record`."""

    def __init__(self, record):
        super().__init__(record["message"])
        self.record = record


class Client:
    """One connection: to a socket, or to a process that is started with `command`."""

    def __init__(self, command=None, path=None):
        self.process = self.socket = None
        if path is None:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.output, self.input = self.process.stdin, self.process.stdout
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(path)
            self.output, self.input = self.socket.makefile("wb"), self.socket.makefile("rb")
        self.hello = json.loads(self.expect(b"H"))

    def frame(self, kind, payload):
        self.output.write(kind + struct.pack("<I", len(payload)) + payload)

    def read(self, count):
        data = self.input.read(count)
        if len(data) < count:
            raise ConnectionError("the worker is gone")
        return data

    def expect(self, *kinds):
        kind, length = struct.unpack("<cI", self.read(5))
        payload = self.read(length)
        if kind == b"X":
            raise WorkerError(json.loads(payload))
        assert kind in kinds, kind
        return payload if len(kinds) == 1 else (kind, payload)

    def request(self, table=None, rows=None, **fields):
        """Returns the tables of results and the notices."""
        self.frame(b"Q", json.dumps({"version": 1, **fields}).encode())
        if table is not None:
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table, max_chunksize=10_000)
            data = sink.getvalue()
            for at in range(0, len(data), 1 << 20):
                self.frame(b"D", data[at : at + (1 << 20)].to_pybytes())
        self.frame(b"E", struct.pack("<Q", rows if rows is not None else table.num_rows if table else 0))
        self.output.flush()
        return self.answer()

    def answer(self):
        notices, blocks = [], []
        while True:
            kind, payload = self.expect(b"N", b"R", b"E")
            if kind == b"E":
                break
            (notices if kind == b"N" else blocks).append(payload)
        source, tables = pa.BufferReader(b"".join(blocks)), []
        while source.tell() < source.size():
            tables.append(pa.ipc.open_stream(source).read_all())
        assert sum(table.num_rows for table in tables) == struct.unpack("<Q", payload)[0], "rows are missing"
        return tables, [json.loads(text) for text in notices]

    def close(self):
        self.output.close()
        if self.socket is not None:
            self.input.close()
            self.socket.close()
        return None if self.process is None else self.process.wait()
