"""Writes a run of an archive whose files have all steps of one field, with ecCodes, as NOAA lays it out, with index files.

    python write_series.py FOLDER ARCHIVE RUN LAST

ARCHIVE is noaa:cfsv2 or noaa:gefs-reforecast, RUN 2026112800 and LAST the last step in hours. Paths, steps and lines of the index are
those of the public buckets noaa-cfs-pds (cfs.YYYYMMDD/HH/time_grib_01/tmp2m.01.YYYYMMDDHH.daily.grb2, 6-hourly, no member in messages) and
noaa-gefs-retrospective (GEFSv12/reforecast/YYYY/YYYYMMDDHH/c00/Days:1-10/tmp_2m_YYYYMMDDHH_c00.grib2, 3-hourly, amounts of 0 to 3 and 0 to 6 h).
Prints JSON of the days of each member at the first point, from the values that ecCodes reads: {"temp_mean": [{date: value}, ...], ...}.
"""

import datetime as dt
import json
import sys
from pathlib import Path

import eccodes as ec
import numpy as np

root, archive, text, last = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
run = dt.datetime.strptime(text, "%Y%m%d%H")
rng = np.random.default_rng(int(text))
is_cfs = archive == "noaa:cfsv2"
members = [1] if is_cfs else range(5)
by = 6 if is_cfs else 3
NI, NJ = 12, 8

#: Category, number, kind and value of the level, statistical process.
FIELDS = {"2t": (0, 0, 103, 2, None), "rain": (1, 7, 1, None, 0) if is_cfs else (1, 8, 1, None, 1)}
NAMES = {"2t": "TMP:2 m above ground", "rain": "PRATE:surface" if is_cfs else "APCP:surface"}
FILES = {"2t": "tmp2m" if is_cfs else "tmp_2m", "rain": "prate" if is_cfs else "apcp_sfc"}


def message(name, member, step, begin, values):
    category, number, surface, level, process = FIELDS[name]
    handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    keys = {
        "Ni": NI, "Nj": NJ, "latitudeOfFirstGridPointInDegrees": 55, "latitudeOfLastGridPointInDegrees": 48,
        "longitudeOfFirstGridPointInDegrees": 10, "longitudeOfLastGridPointInDegrees": 21,
        "iDirectionIncrementInDegrees": 1, "jDirectionIncrementInDegrees": 1, "centre": 7,
        "dataDate": int(run.strftime("%Y%m%d")), "dataTime": run.hour * 100, "stepUnits": 1,
        "productDefinitionTemplateNumber": (0 if process is None else 8) + (0 if is_cfs else 1 if process is None else 3),
        "parameterCategory": category, "parameterNumber": number, "typeOfFirstFixedSurface": surface, "bitsPerValue": 16,
    }
    if level is not None:
        keys |= {"scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": level}
    if not is_cfs:
        keys |= {"typeOfEnsembleForecast": 1 if member == 0 else 3, "perturbationNumber": member}
    if process is not None:
        keys["typeOfStatisticalProcessing"] = process
    for key, value in keys.items():
        ec.codes_set(handle, key, value)
    ec.codes_set(handle, "stepRange", str(step) if process is None else f"{begin}-{step}")
    ec.codes_set_values(handle, values)
    data, read = ec.codes_get_message(handle), ec.codes_get_values(handle)
    ec.codes_release(handle)
    return data, float(read[0])


def path_of(name, member):
    day, hour = run.strftime("%Y%m%d"), run.strftime("%H")
    if is_cfs:
        return f"cfs.{day}/{hour}/time_grib_01/{FILES[name]}.01.{text}.daily.grb2"
    who = "c00" if member == 0 else f"p{member:02}"
    return f"GEFSv12/reforecast/{text[:4]}/{text}/{who}/Days:1-10/{FILES[name]}_{text}_{who}.grib2"


truth = {"temp_mean": [], "precipitation": []}
for member in members:
    known = {"2t": {}, "rain": {}}
    for name in FIELDS:
        target = root / path_of(name, member)
        target.parent.mkdir(parents=True, exist_ok=True)
        lines, offset, before = [], 0, np.zeros(NI * NJ)
        with open(target, "wb") as file:
            # Files have more steps than are wanted.
            for i, step in enumerate(range(by, last + 1 + 4 * by, by)):
                begin = step - 6 if is_cfs else (step - 1) // 6 * 6
                if name == "2t":
                    values = rng.normal(283, 4, NI * NJ)
                elif is_cfs:
                    values = rng.gamma(0.5, 2, NI * NJ) / 21600
                else:
                    fallen = rng.gamma(0.5, 2, NI * NJ)
                    before = values = fallen if step % 6 == 3 else before + fallen
                data, read = message(name, member, step, begin, values)
                known[name][step] = read
                kind = "ave" if is_cfs else "acc"
                time = f"{step} hour fcst" if name == "2t" else f"{begin}-{step} hour {kind} fcst"
                if (begin % 24, step % 24) == (0, 0) and name != "2t":
                    time = f"{begin // 24}-{step // 24} day {kind} fcst"
                who = "" if is_cfs else "ENS=low-res ctl" if member == 0 else f"ENS=+{member}"
                lines.append(f"{i + 1}:{offset}:d={text}:{NAMES[name]}:{time}:{who}")
                file.write(data)
                offset += len(data)
        Path(f"{target}.idx").write_text("\n".join(lines) + "\n")
    means, sums = {}, {}
    for day in range(last // 24 + 1):
        date = (run + dt.timedelta(days=day)).date()
        first = int((dt.datetime(date.year, date.month, date.day) - run).total_seconds() // 3600)
        instants = range(first, first + 24, by)
        if instants[0] >= by and first + 24 <= last + by and instants[-1] <= last:
            means[str(date)] = float(np.mean([known["2t"][step] for step in instants])) - 273.15
        if first < 0 or first + 24 > last:
            continue
        ends = range(first + 6, first + 25, 6)
        sums[str(date)] = sum(known["rain"][step] * (21600 if is_cfs else 1) for step in ends)
    truth["temp_mean"].append(means)
    truth["precipitation"].append(sums)
print(json.dumps(truth))
