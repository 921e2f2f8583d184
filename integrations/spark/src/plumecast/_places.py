"""Partitions of Spark that are computed as they are, and whose places meet afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa
from pyspark import TaskContext

from ._split import WholePlaces, places_of

#: Columns beside the results: where they have a place, the row has no result.
PLACE, PARTITION = "plumecast_place", "plumecast_partition"

#: From the rows of a partition to its results.
Work = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def mark_places(
    batches: Iterator[pa.RecordBatch],
    *,
    places: Sequence[str],
    labels: Sequence[str],
    work: Work,
    schema: pa.Schema,
) -> Iterator[pa.RecordBatch]:
    """The results of a partition, and a row for each of its places, also of those that have no result."""
    found: set[str] = set()

    def noted() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found.update(places_of(batch, places, labels))
            yield batch

    for results in work(noted()):
        yield _with_columns(results.columns, results.num_rows, schema)
    context = TaskContext.get()
    partition = 0 if context is None else context.partitionId()
    texts = list(found)
    marks = {PLACE: pa.array(texts, pa.string()), PARTITION: pa.array([partition] * len(texts), pa.int32())}
    yield pa.RecordBatch.from_arrays(
        [marks.get(field.name, pa.nulls(len(texts), field.type)) for field in schema], schema=schema
    )


def check_places(batches: Iterator[pa.RecordBatch], *, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The results alone. Raises SplitPlaceError where a place has come from two partitions."""
    whole = WholePlaces()
    for batch in batches:
        marks = batch.filter(batch.column(PLACE).is_valid())
        for place, partition in zip(marks.column(PLACE).to_pylist(), marks.column(PARTITION).to_pylist()):
            whole.add([place], partition)
        results = batch.filter(batch.column(PLACE).is_null())
        yield pa.RecordBatch.from_arrays(results.columns[: len(schema)], schema=schema)


def _with_columns(columns: Sequence[pa.Array], rows: int, schema: pa.Schema) -> pa.RecordBatch:
    nulls = [pa.nulls(rows, field.type) for field in schema][len(columns) :]
    return pa.RecordBatch.from_arrays([*columns, *nulls], schema=schema)
