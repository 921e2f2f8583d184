"""
Writes forecasts as weather centres and archives lay them out, with ecCodes, xarray and netCDF4.

    python write_centres.py FOLDER

Prints a JSON list of: the name of a case, its file, the arguments that it needs, what must be said of it, and the right
daily values of its first place, the mean over its members, computed from the hourly values that all are made of.
"""

import json
import os
import sys
import warnings

import eccodes as ec
import numpy as np
import pandas as pd
import xarray as xr

warnings.simplefilter("ignore")
root = sys.argv[1]
random = np.random.default_rng(39)
MEMBERS, DAYS = 3, 4
HOURS = 24 * DAYS
LATITUDES, LONGITUDES = np.array([50.0, 49.0]), np.array([7.0, 8.0, 9.0])
START = pd.Timestamp("2026-03-02")
shape = (MEMBERS, HOURS + 1, 2, 3)
# Rain of the hour before, and temperatures at the hour, in mm and K; all can be stored exactly.
rain = np.where(random.random(shape) < 0.4, np.round(random.gamma(1, 16, shape)) / 8, 0)
rain[:, 0] = 0
heat = np.round((283 + 6 * np.sin((np.arange(HOURS + 1) - 9) / 24 * 2 * np.pi)[None, :, None, None] + random.normal(0, 1, shape)) * 8) / 8
cases = []


def total(begin, end):
    return rain[:, begin + 1 : end + 1].sum(1)


def extreme(how, begin, end):
    return how(heat[:, begin + 1 : end + 1], 1)


def mean(begin, end):
    return heat[:, begin + 1 : end + 1].mean(1)


def days_of(of_day, first=0, last=DAYS, members=MEMBERS):
    """The mean over members of what `of_day` gives for the hours of each day, in the first cell."""
    days = {str((START + pd.Timedelta(d, "D")).date()): of_day(24 * d, 24 * d + 24) for d in range(first, last)}
    return {day: float(values[:members].mean(0)[0, 0]) for day, values in days.items()}


def rain_days(first=0, last=DAYS, members=MEMBERS):
    return days_of(total, first, last, members)


def in_metres(days):
    """Values of mm that were stored as metres, times 1 / 1024."""
    return {day: value * 1000 / 1024 for day, value in days.items()}


def heat_days(how, members=MEMBERS):
    return {day: value - 273.15 for day, value in days_of(how, members=members).items()}


def highest(begin, end):
    return extreme(np.max, begin, end)


def lowest(begin, end):
    return extreme(np.min, begin, end)


def instants(step, members=MEMBERS):
    return heat_days(lambda begin, end: heat[:, begin:end:step].mean(1), members)


def case(name, file, days, *args, variable="precipitation", said="", fails=""):
    """A file, its right days, and the warning or the error that there must be; without either, none."""
    cases.append(dict(name=name, file=file, args=["-v", variable, *args], said=said, days=days, fails=fails))


# GRIB

REGULAR = {
    "Ni": 3, "Nj": 2, "latitudeOfFirstGridPointInDegrees": 50, "latitudeOfLastGridPointInDegrees": 49,
    "longitudeOfFirstGridPointInDegrees": 7, "longitudeOfLastGridPointInDegrees": 9,
    "iDirectionIncrementInDegrees": 1, "jDirectionIncrementInDegrees": 1,
}
SURFACE = {"typeOfFirstFixedSurface": 1}
GROUND = {"typeOfFirstFixedSurface": 103, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 2}


def number(discipline, category, parameter):
    return {"discipline": discipline, "parameterCategory": category, "parameterNumber": parameter}


TP, TP_ECMWF, TP_DWD = {**number(0, 1, 8), **SURFACE}, {"localTablesVersion": 1, **number(0, 1, 193), **SURFACE}, {**number(0, 1, 52), **SURFACE}
T2, TMAX, TMIN = {**number(0, 0, 0), **GROUND}, {**number(0, 0, 4), **GROUND}, {**number(0, 0, 5), **GROUND}


def message(keys, values, sample="regular_ll_sfc_grib2"):
    handle = ec.codes_grib_new_from_samples(sample)
    for key, value in keys.items():
        (ec.codes_set_array if isinstance(value, (list, np.ndarray)) else ec.codes_set)(handle, key, value)
    ec.codes_set(handle, "bitsPerValue", 24)
    ec.codes_set_values(handle, np.asarray(values, "f8").ravel())
    result = ec.codes_get_message(handle)
    ec.codes_release(handle)
    return result


def keys_of(centre, what, begin, end, process, member=None, grid=REGULAR, units=1, run=START, templates=(0, 1, 8, 11)):
    """Keys of a field: of an instant where there is no process; of a member where there is one."""
    template = templates[(2 if process is not None else 0) + (1 if member is not None else 0)]
    return {
        "centre": centre, "dataDate": int(run.strftime("%Y%m%d")), "dataTime": 100 * run.hour,
        "productDefinitionTemplateNumber": template, **grid,
        **({} if process is None else {"typeOfStatisticalProcessing": process}), **what,
        "stepUnits": units,
        "stepRange": f"{begin}-{end}" if process is not None else str(end),
        **({} if member is None else {"typeOfEnsembleForecast": 1 if member == 0 else 3, "perturbationNumber": member, "numberOfForecastsInEnsemble": MEMBERS}),
    }


def grib(name, fields, **kwargs):
    """Fields of (what, begin, end, process, values by member); a file of all of them, member within step."""
    file = f"{name}.grib2"
    with open(f"{root}/{file}", "wb") as out:
        for centre, what, begin, end, process, values, more in fields:
            several = len(values) > 1
            for member, of_member in enumerate(values):
                out.write(message(keys_of(centre, what, begin, end, process, member if several else None, **more), of_member))
    return file


def since_start(centre, what, steps, factor=1.0, **more):
    return [(centre, what, 0, step, 1, total(0, step) * factor, more) for step in steps]


one = rain_days(members=1)
six, three = range(6, HOURS + 1, 6), range(3, HOURS + 1, 3)
# CMC: GEPS, all members in a file, APCP since the start of the run.
file = grib("geps", since_start(54, TP, six))
case("GEPS of CMC", file, rain_days())
# JMA: the same with centre 34; DWD: TOT_PREC by its own number, and maxima over six hours.
case("JMA's ensemble", grib("jma", since_start(34, TP, six)), rain_days())
case("ICON-EPS on a regular grid", grib("icon", since_start(78, TP_DWD, six)), rain_days())
case("TMAX_2M of ICON over six hours", grib("icon-max", [(78, T2, s - 6, s, 2, extreme(np.max, s - 6, s), {}) for s in six]), heat_days(highest), variable="temp_max")
case("TMIN_2M of ICON over six hours", grib("icon-min", [(78, T2, s - 6, s, 3, extreme(np.min, s - 6, s), {}) for s in six]), heat_days(lowest), variable="temp_min")
# ICON-D2: TOT_PREC every 15 minutes, in minutes.
quarter = lambda minutes: total(0, minutes // 60) + (rain[:, minutes // 60 + 1] * (minutes % 60) / 60 if minutes % 60 else 0)
case("ICON-D2 in minutes", grib("icon-d2", [(78, TP_DWD, 0, m, 1, quarter(m)[:1], dict(units=0)) for m in range(0, 24 * 60 + 1, 15)]), rain_days(0, 1, 1))
# Météo-France: PEARP, since the start; maxima and minima of ARPEGE; amounts of rain alone of AROME, which are no precipitation.
case("PEARP", grib("pearp", since_start(85, TP, three)), rain_days())
MX2T = {**number(0, 0, 0), **GROUND}
case("ARPEGE maxima", grib("arpege-max", [(85, MX2T, s - 3, s, 2, extreme(np.max, s - 3, s), {}) for s in three]), heat_days(highest), variable="temp_max")
case("ARPEGE minima", grib("arpege-min", [(85, MX2T, s - 3, s, 3, extreme(np.min, s - 3, s), {}) for s in three]), heat_days(lowest), variable="temp_min")
# ECMWF open data: AIFS-ENS and IFS; S2S: since start, with other templates.
case("IFS ENS in metres", grib("ifs", since_start(98, TP_ECMWF, three, 1 / 1024)), in_metres(rain_days()))
case("AIFS instants", grib("aifs-t", [(98, T2, s, s, None, heat[:, s], {}) for s in range(0, HOURS + 1, 6)]), instants(6), variable="temp_mean")
case("S2S tp", grib("s2s", since_start(98, TP, six)), rain_days())
case("S2S daily means of 2t", grib("s2s-2t", [(98, T2, 24 * d, 24 * d + 24, 0, mean(24 * d, 24 * d + 24), {}) for d in range(DAYS)]), heat_days(mean), variable="temp_mean")
case("S2S tp of days", grib("s2s-days", since_start(98, TP, range(24, HOURS + 1, 24))), rain_days())
case("S2S mx2t6", grib("s2s-mx", [(98, T2, s - 6, s, 2, extreme(np.max, s - 6, s), {}) for s in six]), heat_days(highest), variable="temp_max")
# NCEP: CFSv2 rates over six hours; buckets of six hours written every three; daily.
case("CFSv2 rates", grib("cfs", [(7, {**number(0, 1, 7), **SURFACE}, s - 6, s, 0, total(s - 6, s)[:1] / 21600, {}) for s in six]), one)
case("GEFS buckets", grib("gefs", [(7, TP, s - 3 if s % 6 == 3 else s - 6, s, 1, total(s - 3 if s % 6 == 3 else s - 6, s), {}) for s in three]), rain_days())
case("daily minima of GEFS buckets", grib("gefs-tmin", [(7, TMIN, s - 3 if s % 6 == 3 else s - 6, s, 3, extreme(np.min, s - 3 if s % 6 == 3 else s - 6, s), {}) for s in three]), heat_days(lowest), variable="temp_min")
# A run at 12 UTC and at 06 UTC.
for hour in (6, 18):
    run = START + pd.Timedelta(hour, "h")
    case(f"a run at {hour} UTC", grib(f"run-{hour}", [(98, TP, 0, s - hour, 1, total(hour, s), dict(run=run)) for s in range(hour + 6, HOURS + 1, 6)]), rain_days(1))
# KMA, UKMO global: templates of individual members with intervals; hourly amounts.
case("hourly amounts of UKMO", grib("ukmo", [(74, {**number(0, 1, 8), **SURFACE}, s - 1, s, 1, total(s - 1, s), {}) for s in range(1, HOURS + 1)]), rain_days())
case("maxima since midnight", grib("since-midnight", [(78, T2, 24 * ((s - 1) // 24), s, 2, extreme(np.max, 24 * ((s - 1) // 24), s), {}) for s in six]), heat_days(highest), variable="temp_max")
case("means since the start", grib("mean-since-start", [(78, T2, 0, s, 0, mean(0, s), {}) for s in six]), heat_days(mean), variable="temp_mean")
case("rates since the start", grib("rate-since-start", [(78, {**number(0, 1, 52), **SURFACE}, 0, s, 0, total(0, s) / (3600 * s), {}) for s in six]), rain_days())

case("AIFS-ENS, in kg m-2", grib("aifs", since_start(98, TP, six)), rain_days())
case("rain alone of AROME", grib("tirf", [(85, {**number(0, 1, 65), **SURFACE}, 0, s, 1, total(0, s)[:1], {}) for s in three]), {}, fails="does not hold precipitation")
case("rain alone of AROME, by its array", "tirf.grib2", one, "--array", "param0_1_65", "--units", "mm")
BOTH = [field for s in six for field in ((7, TP, s - 6, s, 1, total(s - 6, s)[:1], {}), (7, TP, 0, s, 1, total(0, s)[:1], {}))]
case("buckets beside amounts since the start", grib("gfs", BOTH), {}, fails="several arrays hold precipitation; received \"tp_since_start, tp_buckets\"")
for array in "tp_since_start", "tp_buckets":
    case(array, "gfs.grib2", one, "--array", array, said="2 fields are there twice, with the same bytes")
case("maxima since the start", grib("max-since-start", [(78, T2, 0, s, 2, highest(0, s), {}) for s in six]), {}, variable="temp_max", fails="extremes of growing intervals, which cannot be divided into days")
LAMBERT = {"gridType": "lambert", "Nx": 3, "Ny": 2, "latitudeOfFirstGridPoint": 37_500_000, "longitudeOfFirstGridPoint": 348_000_000, "LaD": 46_500_000, "LoV": 2_000_000, "DxInMetres": 500_000, "DyInMetres": 900_000, "Latin1": 46_500_000, "Latin2": 46_500_000, "scanningMode": 0}
case("AROME on its plane", grib("arome", [(85, T2, s, s, None, heat[:1, s], dict(grid=LAMBERT)) for s in range(0, HOURS + 1, 3)]), instants(3, 1), variable="temp_mean", said="(37.5 to 46.5 N)")
CELLS = {"gridType": "unstructured_grid", "numberOfDataPoints": 6, "numberOfValues": 6}
case("ICON-EPS on its triangles", grib("triangles", [(78, TP_DWD, 0, s, 1, total(0, s), dict(grid=CELLS)) for s in six]), {}, fails="grid definition template 3.101")


def hours_of_era5(step):
    return [(98, TP_ECMWF, 0, 1, 1, rain[:1, h] / 1024, dict(run=START + pd.Timedelta(h - 1, "h"))) for h in range(step, HOURS + 1, step)]


case("ERA5 in edition 2", grib("era5-2", hours_of_era5(1)), in_metres(one))
case("every sixth hour of ERA5", grib("era5-6", hours_of_era5(6)), {}, fails="no UTC day is complete")

# GRIB 1
def grib1(name, fields, keys):
    file = f"{name}.grib"
    with open(f"{root}/{file}", "wb") as out:
        for more, values in fields:
            out.write(message({**REGULAR, "dataDate": 20260302, "dataTime": 0, "stepUnits": 1, **keys, **more}, values, "regular_ll_sfc_grib1"))
    return file

one = one
harmonie = {"centre": 99, "table2Version": 253, "indicatorOfParameter": 61, "indicatorOfTypeOfLevel": 105, "level": 0}
ncep1 = {"centre": 7, "table2Version": 2, "indicatorOfParameter": 61, "indicatorOfTypeOfLevel": 1, "level": 0}
case("NCEP edition 1 buckets", grib1("ncep1", [({"timeRangeIndicator": 4, "P1": s - 6, "P2": s}, total(s - 6, s)[0]) for s in six], ncep1), one)
ec1 = {"centre": 98, "table2Version": 128, "indicatorOfParameter": 228, "indicatorOfTypeOfLevel": 1, "level": 0}
case("ECMWF edition 1", grib1("ec1", [({"timeRangeIndicator": 0, "P1": s}, total(0, s)[0] / 1024) for s in six], ec1), in_metres(one))
case("mean of ECMWF edition 1 (TRI 3)", grib1("ec1-mean", [({"timeRangeIndicator": 3, "P1": s - 6, "P2": s}, mean(s - 6, s)[0]) for s in six], {**ncep1, "indicatorOfParameter": 11, "indicatorOfTypeOfLevel": 105, "level": 2}), heat_days(mean, 1), variable="temp_mean")
# ERA5: hours of the forecasts at 06 and 18 UTC, each of 12 hours.
hours = []
for h in range(7, HOURS - 5):
    begin = 6 + 12 * ((h - 7) // 12)
    run = START + pd.Timedelta(begin, "h")
    of_run = {"dataDate": int(run.strftime("%Y%m%d")), "dataTime": 100 * run.hour, "P1": h - begin - 1, "P2": h - begin}
    hours.append(({**of_run, "timeRangeIndicator": 4}, rain[0, h] / 1024))
case("ERA5 in edition 1", grib1("era5", hours, ec1), in_metres(rain_days(1, DAYS - 1, 1)))

# NetCDF
PLACES = {
    "latitude": ("latitude", LATITUDES, {"units": "degrees_north", "standard_name": "latitude"}),
    "longitude": ("longitude", LONGITUDES, {"units": "degrees_east", "standard_name": "longitude"}),
}


def netcdf(name, data, **encoding):
    file = f"{name}.nc"
    data.to_netcdf(f"{root}/{file}", encoding=encoding)
    return file


def when(hours):
    return (START + pd.to_timedelta(np.asarray(hours), "h")).values


# CAMS and ERA5 of the present stores: forecast_period by forecast_reference_time, valid_time along both.
def cds(values, hours, name, attributes, runs=(START,)):
    period = np.asarray(hours)
    data = xr.Dataset(
        {name: (("forecast_period", "forecast_reference_time", "latitude", "longitude"), np.asarray(values, "f4"), attributes)},
        coords={
            "forecast_period": ("forecast_period", period.astype("f8"), {"units": "hours", "standard_name": "forecast_period", "long_name": "time since forecast_reference_time"}),
            "forecast_reference_time": ("forecast_reference_time", np.array([r.to_datetime64() for r in runs]), {"standard_name": "forecast_reference_time", "long_name": "initial time of forecast"}),
            **PLACES,
            "valid_time": (("forecast_reference_time", "forecast_period"), np.stack([(r + pd.to_timedelta(period, "h")).values for r in runs]), {"standard_name": "time", "long_name": "time"}),
        },
        attrs={"Conventions": "CF-1.7", "GRIB_centre": "ecmf", "institution": "European Centre for Medium-Range Weather Forecasts"},
    )
    return data


accum = {"units": "m", "long_name": "Total precipitation", "GRIB_shortName": "tp", "GRIB_paramId": 228, "GRIB_stepType": "accum", "GRIB_units": "m"}
kg = {**accum, "units": "kg m**-2", "GRIB_units": "kg m**-2", "GRIB_paramId": 228228}
grown = np.stack([total(0, s)[:1] for s in range(0, HOURS + 1, 3)])
case("CAMS in kg m**-2", netcdf("cams-kg", cds(grown, range(0, HOURS + 1, 3), "tp", kg)), one)
case("CAMS in m", netcdf("cams-m", cds(grown / 1024, range(0, HOURS + 1, 3), "tp", accum)), in_metres(one))
case("CAMS t2m", netcdf("cams-t", cds(heat[:1, ::3].transpose(1, 0, 2, 3), range(0, HOURS + 1, 3), "t2m", {"units": "K", "long_name": "2 metre temperature", "GRIB_stepType": "instant"})), instants(3, 1), variable="temp_mean")
two_runs = cds(np.concatenate([grown, grown], 1), range(0, HOURS + 1, 3), "tp", kg, (START, START + pd.Timedelta(1, "D")))
case("CAMS with two runs", netcdf("cams-two", two_runs), {}, fails="runs")
case("CAMS with two runs, one named", "cams-two.nc", one, "--init", "2026-03-02")

# ERA5 and ERA5-Land as the store has them: valid_time.
def era5(values, hours, name, attributes):
    return xr.Dataset(
        {name: (("valid_time", "latitude", "longitude"), np.asarray(values, "f4"), attributes)},
        coords={"valid_time": ("valid_time", when(hours), {"long_name": "time", "standard_name": "time"}), **PLACES, "number": 0, "expver": ("valid_time", ["0001"] * len(hours))},
        attrs={"GRIB_centre": "ecmf", "history": "2026-03-20T09:22 GRIB to CDM+CF via cfgrib-0.9.14.1/ecCodes-2.36.0 with {}"},
    )


hourly = list(range(0, HOURS + 1))
case("ERA5 hours", netcdf("era5-hours", era5(rain[0] / 1024, hourly, "tp", accum)), in_metres(one))
land = np.stack([total(24 * ((h - 1) // 24), h)[0] if h else rain[0, 0] for h in hourly])
case("ERA5-Land hours", netcdf("era5-land", era5(land / 1024, hourly, "tp", accum)), in_metres(one))
case("ERA5-Land at 00 UTC", netcdf("era5-land-00", era5(land[24::24] / 1024, hourly[24::24], "tp", accum)), {}, fails="stamps")
case("ERA5-Land at 00 UTC, ends", "era5-land-00.nc", in_metres(one), "--stamps", "end")
case("ERA5-Land every third hour", netcdf("era5-land-3", era5(land[::3] / 1024, hourly[::3], "tp", accum)), in_metres(one))
case("ERA5 mx2t of hours", netcdf("era5-mx2t", era5(heat[0], hourly, "mx2t", {"units": "K", "GRIB_stepType": "max", "long_name": "Maximum temperature at 2 metres since previous post-processing"})), heat_days(highest, 1), variable="temp_max")

# cfgrib's own: step, time, valid_time, number.
def cfgrib(values, steps, name, attributes):
    return xr.Dataset(
        {name: (("number", "step", "latitude", "longitude"), np.asarray(values, "f4"), attributes)},
        coords={
            "number": ("number", np.arange(len(values)), {"long_name": "ensemble member numerical id", "standard_name": "realization", "units": "1"}),
            "time": ((), START.to_datetime64(), {"long_name": "initial time of forecast", "standard_name": "forecast_reference_time"}),
            "step": ("step", pd.to_timedelta(np.asarray(steps), "h").values, {"long_name": "time since forecast_reference_time", "standard_name": "forecast_period"}),
            "surface": 0.0,
            "valid_time": ("step", when(steps), {"long_name": "time", "standard_name": "time"}), **PLACES,
        },
        attrs={"GRIB_centre": "ecmf", "Conventions": "CF-1.7", "history": "2026-03-02 GRIB to CDM+CF via cfgrib"},
    )


case("cfgrib of tp", netcdf("cfgrib-tp", cfgrib(np.stack([total(0, s) for s in three], 1) / 1024, list(three), "tp", accum)), in_metres(rain_days()))
case("cfgrib of tp with step 0", netcdf("cfgrib-tp0", cfgrib(np.stack([total(0, s) for s in [0, *three]], 1) / 1024, [0, *three], "tp", accum)), in_metres(rain_days()))
case("cfgrib of mx2t3", netcdf("cfgrib-mx", cfgrib(np.stack([extreme(np.max, s - 3, s) for s in three], 1), list(three), "mx2t3", {"units": "K", "GRIB_stepType": "max", "long_name": "Maximum temperature at 2 metres in the last 3 hours"})), heat_days(highest), variable="temp_max")
buckets = np.stack([total(s - 3 if s % 6 == 3 else s - 6, s) for s in three], 1)
case("cfgrib of GEFS's buckets", netcdf("cfgrib-gefs", cfgrib(buckets, list(three), "tp", {**kg, "long_name": "Total Precipitation"})), rain_days())
case("cfgrib of GEFS's minima", netcdf("cfgrib-gefs-min", cfgrib(np.stack([extreme(np.min, s - 3 if s % 6 == 3 else s - 6, s) for s in three], 1), list(three), "tmin", {"units": "K", "GRIB_stepType": "min"})), heat_days(lowest), variable="temp_min")

FEW_DAYS = "amounts of tp never fall, and GRIB_stepType says accum: taken for those since the start of the run; --accumulation decides otherwise"
for name, first in ("cfgrib-days", 1), ("cfgrib-days-from-0", 0):
    steps = [24 * day for day in range(first, DAYS + 1)]
    case(f"cfgrib of tp, a step a day from {24 * first} h", netcdf(name, cfgrib(np.stack([total(0, s) for s in steps], 1) / 1024, steps, "tp", accum)), in_metres(rain_days()), said=FEW_DAYS)
    case(f"CAMS, a step a day from {24 * first} h", netcdf(f"cams-{name}", cds(grown[8 * first :: 8], steps, "tp", kg)), one, said=FEW_DAYS)
rains = np.stack([total(24 * d, 24 * d + 24) for d in range(DAYS)], 1)
rains[:, 1] /= 4
own = {day: float(rains[:, d].mean(0)[0, 0]) for d, day in enumerate(one)}
case("days that were summed, with the metadata of steps", netcdf("cfgrib-summed", cfgrib(rains / 1024, [24 * d + 24 for d in range(DAYS)], "tp", accum)), in_metres(own))
case("ERA5, every sixth hour", netcdf("era5-sparse", era5(rain[0, ::6] / 1024, hourly[::6], "tp", accum)), {}, said="times of tp are 6 h apart, and ERA5 has amounts of single hours")
case("ERA5, every sixth hour, as its steps", "era5-sparse.nc", {}, "--accumulation", "per-step")
month = np.cumsum(np.round(random.gamma(0.5, 8, (MEMBERS, 40, 2, 3)) * 8) / 8, 1)
of_days = np.diff(month, axis=1, prepend=0).mean(0)[:, 0, 0]
seas5 = {str((START + pd.Timedelta(d, "D")).date()): float(value) for d, value in enumerate(of_days)}
case("cfgrib of SEAS5", netcdf("seas5", cfgrib(month / 1024, [24 * d for d in range(1, 41)], "tp", accum)), in_metres(seas5))

# MOGREPS: iris.
def iris(values, begin, end, name, units, method, standard, scalar=False):
    hours = {"units": "hours since 1970-01-01 00:00:00", "calendar": "standard"}
    dims = ("realization", "time", "latitude", "longitude")
    end, begin = np.asarray(end), np.asarray(begin)
    data = xr.Dataset({name: (dims, np.asarray(values, "f4"), {"units": units, "standard_name": standard, **({"cell_methods": method} if method else {})})},
        coords={"realization": ("realization", np.arange(len(values)), {"units": "1", "standard_name": "realization"}),
                "time": ("time", when(end), {"standard_name": "time", "axis": "T", "bounds": "time_bnds"}),
                "forecast_period": ("time", end * 3600, {"units": "seconds", "standard_name": "forecast_period", "bounds": "forecast_period_bnds"}),
                "forecast_reference_time": ((), START.to_datetime64(), {"standard_name": "forecast_reference_time"}), **PLACES},
        attrs={"Conventions": "CF-1.7", "source": "Met Office Unified Model", "um_version": "12.1", "history": "StaGE Decoupler"})
    data["time_bnds"] = (("time", "bnds"), np.stack([when(begin), when(end)], 1))
    data["forecast_period_bnds"] = (("time", "bnds"), np.stack([begin, end], 1) * 3600)
    data[name].encoding["coordinates"] = "forecast_period forecast_reference_time"
    return data


case("MOGREPS amounts", netcdf("mogreps-rain", iris(np.stack([total(s - 3, s) for s in three], 1) / 1024, [s - 3 for s in three], list(three), "thickness_of_rainfall_amount", "m", "time: sum", "thickness_of_rainfall_amount"), forecast_period={"dtype": "i4"}), in_metres(rain_days()))
case("MOGREPS maxima", netcdf("mogreps-max", iris(np.stack([extreme(np.max, s - 3, s) for s in three], 1), [s - 3 for s in three], list(three), "air_temperature", "K", "time: maximum", "air_temperature"), forecast_period={"dtype": "i4"}), heat_days(highest), variable="temp_max")
case("MOGREPS since the start", netcdf("mogreps-grown", iris(np.stack([total(0, s) for s in three], 1), [0 for s in three], list(three), "precipitation_amount", "kg m-2", "time: sum", "precipitation_amount"), forecast_period={"dtype": "i4"}), rain_days())
os.makedirs(f"{root}/mogreps")
whole = iris(np.stack([total(s - 3, s) for s in three], 1) / 1024, [s - 3 for s in three], list(three), "thickness_of_rainfall_amount", "m", "time: sum", "thickness_of_rainfall_amount")
for i, s in enumerate(three):
    part = whole.isel(time=i)
    part.to_netcdf(f"{root}/mogreps/20260302T0000Z-PT{s:04}H00M-rainfall_accumulation-PT03H.nc")
case("MOGREPS in files of a time", "mogreps/*.nc", in_metres(rain_days()))
grown = iris(np.stack([total(0, s) for s in three], 1), [0 for s in three], list(three), "precipitation_amount", "kg m-2", "time: sum", "precipitation_amount")
hot = iris(np.stack([extreme(np.max, s - 3, s) for s in three], 1), [s - 3 for s in three], list(three), "air_temperature", "K", "time: maximum", "air_temperature")
for name, data in (("grown", grown), ("hot", hot)):
    os.makedirs(f"{root}/mogreps-{name}")
    for i, s in enumerate(three):
        data.isel(time=i).to_netcdf(f"{root}/mogreps-{name}/20260302T0000Z-PT{s:04}H00M-{name}.nc")
case("MOGREPS since the start, in files of a time", "mogreps-grown/*.nc", rain_days())
case("MOGREPS maxima in files of a time", "mogreps-hot/*.nc", heat_days(highest), variable="temp_max")

# BoM: ACCESS-GE, since the start; ACCESS-S2 daily.
def bom(values, hours, name, **attributes):
    data = xr.Dataset({name: (("time", "ens", "lat", "lon"), np.asarray(values, "f4"), attributes)},
        coords={"time": ("time", when(hours), {"standard_name": "time", "axis": "T"}), "ens": ("ens", np.arange(len(values[0])), {"long_name": "ensemble member"}),
                "lat": ("lat", LATITUDES, {"units": "degrees_north"}), "lon": ("lon", LONGITUDES, {"units": "degrees_east"})},
        attrs={"modl_vrsn": "ACCESS-GE", "base_date": 20260302, "base_time": 0, "institution": "Australian Bureau of Meteorology"})
    return data


case("ACCESS-S2 days at noon", netcdf("bom-s2", bom(np.stack([total(24 * d, 24 * d + 24) for d in range(DAYS)]), [24 * d + 12 for d in range(DAYS)], "pr", units="mm", cell_methods="time: sum")), rain_days())

# ACCESS-GE names arrays in its own way: only their names by --array decide.
case("ACCESS-GE since the start", netcdf("bom", bom(np.stack([total(0, s) for s in [0, *three]]), [0, *three], "accum_prcp", units="kg m-2", long_name="accumulated precipitation")), rain_days(), "--array", "accum_prcp")
case("ACCESS-GE maxima", netcdf("bom-max", bom(np.stack([highest(s - 3, s) for s in three]), list(three), "temp_scrn_max", units="K", long_name="maximum screen temperature")), heat_days(highest), "--array", "temp_scrn_max", "--stamps", "end", variable="temp_max")
case("ACCESS-GE maxima without words", "bom-max.nc", {}, "--array", "temp_scrn_max", variable="temp_max", said="taken for the starts of steps, since nothing states it")

# MEPS of MET Norway: a projected grid, since the start.
x, y = np.arange(3) * 2500.0, np.arange(2) * 2500.0
meps = xr.Dataset(
    {"precipitation_amount_acc": (("time", "height0", "ensemble_member", "y", "x"), np.stack([total(0, s) for s in range(0, HOURS + 1)])[:, None].astype("f4"), {"units": "kg/m^2", "standard_name": "precipitation_amount", "long_name": "Accumulated total precipitation", "grid_mapping": "projection_lambert", "coordinates": "longitude latitude"})},
    coords={"time": ("time", when(range(0, HOURS + 1)), {"standard_name": "time"}), "height0": ("height0", [0.0], {"units": "m"}), "ensemble_member": np.arange(MEMBERS),
            "x": ("x", x, {"units": "m", "standard_name": "projection_x_coordinate"}), "y": ("y", y, {"units": "m", "standard_name": "projection_y_coordinate"}),
            "latitude": (("y", "x"), 60 + y[:, None] / 1e5 + 0 * x, {"units": "degrees_north", "standard_name": "latitude"}), "longitude": (("y", "x"), 10 + x / 1e5 + 0 * y[:, None], {"units": "degrees_east", "standard_name": "longitude"}),
            "forecast_reference_time": ((), START.to_datetime64(), {"standard_name": "forecast_reference_time"}), "projection_lambert": ((), 0, {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [63.3, 63.3], "longitude_of_central_meridian": 15.0, "latitude_of_projection_origin": 63.3, "earth_radius": 6371000.0})},
)
case("MEPS since the start", netcdf("meps", meps), rain_days())

# wgrib2 -netcdf of buckets: ends, no ranges.
wgrib2 = xr.Dataset({"APCP_surface": (("time", "latitude", "longitude"), buckets[0].astype("f4"), {"units": "kg/m^2", "long_name": "Total Precipitation", "short_name": "APCP_surface", "level": "surface"})},
    coords={"time": ("time", when(list(three)), {"long_name": "verification time generated by wgrib2 function verftime()", "reference_time_type": 3, "reference_date": "2026.03.02 00:00:00 UTC", "time_step_setting": "auto", "time_step": 10800.0}), **PLACES}, attrs={"History": "created by wgrib2"})
case("wgrib2 of GEFS's buckets", netcdf("wgrib2-gefs", wgrib2, time={"units": "seconds since 1970-01-01 00:00:00.0 0:00", "dtype": "f8"}), one)
# ERA5 monthly means by the store: hourly mean fluxes, daily amounts.
months = pd.date_range("2026-01-01", periods=3, freq="MS")
monthly = np.arange(18).reshape(3, 2, 3) / 1024 / 8 + 1 / 1024
era_months = xr.Dataset({"tp": (("valid_time", "latitude", "longitude"), monthly.astype("f4"), {**accum, "GRIB_stepType": "avgad"})}, coords={"valid_time": ("valid_time", months.values, {"standard_name": "time"}), **PLACES})
case("ERA5 monthly means", netcdf("era5-months", era_months), {str(m.date()): float(monthly[i, 0, 0]) * 1000 * m.days_in_month for i, m in enumerate(months)}, "--granularity", "native")

print(json.dumps(cases))
