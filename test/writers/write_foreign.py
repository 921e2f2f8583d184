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

# Names of arrays and units as products have them: a day is four values, of 6 hours each, or one.
days = pd.date_range("2026-03-02", periods=8, freq="D")
bounds = xr.DataArray(np.stack([days, days + pd.Timedelta("1D")], axis=1), dims=("time", "nv"))


def product(name, units, factor, offset=0.0, variable="precipitation", rule="sum", what="daily", **attributes):
    """Values of `variable` between 1 and 9 in its unit, stored as `units`: a value is stored times factor plus offset."""
    right = np.round(random.uniform(1, 9, size=(8, 2, 2)), 3)
    if what == "daily":
        array = xr.DataArray((right - offset) / factor, dims=("time", "latitude", "longitude"), coords={"time": days, **places})
    else:
        array = xr.DataArray(np.repeat((right - offset) / factor / (4 if rule == "sum" else 1), 4, axis=0), dims=("time", "latitude", "longitude"), coords={"time": pd.date_range("2026-03-02 06:00" if what == "ends" else "2026-03-02", periods=32, freq="6h"), **places})
    array.attrs = {"units": units, **attributes}
    file = f"product-{len(cases)}.nc"
    array.to_dataset(name=name).to_netcdf(f"{root}/{file}")
    stamps = [] if what in ("daily", "ends") else ["--stamps", "end" if what == "ends" else "start"]
    stamps += ["--accumulation", "per-step"] if what != "daily" and rule == "sum" and "-1" not in units else []
    case(f"{name} in {units}", file, dict(zip(days, right[:, 0, 0])), *stamps, variable=variable)


product("total_precipitation_6hr", "m", 1000, what="ends")
product("Temperature_Air_2m_Mean_24h", "K", 1, -273.15, "temp_mean", "mean", standard_name="air_temperature")
product("Temperature_Air_2m_Max_24h", "K", 1, -273.15, "temp_max", "mean", standard_name="air_temperature")
product("Temperature_Air_2m_Min_24h", "K", 1, -273.15, "temp_min", "mean", standard_name="air_temperature")
product("Temperature_Air_2m_Mean_Day_Time", "K", 1, -273.15, "temp_mean", "mean", standard_name="air_temperature")
cases[-1]["fails"] = "temp_mean"
product("Precipitation_Flux", "mm d-1", 1)
product("Solar_Radiation_Flux", "J m-2 d-1", 1e-6, variable="solar_radiation")
product("Dew_Point_Temperature_2m_Mean", "K", 1, -273.15, "dew_point", "mean")
product("Wind_Speed_10m_Mean", "m s-1", 1, 0, "wind_speed", "mean")
product("PRECT", "m/s", 1000 * 86400)
product("TREFHT", "K", 1, -273.15, "temp_mean", "mean")
product("TREFHTMX", "K", 1, -273.15, "temp_max", "mean")
product("TREFHTMN", "K", 1, -273.15, "temp_min", "mean")
product("RHREFHT", "percent", 1, 0, "relative_humidity", "mean")
product("FSDS", "W/m2", 0.0864, variable="solar_radiation")
product("Rainf_f_tavg", "kg m-2 s-1", 86400)
product("Tair_f_inst", "K", 1, -273.15, "temp_mean", "mean", what="starts")
product("Wind_f_inst", "m s-1", 1, 0, "wind_speed", "mean", what="starts")
product("SWdown_f_tavg", "W m-2", 0.0864, variable="solar_radiation")
product("precipitationCal", "mm/hr", 24)
product("precipitation", "mm/day", 1)
for units, factor in ("0.1 mm", 0.1), ("l m-2", 1), ("litre/m2", 1), ("L m**-2", 1):
    product("rr", units, factor)
for units in "centigrade", "degrees centigrade", "Cel", "deg_c":
    product("tg", units, 1, 0, "temp_mean", "mean")
product("tg", "0.1 degC", 0.1, 0, "temp_mean", "mean")
product("tg", "0.1 °C", 0.1, 0, "temp_mean", "mean")
product("rsds", "w/m2", 0.0864, variable="solar_radiation")
product("rsds", "kW-hr/m^2/day", 3.6, variable="solar_radiation")

# Totals of months.
months = pd.date_range("2026-01-01", periods=3, freq="MS")
totals = xr.DataArray([31.0, 56.0, 93.0], dims="time", coords={"time": months}, attrs={"units": "mm/month"})
totals.expand_dims(latitude=[50.0], longitude=[7.0]).transpose("time", "latitude", "longitude").to_dataset(name="pr").to_netcdf(f"{root}/months.nc")
case("mm/month", "months.nc", dict(zip(months, totals.values)), "--granularity", "native", variable="precipitation")

# Missing values as pandas, R, NumPy and spreadsheets write them.
rain = pd.DataFrame({"m00": [1.0, 2.0, np.nan, 4.0], "m01": [3.0, 4.0, 5.0, np.nan]}, index=days[:4])
for text in "#N/A", "#N/A N/A", "#NA", "N/A", "n/a", "NA", "nan", "-nan", "NaN", "NULL", "None", "<NA>", "1.#QNAN", "-1.#IND", "-", "":
    file = f"missing-{len(cases)}.csv"
    rain.to_csv(f"{root}/{file}", na_rep=text, index_label="date")
    case(f"{text or 'nothing'} for a missing value", file, rain.mean(axis=1), "--units", "mm", "--min-member-share", "0.5", variable="precipitation")
rain.to_csv(f"{root}/mistake.csv", na_rep="#DIV/0!", index_label="date")
case("a mistake of a spreadsheet", "mistake.csv", {}, "--units", "mm", variable="precipitation", fails='not a number; received "#DIV/0!"')

# NASA POWER's CSV, in the layout of its files.
power = pd.DataFrame({"YEAR": days.year, "MO": days.month, "DY": days.day, "T2M": np.round(random.normal(8, 2, 8), 2), "T2M_MAX": np.round(random.normal(12, 2, 8), 2), "T2M_MIN": np.round(random.normal(3, 2, 8), 2), "PRECTOTCORR": np.round(random.gamma(1, 3, 8), 2), "RH2M": np.round(random.uniform(50, 90, 8), 2), "WS2M": np.round(random.uniform(1, 5, 8), 2), "WS10M": np.round(random.uniform(2, 7, 8), 2), "ALLSKY_SFC_SW_DWN": np.round(random.uniform(5, 15, 8), 2)})
HEADER = """-BEGIN HEADER-
NASA/POWER Source Native Resolution {} Data{}
Dates (month/day/year): 03/02/2026 through 03/09/2026{}
Location: Latitude  50.5   Longitude {}{}
Elevation from MERRA-2: Average for 0.5 x 0.625 degree lat/lon region = 228.15 meters
The value for missing source data that cannot be computed or is outside of the sources availability range: -999{}
Parameter(s):{}
T2M                   MERRA-2 Temperature at 2 Meters (C){}
T2M_MAX               MERRA-2 Temperature at 2 Meters Maximum (C){}
T2M_MIN               MERRA-2 Temperature at 2 Meters Minimum (C){}
PRECTOTCORR           MERRA-2 Precipitation Corrected ({}){}
RH2M                  MERRA-2 Relative Humidity at 2 Meters (%){}
WS2M                  MERRA-2 Wind Speed at 2 Meters (m/s){}
WS10M                 MERRA-2 Wind Speed at 10 Meters (m/s){}
ALLSKY_SFC_SW_DWN     CERES SYN1deg All Sky Surface Shortwave Downward Irradiance ({}){}
-END HEADER-
"""


def nasa(name, table, variable, column, *args, zone="", longitude="7.25", said="", rain="mm/day", sun="MJ/m^2/day", factor=1, fails="", resolution="Daily"):
    file = f"power-{len(cases)}.csv"
    s = " "
    text = HEADER.format(resolution, s, zone + s, longitude, s, s, s, s, s, s, rain, s, s, s, s, sun, s)
    table.fillna(-999).to_csv(f"{root}/{file}", index=False)
    body = open(f"{root}/{file}").read()
    open(f"{root}/{file}", "w", newline="").write((text + body).replace("\n", "\r\n" if len(cases) % 2 else "\n"))
    case(f"NASA POWER, {name}", file, {} if fails else dict(zip(days, (power[column] * factor).dropna())), *args, said=said, variable=variable, fails=fails)


for variable, column in dict(temp_mean="T2M", temp_max="T2M_MAX", temp_min="T2M_MIN", precipitation="PRECTOTCORR", relative_humidity="RH2M", wind_speed="WS10M", solar_radiation="ALLSKY_SFC_SW_DWN").items():
    nasa(column, power, variable, column)
numbered = power.assign(DOY=days.dayofyear)[["YEAR", "DOY", *power.columns[3:]]]
nasa("days of the year", numbered, "precipitation", "PRECTOTCORR")
nasa("kWh", power, "solar_radiation", "ALLSKY_SFC_SW_DWN", sun="kW-hr/m^2/day", factor=3.6)
nasa("dates in UTC", power, "temp_mean", "T2M", zone=" in UTC", longitude="-104.9903")
nasa("local solar time within 7.5 degrees", power, "temp_mean", "T2M", zone=" in LST")
nasa("local solar time", power, "temp_mean", "T2M", zone=" in LST", longitude="-104.9903", said="days are of local solar time and begin 7 hours after UTC days")
nasa("a date that is none", power.assign(MO=13), "temp_mean", "T2M", fails="row 1, column YEAR, MO, DY: is not a date")
hourly = power.loc[power.index.repeat(24)].reset_index(drop=True)
hourly.insert(3, "HR", np.tile(np.arange(24), 8))
hourly["PRECTOTCORR"] = hourly["PRECTOTCORR"] / 24
nasa("hours", hourly, "precipitation", "PRECTOTCORR", resolution="Hourly", rain="mm/hour", sun="Wh/m^2")
nasa("hours of local solar time", hourly, "precipitation", "PRECTOTCORR", zone=" in LST", longitude="139.7", resolution="Hourly", rain="mm/hour", fails="request the file with time-standard=UTC")
power.loc[7, "PRECTOTCORR"] = np.nan
nasa("a missing value at the end", power, "precipitation", "PRECTOTCORR")
cases[-1]["days"]["2026-03-09"] = None

print(json.dumps(cases))
