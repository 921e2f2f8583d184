"""The columns of an ensemble that have a part in its shuffle, by their usual names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: The usual names of columns, as plumecast knows them.
_LATITUDE = ("latitude", "lat")
_LONGITUDE = ("longitude", "lon", "long", "lng")
_DATE = ("valid_time", "valid_date", "datetime", "date", "time", "day", "timestamp")
_MEMBER = (
    *("member", "number", "realization", "realisation", "ensemble_member", "ensemble", "ens", "parameter"),
    "perturbation",
)

_VARIABLE = ("variable", "var")


def place_columns(names: Sequence[str], location: Sequence[str] | None, columns: Mapping[str, str]) -> list[str]:
    """The columns that say where a row is. Raises ValueError if they are not known."""
    found = list(location) if location is not None else [
        columns.get("latitude") or _find(names, _LATITUDE, "location"),
        columns.get("longitude") or _find(names, _LONGITUDE, "location"),
    ]
    return [_present(names, name, "location") for name in found]


def date_column(names: Sequence[str], date: str | None, columns: Mapping[str, str]) -> str:
    """The column of days. Raises ValueError if it is not known."""
    return _present(names, date or columns.get("date") or _find(names, _DATE, "date"), "date")


def member_column(names: Sequence[str], columns: Mapping[str, str]) -> str | None:
    """The column of members, where there is a row for each of them."""
    return columns.get("member") or _named(names, _MEMBER)


def variable_column(names: Sequence[str], columns: Mapping[str, str]) -> str | None:
    """The column of variables, where rows may be of several."""
    return columns.get("variable") or _named(names, _VARIABLE)


def value_column(options: Mapping[str, Any], columns: Mapping[str, str]) -> str | None:
    """The column of values, as far as options say it."""
    variable = options.get("variable")
    return columns.get("value") or (variable if isinstance(variable, str) else None)


def _named(names: Sequence[str], usual: Sequence[str]) -> str | None:
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in usual if name in lower), None)


def _present(names: Sequence[str], name: str, argument: str) -> str:
    if name in names:
        return name
    raise ValueError(f"{argument}: is no column; received {name!r}; allowed: one of {', '.join(names)}")


def _find(names: Sequence[str], usual: Sequence[str], argument: str) -> str:
    found = _named(names, usual)
    if found is not None:
        return found
    raise ValueError(
        f"{argument}: is not known; received the columns {', '.join(names)}; allowed: one of {', '.join(usual)}, "
        f"or the argument {argument}"
    )
