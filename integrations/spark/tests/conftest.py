"""Ensembles for the tests, and the command of plumecast: PLUMECAST_COMMAND, or the build of this repository."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

CLI = Path(__file__).resolve().parents[3] / "dist" / "cli.js"
os.environ.setdefault("PLUMECAST_COMMAND", shlex.join(["node", str(CLI)]))
DAYS = np.arange(20458, 20458 + 28, dtype="int32")
WEEKLY = {"variable": "precipitation", "granularity": "weekly", "spread": True, "thresholds": [">12.5"]}


def wide_table(places: int, members: int = 5, seed: int = 1) -> pa.Table:
    """Daily rain of some places, by location, from Monday 2026-01-05 on."""
    random = np.random.default_rng(seed)
    rows = places * len(DAYS)
    columns = {
        "latitude": np.repeat(60 - np.arange(places) / 100, len(DAYS)),
        "longitude": np.full(rows, -80.0),
        "date": pa.array(np.tile(DAYS, places)).cast(pa.date32()),
    }
    for m in range(members):
        columns[f"m{m:02d}"] = (random.random(rows) * 20).astype("float32")
    return pa.table(columns)


def long_table(places: int, members: int = 5) -> pa.Table:
    """The same with a row for each member."""
    wide = wide_table(places, members)
    parts = [
        wide.select(["latitude", "longitude", "date"])
        .append_column("member", pa.array(np.full(wide.num_rows, m, "int32")))
        .append_column("value", wide.column(f"m{m:02d}"))
        for m in range(members)
    ]
    return pa.concat_tables(parts)


@pytest.fixture(scope="session")
def wide() -> pa.Table:
    return wide_table(30)


@pytest.fixture(scope="session")
def long() -> pa.Table:
    return long_table(30)
