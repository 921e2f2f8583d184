"""
Writes tables as xarray, pandas, Polars and DuckDB write them: forecasts by the start of the run and a step, dates with the year last,
an index without a name, units that count.

    python write_dated.py FOLDER

Prints, as JSON, for each file its name, options of the command and the file with the same values.
"""

import json
import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import xarray as xr

root = sys.argv[1]
written = []


def note(name, same, *options):
    written.append({"name": name, "same": same, "options": list(options)})
    return f"{root}/{name}"


hours = np.arange(0, 97, 6)
values = (np.arange(3 * 2 * len(hours)) * 7919 % 160 / 32).reshape(3, 2, len(hours)).cumsum(-1).astype("f4")
run = xr.Dataset(
    {"tp": (("number", "latitude", "step"), values - values[:, :, :1], {"units": "mm", "GRIB_stepType": "accum"})},
    coords={
        "number": np.arange(3),
        "latitude": [50.0, 49.0],
        "longitude": 7.0,
        "step": pd.to_timedelta(hours, "h"),
        "time": pd.Timestamp("2026-03-01"),
    },
)
valid = run.assign_coords(valid_time=run.time + run.step).to_dataframe().reset_index()
valid.drop(columns=["time", "step"]).to_csv(f"{root}/valid.csv", index=False)
valid.drop(columns=["time", "step"]).to_parquet(f"{root}/valid.parquet")
frame = run.to_dataframe()
flat = frame.reset_index()
frame.to_csv(note("xarray.csv", "valid.csv"))
frame.to_parquet(note("xarray.parquet", "valid.parquet"))
flat.to_feather(note("pandas.arrow", "valid.parquet"))
by_hours = flat.assign(step=flat.step / pd.Timedelta("1h")).rename(columns={"step": "step_hours"})
by_hours.to_csv(note("hours.csv", "valid.csv"), index=False)
by_hours.rename(columns={"time": "init_time", "step_hours": "lead_time_hours"}).to_csv(
    note("leads.csv", "valid.csv"), index=False
)
flat.assign(step=flat.step.map(lambda step: step.isoformat())).to_csv(note("iso.csv", "valid.csv"), index=False)
flat.assign(step=flat.step.map(lambda step: str(step.to_pytimedelta()))).to_csv(note("python.csv", "valid.csv"), index=False)
polars = pl.from_pandas(flat)
polars.write_parquet(note("polars.parquet", "valid.parquet"))
for form in ("iso", "polars"):
    polars.with_columns(pl.col("step").dt.to_string(form)).write_csv(note(f"polars-{form}.csv", "valid.csv"))
duckdb.sql(f"copy flat to '{note('duckdb.csv', 'valid.csv')}'")
duckdb.sql(f"copy flat to '{note('duckdb.parquet', 'valid.parquet')}'")
for name, frame_of_runs in {
    "two-runs": pd.concat([flat, flat.assign(time=flat.time + pd.Timedelta("1D"))]),
    "no-unit": flat.assign(step=flat.step / pd.Timedelta("1h")),
}.items():
    frame_of_runs.to_csv(f"{root}/{name}.csv", index=False)
analysis = valid.drop(columns=["time", "step"]).rename(columns={"valid_time": "time"}).assign(step=pd.Timedelta(0))
analysis.to_csv(note("analysis.csv", "valid.csv"), index=False)

dates = pd.date_range("2026-02-25", periods=30)
days = pd.DataFrame({"tp_m0": np.arange(30) % 7 / 4, "tp_m1": np.arange(30) % 5 / 2}, index=dates)
days.rename_axis("date").to_csv(f"{root}/days.csv")
named = days.rename_axis("date")
for name, form in {"german": "%d.%m.%Y", "american": "%m/%d/%Y", "dutch": "%d-%m-%Y"}.items():
    named.to_csv(note(f"pandas-{name}.csv", "days.csv"), date_format=form)
    pl.from_pandas(named.reset_index()).with_columns(pl.col("date").dt.to_string(form)).write_csv(
        note(f"polars-{name}.csv", "days.csv")
    )
    rows = named.reset_index().astype({"date": "datetime64[s]"})
    duckdb.sql(f"copy (select * replace (date::date as date) from rows) to '{note(f'duckdb-{name}.csv', 'days.csv')}' (dateformat '{form}')")
    named.reset_index().assign(date=lambda each: each.date.dt.strftime(form)).to_parquet(note(f"pandas-{name}.parquet", "days.csv"))
named[:5].to_csv(f"{root}/days-to-12.csv")
named["2026-03-02":"2026-03-09"].to_csv(f"{root}/march.csv")
named["2026-03-02":"2026-03-09"].to_csv(f"{root}/march-german.csv", date_format="%d.%m.%Y")
written.append({"name": "march-german.csv", "same": "march.csv", "options": ["--date-format", "dd.mm.yyyy"]})
days.to_csv(note("index.csv", "days.csv"))
days.to_parquet(note("index.parquet", "days.csv"))
days.to_feather(note("index.arrow", "days.csv"))
named.to_csv(note("slashes.csv", "days.csv"), date_format="%Y/%m/%d")
tenths = named.assign(tp_m0=named.tp_m0 * 10, tp_m1=named.tp_m1 * 10)
tenths.to_csv(note("tenths.csv", "days.csv", "--units", "0.1 mm"))
tenths.rename(columns=lambda name: f"{name} (0.1 mm)").to_csv(note("tenths-in-brackets.csv", "days.csv"))
tenths.assign(units="0.1 mm").to_csv(note("tenths-in-a-column.csv", "days.csv"))
named.rename(columns=lambda name: f"{name} (l m-2)").to_csv(note("litres.csv", "days.csv"))
gaps = named.copy()
gaps.iloc[3, 0] = np.nan
gaps.to_csv(f"{root}/gaps.csv")
gaps.to_csv(note("gaps-of-a-spreadsheet.csv", "gaps.csv"), na_rep="#N/A")
print(json.dumps(written))
