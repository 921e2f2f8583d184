"""Writes runs of different lengths and members with ecCodes, and their daily values, computed from the values that ecCodes reads.

    python write_lagged.py FILE

Prints JSON: the members, in order, and for each variable their daily values by member, day (from DATE on) and cell; null where
missing. Instants are those of temperature, amounts of precipitation and means of radiation count since the start of their run,
maxima are of 6 hours.
"""

import datetime as dt
import json
import sys

import eccodes as ec
import numpy as np

rng = np.random.default_rng(4)
CELLS = 6
DATE = dt.datetime(2026, 3, 2)
DAYS = 7
# The start of each run in hours after DATE, its length in hours, and its members: number and kind.
RUNS = [
    (0, 72, [(0, 1), (1, 3), (2, 3)]),
    (12, 96, [(0, 1), (1, 3)]),
    (48, 120, [(0, 1), (1, 3), (2, 3), (3, 3)]),
]
GROUND = {"typeOfFirstFixedSurface": 103, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 2}
SURFACE = {"typeOfFirstFixedSurface": 1}
FIELDS = {
    "2t": ({"parameterCategory": 0, "parameterNumber": 0, **GROUND}, None),
    "tp": ({"parameterCategory": 1, "parameterNumber": 8, **SURFACE}, 1),
    "sdswrf": ({"parameterCategory": 4, "parameterNumber": 7, **SURFACE}, 0),
    "tmax": ({"parameterCategory": 0, "parameterNumber": 4, **GROUND}, 2),
}


def write(file, start, member, short, begin, end, values):
    keys, process = FIELDS[short]
    at = DATE + dt.timedelta(hours=start)
    handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    grid = {"Ni": 3, "Nj": 2, "latitudeOfFirstGridPointInDegrees": 50, "latitudeOfLastGridPointInDegrees": 49,
            "longitudeOfFirstGridPointInDegrees": 10, "longitudeOfLastGridPointInDegrees": 12,
            "iDirectionIncrementInDegrees": 1, "jDirectionIncrementInDegrees": 1, "centre": 7}
    time = {"dataDate": int(at.strftime("%Y%m%d")), "dataTime": at.hour * 100, "stepUnits": 1,
            "productDefinitionTemplateNumber": 1 if process is None else 11}
    if process is not None:
        time["typeOfStatisticalProcessing"] = process
    ensemble = {"typeOfEnsembleForecast": member[1], "perturbationNumber": member[0]}
    for key, value in {**grid, **time, **ensemble, **keys, "bitsPerValue": 20}.items():
        ec.codes_set(handle, key, value)
    ec.codes_set(handle, "stepRange", str(end) if process is None else f"{begin}-{end}")
    ec.codes_set_values(handle, values)
    file.write(ec.codes_get_message(handle))
    read = ec.codes_get_values(handle)
    ec.codes_release(handle)
    return read


def main():
    names, daily = [], {"temp_mean": [], "precipitation": [], "temp_max": [], "solar_radiation": []}
    with open(sys.argv[1], "wb") as file:
        for start, length, members in RUNS:
            for member in members:
                at = (DATE + dt.timedelta(hours=start)).strftime("%Y-%m-%dT%H:%MZ")
                names.append(f"{at} {member[0]}")
                instant, grown, highest, sun = {}, {start: np.zeros(CELLS)}, {}, {start: np.zeros(CELLS)}
                total, energy = np.zeros(CELLS), np.zeros(CELLS)
                for step in range(0, length + 1, 6):
                    hour = start + step
                    instant[hour] = write(file, start, member, "2t", step, step, rng.normal(280, 8, CELLS))
                    if step == 0:
                        continue
                    total = total + np.where(rng.random(CELLS) < 0.5, rng.gamma(1, 3, CELLS), 0)
                    grown[hour] = write(file, start, member, "tp", 0, step, total)
                    energy = energy + rng.gamma(1, 150, CELLS) * (1 if hour % 24 in (12, 18) else 0)
                    mean = write(file, start, member, "sdswrf", 0, step, energy * 6 / step)
                    sun[hour] = mean * step * 3600
                    highest[hour] = write(file, start, member, "tmax", step - 6, step, rng.normal(284, 8, CELLS))
                rows = {name: [] for name in daily}
                for day in range(0, 24 * DAYS, 24):
                    isIn = start <= day and day + 24 <= start + length
                    nothing = [None] * CELLS
                    rows["temp_mean"].append(
                        (np.mean([instant[h] for h in range(day, day + 24, 6)], 0) - 273.15).tolist() if isIn else nothing)
                    rows["precipitation"].append(np.maximum(0, grown[day + 24] - grown[day]).tolist() if isIn else nothing)
                    rows["temp_max"].append(
                        (np.max([highest[h] for h in range(day + 6, day + 25, 6)], 0) - 273.15).tolist() if isIn else nothing)
                    rows["solar_radiation"].append(
                        (np.maximum(0, sun[day + 24] - sun[day]) / 1e6).tolist() if isIn else nothing)
                for name in daily:
                    daily[name].append(rows[name])
    print(json.dumps({"members": names, "daily": daily}))


main()
