"""Requests to `plumecast worker` by another program than its tests' own: each case prints a line, and fails by an exception.

Arguments: the command of plumecast, and a folder for files.
"""

import atexit
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa

from client import Client, WorkerError

CLI, FOLDER = sys.argv[1:3]
IS_FULL_CHECK = "PLUMECAST_FULL_CHECK" in os.environ
WORKER = ["node", CLI, "worker"]
random = np.random.default_rng(20260302)
WEEKLY = {"granularity": "weekly", "spread": True}


def wide(cells, days=28, members=20, note=0):
    """A row for each place and day; with a text of `note` bytes in each, which nobody reads, few rows are a long stream."""
    rows = cells * days
    columns = {
        "latitude": np.repeat(60 - np.arange(cells) / 1000, days),
        "longitude": np.full(rows, -80.0),
        "date": pa.array(np.tile(np.arange(20458, 20458 + days), cells).astype("int32")).cast(pa.date32()),
    }
    for m in range(members):
        columns[f"m{m:02d}"] = random.random(rows, dtype="float32") * 20
    if note > 0:
        columns["note"] = pa.array(["x" * note] * rows)
    return pa.table(columns).replace_schema_metadata({"variable": "precipitation", "units": "mm"})


def long(cells, days=28, members=20, note=0):
    """A row for each member, day by day and else in any order, with a dictionary for the variable, and texts as in `wide`."""
    rows = cells * days * members
    order = random.permutation(rows)
    order = order[np.argsort(order % (days * members) // members, kind="stable")]
    place, rest = np.divmod(order, days * members)
    columns = {
        "latitude": 60 - place / 1000,
        "longitude": np.full(rows, -80.0),
        "date": pa.array((20458 + rest // members).astype("int32")).cast(pa.date32()),
        "member": (rest % members).astype("int32"),
        "variable": pa.array(np.full(rows, "precipitation")).dictionary_encode(),
        "units": pa.array(np.full(rows, "mm")).dictionary_encode(),
        "value": random.random(rows, dtype="float32") * 20,
    }
    if note > 0:
        columns["note"] = pa.array(["x" * note] * rows)
    return pa.table(columns)


def stats(table, *options):
    """What `plumecast stats` gives for a file of the same rows."""
    path, out = f"{FOLDER}/input.arrows", f"{FOLDER}/output.arrows"
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=10_000)
    subprocess.run(["node", CLI, "stats", path, "-q", *options, "--format", "arrow-stream", "-o", out], check=True)
    return pa.ipc.open_stream(out).read_all()


def peak_megabytes(process):
    with open(f"/proc/{process.pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def many_requests():
    client = Client(WORKER)
    assert client.hello == {"version": 1, "plumecast": client.hello["plumecast"]}
    tables = [wide(5), wide(400), long(3)]
    expected = [stats(table, "--granularity", "weekly", "--spread") for table in tables]
    for _ in range(100 if IS_FULL_CHECK else 5):
        for table, result in zip(tables, expected):
            assert client.request(table, options=WEEKLY)[0][0].equals(result, check_metadata=True)
    assert client.close() == 0


def errors_between():
    client = Client(WORKER)
    table = wide(5)
    expected = stats(table, "--granularity", "weekly", "--spread")
    for fields, tag in [
        (dict(options={"granularity": "hourly"}), "option"),
        (dict(options={"columns": {"date": "none"}}), "option"),
        (dict(options=WEEKLY, rows=1), "data"),
        (dict(options={**WEEKLY, "startDate": "2030-01-01"}), "data"),
    ]:
        try:
            client.request(table, **fields)
            raise AssertionError("no error")
        except WorkerError as error:
            assert error.record["tag"] == tag, error
        assert client.request(table, options=WEEKLY)[0][0].equals(expected)
    assert client.close() == 3


def long_streams():
    """Of more than 32 MiB: read as they come, or from a temporary file."""
    client = Client(WORKER)
    before = set(os.listdir(os.environ["TMPDIR"]))
    tables = [wide(13_000), long(2_000)] if IS_FULL_CHECK else [wide(2_000, note=600), long(400, note=140)]
    for table in tables:
        expected = stats(table, "--granularity", "weekly", "--spread")
        assert table.nbytes > 1 << 25
        (result,), _ = client.request(table, options=WEEKLY)
        assert result.equals(expected, check_metadata=True)
        results, _ = client.request(table, plan={**{"spread": True}, "granularities": ["weekly", "monthly"], "partial": True})
        assert results[1].equals(stats(table, "--granularity", "monthly", "--spread", "--partial"), check_metadata=True)
        try:
            client.request(table, rows=1, options=WEEKLY)
            raise AssertionError("no error")
        except WorkerError as error:
            assert error.record["tag"] == "data", error
    assert set(os.listdir(os.environ["TMPDIR"])) == before, "a temporary file is left"
    assert client.close() == 3


def bounded_memory():
    """300 MB through one process, and results that are read late."""
    client = Client(WORKER)
    table = wide(30_000, members=90)
    assert table.nbytes > 300e6
    (result,), _ = client.request(table, options={"quantiles": [0.5]})
    assert result.num_rows == table.num_rows
    peak = peak_megabytes(client.process)
    assert peak < 520, peak
    assert client.close() == 0


def cut_streams():
    client = Client(WORKER)
    client.frame(b"Q", b'{"version":1}')
    client.frame(b"D", b"\xff\xff\xff\xff")
    client.output.close()
    try:
        client.answer()
        raise AssertionError("no error")
    except WorkerError as error:
        assert error.record["closes"] and error.record["tag"] == "format"
    assert client.process.wait() == 1
    # It also ends where the client does not close its side.
    client = Client(WORKER)
    client.frame(b"Z", b"")
    client.output.flush()
    try:
        client.answer()
        raise AssertionError("no error")
    except WorkerError as error:
        assert error.record["closes"]
    assert client.process.wait(60) == 1


def sockets():
    """Several connections at once; one that stalls or is killed does not disturb the others."""
    path = f"{FOLDER}/worker.sock"
    server = serve(path)
    assert os.stat(path).st_mode & 0o777 == 0o600
    stalled = Client(path=path)
    stalled.frame(b"Q", b'{"version":1}')
    stalled.frame(b"D", b"\xff")
    stalled.output.flush()
    table = wide(300)
    expected = stats(table, "--granularity", "weekly", "--spread")
    failures = []

    def requests():
        try:
            client = Client(path=path)
            for _ in range(5):
                assert client.request(table, options=WEEKLY)[0][0].equals(expected)
            client.close()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=requests) for _ in range(6)]
    for thread in threads:
        thread.start()
    killed = subprocess.Popen([sys.executable, "-c", KILLED, path], cwd=os.path.dirname(os.path.abspath(__file__)))
    time.sleep(0.2)
    killed.kill()
    killed.wait()
    for thread in threads:
        thread.join()
    assert failures == [], failures
    many = [Client(path=path) for _ in range(63)]
    try:
        Client(path=path)
        raise AssertionError("no error")
    except WorkerError as error:
        assert "too many connections" in error.record["message"]
    for client in many:
        client.close()
    second = subprocess.run([*WORKER, "--socket", path], capture_output=True, text=True)
    assert second.returncode == 1 and "is served by another process" in second.stderr, second
    server.kill()
    server.wait()
    assert os.path.exists(path)
    server = serve(path)
    server.send_signal(signal.SIGTERM)
    assert server.wait() == 0 and not os.path.exists(path)


KILLED = """
import sys
from client import Client
client = Client(path=sys.argv[1])
client.frame(b'Q', b'{"version":1}')
while True:
    client.frame(b'D', bytes(1000))
"""


def serve(path):
    server = subprocess.Popen([*WORKER, "--socket", path])
    # Where a case fails, nobody else ends it, and who waits for what it prints waits for ever.
    atexit.register(server.kill)
    for _ in range(200):
        try:
            Client(path=path).close()
            return server
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the worker does not listen")


for case in [many_requests, errors_between, long_streams, bounded_memory, cut_streams, sockets]:
    case()
    print(f"{case.__name__} passed", flush=True)
