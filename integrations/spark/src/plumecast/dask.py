"""Statistics of ensembles in Dask, by a long-lived process of plumecast for each of its threads or processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask
import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
from dask.delayed import delayed

from ._columns import member_column, place_columns, value_column, variable_column
from ._members import Members, labels_of_rows, part_of, sorted_labels
from ._schema import declared_schema, plain_options
from ._split import WholePlaces, places_of
from .tables import pandas_part


def ensemble_statistics(
    frame: dd.DataFrame,
    *,
    location: Sequence[str] | None = None,
    schema: pa.Schema | None = None,
    members: Members | None = None,
    **options: Any,
) -> dd.DataFrame:
    """Statistics over the members of an ensemble, as a Dask DataFrame with a partition for each of `frame`.

    Each partition must have all rows of its places, such as after `frame.shuffle(["latitude", "longitude"])` with the option
    `sort=True`: a place that two partitions have is a SplitPlaceError, which names it. The places are those of the columns
    `location`, by default latitude and longitude. `options` are those of `plumecast.statistics`; a climatology changes the
    columns of the results, so `schema` is needed with one.

    Where there is a row for each member, the members of all partitions are found before any is computed, by reading their
    column once; `members` says them instead. A partition without a complete window has no results.
    """
    given = plain_options(options)
    wanted = declared_schema(schema, given)
    places = place_columns(list(frame.columns), location, given.get("columns") or {})
    untyped: Any = frame
    part = part_of(_members_of(untyped, given) if members is None else members)
    compute, release = delayed(_partition, nout=2), delayed(_after)
    parts = [compute(rows, part, places, wanted, given) for rows in untyped.to_delayed()]
    check = delayed(_check)([found for _, found in parts])
    meta = wanted.empty_table().to_pandas()
    # Dask would make texts of dates.
    with dask.config.set({"dataframe.convert-string": False}):
        results: dd.DataFrame = dd.from_delayed(
            [release(rows, check) for rows, _ in parts], meta=meta, verify_meta=False
        )
    return results


def _members_of(frame: Any, options: dict[str, Any]) -> list[Any] | None:
    """The members of all rows, where there is a row for each of them."""
    names, columns = list(frame.columns), options.get("columns") or {}
    member, variable = member_column(names, columns), variable_column(names, columns)
    if member is None:
        return None
    if variable is None or value_column(options, columns) in names:
        return sorted_labels(frame[member].dropna().drop_duplicates().compute().tolist())
    pairs = frame[[variable, member]].dropna().drop_duplicates().compute()
    return labels_of_rows(zip(pairs[variable].tolist(), pairs[member].tolist()), options)


def _partition(
    frame: pd.DataFrame, part: dict[str, Any], places: list[str], schema: pa.Schema, options: dict[str, Any]
) -> tuple[pd.DataFrame, set[str]]:
    rows = pa.Table.from_pandas(frame[places], preserve_index=False)
    return pandas_part(frame, part, schema=schema, **options), places_of(rows, places, places)


def _check(partitions: list[set[str]]) -> bool:
    whole = WholePlaces()
    for partition, places in enumerate(partitions):
        whole.add(sorted(places), partition)
    return True


def _after(results: pd.DataFrame, checked: bool) -> pd.DataFrame:
    """Results, when it is known that all places are whole."""
    return results
