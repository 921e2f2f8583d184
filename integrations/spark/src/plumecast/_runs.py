"""Rows of one place as one row: what Spark shuffles then is a thousandth of the rows, and the order within them stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

#: Rows that are made at a time.
_MAX_ROWS = 1 << 20


def gather_rows(
    batches: Iterator[pa.RecordBatch], *, places: Sequence[str], date: str, first: str
) -> Iterator[pa.RecordBatch]:
    """Joins rows of the same place that follow one another.

    The result has a row for each run: the columns `places`, the first of the dates as `first`, and a list for each other column.
    """
    for batch in batches:
        if batch.num_rows == 0:
            continue
        starts = pa.concat_arrays([pa.array([0], pa.uint64()), _changes(batch, places)])
        ends = pc.cast(pa.concat_arrays([starts, pa.array([batch.num_rows], pa.uint64())]), pa.int32())
        columns = {name: batch.column(name).take(starts) for name in places}
        columns[first] = batch.column(date).take(starts)
        for name in batch.schema.names:
            if name not in places:
                columns[name] = pa.ListArray.from_arrays(ends, batch.column(name))
        yield pa.RecordBatch.from_pydict(columns)


def scatter_rows(
    batches: Iterator[pa.RecordBatch], *, names: Sequence[str], places: Sequence[str], date: str
) -> Iterator[pa.RecordBatch]:
    """Makes the rows of `gather_rows` again, in the columns `names`, those of a place in the order of their dates.

    The runs of a place must follow one another.
    """
    held: pa.Table | None = None
    for batch in batches:
        for runs in _pieces(batch, date):
            parents = pc.list_parent_indices(runs.column(date))
            rows = pa.table(
                {n: runs.column(n).take(parents) if n in places else pc.list_flatten(runs.column(n)) for n in names}
            )
            table = rows if held is None else pa.concat_tables([held, rows]).combine_chunks()
            # More of the last place may come.
            changes = _changes(table, places)
            last = changes[-1].as_py() if len(changes) > 0 else 0
            yield from _by_date(table.slice(0, last), places, date)
            held = table.slice(last)
    if held is not None:
        yield from _by_date(held, places, date)


def _changes(rows: pa.RecordBatch | pa.Table, places: Sequence[str]) -> pa.Array:
    """The indices of the rows whose place is not that of the row before."""
    flat = pc.add(pc.indices_nonzero(_differs(rows, places)), pa.scalar(1, pa.uint64()))
    return flat.combine_chunks() if isinstance(flat, pa.ChunkedArray) else flat


def _differs(rows: pa.RecordBatch | pa.Table, places: Sequence[str]) -> pa.Array:
    """Whether the place of each row but the first is another than that of the row before; a missing one is."""
    behind, before = rows.slice(1), rows.slice(0, max(0, rows.num_rows - 1))
    differs = [pc.fill_null(pc.not_equal(behind.column(name), before.column(name)), True) for name in places]
    return reduce(pc.or_, differs)


def _by_date(rows: pa.Table, places: Sequence[str], date: str) -> Iterator[pa.RecordBatch]:
    """Rows in the order of places as they are, and of dates within them."""
    if rows.num_rows == 0:
        return
    differs = _differs(rows, places)
    dates = rows.column(date)
    falls = pc.fill_null(pc.less(dates.slice(1), dates.slice(0, len(dates) - 1)), False)
    if pc.any(pc.and_(falls, pc.invert(differs))).as_py():
        zero = pa.chunked_array([pa.array([0], pa.int64())])
        steps = pc.cast(differs, pa.int64())
        run = pc.cumulative_sum(pa.chunked_array([*zero.chunks, *getattr(steps, "chunks", [steps])]))
        order = pc.sort_indices(pa.table({"run": run, "date": dates}), [("run", "ascending"), ("date", "ascending")])
        rows = rows.take(order)
    yield from rows.to_batches()


def _pieces(batch: pa.RecordBatch, date: str) -> Iterator[pa.RecordBatch]:
    """Parts of a batch of runs with a bounded number of rows, or a single run."""
    start = count = 0
    for run, length in enumerate(pc.list_value_length(batch.column(date)).to_pylist()):
        if count > 0 and count + length > _MAX_ROWS:
            yield batch.slice(start, run - start)
            start, count = run, 0
        count += length
    if count > 0:
        yield batch.slice(start)
