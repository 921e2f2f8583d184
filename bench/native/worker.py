"""The worker beside the same computation in one process, for an Arrow stream of 1 GB.

    npm run bench:worker -- [MEGABYTES] [ROUNDS]

Weekly statistics of 31 members, a column for each: by a new worker that gets the stream through a pipe, by `plumecast stats`
of the stream in a file, both with their start; and, without it, by a worker that has answered before, and by the library in a
Node process that has the stream in memory and has computed it before. In turn; the least of ROUNDS (default 5), in
seconds and processor seconds of the process that computes.
"""

import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "integrations/spark/src"))

from plumecast._worker import Worker  # noqa: E402

COMMAND = os.environ.get("PLUMECAST_COMMAND", shlex.join(["node", str(ROOT / "dist/cli.js")]))
DAYS, MEMBERS, PLACES = 180, 31, 200
OPTIONS = {"granularity": "weekly", "variable": "precipitation"}
IN_PROCESS = """
import { readFileSync } from 'node:fs';
import { loadCore, streamStatistics } from 'plumecast';
import { encodeTables } from 'plumecast/files';
const [, path, options] = process.argv;
const bytes = readFileSync(path);
const core = await loadCore();
process.stdin.setEncoding('utf8');
for await (const _ of process.stdin) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  for await (const _ of encodeTables(streamStatistics(core, bytes, JSON.parse(options)), 'arrow-stream'));
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify([(performance.now() - start) / 1e3, (user + system) / 1e6]));
}
"""


def batches(megabytes: int):
    random = np.random.default_rng(1)
    date = pa.array(np.tile(np.datetime64("2026-03-02") + np.arange(DAYS), PLACES), pa.date32())
    names = ["latitude", "longitude", "date", *(f"precipitation_{member}" for member in range(MEMBERS))]
    for first in range(0, megabytes * 1_000_000 // (DAYS * 4 * (MEMBERS + 5)), PLACES):
        cell = np.repeat(np.arange(first, first + PLACES), DAYS)
        rain = np.maximum(0, random.gamma(0.5, 6, size=(MEMBERS, len(cell))) - 1).astype("f4")
        yield pa.record_batch([60 - 0.25 * (cell // 200), -20 + 0.25 * (cell % 200), date, *rain], names)


def processor(pid: int) -> float:
    """Processor seconds of a process that runs."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def of_children(run) -> tuple[float, float]:
    """Seconds and processor seconds of a process that ends with `run`."""
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    start, before = time.perf_counter(), used()
    run()
    return time.perf_counter() - start, used() - before


def main(megabytes: str = "1000", rounds: str = "5") -> None:
    with tempfile.TemporaryDirectory(prefix="plumecast-worker-") as folder:
        path, out = os.path.join(folder, "in.arrows"), os.path.join(folder, "out.arrows")
        with pa.OSFile(path, "wb") as file:
            rows = list(batches(int(megabytes)))
            with pa.ipc.new_stream(file, rows[0].schema) as writer:
                for batch in rows:
                    writer.write_batch(batch)
        print(f"{os.path.getsize(path) / 1e6:.0f} MB, {sum(batch.num_rows for batch in rows) * MEMBERS / 1e6:.0f} million values")
        options = ["--granularity", "weekly", "--variable", "precipitation", "--format", "arrow-stream", "--quiet"]

        def stats() -> None:
            subprocess.run([*shlex.split(COMMAND), "stats", path, *options, "--out", out], check=True)

        def first_request() -> None:
            worker = Worker(COMMAND)
            assert request(worker).equals(pa.ipc.open_stream(out).read_all())
            worker.close()

        def request(worker: Worker) -> pa.Table:
            return worker.request({"options": OPTIONS}, rows, rows[0].schema)

        def next_request() -> tuple[float, float]:
            start, used = time.perf_counter(), processor(warm.pid)
            request(warm)
            return time.perf_counter() - start, processor(warm.pid) - used

        def in_process() -> tuple[float, float]:
            assert library.stdin is not None and library.stdout is not None
            library.stdin.write("next\n")
            library.stdin.flush()
            return tuple(json.loads(library.stdout.readline()))

        warm = Worker(COMMAND)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
        library = subprocess.Popen(["node", "--input-type=module", "--eval", IN_PROCESS, path, json.dumps(OPTIONS)], **pipes)
        ways = {
            "plumecast stats, file": lambda: of_children(stats),
            "a new worker": lambda: of_children(first_request),
            "in process, warm": in_process,
            "the same worker, warm": next_request,
        }
        for _ in range(2):
            next_request(), in_process()
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        for _ in range(int(rounds)):
            for name, way in ways.items():
                times[name].append(way())
        warm.close()
        library.communicate()
        bases = dict(zip(ways, ["plumecast stats, file"] * 2 + ["in process, warm"] * 2))
        for name, measured in times.items():
            (wall, used), base = map(min, zip(*measured)), [min(column) for column in zip(*times[bases[name]])]
            print(f"{name:22} {wall:6.2f} s {used:6.2f} s of processor, {wall / base[0]:.2f} and {used / base[1]:.2f} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
