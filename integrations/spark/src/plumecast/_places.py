"""Places of partitions that are computed as they are: each must be whole in one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa
from pyspark import TaskContext

#: Columns beside the results: where they have a place, the row has no result.
PLACE, PARTITION = "plumecast_place", "plumecast_partition"

#: From the rows of a partition to its results.
Work = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


class SplitPlaceError(ValueError):
    """Two partitions have rows of the same place."""


def mark_places(
    batches: Iterator[pa.RecordBatch], *, places: Sequence[str], work: Work, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """The results of a partition, and a row for each of its places, also of those that have no result."""
    found: set[tuple[object, ...]] = set()
    for results in work(_noted(batches, places, found)):
        yield _with_columns(results.columns, results.num_rows, schema)
    context = TaskContext.get()
    partition = 0 if context is None else context.partitionId()
    texts = [", ".join(f"{name} {value}" for name, value in zip(places, place)) for place in found]
    marks = {PLACE: pa.array(texts, pa.string()), PARTITION: pa.array([partition] * len(texts), pa.int32())}
    yield pa.RecordBatch.from_arrays(
        [marks.get(field.name, pa.nulls(len(texts), field.type)) for field in schema], schema=schema
    )


def check_places(batches: Iterator[pa.RecordBatch], *, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The results alone. Raises SplitPlaceError where a place has come from two partitions."""
    partitions: dict[str, int] = {}
    for batch in batches:
        marks = batch.filter(batch.column(PLACE).is_valid())
        for place, partition in zip(marks.column(PLACE).to_pylist(), marks.column(PARTITION).to_pylist()):
            other = partitions.setdefault(place, partition)
            if other != partition:
                raise SplitPlaceError(
                    f"partitions {min(other, partition)} and {max(other, partition)}: both have rows of {place}; allowed: all "
                    "rows of a place in one partition, or partitioned=False, which brings them together"
                )
        results = batch.filter(batch.column(PLACE).is_null())
        yield pa.RecordBatch.from_arrays(results.columns[: len(schema)], schema=schema)


def _noted(
    batches: Iterator[pa.RecordBatch], places: Sequence[str], found: set[tuple[object, ...]]
) -> Iterator[pa.RecordBatch]:
    """The batches as they are; adds their places to `found`."""
    for batch in batches:
        rows = pa.Table.from_batches([batch.select(list(places))]).group_by(list(places)).aggregate([])
        # Zero has two signs, and is one place.
        columns = [[abs(value) if value == 0 else value for value in rows.column(name).to_pylist()] for name in places]
        found.update(zip(*columns))
        yield batch


def _with_columns(columns: Sequence[pa.Array], rows: int, schema: pa.Schema) -> pa.RecordBatch:
    nulls = [pa.nulls(rows, field.type) for field in schema][len(columns) :]
    return pa.RecordBatch.from_arrays([*columns, *nulls], schema=schema)
