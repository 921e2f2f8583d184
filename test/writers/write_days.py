"""Writes six-hourly values of six days as xarray and pandas do: times at the start, the middle or the end of each step,
with and without bounds, leads and words; instants, means, amounts and extremes. Prints what was written as JSON, with the
daily values that are right."""

import json
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

folder = Path(sys.argv[1])
FIRST = np.datetime64("2026-03-02T00:00", "ns")
HOUR = np.timedelta64(1, "h")
STEPS, DAYS = 24, 6
random = np.random.default_rng(7)
# Amounts in mm, and means, extremes and instants at the start of each step.
amounts = np.round(random.gamma(0.7, 3, STEPS), 1)
fluxes = np.round(100 + 50 * random.random(STEPS), 1)
temperatures = np.round(280 + 10 * random.random(STEPS + 1), 1)

KINDS = {
    # name: (variable, units, values, how days follow from steps, cell method, GRIB's type, words)
    "tp": ("precipitation", "mm", amounts, "sum", "sum", "accum", "Total precipitation"),
    "ssrd": ("solar_radiation", "J m**-2", fluxes * 21_600, "sum", "sum", "accum", "Surface solar radiation downwards"),
    "msdwswrf": ("solar_radiation", "W m**-2", fluxes, "flux", "mean", "avg", "Mean surface downward radiation"),
    "mx2t6": ("temp_max", "K", temperatures[:STEPS], "max", "maximum", "max", "Maximum temperature"),
    "mn2t6": ("temp_min", "K", temperatures[:STEPS], "min", "minimum", "min", "Minimum temperature"),
    "t2m": ("temp_mean", "K", temperatures, "mean", "point", "instant", "Temperature"),
}
OFFSET = {"start": 0, "middle": 3, "end": 6}


def daily(values, how):
    by_day = np.asarray(values)[:STEPS].reshape(DAYS, 4)
    if how == "flux":
        return by_day.sum(axis=1) * 21_600 / 1e6
    days = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}[how](by_day, axis=1)
    return days


written = []


def add(file, variable, expected, **more):
    dates = [str((FIRST + d * 24 * HOUR).astype("datetime64[D]")) for d in range(DAYS)]
    days = {date: round(float(value), 6) for date, value in zip(dates, expected)}
    written.append({"file": file, "variable": variable, "days": days, **more})


for name, (variable, units, values, how, method, step_type, words) in KINDS.items():
    expected = daily(values, how)
    if units == "K":
        expected = expected - 273.15
    if name == "ssrd":
        expected = expected / 1e6
    stamps = ["start"] if name == "t2m" else ["start", "middle", "end"]
    for stamp, axis, bounds, said in product(stamps, ["time", "lead"], [False, True], ["nothing", "method", "grib", "words"]):
        if (name == "t2m" and bounds) or (said == "words" and stamp != "end"):
            continue
        # GRIB's types are of values at the ends of their steps.
        if said == "grib" and stamp != "end" and name != "t2m":
            continue
        times = FIRST + np.arange(len(values)) * 6 * HOUR + OFFSET[stamp] * HOUR
        attributes = {"units": units, "long_name": words}
        if said == "method":
            attributes["cell_methods"] = f"time: {method}"
        if said == "grib":
            attributes["GRIB_stepType"] = step_type
        if said == "words":
            attributes["long_name"] = f"{words} in the last 6 hours"
        data = xr.Dataset({name: ("time", values, attributes)}, coords={"time": times})
        data = data.assign_coords(latitude=50.0, longitude=8.0)
        data.latitude.attrs["units"] = "degrees_north"
        data.longitude.attrs["units"] = "degrees_east"
        if bounds:
            edges = FIRST + np.arange(len(values))[:, None] * 6 * HOUR + np.array([0, 6]) * HOUR
            data["time_bounds"] = (("time", "bnds"), edges)
            data.time.attrs["bounds"] = "time_bounds"
        if axis == "lead":
            data = data.assign_coords(forecast_reference_time=FIRST)
            data.forecast_reference_time.attrs["standard_name"] = "forecast_reference_time"
        file = f"{name}-{stamp}-{axis}-{'bounds' if bounds else 'plain'}-{said}.nc"
        encoding = {"time": {"units": "hours since 2026-03-01", "dtype": "f8"}}
        if bounds:
            encoding["time_bounds"] = {"dtype": "f8"}
        if axis == "lead":
            encoding["forecast_reference_time"] = {"units": "hours since 2026-03-01", "dtype": "f8"}
        data.to_netcdf(folder / file, format="NETCDF3_64BIT", engine="scipy", encoding=encoding)
        add(file, variable, expected, stamp=stamp, bounds=bounds, said=said, name=name)

    if name != "msdwswrf":
        for stamp, reference in product(stamps, [False, True]):
            times = FIRST + np.arange(len(values)) * 6 * HOUR + OFFSET[stamp] * HOUR
            column = {"tp": "tp (mm)", "ssrd": "ssrd (J m-2)"}.get(name, f"{name} (K)")
            frame = pd.DataFrame({"time": times, column: values})
            if reference:
                frame.insert(0, "forecast_reference_time", FIRST)
            file = f"{name}-{stamp}-{'run' if reference else 'plain'}.csv"
            frame.to_csv(folder / file, index=False)
            add(file, variable, expected, stamp=stamp, bounds=False, said="nothing", name=name)

print(json.dumps(written))
