"""
Writes one ensemble as whole.nc, and in many files, a folder for each way, as people's scripts write them with xarray.

    python write_joined.py FOLDER

Prints the names of the folders as JSON.
"""

import json
import os
import sys
import zipfile

import numpy as np
import pandas as pd
import xarray as xr

root = sys.argv[1]
days, members = 21, 4
values = np.arange(members * days * 2 * 3).reshape(members, days, 2, 3) * 7919 % 160 / 8
rain = xr.DataArray(
    values.astype("f4"),
    dims=("number", "time", "latitude", "longitude"),
    coords={
        "number": ("number", np.arange(members), {"standard_name": "realization"}),
        "time": pd.date_range("2026-03-02", periods=days),
        "latitude": ("latitude", [50.0, 49.0], {"units": "degrees_north"}),
        "longitude": ("longitude", [7.0, 8.0, 9.0], {"units": "degrees_east"}),
    },
    name="tp",
    attrs={"units": "mm", "cell_methods": "time: sum"},
)
rain.to_netcdf(f"{root}/whole.nc")
folders = []


def write(folder, name, part, **encoding):
    if folder not in folders:
        folders.append(folder)
        os.makedirs(f"{root}/{folder}")
    part.to_netcdf(f"{root}/{folder}/{name}", encoding={name: how for name, how in encoding.items()})


write("control", "cf.nc", rain.isel(number=0))
write("control", "pf.nc", rain.isel(number=slice(1, None)))
for i in range(members):
    one = rain.isel(number=i)
    write("members", f"{'zyxw'[i]}.nc", rain.isel(number=[i]))
    write("scalars", f"{'cdab'[i]}.nc", one)
    write("names", f"tp_mem{i:02}.nc", one.drop_vars("number"))
    named = one.drop_vars("number").to_dataset()
    named.attrs["realization"] = i
    write("attributes", f"{'cdab'[i]}.nc", named)
    packed = {"dtype": "i2", "scale_factor": 0.125 / 2**i, "add_offset": float(i), "_FillValue": -32768}
    write("packed", f"m{i}.nc", one, tp=packed)
    for part, (begin, end) in enumerate([(0, 7), (7, 9), (9, days)]):
        since = {"units": f"hours since 2026-03-{2 + begin:02}"}
        write("members-and-times", f"{part}_{i}.nc", one.isel(time=slice(begin, end)), time=since)
for day in range(days):
    write("days", f"{days - day:03}.nc", rain.isel(time=[day]))
    write("times", f"{days - day:03}.nc", rain.isel(time=day))
for y in range(2):
    for x in range(3):
        write("tiles", f"{y}{x}.nc", rain.isel(latitude=[y], longitude=[x]))

# Three hindcasts of two members: a file for each run, and a file for each member of each run.
for folder in ("runs", "members-of-runs"):
    os.makedirs(f"{root}/{folder}")
for year in (2001, 2002, 2003):
    hindcast = rain.isel(number=slice(0, 2)) + (year - 2001) * 3
    hindcast = hindcast.assign_coords(
        time=pd.date_range(f"{year}-03-02", periods=days),
        forecast_reference_time=((), pd.Timestamp(f"{year}-03-02"), {"standard_name": "forecast_reference_time"}),
    )
    hindcast.name, hindcast.attrs = "tp", rain.attrs
    hindcast.to_netcdf(f"{root}/runs/{year}.nc")
    for i in range(2):
        hindcast.isel(number=i).to_netcdf(f"{root}/members-of-runs/{year}_{i}.nc")
# As the Climate Data Store sends what was asked for: a file for each kind of step, in a zip archive. Other variables, same grid.
os.makedirs(f"{root}/kinds")
temp = (rain + 280).rename("t2m").assign_attrs(units="K", standard_name="air_temperature", cell_methods="time: mean")
rain.to_netcdf(f"{root}/kinds/data_stepType-accum.nc")
temp.to_netcdf(f"{root}/kinds/data_stepType-avg.nc")
xr.Dataset({"tp": rain, "t2m": temp}).to_netcdf(f"{root}/both.nc")
later = temp.assign_coords(time=temp.time + np.timedelta64(1, "D"))
for name, parts in (("kinds", ["accum", "avg"]), ("later", ["accum", "later"])):
    with zipfile.ZipFile(f"{root}/{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts:
            if part == "later":
                later.to_netcdf(f"{root}/later.nc")
            archive.write(f"{root}/later.nc" if part == "later" else f"{root}/kinds/data_stepType-{part}.nc", f"data_stepType-{part}.nc")
print(json.dumps(folders))
