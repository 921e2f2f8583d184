"""Writes a run of a forecast archive with ecCodes, as its provider lays it out, with index files.

    python write_mirror.py FOLDER ARCHIVE RUN LAST

ARCHIVE is ecmwf:ens, ecmwf:aifs-ens or noaa:gefs, RUN 2026112800 and LAST the last step in hours. Prints JSON of the daily means of
2 m temperature in degrees Celsius and the daily sums of precipitation in mm of each member at the first point, from the values that
ecCodes reads from the messages: {"temp_mean": [[...], ...], "precipitation": [[...], ...]}, null where a day is not complete.
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
is_noaa = archive == "noaa:gefs"
# From the run of 2026-05-12 06 UTC on the control is in oper/fc.
is_50r1 = archive == "ecmwf:ens" and run >= dt.datetime(2026, 5, 12, 6)
members = range(31) if is_noaa else range(51)
by = 6 if archive == "ecmwf:aifs-ens" else 3
steps = range(0, last + 1, by)
NI, NJ = 24, 16

#: Category and number, kind and value of the level, statistical process, scale.
FIELDS = {
    "2t": (0, 0, 103, 2, None),
    "tp": (1, 8, 1, None, 1),
    "10u": (2, 2, 103, 10, None),
    "msl": (3, 0, 101, None, None),
}
WGRIB = {
    "2t": "TMP:2 m above ground", "tp": "APCP:surface", "10u": "UGRD:10 m above ground", "msl": "PRMSL:mean sea level",
}


def prototype(name, states_member):
    """A message with all that fields of a kind have in common: to clone it takes a fraction of the time of making it."""
    category, number, surface, level, process = FIELDS[name]
    handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    template = (0 if process is None else 8) + (0 if not states_member else (1 if process is None else 3))
    keys = {
        "Ni": NI, "Nj": NJ, "latitudeOfFirstGridPointInDegrees": 55, "latitudeOfLastGridPointInDegrees": 51.25,
        "longitudeOfFirstGridPointInDegrees": 10, "longitudeOfLastGridPointInDegrees": 15.75,
        "iDirectionIncrementInDegrees": 0.25, "jDirectionIncrementInDegrees": 0.25,
        "centre": 7 if is_noaa else 98, "dataDate": int(run.strftime("%Y%m%d")), "dataTime": run.hour * 100, "stepUnits": 1,
        "productDefinitionTemplateNumber": template,
        "parameterCategory": category, "parameterNumber": number, "typeOfFirstFixedSurface": surface, "bitsPerValue": 16,
    }
    if level is not None:
        keys |= {"scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": level}
    if process is not None:
        keys["typeOfStatisticalProcessing"] = process
    for key, value in keys.items():
        ec.codes_set(handle, key, value)
    return handle


prototypes = {}


def message(name, member, step, begin, values, states_member):
    kind = (name, states_member)
    if kind not in prototypes:
        prototypes[kind] = prototype(*kind)
    handle = ec.codes_clone(prototypes[kind])
    if states_member:
        ec.codes_set(handle, "typeOfEnsembleForecast", 1 if member == 0 else 3)
        ec.codes_set(handle, "perturbationNumber", member)
    ec.codes_set(handle, "stepRange", str(step) if FIELDS[name][4] is None else f"{begin}-{step}")
    ec.codes_set_values(handle, values)
    data = ec.codes_get_message(handle)
    # At the first point, as it was packed.
    read = ec.codes_get_double_element(handle, "values", 0)
    ec.codes_release(handle)
    return data, read


def path_of(member, step):
    date, hour = run.strftime("%Y%m%d"), run.strftime("%H")
    if is_noaa:
        name = "c00" if member == 0 else f"p{member:02}"
        return f"gefs.{date}/{hour}/atmos/pgrb2sp25/ge{name}.t{hour}z.pgrb2s.0p25.f{step:03}"
    stream, kind = "enfo", "ef"
    if archive == "ecmwf:aifs-ens":
        kind = "cf" if member == 0 else "pf"
    elif is_50r1 and member == 0:
        stream, kind = "oper", "fc"
    model = "aifs-ens" if archive == "ecmwf:aifs-ens" else "ifs"
    return f"{date}/{hour}z/{model}/0p25/{stream}/{date}{hour}0000-{step}h-{stream}-{kind}.grib2"


files, temperature, rain = {}, {}, {}
for member in members:
    total = np.zeros(NI * NJ)
    since_six = np.zeros(NI * NJ)
    for step in steps:
        states = not (is_50r1 and member == 0)
        for name in FIELDS:
            if name == "tp" and step == 0:
                continue
            begin = 0
            if name == "tp":
                fallen = rng.gamma(0.5, 2, NI * NJ)
                total = total + fallen
                # NOAA's amounts begin anew every 6 hours.
                begin = (step - 1) // 6 * 6 if is_noaa else 0
                since_six = fallen if step % 6 == by % 6 and by == 3 else since_six + fallen
                values = since_six if is_noaa else total
            else:
                values = rng.normal({"2t": 283, "10u": 3, "msl": 101000}[name], 4, NI * NJ)
            data, read = message(name, member, step, begin, values, states)
            files.setdefault(path_of(member, step), []).append((name, member, step, begin, data))
            if name == "2t":
                temperature[member, step] = read - 273.15
            if name == "tp":
                rain[member, step] = (begin, read)

for path, messages in files.items():
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    lines, offset = [], 0
    with open(target, "wb") as file:
        for i, (name, member, step, begin, data) in enumerate(messages):
            if is_noaa:
                at = ("anl" if step == 0 else f"{step} hour fcst") if name != "tp" else f"{begin}-{step} hour acc fcst"
                who = "low-res ctl" if member == 0 else f"+{member}"
                lines.append(f"{i + 1}:{offset}:d={text}:{WGRIB[name]}:{at}:ENS={who}")
            else:
                is_oper = "-fc.grib2" in path
                line = {"domain": "g", "date": text[:8], "time": f"{text[8:]}00", "expver": "0001", "class": "od",
                        "type": "fc" if is_oper else "cf" if member == 0 else "pf",
                        "stream": "oper" if is_oper else "enfo", "step": str(step), "levtype": "sfc"}
                if member > 0:
                    line["number"] = str(member)
                lines.append(json.dumps(line | {"param": name, "_offset": offset, "_length": len(data)}))
            file.write(data)
            offset += len(data)
    index = target.parent / (target.name + ".idx") if is_noaa else target.with_suffix(".index")
    index.write_text("\n".join(lines) + "\n")

days = [(run + dt.timedelta(days=day)).date() for day in range(last // 24 + 2)]
truth = {"temp_mean": [], "precipitation": []}
for member in members:
    means, sums = [], []
    for day in days:
        first = int((dt.datetime(day.year, day.month, day.day) - run).total_seconds() // 3600)
        inside = [step for step in range(first, first + 24, by)]
        means.append(float(np.mean([temperature[member, s] for s in inside])) if all((member, s) in temperature for s in inside) else None)
        if first < 0 or first + 24 > last:
            sums.append(None)
        elif is_noaa:
            sums.append(float(sum(rain[member, s][1] for s in range(first + 6, first + 25, 6))))
        else:
            sums.append(float(rain[member, first + 24][1] - (rain[member, first][1] if first > 0 else 0)))
    truth["temp_mean"].append(means)
    truth["precipitation"].append(sums)
print(json.dumps({"first": str(days[0]), **truth}))
