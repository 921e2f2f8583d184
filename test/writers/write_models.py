"""
Writes arrays with the names, units and times of models and data sets that people have, as netCDF4, xarray and zarr write them.

    python write_models.py FOLDER

Prints, as JSON, for each file its name, the variable, options of the command, and the first days of the first cell in the variable's unit.
"""

import json
import sys
import warnings

import cftime
import netCDF4
import numpy as np
import pandas as pd
import xarray as xr
import zarr

warnings.simplefilter("ignore")
root = sys.argv[1]
written = []


def note(name, variable, days, *options):
    values = [float(value) for value in np.asarray(days).reshape(-1)[:3]]
    written.append({"name": name, "variable": variable, "days": values, "options": list(options)})
    return f"{root}/{name}"


def wrf(path, hours, begin=0, xtime=True):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        for name, length in {"Time": None, "DateStrLen": 19, "south_north": 3, "west_east": 4}.items():
            file.createDimension(name, length)
        file.setncatts({"TITLE": " OUTPUT FROM WRF V4.4 MODEL", "SIMULATION_START_DATE": "2026-03-02_00:00:00"})
        times = file.createVariable("Times", "S1", ("Time", "DateStrLen"))
        if xtime:
            minutes = file.createVariable("XTIME", "f4", ("Time",))
            minutes.units = "minutes since 2026-03-02 00:00:00"
            minutes[:] = np.array(hours) * 60
        field = ("Time", "south_north", "west_east")
        arrays = {
            "XLAT": ("degree_north", lambda hour: 50 + np.arange(3)[:, None] * 0.1 + np.zeros(4)),
            "XLONG": ("degree_east", lambda hour: 7 + np.zeros((3, 1)) + np.arange(4) * 0.1),
            "RAINNC": ("mm", lambda hour: np.full((3, 4), hour * 0.25) + np.arange(12).reshape(3, 4) * hour * 0.01),
            "RAINC": ("mm", lambda hour: np.full((3, 4), hour * 0.125)),
            "T2": ("K", lambda hour: np.full((3, 4), 280 + hour / 16)),
        }
        for name, (units, values) in arrays.items():
            array = file.createVariable(name, "f4", field)
            array.units = units
            if not name.startswith("XL"):
                array.coordinates = "XLONG XLAT XTIME" if xtime else "XLONG XLAT"
            for i, hour in enumerate(hours):
                array[i] = values(hour) + (begin if name == "XLAT" else 0) * i
        for i, hour in enumerate(hours):
            text = (pd.Timestamp("2026-03-02") + pd.Timedelta(hour, "h")).strftime("%Y-%m-%d_%H:%M:%S")
            times[i] = netCDF4.stringtochar(np.array(text, dtype="S19"))


hours = list(range(0, 97, 3))
rain, degrees = [24 * 0.375] * 3, [280 - 273.15 + (24 * day + 10.5) / 16 for day in range(3)]
for name, xtime in {"wrfout_d01": True, "wrf-without-xtime": False}.items():
    wrf(note(name, "precipitation", rain), hours, xtime=xtime)
    note(name, "temp_mean", degrees)
note("wrfout_d01", "precipitation", [6] * 3, "--array", "RAINNC")
for day in range(4):
    wrf(f"{root}/wrfout_d02_2026-03-0{day + 2}_00:00:00", hours[8 * day : 8 * day + 8])
note("wrfout_d02_*", "precipitation", rain)
note("wrfout_d02_*", "temp_mean", degrees)
wrf(f"{root}/wrf-moving", hours, begin=0.01)

small = (np.arange(14 * 6).reshape(14, 2, 3) % 17).astype("f4")
dates = pd.date_range("2026-03-02", periods=14)


def write(name, array, units, values, time, **attributes):
    coordinates = {
        "time": time,
        "lat": ("lat", [50.0, 49.0], {"units": "degrees_north"}),
        "lon": ("lon", [7.0, 8.0, 9.0], {"units": "degrees_east"}),
    }
    rows = xr.DataArray(values, dims=("time", "lat", "lon"), coords=coordinates, name=array, attrs={"units": units, **attributes})
    rows.to_netcdf(f"{root}/{name}.nc")
    return values[:, 0, 0].astype("f8")


def daily(name, variable, array, units, values, scale=lambda value: value, time=dates, options=(), **attributes):
    note(f"{name}.nc", variable, scale(write(name, array, units, values, time, **attributes)), *options)


def celsius(value):
    return value - 273.15


daily("agera5-mean", "temp_mean", "Temperature_Air_2m_Mean_24h", "K", small + 280, celsius)
daily("agera5-max", "temp_max", "Temperature_Air_2m_Max_24h", "K", small + 280, celsius)
daily("agera5-min", "temp_min", "Temperature_Air_2m_Min_24h", "K", small + 280, celsius)
daily("agera5-rain", "precipitation", "Precipitation_Flux", "mm d-1", small)
daily("agera5-sun", "solar_radiation", "Solar_Radiation_Flux", "J m-2 d-1", small * 1e6, lambda value: value / 1e6)
daily("agera5-wind", "wind_speed", "Wind_Speed_10m_Mean", "m s-1", small)
noleap = xr.date_range("2026-03-02", periods=14, calendar="noleap", use_cftime=True)
mean = {"cell_methods": "time: mean"}
daily("cesm-rain", "precipitation", "PRECT", "m/s", small / np.float32(1e8), lambda value: value * 86_400_000, noleap, **mean)
daily("cesm-heat", "temp_mean", "TREFHT", "K", small + 280, celsius, noleap, **mean)
steps = (np.arange(112 * 6).reshape(112, 2, 3) % 17).astype("f4")
of_days = lambda value: value.reshape(14, -1)
three_hours, start = pd.date_range("2026-03-02", periods=112, freq="3h"), ("--stamps", "start")
daily("gldas-rain", "precipitation", "Rainf_f_tavg", "kg m-2 s-1", steps / np.float32(1e5), lambda value: of_days(value).sum(1) * 10_800, three_hours, start, **mean)
daily("gldas-heat", "temp_mean", "Tair_f_inst", "K", steps + 280, lambda value: celsius(of_days(value).mean(1)), three_hours, start, **mean)
half_hours = pd.date_range("2026-03-02", periods=112, freq="30min")
for array in ("precipitation", "precipitationCal"):
    daily(f"imerg-{array}", "precipitation", array, "mm/hr", steps, lambda value: value[:96].reshape(2, 48).sum(1) / 2, half_hours, start)
daily("imerg-day", "precipitation", "precipitation", "mm/day", small)
six_hours = pd.date_range("2026-03-02", periods=56, freq="6h")
daily("six-hourly", "precipitation", "total_precipitation_6hr", "m", steps[:56] / 1000, lambda value: value.reshape(14, 4).sum(1) * 1000, six_hours, (*start, "--accumulation", "per-step"))
for units in ("centigrade", "Cel", "deg C"):
    daily(f"units {units}", "temp_mean", "t2m", units, small)
daily("units of watts", "solar_radiation", "rsds", "w/m2", small * 10, lambda value: value * 0.0864)
daily("units of litres", "precipitation", "pr", "l m-2", small)
daily("units of tenths", "precipitation", "pr", "0.1 mm", small * 10, lambda value: value / 10)
for units in ("mm/month", "mm month-1"):
    months = pd.date_range("2026-01-01", periods=14, freq="MS")
    daily(f"units {units[3:].strip('/')}", "precipitation", "pr", units, small * 10, lambda value: value, months, ("--granularity", "native"))

julian = [cftime.datetime(2026, 3, 2 + day, calendar="julian") for day in range(14)]
since = (dates - pd.Timestamp("1970-01-01")) // pd.Timedelta("1D")
for name, units, calendar, times in (
    ("hours-of-digits", "hours since 19700101", "standard", since * 24),
    ("slashes", "days since 1970/01/01", "standard", since),
    ("julian", "days since 1970-01-01", "julian", cftime.date2num(julian, "days since 1970-01-01", "julian")),
    ("absolute", "day as %Y%m%d.%f", "proleptic_gregorian", [float(date.strftime("%Y%m%d")) for date in dates]),
):
    with netCDF4.Dataset(note(f"{name}.nc", "precipitation", small[:, 0, 0]), "w") as file:
        for dimension, values, stated in (
            ("time", times, {"units": units, "calendar": calendar}),
            ("lat", [50, 49], {"units": "degrees_north"}),
            ("lon", [7, 8, 9], {"units": "degrees_east"}),
        ):
            file.createDimension(dimension, len(values))
            coordinate = file.createVariable(dimension, "f8", (dimension,))
            coordinate.setncatts(stated)
            coordinate[:] = values
        rows = file.createVariable("pr", "f4", ("time", "lat", "lon"))
        rows.units = "mm"
        rows[:] = small
store = zarr.open_group(note("native.zarr", "precipitation", small[:, 0, 0]), mode="w", zarr_format=3)
arrays = {
    "time": (dates.values.astype("M8[ns]"), ["time"], {}),
    "lat": (np.array([50.0, 49.0]), ["lat"], {"units": "degrees_north"}),
    "lon": (np.array([7.0, 8.0, 9.0]), ["lon"], {"units": "degrees_east"}),
    "pr": (small, ["time", "lat", "lon"], {"units": "mm"}),
}
for name, (values, dimensions, attributes) in arrays.items():
    array = store.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=dimensions)
    array[:] = values
    array.attrs.update(attributes)
print(json.dumps(written))
