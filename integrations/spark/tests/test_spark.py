"""Spark for real: a local cluster of two executors, each a process of its own, and one that is killed in mid-job."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Java is not there", allow_module_level=True)

import plumecast
from conftest import WEEKLY
from plumecast._schema import conform
from plumecast._worker import PLUMECAST_VERSION
from plumecast.spark import ensemble_statistics, file_statistics
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from test_partitions import MEMBERS, case, divided, long_with_gaps, sorted_rows

SOURCES = Path(plumecast.__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    paths = os.pathsep.join([str(SOURCES), str(Path(__file__).parent)])
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("plumecast")
        .config("spark.executor.memory", "512m")
        .config("spark.driver.memory", "512m")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "6")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.executorEnv.PYTHONPATH", paths)
        .config("spark.executorEnv.PLUMECAST_COMMAND", os.environ["PLUMECAST_COMMAND"])
        .getOrCreate()
    )
    yield session
    session.stop()


def rows_of(results: DataFrame) -> pa.Table:
    """The results of Spark in the order of one process."""
    table = results.toArrow().cast(plumecast.result_schema(**WEEKLY))
    return table.sort_by([("latitude", "descending"), ("start", "ascending")])


@pytest.fixture(scope="module")
def expected(wide: pa.Table) -> pa.Table:
    return conform(plumecast.statistics(wide, **WEEKLY), plumecast.result_schema(**WEEKLY))


def test_shuffled_rows_in_many_partitions_give_what_one_process_gives(
    session: SparkSession, wide: pa.Table, long: pa.Table, expected: pa.Table
) -> None:
    for table in [wide, long]:
        frame = session.createDataFrame(table).repartition(7)
        assert rows_of(ensemble_statistics(frame, **WEEKLY)).equals(expected)
        assert rows_of(ensemble_statistics(frame, partitions=64, **WEEKLY)).equals(expected)


def test_results_do_not_depend_on_the_number_of_partitions(session: SparkSession) -> None:
    gaps = long_with_gaps()
    expected = sorted_rows(plumecast.statistics(gaps, members=MEMBERS, **WEEKLY))
    frame = session.createDataFrame(gaps)
    for partitions in [1, 7, 64]:
        rows = frame.repartition(partitions)
        results = ensemble_statistics(rows, partitions=partitions, members=MEMBERS if partitions == 7 else None, **WEEKLY)
        assert sorted_rows(results.toArrow()).equals(expected), partitions
    parts = [part.sort_by([("latitude", "ascending"), ("date", "ascending")]) for part in divided(gaps, 17)]
    filled = in_partitions(session, *(part for part in parts if part.num_rows > 0))
    assert sorted_rows(ensemble_statistics(filled, partitioned=True, **WEEKLY).toArrow()).equals(expected)


def test_cases_that_depended_on_the_number_of_partitions(session: SparkSession) -> None:
    options = {"variable": "precipitation", "granularity": "weekly"}
    half = case("place-with-half-the-members.csv")
    for partitions in [1, 3]:
        rows = ensemble_statistics(session.createDataFrame(half), partitions=partitions, **options).collect()
        assert sorted((row.n_members, row.mean is None) for row in rows) == [(5, True), (10, False)]
    short = case("short-places.csv")
    means = plumecast.statistics(short, **options).column("mean").to_pylist()
    for partitions in [5, 17]:
        rows = ensemble_statistics(session.createDataFrame(short), partitions=partitions, **options).collect()
        assert sorted(row.mean for row in rows) == sorted(means)


def test_members_are_those_of_the_variable_and_arrays_have_one_length(session: SparkSession) -> None:
    gaps = long_with_gaps()
    tagged = gaps.append_column("variable", pa.array(["precipitation"] * gaps.num_rows))
    other = tagged.slice(0, 40).set_column(5, "variable", pa.array(["temp_mean"] * 40))
    other = other.set_column(3, "member", pa.array([f"m{m + 50}" for m in range(40)]))
    expected = sorted_rows(plumecast.statistics(gaps, members=MEMBERS, **WEEKLY))
    both = session.createDataFrame(pa.concat_tables([tagged, other]))
    assert sorted_rows(ensemble_statistics(both, partitions=5, **WEEKLY).toArrow()).equals(expected)
    arrays = session.createDataFrame([(1.0, 2.0, date(2026, 1, 5), [1.0, 2.0]), (2.0, 2.0, date(2026, 1, 5), [1.0])])
    named = arrays.toDF("latitude", "longitude", "date", "precipitation")
    with pytest.raises(ValueError, match=r"precipitation: arrays have other lengths; received \[1, 2\]"):
        ensemble_statistics(named, granularity="daily")


def in_partitions(session: SparkSession, *tables: pa.Table) -> DataFrame:
    """A partition for each table."""

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for index in batch.column(0).to_pylist():
                yield from tables[index].to_batches()

    return session.range(0, len(tables), 1, len(tables)).mapInArrow(rows, from_arrow_schema(tables[0].schema))


def test_rows_stay_in_partitions_that_have_all_of_their_places(
    session: SparkSession, wide: pa.Table, long: pa.Table, expected: pa.Table
) -> None:
    first = pc.greater(wide.column("latitude"), 59.85)
    frame = in_partitions(session, wide.filter(first), wide.filter(pc.invert(first)))
    assert rows_of(ensemble_statistics(frame, partitioned=True, **WEEKLY)).equals(expected)
    first = pc.greater(long.column("latitude"), 59.85)
    frame = in_partitions(session, long.filter(first), long.filter(pc.invert(first)))
    results = ensemble_statistics(frame, partitioned=True, **WEEKLY)
    assert rows_of(results).equals(expected)
    # Only results are shuffled.
    plan = results._jdf.queryExecution().optimizedPlan().toString()
    shuffles = [line for line in plan.splitlines() if "Repartition" in line]
    assert len(shuffles) == 1 and "plumecast_place" in shuffles[0]
    with pytest.raises(ValueError, match="partitions: cannot be used together"):
        ensemble_statistics(frame, partitioned=True, partitions=3)


def test_a_place_that_is_split_over_partitions_is_an_error_that_names_it(session: SparkSession, wide: pa.Table) -> None:
    # Also where one of the parts has no complete week, and so no result.
    for days in [14, 3]:
        frame = in_partitions(session, wide.slice(0, 28 + days), wide.slice(28 + days))
        with pytest.raises(PythonException, match="SplitPlaceError: partitions 0 and 1: both have rows of latitude 59.99, "):
            ensemble_statistics(frame, partitioned=True, **WEEKLY).collect()


def test_columns_that_are_not_needed_are_not_read(session: SparkSession, long: pa.Table, expected: pa.Table) -> None:
    # An array of structures is nothing that plumecast reads: it would fail there.
    frame = session.createDataFrame(long).selectExpr(
        *("latitude", "longitude", "date", "member", "value AS precipitation"),
        "array(named_struct('text', uuid())) AS other",
    )
    assert rows_of(ensemble_statistics(frame, **WEEKLY)).equals(expected)
    plan = ensemble_statistics(frame, **WEEKLY)._jdf.queryExecution().optimizedPlan().toString()
    assert "named_struct" not in plan and "other" not in plan


def test_names_of_columns_may_have_dots_and_backticks(
    session: SparkSession, wide: pa.Table, long: pa.Table, expected: pa.Table
) -> None:
    columns = {"latitude": "geo.lat", "longitude": "geo`lon", "date": "valid.time", "member": "ens.no", "value": "tp.mm"}
    names = {old: columns.get(old, old.replace("m0", "m.0")) for old in [*wide.column_names, *long.column_names]}
    both = ["latitude", "longitude", "date"]
    for table, used in [(wide, both), (long, [*both, "member", "value"])]:
        dotted = table.rename_columns([names[name] for name in table.column_names])
        options = {**WEEKLY, "columns": {role: columns[role] for role in used}}
        frame = session.createDataFrame(dotted).repartition(7)
        assert rows_of(ensemble_statistics(frame, **options)).equals(expected)
        frame = in_partitions(session, dotted)
        results = ensemble_statistics(frame, partitioned=True, **options)
        assert rows_of(results).equals(expected)
    with pytest.raises(PythonException, match="both have rows of geo.lat 5"):
        ensemble_statistics(in_partitions(session, dotted, dotted), partitioned=True, **options).collect()
    # Results with a dot go through a second mapInArrow by other names, as the README says.
    renamed = results.toDF(*(name.replace(".", "_") for name in results.columns))
    assert renamed.mapInArrow(lambda batches: batches, renamed.schema).count() == expected.num_rows
    with pytest.raises(ValueError, match="location: is no column; received 'nowhere'"):
        ensemble_statistics(frame, location=["nowhere"], **options)


def test_quantiles_and_thresholds_given_twice_are_one_column(session: SparkSession, wide: pa.Table) -> None:
    twice = {**WEEKLY, "quantiles": [0.5, 0.5], "thresholds": [">20", ">20.0"]}
    results = ensemble_statistics(session.createDataFrame(wide), **twice)
    assert results.columns[-4:] == ["mean", "q50", "spread", "p_gt_20"]
    assert results.count() == 120


def test_the_schema_is_declared_before_anything_runs(session: SparkSession, wide: pa.Table) -> None:
    results = ensemble_statistics(session.createDataFrame(wide), command="no-such-program", **WEEKLY)
    assert results.columns == plumecast.result_schema(**WEEKLY).names
    with pytest.raises(PythonException, match="command of plumecast: not found on "):
        results.collect()
    with pytest.raises(ValueError, match="schema: is needed with a climatology"):
        ensemble_statistics(session.createDataFrame(wide), climatology="normal.arrow")
    with pytest.raises(ValueError, match="location: is not known"):
        ensemble_statistics(session.createDataFrame(wide.drop_columns(["latitude"])))


def test_tasks_of_one_python_process_share_a_worker(session: SparkSession, wide: pa.Table) -> None:
    def pids(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from plumecast._worker import shared_worker

        for _ in batches:
            yield pa.RecordBatch.from_pydict({"python": [os.getpid()], "worker": [shared_worker().pid]})

    frame = session.range(0, 40, 1, 20).mapInArrow(pids, "python long, worker long")
    found = {tuple(row) for row in frame.collect()} | {tuple(row) for row in frame.collect()}
    assert 0 < len(found) < 20
    assert len({python for python, _ in found}) == len({worker for _, worker in found}) == len(found)


def test_an_error_in_the_data_fails_the_job_by_its_text(session: SparkSession, wide: pa.Table) -> None:
    twice = session.createDataFrame(pa.concat_tables([wide, wide]))
    with pytest.raises(PythonException, match="partition, row "):
        ensemble_statistics(twice, **WEEKLY).collect()


def test_an_executor_killed_in_mid_job_is_replaced_and_the_job_goes_on(
    session: SparkSession, wide: pa.Table, expected: pa.Table, tmp_path: Path
) -> None:
    once = str(tmp_path / "killed")

    def kill(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import signal

        for batch in batches:
            yield batch
            try:
                os.close(os.open(once, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            # The parent is the daemon that starts Python workers, whose parent is the executor.
            with open(f"/proc/{os.getppid()}/stat") as line:
                os.kill(int(line.read().rpartition(")")[2].split()[1]), signal.SIGKILL)

    frame = session.createDataFrame(wide).repartition(6)
    killed = frame.mapInArrow(kill, frame.schema)
    assert rows_of(ensemble_statistics(killed, **WEEKLY)).equals(expected)
    assert os.path.exists(once)


#: A worker that is killed within its first request, and the real one from the second start on.
DYING = """
import os, signal, struct, sys

once, hello, *command = sys.argv[1:]
try:
    os.close(os.open(once, os.O_CREAT | os.O_EXCL))
except FileExistsError:
    os.execvp(command[0], command)
sys.stdout.buffer.write(b"H" + struct.pack("<I", len(hello)) + hello.encode())
sys.stdout.flush()
sys.stdin.buffer.read(100)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_that_dies_fails_its_task_and_not_the_job(
    session: SparkSession, wide: pa.Table, expected: pa.Table, tmp_path: Path
) -> None:
    once = tmp_path / "died"
    hello = json.dumps({"version": 1, "plumecast": PLUMECAST_VERSION})
    command = [sys.executable, "-c", DYING, str(once), hello, *plumecast.find_command()]
    assert rows_of(ensemble_statistics(session.createDataFrame(wide), command=command, **WEEKLY)).equals(expected)
    assert once.exists()


def test_files_a_task_each(session: SparkSession, wide: pa.Table, expected: pa.Table, tmp_path: Path) -> None:
    paths = []
    for place in range(5):
        paths.append(str(tmp_path / f"place-{place}.parquet"))
        pq.write_table(wide.slice(28 * place, 28), paths[-1])
    results = file_statistics(session, paths, **WEEKLY)
    assert results.rdd.getNumPartitions() == 5
    table = results.toArrow()
    assert table.column_names == ["source", *expected.column_names]
    assert sorted(set(table.column("source").to_pylist())) == paths
    assert rows_of(results.drop("source")).equals(expected.slice(0, 20))
    with pytest.raises(PythonException, match="none.nc"):
        file_statistics(session, [str(tmp_path / "none.nc")], **WEEKLY).collect()
