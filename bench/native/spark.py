"""Weekly statistics of a long table in Spark: by plumecast in one and in two executors, and by Spark's own SQL.

    npm run bench:spark -- [PLACES] [ROUNDS]

PLACES (default 9,000) places, 180 days, 31 members: 50 million rows for 9,000, ordered by place and day, in a Parquet
file. The mean and five quantiles of weekly sums are written to Parquet. Each session is warmed up on a tenth of the
places; times are the best of ROUNDS (default 2) in a local cluster whose executors have one core each. Results are
compared. `file_statistics` computes the same rows from 20 files. Beside it, what the machine gives: two sessions that know
nothing of each other, of one executor and half of the places each, and two processes without Spark, next to one that
computes all. `processors` is how many of the machine's were busy on average, with everything that runs on it.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]
SOURCES = str(ROOT / "integrations/spark/src")
COMMAND = os.environ.get("PLUMECAST_COMMAND", shlex.join(["node", str(ROOT / "dist/cli.js")]))
DAYS, MEMBERS = 180, 31
FILES = 20
QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
OPTIONS = {"variable": "precipitation", "granularity": "weekly", "quantiles": QUANTILES}
WEEKS = """
    SELECT latitude, longitude, week, avg(total) AS mean, percentile(total, array({quantiles})) AS quantiles
    FROM (
        SELECT latitude, longitude, date_trunc('week', date) AS week, member, sum(precipitation) AS total
        FROM rows GROUP BY latitude, longitude, date_trunc('week', date), member
    ) GROUP BY latitude, longitude, week
"""


def make(path: str, places: int) -> None:
    random = np.random.default_rng(1)
    date = np.datetime64("2026-03-02") + np.arange(DAYS)
    schema = pa.schema({
        **{"latitude": pa.float64(), "longitude": pa.float64(), "date": pa.date32(), "member": pa.int32()},
        "precipitation": pa.float32(),
    })
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, places, 100):
            cell = np.arange(first, min(first + 100, places))
            rows = len(cell) * DAYS
            rain = np.maximum(0, random.gamma(0.5, 6, size=rows * MEMBERS) - 1)
            columns = {
                "latitude": np.repeat(60 - 0.25 * (cell // 200), DAYS * MEMBERS),
                "longitude": np.repeat(-20 + 0.25 * (cell % 200), DAYS * MEMBERS),
                "date": pa.array(np.repeat(np.tile(date, len(cell)), MEMBERS), pa.date32()),
                "member": np.tile(np.arange(MEMBERS, dtype="i4"), rows),
                "precipitation": np.round(rain, 2).astype("f4"),
            }
            writer.write_table(pa.table(columns, schema))


def busy() -> float:
    """Seconds of all processors that were in use since the machine's start."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, soft, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def start_session(executors: int):
    import pyspark
    from pyspark.sql import SparkSession

    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local-cluster[{executors},1,4096]")
        .config("spark.executor.memory", "3g")
        .config("spark.driver.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executorEnv.PYTHONPATH", SOURCES)
        .config("spark.executorEnv.PLUMECAST_COMMAND", COMMAND)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


def measure(path: str, out: str, executors: int, rounds: int, sql: bool) -> dict[str, list[float]]:
    """Times of one session, and the number of processors that were busy."""
    from plumecast.spark import ensemble_statistics, file_statistics

    session = start_session(executors)
    rows = session.read.parquet(path)
    rows.createOrReplaceTempView("rows")
    by_plumecast = lambda frame: ensemble_statistics(frame, **OPTIONS)
    by_sql = lambda _: session.sql(WEEKS.format(quantiles=", ".join(map(str, QUANTILES))))
    files = sorted(str(part) for part in Path(path).parent.glob("file-*.parquet"))
    by_file = lambda frame: file_statistics(session, files if frame is rows else files[:executors], **OPTIONS)
    found = {}
    for name, compute in [("plumecast", by_plumecast), ("files", by_file), ("sql", by_sql)][: 3 if sql else 2]:
        compute(rows.where("latitude > 59")).write.mode("overwrite").parquet(os.path.join(out, "warm"))
        times = []
        for _ in range(rounds):
            start, used = time.perf_counter(), busy()
            compute(rows).write.mode("overwrite").parquet(os.path.join(out, name))
            seconds = time.perf_counter() - start
            times.append((seconds, (busy() - used) / seconds))
        found[name] = min(times)
    session.stop()
    return found


def measure_beside(path: str, out: str, rounds: int) -> None:
    """One session of a pair: says when it is ready for a round, and begins when a line comes."""
    from plumecast.spark import ensemble_statistics

    session = start_session(1)
    rows = session.read.parquet(path)
    ensemble_statistics(rows.limit(DAYS * MEMBERS * 400), **OPTIONS).write.mode("overwrite").parquet(out)
    for _ in range(rounds):
        print("ready", flush=True)
        input()
        ensemble_statistics(rows, **OPTIONS).write.mode("overwrite").parquet(out)
        print("done", flush=True)
    session.stop()


def beside(parts: list[str], rounds: int) -> float:
    """The time of a session for each part, all at once."""
    environment = {**os.environ, "PYTHONPATH": SOURCES, "PYTHONWARNINGS": "ignore"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    sessions = [
        subprocess.Popen([sys.executable, __file__, "beside", part, f"{part}.out", str(rounds)], **pipes) for part in parts
    ]
    wait = lambda word: [None for session in sessions if next(line for line in session.stdout if line == f"{word}\n")]
    times = []
    for _ in range(rounds):
        wait("ready")
        start = time.perf_counter()
        for session in sessions:
            session.stdin.write("\n")
            session.stdin.flush()
        wait("done")
        times.append(time.perf_counter() - start)
    for session in sessions:
        assert session.wait() == 0
    return min(times)


def largest_difference(out: str) -> float:
    """Of the results of plumecast and SQL, as a share of the largest value."""
    keys = [("latitude", "descending"), ("longitude", "ascending")]
    ours = pq.read_table(os.path.join(out, "plumecast")).sort_by([*keys, ("start", "ascending")])
    other = pq.read_table(os.path.join(out, "sql")).sort_by([*keys, ("week", "ascending")])
    # SQL has the week that the data begin or end in, too, where it is not complete.
    weeks = pa.compute.cast(other.column("week"), pa.date32())
    other = other.set_column(other.column_names.index("week"), "week", weeks)
    complete = pa.compute.is_in(weeks, ours.column("start").combine_chunks().cast(pa.date32()).unique())
    other = other.filter(complete)
    assert ours.num_rows == other.num_rows > 0, (ours.num_rows, other.num_rows)
    names = [name for name in ours.column_names if name.startswith("q")]
    columns = [(ours.column("mean").to_numpy(), other.column("mean").to_numpy())]
    lists = np.stack(other.column("quantiles").to_numpy(zero_copy_only=False))
    columns += [(ours.column(name).to_numpy(), lists[:, k]) for k, name in enumerate(names)]
    assert len(names) == len(QUANTILES)
    return max(float(np.max(np.abs(a - b))) for a, b in columns) / max(float(np.max(b)) for _, b in columns)


def divide(path: str, folder: str, name: str, count: int) -> list[str]:
    """Writes the rows to so many files, places whole."""
    rows = pq.read_table(path)
    per = rows.num_rows // (DAYS * MEMBERS) // count * DAYS * MEMBERS
    parts = [os.path.join(folder, f"{name}-{i:02d}.parquet") for i in range(count)]
    for i, part in enumerate(parts):
        pq.write_table(rows.slice(i * per, None if i == count - 1 else per), part)
    return parts


def alone(parts: list[str], rounds: int) -> float:
    """The time of a process of plumecast without Spark for each part, all at once, with one thread each."""
    options = ["--variable", "precipitation", "--granularity", "weekly", "--threads", "1", "--quiet"]
    quantiles = ["--quantiles", ",".join(map(str, QUANTILES))]
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        command = [*shlex.split(COMMAND), "stats", *options, *quantiles]
        for running in [subprocess.Popen([*command, part, "--out", f"{part}.out.parquet"]) for part in parts]:
            assert running.wait() == 0
        times.append(time.perf_counter() - start)
    return min(times)


def main(places: str = "9000", rounds: str = "2") -> None:
    with tempfile.TemporaryDirectory(prefix="plumecast-spark-") as folder:
        path = os.path.join(folder, "rows.parquet")
        make(path, int(places))
        divide(path, folder, "file", FILES)
        print(f"{int(places) * DAYS * MEMBERS / 1e6:.1f} million rows, {os.path.getsize(path) / 1e6:.0f} MB of Parquet")
        times = {}
        for executors in (1, 2):
            out = os.path.join(folder, str(executors))
            # A session of its own for each number, in a process of its own.
            arguments = [sys.executable, __file__, "measure", path, out, str(executors), rounds]
            environment = {**os.environ, "PYTHONPATH": SOURCES, "PYTHONWARNINGS": "ignore"}
            ran = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, env=environment, text=True)
            times[executors] = json.loads(ran.stdout.strip().splitlines()[-1])
        (one, one_busy), (two, two_busy), (sql, sql_busy) = times[1]["plumecast"], times[2]["plumecast"], times[2]["sql"]
        parts = [divide(path, folder, f"part-{n}", n) for n in (1, 2)]
        sessions = beside(parts[1], int(rounds))
        single, pair = (alone(part, int(rounds)) for part in parts)
        one_files, two_files = times[1]["files"][0], times[2]["files"][0]
        print(f"plumecast, 1 executor    {one:7.1f} s, {one_busy:.2f} processors")
        print(f"plumecast, 2 executors   {two:7.1f} s, {one / two:.2f} times one, {two_busy:.2f} processors")
        print(f"2 sessions of 1 executor {sessions:7.1f} s for half of the rows each, {one / sessions:.2f} times one")
        print(f"Spark SQL, 2 executors   {sql:7.1f} s, {sql / two:.1f} times as long as plumecast, {sql_busy:.2f} processors")
        print(f"{FILES} files, 1 executor      {one_files:7.1f} s")
        print(f"{FILES} files, 2 executors     {two_files:7.1f} s, {one_files / two_files:.2f} times one")
        print(f"without Spark, 1 process {single:7.1f} s; 2 processes {pair:.1f} s, {single / pair:.2f} times one")
        difference = largest_difference(os.path.join(folder, "2"))
        print(f"largest difference of the results: {difference:.1e} of the largest value")
        assert difference < 1e-5


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        path, out, executors, rounds = sys.argv[2:]
        print(json.dumps(measure(path, out, int(executors), int(rounds), sql=executors == "2")))
    elif sys.argv[1:2] == ["beside"]:
        path, out, rounds = sys.argv[2:]
        measure_beside(path, out, int(rounds))
    else:
        main(*sys.argv[1:])
