"""Statistics of ensembles in Spark, by `mapInArrow` through a long-lived process of plumecast for each Python worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.functions import col, size
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import ArrayType, StructField, StructType

from ._columns import date_column, member_column, place_columns, value_column, variable_column
from ._members import Members, labels_of_rows, part_of, sorted_labels
from ._places import PARTITION as _PARTITION
from ._places import PLACE as _PLACE
from ._places import Work, check_places, mark_places
from ._runs import gather_rows, scatter_rows
from ._schema import conform, declared_schema, plain_options
from .tables import file_statistics as statistics_of_file
from .tables import part_statistics

def ensemble_statistics(
    frame: DataFrame,
    *,
    location: Sequence[str] | None = None,
    date: str | None = None,
    partitions: int | None = None,
    partitioned: bool = False,
    schema: pa.Schema | None = None,
    members: Members | None = None,
    command: str | Sequence[str] | None = None,
    **options: Any,
) -> DataFrame:
    """Statistics over the members of an ensemble, as a DataFrame.

    `frame` has rows of daily values by place, with a column for each member, an array of members, or a row for each member.
    All rows of a place come into one partition: rows are repartitioned by the columns `location` (by default the latitude
    and longitude), into `partitions` partitions (by default as Spark chooses), and sorted within them by place and `date`.
    Where there is a row for each member, rows of a place that follow one another are shuffled as one, and of other columns than
    those of place, date, member and value none is read. A frame that only reads files which have all days of their places is
    faster by `file_statistics`, and batches of `spark.sql.execution.arrow.maxRecordsPerBatch` = 100000 are faster than Spark's
    10,000.
    With `partitioned=True` rows stay in their partitions, which must have all rows of their places, one place after the other:
    only results are shuffled then, with the places of each partition, and a place that two partitions have is a
    SplitPlaceError, which names it.
    Where there is a row for each member, the members of all rows are found before any is computed, by reading their column
    once (of arrays: their length); `members` says them instead: the labels, or of arrays and columns their number. A
    partition without a complete window has no results.
    `options` are those of `plumecast.statistics`. A climatology changes the columns, so `schema` is needed with one.

    The command of plumecast, see `plumecast.find_command`, is looked up on every executor, and its version is checked when it
    starts. Where plumecast or its data fail, the task fails, and Spark tries it again as it does other tasks.
    """
    given = plain_options(options)
    wanted = declared_schema(schema, given)
    columns = given.get("columns") or {}
    names = frame.columns
    labels = place_columns(names, location, columns)
    day = date_column(names, date, columns)
    if partitioned and partitions is not None:
        raise ValueError("partitions: cannot be used together with partitioned=True, which leaves rows where they are")
    member, value = member_column(names, columns), value_column(given, columns)
    if member is not None and value in names:
        # Spark takes longest to turn rows into Arrow data: others are not read.
        names = [name for name in names if name in {*labels, day, member, value}]
        frame = frame.select(*map(_quoted, names))
    part = part_of(_members_of(frame, given) if members is None else members)
    # Spark takes a dot in a name for a field of a structure: columns have numbers until plumecast gets them.
    numbered = {name: f"column_{index}" for index, name in enumerate(names)}
    frame = frame.toDF(*numbered.values())
    places, day = [numbered[label] for label in labels], numbered[day]
    work = partial(_partition_statistics, names=names, part=part, schema=wanted, command=command, options=given)
    if partitioned:
        return _in_partitions(frame, places, labels, work, wanted)
    if member is None:
        return _shuffled(frame, partitions, places, day).mapInArrow(work, from_arrow_schema(wanted))
    # A row for each member: many rows of a place follow one another, and are shuffled as one.
    first = "first"
    gather = partial(gather_rows, places=places, date=day, first=first)
    runs = _shuffled(frame.mapInArrow(gather, _schema_of_runs(frame, places, day, first)), partitions, places, first)
    scatter = partial(scatter_rows, names=list(numbered.values()), places=places, date=day)
    return runs.mapInArrow(lambda batches: work(scatter(batches)), from_arrow_schema(wanted))


def _members_of(frame: DataFrame, options: dict[str, Any]) -> list[Any] | int | None:
    """The members of all rows, which those of a partition may not show: of a row for each member, and of arrays."""
    names, columns = frame.columns, options.get("columns") or {}
    member, variable, value = member_column(names, columns), variable_column(names, columns), value_column(options, columns)
    if member is not None:
        if variable is None or value in names:
            return sorted_labels(row[0] for row in _distinct(frame, col(_quoted(member)).alias("member")))
        pairs = _distinct(frame, col(_quoted(variable)).alias("variable"), col(_quoted(member)).alias("member"))
        return labels_of_rows(pairs, options)
    arrays = [field.name for field in frame.schema if isinstance(field.dataType, ArrayType)]
    lists = [name for name in arrays if name == value] or arrays
    if len(lists) != 1:
        return None
    sizes = [row[0] for row in _distinct(frame, size(col(_quoted(lists[0]))).alias("size")) if row[0] >= 0]
    if len(sizes) > 1:
        raise ValueError(f"{lists[0]}: arrays have other lengths; received {sorted(sizes)}; allowed: one for each member")
    return sizes[0] if sizes else None


def _distinct(frame: DataFrame, *columns: Column) -> list[Any]:
    """Different rows of these columns, without missing values."""
    return frame.select(*columns).dropna().distinct().collect()


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _in_partitions(
    frame: DataFrame, places: list[str], labels: list[str], work: Work, schema: pa.Schema
) -> DataFrame:
    """Statistics of each partition; then, where the places of all partitions meet, that none is there twice."""
    # By numbers, as Spark takes a dot in a name, such as that of `p_gt_12.5`, for a field of a structure.
    fields = [pa.field(f"column_{i}", field.type) for i, field in enumerate(schema)]
    marked = pa.schema([*fields, (_PLACE, pa.string()), (_PARTITION, pa.int32())])
    mark = partial(mark_places, places=places, labels=labels, work=work, schema=marked)
    results = frame.mapInArrow(mark, from_arrow_schema(marked))
    spread = [f"column_{i}" for i, name in enumerate(schema.names) if name in ("latitude", "longitude", "start")]
    met = results.repartition(_PLACE, *spread)
    return met.mapInArrow(partial(check_places, schema=schema), from_arrow_schema(schema))


def _shuffled(frame: DataFrame, partitions: int | None, places: list[str], day: str) -> DataFrame:
    """All rows of a place in one partition, by place and day."""
    shuffled = frame.repartition(*places) if partitions is None else frame.repartition(partitions, *places)
    return shuffled.sortWithinPartitions(*places, day)


def _schema_of_runs(frame: DataFrame, places: list[str], day: str, first: str) -> StructType:
    """What `gather_rows` makes of a frame."""
    fields = {field.name: field for field in frame.schema}
    lists = [StructField(name, ArrayType(field.dataType)) for name, field in fields.items() if name not in places]
    return StructType([*(fields[name] for name in places), StructField(first, fields[day].dataType), *lists])


def file_statistics(
    session: SparkSession,
    paths: Iterable[str],
    *,
    schema: pa.Schema | None = None,
    command: str | Sequence[str] | None = None,
    **options: Any,
) -> DataFrame:
    """Statistics of files (NetCDF, Zarr, GRIB, Parquet, Arrow, CSV) as a DataFrame, a task for each file.

    Each path must be readable on every executor. The first column, `source`, is the path of the file. See
    `ensemble_statistics`.
    """
    files = list(paths)
    if not files:
        raise ValueError("paths: is empty; allowed: at least one file")
    given = plain_options(options)
    wanted = declared_schema(schema, given)
    with_source = pa.schema([pa.field("source", pa.string()), *wanted])
    work = partial(_statistics_of_files, files=files, schema=with_source, command=command, options=given)
    return session.range(0, len(files), 1, len(files)).mapInArrow(work, from_arrow_schema(with_source))


def _partition_statistics(
    batches: Iterator[pa.RecordBatch],
    *,
    names: list[str],
    part: dict[str, Any],
    schema: pa.Schema,
    command: Any,
    options: dict[str, Any],
) -> Iterator[pa.RecordBatch]:
    filled = (
        pa.RecordBatch.from_arrays(
            batch.columns, schema=pa.schema([field.with_name(name) for field, name in zip(batch.schema, names)])
        )
        for batch in batches
        if batch.num_rows > 0
    )
    first = next(filled, None)
    if first is None:
        return
    reader = pa.RecordBatchReader.from_batches(first.schema, _followed_by(first, filled))
    results = part_statistics(reader, part, command=command, source="partition", **options)
    yield from conform(results, schema).to_batches()


def _statistics_of_files(
    batches: Iterator[pa.RecordBatch], *, files: list[str], schema: pa.Schema, command: Any, options: dict[str, Any]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for index in batch.column(0).to_pylist():
            results = statistics_of_file(files[index], command=command, **options)
            table = conform(results, schema.remove(0))
            source = pa.array([files[index]] * table.num_rows, pa.string())
            yield from table.add_column(0, schema.field(0), source).to_batches()


def _followed_by(first: pa.RecordBatch, rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield first
    yield from rest
