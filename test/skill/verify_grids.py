"""Writes gridded forecasts and observations to a folder, and prints biases: by area, at the nearest cell, bilinear."""

import json
import sys

import numpy as np
import pandas as pd
import xarray as xr

folder = sys.argv[1]
rng = np.random.default_rng(1)
latitude, longitude = np.arange(50, 54.0), np.arange(5, 10.0)
times = pd.date_range("2000-01-01", "2008-12-31")
places = {"latitude": latitude, "longitude": longitude}
truth = rng.normal(5, 3, (len(times), 4, 5))
variable = {"units": "degC"}
grid = xr.Dataset({"t2m": (("time", "latitude", "longitude"), truth, variable)}, {"time": times, **places})
grid.to_netcdf(f"{folder}/grid-observed.nc")
station = grid.t2m.sel(latitude=51, longitude=6).to_pandas()
rows = [f"{day.date()},s1,51.2,6.1,{value}" for day, value in station.items()]
with open(f"{folder}/station.csv", "w") as file:
    file.write("date,id,latitude,longitude,temp_mean\n" + "\n".join(rows) + "\n")

errors, at_station, bilinear = [], [], []
for year in range(2001, 2008):
    observed = grid.t2m.sel(time=slice(f"{year}-03-01", f"{year}-04-09"))
    members = observed.values[None] + rng.normal(0, 2, (5, *observed.shape))
    run = xr.Dataset(
        {"t2m": (("number", "time", "latitude", "longitude"), members, variable)},
        {
            "number": range(5),
            "time": observed.time,
            **places,
            "forecast_reference_time": pd.Timestamp(f"{year}-03-01"),
        },
    )
    run.forecast_reference_time.attrs["standard_name"] = "forecast_reference_time"
    run.to_netcdf(f"{folder}/grid-{year}.nc")
    mean = run.t2m.mean("number")
    errors.append((mean - observed).mean("time"))
    own = observed.sel(latitude=51, longitude=6)
    at_station.append(float((mean.sel(latitude=51, longitude=6) - own).mean()))
    bilinear.append(float((mean.interp(latitude=51.2, longitude=6.1) - own).mean()))
by_area = xr.concat(errors, "run").weighted(np.cos(np.deg2rad(grid.latitude))).mean()
print(json.dumps({"area": float(by_area), "nearest": np.mean(at_station), "bilinear": np.mean(bilinear)}))
