"""Runs of rows: joined and made again, whatever their order."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from conftest import long_table, wide_table
from plumecast import _runs
from plumecast._runs import gather_rows, scatter_rows

PLACES = ["latitude", "longitude"]


def joined(table: pa.Table, rows_at_once: int) -> pa.Table:
    batches = table.to_batches(max_chunksize=rows_at_once)
    runs = list(gather_rows(iter(batches), places=PLACES, date="date", first="first"))
    return pa.Table.from_batches(runs)


def scattered(runs: pa.Table, names: list[str], runs_at_once: int) -> pa.Table:
    """The rows again, after the sort that Spark does."""
    ordered = runs.sort_by([("latitude", "ascending"), ("longitude", "ascending"), ("first", "ascending")])
    batches = iter(ordered.to_batches(max_chunksize=runs_at_once))
    return pa.Table.from_batches(list(scatter_rows(batches, names=names, places=PLACES, date="date")))


def in_order(table: pa.Table) -> pa.Table:
    keys = [(name, "ascending") for name in ["latitude", "longitude", "date", "member", "value"] if name in table.column_names]
    return table.sort_by(keys).combine_chunks()


ORDERS = {
    "by place": [("latitude", "descending"), ("date", "ascending")],
    "by day": [("date", "ascending"), ("latitude", "ascending")],
    "backwards": [("latitude", "ascending"), ("date", "descending")],
    "as it comes": [],
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rows_at_once, runs_at_once, limit", [(10_000, 100, 1 << 20), (7, 3, 50), (100, 1, 1)])
@pytest.mark.parametrize("form", ["wide", "long", "long by member"])
def test_rows_come_back_by_place_and_date(
    form: str, order: str, rows_at_once: int, runs_at_once: int, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_runs, "_MAX_ROWS", limit)
    table = wide_table(9) if form == "wide" else long_table(9)
    if form == "long by member":
        table = table.sort_by([("latitude", "ascending"), ("member", "ascending"), ("date", "ascending")])
    elif order == "as it comes":
        table = table.take(np.random.default_rng(3).permutation(table.num_rows))
    else:
        table = table.sort_by(ORDERS[order])
    rows = scattered(joined(table, rows_at_once), table.column_names, runs_at_once)
    assert rows.schema == table.schema
    assert in_order(rows).equals(in_order(table))
    keys = rows.select(["latitude", "date"])
    assert keys.equals(keys.sort_by([("latitude", "ascending"), ("date", "ascending")]))


def test_rows_of_one_place_become_one_row() -> None:
    runs = joined(long_table(5).sort_by([("latitude", "descending"), ("date", "ascending")]), 100_000)
    assert runs.num_rows == 5
    assert runs.column("value").combine_chunks().value_lengths().to_pylist() == [28 * 5] * 5


def test_missing_places_and_lists_of_members_stay() -> None:
    table = pa.table(
        {
            "latitude": [1.0, 1.0, None, None, 2.0],
            "longitude": [5.0] * 5,
            "date": pa.array([0, 1, 0, 1, 0], pa.date32()),
            "members": [[1.0, 2.0], None, [], [None, 3.0], [4.0]],
        }
    )
    rows = scattered(joined(table, 2), table.column_names, 10)
    assert rows.sort_by([("latitude", "ascending"), ("date", "ascending")]).to_pydict() == {
        "latitude": [1.0, 1.0, 2.0, None, None],
        "longitude": [5.0] * 5,
        "date": table.column("date").take([0, 1, 4, 2, 3]).to_pylist(),
        "members": [[1.0, 2.0], None, [4.0], [], [None, 3.0]],
    }


def test_no_rows_are_no_runs() -> None:
    empty = wide_table(1).slice(0, 0)
    assert list(gather_rows(iter(empty.to_batches()), places=PLACES, date="date", first="first")) == []
    assert list(scatter_rows(iter([]), names=empty.column_names, places=PLACES, date="date")) == []
