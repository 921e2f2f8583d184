"""The columns of results, which Spark and Dask need before anything is computed."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

DEFAULT_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_OPERATORS = {">": "gt", ">=": "ge", "<": "lt", "<=": "le"}
_THRESHOLD = re.compile(r"\s*(>=|<=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*", re.ASCII)


class SchemaError(ValueError):
    """Results do not have the columns that were declared."""


def result_schema(
    *,
    quantiles: Iterable[float] = DEFAULT_QUANTILES,
    thresholds: Iterable[str] = (),
    spread: bool = False,
    **_: Any,
) -> pa.Schema:
    """The columns of statistics with these options; other options do not change them.

    Values are float64, missing values of them NaN; texts are strings and `start` and `end` dates. `latitude` and
    `longitude`, in degrees, are NaN for data without a place.
    """
    deviation = ["spread"] if spread else []
    names = [_quantile_name(each) for each in _several("quantiles", quantiles)]
    shares = [_threshold_name(each) for each in _several("thresholds", thresholds)]
    # What is given twice is one column.
    values = ["mean", *dict.fromkeys(names), *deviation, *dict.fromkeys(shares)]
    return pa.schema(
        [
            ("variable", pa.string()),
            ("units", pa.string()),
            ("latitude", pa.float64()),
            ("longitude", pa.float64()),
            ("period", pa.string()),
            ("start", pa.date32()),
            ("end", pa.date32()),
            ("complete", pa.bool_()),
            ("n_days", pa.int32()),
            ("n_members", pa.int32()),
            *((name, pa.float64()) for name in values),
        ]
    )


def declared_schema(schema: pa.Schema | None, options: Mapping[str, Any]) -> pa.Schema:
    """The columns of results before there are some. Raises ValueError if the options do not say them."""
    if schema is not None:
        return schema
    if options.get("climatology") is not None:
        raise ValueError("schema: is needed with a climatology, whose categories become columns")
    return result_schema(**options)


def assert_lists(options: Mapping[str, Any]) -> None:
    """Raises SchemaError for one number or text where a list is needed."""
    for option in ("quantiles", "thresholds"):
        if option in options:
            _several(option, options[option])


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Results with the columns of a schema, in its order; a table without columns is one without results. Raises SchemaError if they have others."""
    if table.num_columns == 0:
        return schema.empty_table()
    names = set(table.column_names)
    if names != set(schema.names):
        raise SchemaError(
            f"results: have other columns than were declared; received {sorted(names)}; allowed: {sorted(schema.names)}; "
            "or schema, with a field for each column"
        )
    try:
        columns = [_cast(table.column(field.name), field.type) for field in schema]
    except pa.ArrowInvalid as error:
        raise SchemaError(f"results: have other types than were declared: {error}") from error
    return pa.Table.from_arrays(columns, schema=schema)


def plain_results(table: pa.Table) -> pa.Table:
    """Results with the types of `result_schema`: texts as strings, values as float64."""
    types = [pa.float64() if pa.types.is_floating(each.type) else _plain_text(each.type) for each in table.schema]
    columns = [_cast(column, kind) for column, kind in zip(table.columns, types)]
    return pa.Table.from_arrays(columns, names=table.column_names)


def plain_batches(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> tuple[pa.Schema, Iterable[pa.RecordBatch]]:
    """The same data without types that plumecast does not read: views and large texts, lists with 64-bit offsets."""
    plain = pa.schema([field.with_type(_plain_type(field.type)) for field in schema], schema.metadata)
    if plain.equals(schema):
        return schema, batches
    return plain, (
        pa.RecordBatch.from_arrays([_cast(column, field.type) for column, field in zip(batch.columns, plain)], schema=plain)
        for batch in batches
    )


def request_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options by their names in plumecast: `min_member_share` is `minMemberShare`, `windows` is `granularity`."""
    given = {name: value for name, value in plain_options(options).items() if value is not None}
    if "windows" in given and "granularity" not in given:
        given["granularity"] = given.pop("windows")
    return {re.sub(r"_(\w)", lambda found: found[1].upper(), name): value for name, value in given.items()}


def plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options in types of JSON, and of Arrow: dates as texts; numbers and arrays of numpy, ranges and generators as lists."""
    return {name: _plain_value(value) for name, value in options.items()}


def _plain_value(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, pa.Schema)):
        return value
    if isinstance(value, (int, float)):
        # Numbers of numpy may be of these types, too.
        return int(value) if isinstance(value, int) else float(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime.date):
        is_day = not isinstance(value, datetime.datetime) or value.time() == datetime.time() and value.tzinfo is None
        return value.isoformat()[:10] if is_day else value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): _plain_value(each) for name, each in value.items()}
    if hasattr(value, "tolist"):
        return _plain_value(value.tolist())
    return [_plain_value(each) for each in value] if isinstance(value, Iterable) else value


def _several(option: str, given: Any) -> Iterable[Any]:
    if isinstance(given, Iterable) and not isinstance(given, str):
        return given
    raise SchemaError(f"{option}: is not a list; received {given!r}; allowed: a list, such as [{given!r}]")


def _cast(column: Any, wanted: pa.DataType) -> Any:
    if pa.types.is_dictionary(column.type) and not pa.types.is_dictionary(wanted):
        column = pc.cast(column, column.type.value_type)
    return column if column.type.equals(wanted) else pc.cast(column, wanted)


def _plain_text(given: pa.DataType) -> pa.DataType:
    return given.value_type if pa.types.is_dictionary(given) else given


def _plain_type(given: pa.DataType) -> pa.DataType:
    types = pa.types
    if types.is_large_string(given) or types.is_string_view(given):
        return pa.string()
    if types.is_dictionary(given) and not types.is_string(given.value_type):
        return _plain_type(given.value_type)
    if types.is_large_list(given):
        return pa.list_(given.value_type)
    return given


def _quantile_name(probability: float) -> str:
    if probability == 1:
        return "q100"
    try:
        return "q" + f"{probability:.6f}".rstrip("0")[2:].ljust(2, "0")
    except (TypeError, ValueError) as error:
        raise SchemaError(f"quantiles: not a number; received {probability!r}; allowed: from 0 to 1") from error


def _threshold_name(threshold: str) -> str:
    found = _THRESHOLD.fullmatch(threshold)
    if found is None:
        raise SchemaError(f"thresholds: not a condition; received {threshold!r}; allowed: such as '>20'")
    return f"p_{_OPERATORS[found[1]]}_{_number_text(float(found[2]))}"


def _number_text(number: float) -> str:
    """A number as JavaScript writes it: 20, 0.5, 0.000001, 1e-7, 1e+21."""
    size = abs(number)
    if size == 0:
        return "0"
    digits = repr(number)
    if 1e-6 <= size < 1e21:
        plain = format(Decimal(digits), "f")
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    mantissa, _, exponent = format(Decimal(digits).normalize(), "e").partition("e")
    return f"{mantissa}e{int(exponent):+d}"
