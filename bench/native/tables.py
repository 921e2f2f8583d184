"""Tables of ensembles for bench/tables.ts: makes them, and computes their weekly statistics by DuckDB and Polars.

    tables.py make FOLDER PLACES          wide and long, as Arrow, Parquet and CSV
    tables.py duckdb FORM FILE OUT THREADS
    tables.py polars FORM FILE OUT THREADS
    tables.py compare OURS OTHER          prints the largest difference, as a share of the largest value

Each computation reads the file, sums the days of each place, week and member, takes the mean and five quantiles over the
members, and writes them to a Parquet file.
"""

import os
import sys

DAYS, MEMBERS = 180, 31
QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
NAMES = [f"member_{m:02d}" for m in range(MEMBERS)]


def make(folder, places):
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

    places = int(places)
    random = np.random.default_rng(1)
    cell = np.arange(places)
    latitude, longitude = np.round(60 - 0.25 * (cell // 200), 2), np.round(-20 + 0.25 * (cell % 200), 2)
    date = np.tile(np.datetime64("2026-03-02") + np.arange(DAYS), places)
    rain = np.maximum(0, random.gamma(0.5, 6, size=(places * DAYS, MEMBERS)) - 1)
    rain = np.round(rain, 2).astype("f4")

    def columns(times):
        return {
            "latitude": np.repeat(latitude, DAYS * times),
            "longitude": np.repeat(longitude, DAYS * times),
            "date": pa.array(np.repeat(date, times), pa.date32()),
        }

    wide = pa.table({**columns(1), **{name: rain[:, m] for m, name in enumerate(NAMES)}})
    wide = wide.replace_schema_metadata({"variable": "precipitation"})
    member = np.tile(np.arange(MEMBERS, dtype="i4"), len(rain))
    long = pa.table({**columns(MEMBERS), "member": member, "precipitation": rain.ravel()})
    for form, table in (("wide", wide), ("long", long)):
        path = os.path.join(folder, form)
        pyarrow.feather.write_feather(table, f"{path}.arrow", compression="uncompressed")
        pyarrow.parquet.write_table(table, f"{path}.parquet")
        pyarrow.csv.write_csv(table, f"{path}.csv")


def duckdb(form, file, out, threads):
    import duckdb

    connection = duckdb.connect(config={"threads": int(threads), "preserve_insertion_order": False})
    # Without types, places on whole degrees at the beginning make a column of integers, and others are rounded.
    types = "{'latitude': 'DOUBLE', 'longitude': 'DOUBLE'}"
    source = f"read_parquet('{file}')" if file.endswith(".parquet") else f"read_csv('{file}', types={types})"
    week = "date_trunc('week', date) AS week"
    quantiles = ", ".join(f"quantile_cont(total, {q}) AS q{round(100 * q)}" for q in QUANTILES)
    if form == "wide":
        sums = ", ".join(f"sum({name}) AS {name}" for name in NAMES)
        weeks = f"SELECT latitude, longitude, {week}, {sums} FROM {source} GROUP BY latitude, longitude, week"
        totals = f"SELECT latitude, longitude, week, unnest([{', '.join(NAMES)}]) AS total FROM ({weeks})"
    else:
        key = "latitude, longitude, week, member"
        totals = f"SELECT latitude, longitude, {week}, member, sum(precipitation) AS total FROM {source} GROUP BY {key}"
    place = "latitude, longitude, week"
    statistics = f"SELECT {place}, avg(total) AS mean, {quantiles} FROM ({totals}) GROUP BY {place}"
    connection.execute(f"COPY ({statistics}) TO '{out}' (FORMAT parquet)")


def polars(form, file, out, threads):
    os.environ["POLARS_MAX_THREADS"] = threads
    import polars as pl

    degrees = {"latitude": pl.Float64, "longitude": pl.Float64}
    scan = {
        ".csv": lambda path: pl.scan_csv(path, try_parse_dates=True, schema_overrides=degrees),
        ".parquet": pl.scan_parquet,
        ".arrow": pl.scan_ipc,
    }
    rows = scan[os.path.splitext(file)[1]](file).with_columns(pl.col("date").dt.truncate("1w").alias("week"))
    place = ["latitude", "longitude", "week"]
    if form == "wide":
        totals = rows.group_by(place).agg(pl.col(NAMES).sum().cast(pl.Float64))
        lists = totals.select(*place, pl.concat_list(NAMES).list.sort().alias("totals"))
        at = lambda q: pl.col("totals").list.eval(pl.element().quantile(q, "linear")).list.first()
        statistics = lists.select(
            *place, pl.col("totals").list.mean().alias("mean"), *[at(q).alias(f"q{round(100 * q)}") for q in QUANTILES]
        )
    else:
        totals = rows.group_by([*place, "member"]).agg(pl.col("precipitation").sum().cast(pl.Float64).alias("total"))
        total = pl.col("total")
        statistics = totals.group_by(place).agg(
            total.mean().alias("mean"), *[total.quantile(q, "linear").alias(f"q{round(100 * q)}") for q in QUANTILES]
        )
    statistics.collect(engine="streaming").write_parquet(out)


def compare(ours, other):
    import numpy as np
    import pandas as pd

    def read(path, labels):
        table = pd.read_parquet(path)
        return table.sort_values(labels).reset_index(drop=True)

    mine = read(ours, ["latitude", "longitude", "period"])
    theirs = read(other, ["latitude", "longitude", "week"])
    # Weeks that the file does not cover completely are missing in ours.
    names = [("mean", "mean")] + [(f"q{round(100 * q):02d}", f"q{round(100 * q)}") for q in QUANTILES]
    assert len(mine) <= len(theirs), (len(mine), len(theirs))
    theirs["week"] = pd.to_datetime(theirs["week"])
    mine["week"] = pd.to_datetime(mine["period"] + "-1", format="%G-W%V-%u")
    both = mine.merge(theirs, on=["latitude", "longitude", "week"], suffixes=("", "_other"))
    assert len(both) == len(mine), (len(both), len(mine))
    worst = 0.0
    for name, their in names:
        a = both[name].to_numpy(float)
        b = both[f"{their}_other" if f"{their}_other" in both else their].to_numpy(float)
        there = ~np.isnan(a)
        assert there.any()
        worst = max(worst, np.abs(a - b)[there].max() / np.abs(b).max())
    print(worst)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
