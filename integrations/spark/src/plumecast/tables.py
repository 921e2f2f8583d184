"""Statistics of tables: Arrow in, Arrow out; and the same for pandas and Polars."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ._members import Members, part_of
from ._schema import assert_lists, conform, declared_schema, plain_batches, plain_options, plain_results, request_options
from ._worker import shared_worker

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


def statistics(
    table: pa.Table | pa.RecordBatchReader,
    *,
    climatology: str | None = None,
    source: str | None = None,
    members: Members | None = None,
    command: str | Sequence[str] | None = None,
    **options: Any,
) -> pa.Table:
    """Statistics over the members of an ensemble, by day, ISO week or month.

    `table` has rows of daily values (or of time steps), with a column for each member, a list of members, or a row for each
    member; plumecast's docs/tables.md says which names of columns are known. `options` are those of `plumecast stats`, in
    Python's spelling: `variable="precipitation"`, `granularity="weekly"`, `quantiles=[0.1, 0.9]`, `thresholds=[">20"]`,
    `spread=True`, `start_date="2026-03-02"`, `units="K"`. `climatology` is the path of a file to compare with; `source` is
    what messages call the data; `command` is that of `find_command`.

    `members` says that the table is a part of a larger one, with these members: their labels, or of columns and lists their
    number. Those that have no rows in the part count as missing, and a part without a complete window has no results.

    Returns the columns of plumecast, texts as dictionaries; missing values are NaN. A reader is read batch by batch. Raises
    RequestError for options or data that plumecast rejects, and what `Worker` raises.
    """
    part = None if members is None else part_of(members)
    return part_statistics(table, part, climatology=climatology, source=source, command=command, **options)


def part_statistics(
    table: pa.Table | pa.RecordBatchReader,
    part: Mapping[str, Any] | None,
    *,
    climatology: str | None = None,
    source: str | None = None,
    command: str | Sequence[str] | None = None,
    **options: Any,
) -> pa.Table:
    """`statistics` of a table that is a part of a larger one: the field `part` of a request; None for a whole."""
    fields = _fields(options, climatology=climatology, source=source, part=part)
    batches = table.to_batches() if isinstance(table, pa.Table) else table
    schema, plain = plain_batches(table.schema, batches)
    return shared_worker(command).request(fields, plain, schema)


def file_statistics(
    path: str | os.PathLike[str],
    *,
    climatology: str | None = None,
    members: Members | None = None,
    command: str | Sequence[str] | None = None,
    **options: Any,
) -> pa.Table:
    """Statistics of a file of any format that plumecast reads: NetCDF, Zarr, GRIB, Parquet, Arrow, CSV; see `statistics`."""
    part = None if members is None else part_of(members)
    fields = _fields(options, climatology=climatology, file=os.fspath(path), part=part)
    return shared_worker(command).request(fields)


def pandas_statistics(
    frame: pd.DataFrame, *, schema: pa.Schema | None = None, members: Members | None = None, **options: Any
) -> pd.DataFrame:
    """`statistics` of a pandas DataFrame, also of one without rows; for Dask's `map_partitions`, then with `members`.

    An index with dates counts as columns. The result has the columns of `schema`; by default, of a whole frame, all that
    plumecast computes, with the ids of places and the shares of a climatology. A part, and a frame without rows, has the columns of
    `result_schema`, which a climatology changes.
    """
    return pandas_part(frame, None if members is None else part_of(members), schema=schema, **options)


def pandas_part(
    frame: pd.DataFrame, part: Mapping[str, Any] | None, *, schema: pa.Schema | None = None, **options: Any
) -> pd.DataFrame:
    """`pandas_statistics` of a part of a larger frame; see `part_statistics`."""
    given = plain_options(options)
    if len(frame) == 0:
        return declared_schema(schema, given).empty_table().to_pandas()
    wanted = declared_schema(schema, given) if schema is not None or part is not None else None
    assert_lists(given)
    texts = {name: text for name, text in frame.attrs.items() if isinstance(name, str) and isinstance(text, str)}
    table = pa.Table.from_pandas(_with_dates(frame), preserve_index=False).replace_schema_metadata(texts or None)
    results = part_statistics(table, part, **given)
    return (plain_results(results) if wanted is None else conform(results, wanted)).to_pandas()


def polars_statistics(
    frame: pl.DataFrame, *, schema: pa.Schema | None = None, members: Members | None = None, **options: Any
) -> pl.DataFrame:
    """`statistics` of a Polars DataFrame, also of one without rows; see `pandas_statistics`."""
    import polars

    given = plain_options(options)
    if len(frame) == 0:
        return polars.DataFrame(polars.from_arrow(declared_schema(schema, given).empty_table()))
    wanted = declared_schema(schema, given) if schema is not None or members is not None else None
    assert_lists(given)
    results = statistics(frame.to_arrow(), members=members, **given)
    return polars.DataFrame(polars.from_arrow(plain_results(results) if wanted is None else conform(results, wanted)))


def _with_dates(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its index as columns, where that has dates: as `pivot`, `set_index` and `resample` leave them."""
    index = frame.index
    levels = [index.get_level_values(level) for level in range(index.nlevels)]
    if not any(level.dtype.kind == "M" for level in levels):
        return frame
    names = [level.name if level.name is not None else "date" if level.dtype.kind == "M" else None for level in levels]
    if None in names or any(name in frame.columns for name in names):
        return frame
    return frame.set_axis(index.set_names(names)).reset_index()


def _fields(options: dict[str, Any], **others: str | Mapping[str, Any] | None) -> dict[str, Any]:
    given = {name: value for name, value in others.items() if value is not None}
    return {"options": request_options(options), **given}
