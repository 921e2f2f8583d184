"""
Writes files as other programs write them, whose dates, units or names are unusual.

    python write_foreign.py FOLDER

Prints a JSON list of: the name of a case, its file, the arguments that it needs, what must be said of it, and the right
daily values of its first place, by date, as pandas or xarray compute them.
"""

import datetime
import json
import shutil
import subprocess
import sys

import cftime
import netCDF4
import numpy as np
import pandas as pd
import xarray as xr
import zarr

root = sys.argv[1]
random = np.random.default_rng(7)
cases = []


def case(name, file, days, *args, said="", variable="temp_mean", fails=""):
    texts = {str(day)[:10]: float(value) for day, value in days.items()}
    cases.append(dict(name=name, file=file, args=["-v", variable, *args], said=said, days=texts, fails=fails))


# Temperatures every six hours.
times = pd.date_range("2026-03-02", periods=56, freq="6h")
places = {"latitude": [50.0, 49.0], "longitude": [7.0, 8.0]}
kelvin = 280 + random.normal(size=(56, 2, 2))
steps = xr.DataArray(kelvin, dims=("time", "latitude", "longitude"), coords={"time": times, **places})
celsius = (steps[:, 0, 0] - 273.15).resample(time="1D").mean().to_series()


def netcdf(file, units, values, calendar=None, kind="f8", cell_methods=None):
    with netCDF4.Dataset(f"{root}/{file}", "w") as out:
        for name, length in ("time", None), ("lat", 2), ("lon", 2):
            out.createDimension(name, length)
        time = out.createVariable("time", kind, ("time",))
        time.units = units
        if calendar:
            time.calendar = calendar
        time[:] = values
        for name, key, unit in ("lat", "latitude", "degrees_north"), ("lon", "longitude", "degrees_east"):
            axis = out.createVariable(name, "f8", (name,))
            axis.units = unit
            axis[:] = places[key]
        array = out.createVariable("t2m", "f8", ("time", "lat", "lon"))
        array.units = "K"
        if cell_methods:
            array.cell_methods = cell_methods
        array[:] = kelvin


hours = (times - pd.Timestamp("1970-01-01")) / pd.Timedelta("1h")
START = ["--stamps", "instant"]
for units in "hours since 1970/01/01", "hours since 1970/1/1 00:00:00", "hours since 19700101", "hours since 19700101 00:00":
    netcdf("units.nc".replace(".", f"-{len(cases)}."), units, hours)
    case(units, f"units-{len(cases)}.nc", celsius, *START)
netcdf("hours.nc", "hours since 1970-01-01", hours)
for first, units in (1970, "days since 1970-01-01"), (1, "days since 0001-01-01"), (1899, "hours since 1899-12-31 12:00"):
    dates = [cftime.DatetimeJulian(t.year, t.month, t.day, t.hour) for t in times]
    netcdf(f"julian-{first}.nc", units, cftime.date2num(dates, units, "julian"), "julian")
    said = "dates of calendar julian of time are taken as the same dates of the real calendar"
    case(f"calendar julian, {units}", f"julian-{first}.nc", celsius, *START, said=said)
early = cftime.date2num([cftime.DatetimeJulian(1850, 3, 2, 6 * i % 24) + datetime.timedelta(i // 4) for i in range(56)], "days since 1850-01-01", "julian")
netcdf("julian-1850.nc", "days since 1850-01-01", early, "julian")
case("calendar julian, before 1900", "julian-1850.nc", {}, *START, fails="time 1 is of calendar julian")

if shutil.which("cdo"):
    for name, operator, args in ("copy", "copy", START), ("daymean", "daymean", []):
        subprocess.run(["cdo", "-s", "-a", operator, f"{root}/hours.nc", f"{root}/cdo-{name}.nc"], check=True)
        case(f"absolute time of CDO, {operator}", f"cdo-{name}.nc", celsius, *args)
else:
    print("skipped: cdo is not there", file=sys.stderr)
netcdf("absolute-float.nc", "day as %Y%m%d.%f", [float(t.strftime("%Y%m%d")) + t.hour / 24 for t in times], kind="f4")
case("absolute time in float32", "absolute-float.nc", {}, *START, fails="float32 is too short for dates and times")

# Native times of zarr-python: datetime64 and timedelta64.
for version in 2, 3:
    for unit in "ns", "us", "ms", "s", "h", "m":
        name = f"zarr-{version}-{unit}.zarr"
        group = zarr.open_group(f"{root}/{name}", mode="w", zarr_format=version)

        def put(array, values, dims, **attributes):
            names = {"dimension_names": dims} if version == 3 else {}
            made = group.create_array(array, shape=values.shape, dtype=values.dtype, chunks=values.shape, **names)
            made[...] = values
            made.attrs.update(attributes if version == 3 else {**attributes, "_ARRAY_DIMENSIONS": dims})

        put("latitude", np.array(places["latitude"]), ["latitude"], units="degrees_north")
        put("longitude", np.array(places["longitude"]), ["longitude"], units="degrees_east")
        if unit == "h":
            put("init_time", times.values[:1].astype(f"M8[{unit}]"), ["init_time"])
            put("lead_time", (times - times[0]).values.astype(f"m8[{unit}]"), ["lead_time"])
            put("t2m", kelvin[None], ["init_time", "lead_time", "latitude", "longitude"], units="K")
        else:
            put("time", times.values.astype(f"M8[{unit}]"), ["time"])
            put("t2m", kelvin, ["time", "latitude", "longitude"], units="K")
        case(f"datetime64[{unit}] of Zarr {version}", name, celsius, *START)
    zarr.open_group(f"{root}/zarr-{version}-s.zarr")["time"][2] = np.datetime64("NaT")
    cases[-3]["fails"] = "time 3 is missing"

print(json.dumps(cases))
