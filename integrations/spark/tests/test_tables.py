"""The plain functions and the client, without Spark."""

from __future__ import annotations

import json
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import plumecast
from conftest import WEEKLY, wide_table
from plumecast._schema import conform
from plumecast._worker import shared_worker


def mean_of_week(table: pa.Table, place: int) -> float:
    """The mean over members of a place's first weekly sum."""
    members = [table.column(name).to_numpy()[place * 28 : place * 28 + 7] for name in table.column_names if name[0] == "m"]
    return float(np.mean([np.sum(days, dtype="float64") for days in members]))


def test_statistics_are_those_of_numpy_and_have_the_declared_columns(wide: pa.Table) -> None:
    result = conform(plumecast.statistics(wide, **WEEKLY), plumecast.result_schema(**WEEKLY))
    assert result.num_rows == 30 * 4
    assert result.column("mean")[4].as_py() == pytest.approx(mean_of_week(wide, 1), rel=1e-6)
    assert "p_gt_12.5" in result.column_names


def test_declared_columns_are_those_of_results(wide: pa.Table) -> None:
    for options in [
        {},
        {"quantiles": [0, 0.000001, 0.025, 0.1, 0.5, 1], "thresholds": [">20", "<= -5", "<1000", ">=0.1"]},
        {"quantiles": [0.333333], "spread": True, "thresholds": [">1"]},
    ]:
        result = plumecast.statistics(wide, variable="precipitation", **options)
        assert result.column_names == plumecast.result_schema(**options).names


def test_one_process_answers_many_requests_and_errors_between(wide: pa.Table) -> None:
    pid = shared_worker().pid
    expected = plumecast.statistics(wide, **WEEKLY)
    for _ in range(3):
        with pytest.raises(plumecast.RequestError, match="windows: is not known") as raised:
            plumecast.statistics(wide, granularity="hourly")
        assert raised.value.record["tag"] == "option"
        with pytest.raises(plumecast.RequestError, match="has no rows"):
            plumecast.statistics(wide.slice(0, 0), **WEEKLY)
        assert plumecast.statistics(wide, **WEEKLY).equals(expected)
    assert shared_worker().pid == pid


def test_rows_for_each_member_readers_and_large_texts_give_the_same(wide: pa.Table, long: pa.Table) -> None:
    expected = plumecast.statistics(wide, **WEEKLY)
    assert plumecast.statistics(long, **WEEKLY).equals(expected)
    reader = pa.RecordBatchReader.from_batches(wide.schema, wide.to_batches(max_chunksize=7))
    assert plumecast.statistics(reader, **WEEKLY).equals(expected)
    for kind in [pa.large_string(), pa.string_view()]:
        named = long.set_column(3, "member", pa.array([f"m{m}" for m in long.column("member").to_pylist()], kind))
        assert plumecast.statistics(named, **WEEKLY).equals(expected)


def test_a_worker_that_was_killed_is_an_error_and_then_started_again(wide: pa.Table) -> None:
    worker = shared_worker()
    os.kill(worker.pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(worker.request, {"options": WEEKLY}, wide.to_batches(), wide.schema)
        os.kill(worker.pid, signal.SIGKILL)
        with pytest.raises(plumecast.WorkerError, match="has ended with -9"):
            answer.result()
    assert plumecast.statistics(wide, **WEEKLY).num_rows == 120
    assert shared_worker().pid != worker.pid


def test_data_that_fail_half_way_do_not_reach_the_next_request(wide: pa.Table) -> None:
    def batches() -> object:
        yield from wide.to_batches(max_chunksize=100)[:3]
        raise KeyError("half way")

    with pytest.raises(KeyError):
        shared_worker().request({"options": WEEKLY}, batches(), wide.schema)
    assert plumecast.statistics(wide, **WEEKLY).num_rows == 120


def test_commands_that_are_missing_of_another_version_or_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(plumecast.CommandError, match="not found on .*PLUMECAST_COMMAND"):
        plumecast.find_command("no-such-program --flag")
    monkeypatch.setenv("PLUMECAST_COMMAND", "no-such-program")
    with pytest.raises(plumecast.CommandError, match="no-such-program"):
        plumecast.Worker()
    monkeypatch.setenv("PLUMECAST_COMMAND", "")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(plumecast.CommandError, match="'plumecast'"):
        plumecast.Worker()
    other = "import sys; sys.stdout.buffer.write(b'H' + bytes([35, 0, 0, 0]) + b'{\"version\":1,\"plumecast\":\"0.0.1\"}   ')"
    with pytest.raises(plumecast.VersionError, match="received 0.0.1, protocol 1; allowed: 0.1.0, protocol 1"):
        plumecast.Worker([sys.executable, "-c", other])
    with pytest.raises(plumecast.WorkerError, match="sends no frames"):
        plumecast.Worker([sys.executable, "-c", "print('hello, world')"])
    with pytest.raises(plumecast.WorkerError, match="has ended with"):
        plumecast.Worker([sys.executable, "-c", "pass"])


def test_files_have_the_statistics_of_their_rows(wide: pa.Table, tmp_path: Path) -> None:
    pq.write_table(wide, tmp_path / "rain.parquet")
    assert plumecast.file_statistics(tmp_path / "rain.parquet", **WEEKLY).equals(plumecast.statistics(wide, **WEEKLY))


def test_results_with_other_columns_than_declared_are_an_error(wide: pa.Table) -> None:
    with pytest.raises(plumecast.SchemaError, match="other columns than were declared"):
        conform(plumecast.statistics(wide, **WEEKLY), plumecast.result_schema())


def test_pandas_and_polars_frames_also_empty_ones(wide: pa.Table) -> None:
    polars = pytest.importorskip("polars")
    expected = conform(plumecast.statistics(wide, **WEEKLY), plumecast.result_schema(**WEEKLY))
    frame = wide.to_pandas()
    assert plumecast.pandas_statistics(frame, **WEEKLY).equals(expected.to_pandas())
    assert plumecast.pandas_statistics(frame.iloc[:0], **WEEKLY).columns.tolist() == expected.column_names
    assert plumecast.polars_statistics(polars.from_arrow(wide), **WEEKLY).equals(polars.from_arrow(expected))
    assert plumecast.polars_statistics(polars.from_arrow(wide.slice(0, 0)), **WEEKLY).columns == expected.column_names


def test_frames_keep_the_ids_of_places_and_shares_of_a_climatology(wide: pa.Table, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = wide.slice(0, 2 * 28).to_pandas().drop(columns=["latitude", "longitude"])
    frame.insert(0, "station", ["Ulm"] * 28 + ["Bonn"] * 28)
    rows = plumecast.pandas_statistics(frame, **WEEKLY)
    assert rows["station"].tolist() == ["Ulm"] * 4 + ["Bonn"] * 4
    assert rows["mean"].tolist() == plumecast.pandas_statistics(wide.slice(0, 2 * 28).to_pandas(), **WEEKLY)["mean"].tolist()
    assert plumecast.polars_statistics(polars.from_pandas(frame), **WEEKLY)["station"].to_list() == rows["station"].tolist()
    with pytest.raises(plumecast.SchemaError, match="other columns than were declared.*station.*or schema, with a field"):
        plumecast.pandas_statistics(frame, members=5, **WEEKLY)
    normal = tmp_path / "normal.csv"
    normal.write_text("variable,units,period,n_samples,mean,t33,t67\n" + "".join(f"precipitation,mm,W{w:02d},30,70,60,80\n" for w in range(1, 54)))
    shares = plumecast.pandas_statistics(frame.iloc[:28], variable="precipitation", climatology=str(normal))
    assert (shares["p_below"] + shares["p_normal"] + shares["p_above"]).tolist() == pytest.approx([1] * 4)


def test_an_index_with_dates_counts_as_columns(long: pa.Table) -> None:
    frame = long.slice(0).to_pandas()
    frame = frame[frame["latitude"] == 60].astype({"date": "datetime64[ns]"})
    expected = plumecast.pandas_statistics(frame.drop(columns=["latitude", "longitude"]), **WEEKLY)
    pivoted = frame.pivot(index="date", columns="member", values="value")
    assert plumecast.pandas_statistics(pivoted, **WEEKLY)["mean"].tolist() == pytest.approx(expected["mean"].tolist())
    unnamed = pivoted.set_axis(pivoted.index.rename(None))
    assert plumecast.pandas_statistics(unnamed, **WEEKLY)["mean"].tolist() == pytest.approx(expected["mean"].tolist())
    stacked = frame.set_index(["date", "member"])[["value"]]
    assert plumecast.pandas_statistics(stacked, **WEEKLY).equals(expected)
    assert plumecast.pandas_statistics(frame.set_index("date", drop=False), **WEEKLY)["mean"].equals(expected["mean"])


def test_windows_are_named_as_the_command_names_them(wide: pa.Table) -> None:
    days = plumecast.pandas_statistics(wide.to_pandas(), variable="precipitation", windows="days 1-7,8-14")
    assert days["period"].unique().tolist() == ["d001-007", "d008-014"]


def test_options_may_be_of_numpy_dates_generators_or_twice(wide: pa.Table) -> None:
    import datetime

    rain = {"variable": "precipitation", "granularity": "weekly"}
    frame = wide.to_pandas()
    frame.attrs = {"title": "rain", "number": 3, 4: "four"}
    plain = {"quantiles": [0.1, 0.5], "thresholds": [">20"], "start_date": "2026-01-12", "min_member_share": 0.5}
    expected = plumecast.pandas_statistics(frame, **rain, **plain)
    assert len(expected) == 30 * 3
    for start in [datetime.date(2026, 1, 12), datetime.datetime(2026, 1, 12), np.datetime64("2026-01-12")]:
        given = {
            "quantiles": (each for each in np.array([0.1, 0.5, 0.1])),
            "thresholds": (">20", "> +20."),
            "start_date": start,
            "min_member_share": np.float64(0.5),
        }
        assert plumecast.pandas_statistics(frame, **rain, **given).equals(expected)
    for name, value in [("quantiles", 0.5), ("thresholds", ">20"), ("quantiles", "0.5")]:
        with pytest.raises(plumecast.SchemaError, match=f"{name}: is not a list"):
            plumecast.pandas_statistics(frame, **rain, **{name: value})
    with pytest.raises(plumecast.SchemaError, match="quantiles: not a number; received '0.5'"):
        plumecast.result_schema(quantiles=["0.5"])


def test_names_of_thresholds_are_those_of_plumecast(wide: pa.Table) -> None:
    texts = [">0.000001", ">0.0000001234", "<123456789012345678901234", "<=-.5", ">5.", ">+3", ">00020.50", "<-0", ">1" + "0" * 21]
    result = plumecast.statistics(wide, variable="precipitation", thresholds=texts)
    assert result.column_names == plumecast.result_schema(thresholds=texts).names
    assert {"p_gt_0.000001", "p_gt_1.234e-7", "p_gt_1e+21"} < set(result.column_names)
    for text in ["> 1e3", "=>3", "20", ">\u0663"]:
        with pytest.raises(plumecast.SchemaError, match="not a condition"):
            plumecast.result_schema(thresholds=[text])


def test_the_version_is_that_of_plumecast() -> None:
    package = json.loads((Path(__file__).resolve().parents[3] / "package.json").read_text())
    assert plumecast.__version__ == package["version"]


def test_dask_frames_whose_partitions_have_whole_places(wide: pa.Table) -> None:
    dask_frame = pytest.importorskip("dask.dataframe")
    from plumecast.dask import ensemble_statistics

    wide = wide.slice(0, 12 * 28)
    expected = plumecast.pandas_statistics(wide.to_pandas(), **WEEKLY)
    frame = dask_frame.from_pandas(wide.to_pandas(), npartitions=1)
    whole = frame.repartition(divisions=[0, 84, 168, 335], force=True)
    results = ensemble_statistics(whole, **WEEKLY)
    assert results.npartitions == 3
    for scheduler in ["threads", "processes"]:
        assert results.compute(scheduler=scheduler).reset_index(drop=True).equals(expected)
    # Three days of a place have no complete week, and yet must not be lost.
    for split in [28 * 3 + 14, 28 * 3 + 3]:
        parts = frame.repartition(divisions=[0, split, 335], force=True)
        with pytest.raises(plumecast.SplitPlaceError, match="partitions 0 and 1: both have rows of latitude 59.97, longitude -80.0"):
            ensemble_statistics(parts, **WEEKLY).compute()
    # Rows that are shuffled by place are whole.
    shuffled = parts.shuffle(["latitude", "longitude"], npartitions=4)
    rows = ensemble_statistics(shuffled, sort=True, **WEEKLY).compute()
    order = ["latitude", "start"]
    assert rows.sort_values(order, ascending=[False, True]).reset_index(drop=True).equals(expected)
    with pytest.raises(ValueError, match="location: is not known"):
        ensemble_statistics(frame.drop(columns="latitude"), **WEEKLY)
    with pytest.raises(ValueError, match="schema: is needed with a climatology"):
        ensemble_statistics(frame, climatology="normal.arrow")


def test_dask_partitions_give_what_all_rows_together_give() -> None:
    dask_frame = pytest.importorskip("dask.dataframe")
    wide = wide_table(12)
    frame = dask_frame.from_pandas(wide.to_pandas(), npartitions=1).repartition(divisions=[0, 84, 168, 335], force=True)
    assert frame.npartitions == 3
    meta = plumecast.result_schema(**WEEKLY).empty_table().to_pandas()
    result = frame.map_partitions(plumecast.pandas_statistics, **WEEKLY, meta=meta).compute().reset_index(drop=True)
    assert result.equals(plumecast.pandas_statistics(wide.to_pandas(), **WEEKLY))
