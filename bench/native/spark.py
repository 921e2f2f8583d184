"""Weekly statistics of a long table in Spark: by plumecast in one and in two executors, and by Spark's own SQL.

    npm run bench:spark -- [PLACES] [ROUNDS]

PLACES (default 9,000) places, 180 days, 31 members: 50 million rows for 9,000, ordered by place and day, in a Parquet
file. The mean and five quantiles of weekly sums are written to Parquet. Each session is warmed up on a tenth of the
places; times are the best of ROUNDS (default 2) in a local cluster whose executors have one core each. Results are
compared. `file_statistics` computes the same rows from 20 files. Beside it, two processes without Spark that compute half
of the places each, next to one that computes all: what the machine gives.
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


def measure(path: str, out: str, executors: int, rounds: int, sql: bool) -> dict[str, float]:
    """Times of one session."""
    import pyspark
    from plumecast.spark import ensemble_statistics, file_statistics
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
            start = time.perf_counter()
            compute(rows).write.mode("overwrite").parquet(os.path.join(out, name))
            times.append(time.perf_counter() - start)
        found[name] = min(times)
    session.stop()
    return found


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
        one, two, sql = times[1]["plumecast"], times[2]["plumecast"], times[2]["sql"]
        single, pair = (alone(divide(path, folder, f"part-{n}", n), int(rounds)) for n in (1, 2))
        one_files, two_files = times[1]["files"], times[2]["files"]
        print(f"plumecast, 1 executor    {one:7.1f} s")
        print(f"plumecast, 2 executors   {two:7.1f} s, {one / two:.2f} times one")
        print(f"Spark SQL, 2 executors   {sql:7.1f} s, {sql / two:.1f} times as long as plumecast")
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
    else:
        main(*sys.argv[1:])
