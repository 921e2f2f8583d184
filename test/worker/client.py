"""A client of `plumecast worker` in fifty lines, blank ones apart, written from docs/worker.md alone; it needs pyarrow."""

import json, socket, struct
from subprocess import PIPE, Popen
import pyarrow as pa


class WorkerError(Exception):
    record = property(lambda self: self.args[0])


class Client:
    """One connection: to the socket `path`, or to a process that is started with `command`."""

    def __init__(self, command=None, path=None):
        self.process = None if command is None else Popen(command, stdin=PIPE, stdout=PIPE)
        if command is not None:
            self.output, self.input = self.process.stdin, self.process.stdout
        else:
            with socket.socket(socket.AF_UNIX) as connection:  # it stays open until both files are closed
                connection.connect(path)
                self.output, self.input = connection.makefile("wb"), connection.makefile("rb")
        self.hello = json.loads(self.receive()[1])

    def frame(self, kind, payload):
        self.output.write(kind + struct.pack("<I", len(payload)) + payload)

    def receive(self):
        kind, length = struct.unpack("<cI", self.input.read(5))
        payload = self.input.read(length)
        if kind == b"X":
            raise WorkerError(json.loads(payload))
        assert len(payload) == length and kind in b"HNRE", "not a complete frame"
        return kind, payload

    def request(self, table, rows=None, **fields):
        self.frame(b"Q", json.dumps({"version": 1, **fields}).encode())
        data = pa.BufferOutputStream()
        with pa.ipc.new_stream(data, table.schema) as writer:
            writer.write_table(table, max_chunksize=10_000)
        stream = data.getvalue().to_pybytes()
        for at in range(0, len(stream), 1 << 20):
            self.frame(b"D", stream[at : at + (1 << 20)])
        self.frame(b"E", struct.pack("<Q", table.num_rows if rows is None else rows))
        self.output.flush()
        return self.answer()

    def answer(self):
        """The tables of results, and the notices."""
        frames = [self.receive()]
        while frames[-1][0] != b"E":
            frames.append(self.receive())
        stream, tables = pa.BufferReader(b"".join(payload for kind, payload in frames if kind == b"R")), []
        while stream.tell() < stream.size():
            tables.append(pa.ipc.open_stream(stream).read_all())
        assert sum(table.num_rows for table in tables) == struct.unpack("<Q", frames[-1][1])[0], "rows are missing"
        return tables, [json.loads(payload) for kind, payload in frames if kind == b"N"]

    def close(self):
        self.output.close()
        return self.input.close() if self.process is None else self.process.wait()
