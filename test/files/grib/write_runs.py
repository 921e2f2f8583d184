"""Writes runs in the layouts of GEFS and ECMWF with ecCodes, and their weekly statistics, computed from the values that ecCodes
reads from them.

    python write_runs.py FOLDER MEMBERS

Makes FOLDER/gefs (a file for each member and step, without endings; amounts and extremes in buckets that are reset every 6
hours; steps of 3, then of 6 hours) and FOLDER/ens (a file for each step with all members but the control, which is apart; amounts since the
start of the run). FOLDER/index has their index files, in the forms of wgrib2 (FILE.idx) and ECMWF (.index for .grib2), by the
keys that ecCodes reads. Prints JSON: the grid, and for each run and variable the means and quantiles of the members of each complete
ISO week, by cell.
"""

import json
import os
import sys

import eccodes as ec
import numpy as np

folder, MEMBERS = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(18)
NI, NJ = 4, 3
LATITUDES = [50.0, 49.75, 49.5]
LONGITUDES = [359.75, 0.0, 0.25, 0.5]
DAYS = 8
QUANTILES = [0.1, 0.5, 0.9]
# A Monday.
DATE = 20260302
GROUND = {"typeOfFirstFixedSurface": 103, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 2}
WIND = {**GROUND, "scaledValueOfFirstFixedSurface": 10}
SURFACE = {"typeOfFirstFixedSurface": 1}


def numbers(discipline, category, number):
    return {"discipline": discipline, "parameterCategory": category, "parameterNumber": number}


def template(centre):
    handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    keys = {"Ni": NI, "Nj": NJ, "latitudeOfFirstGridPointInDegrees": LATITUDES[0], "latitudeOfLastGridPointInDegrees": LATITUDES[-1],
            "longitudeOfFirstGridPointInDegrees": LONGITUDES[0], "longitudeOfLastGridPointInDegrees": LONGITUDES[-1],
            "iDirectionIncrementInDegrees": 0.25, "jDirectionIncrementInDegrees": 0.25,
            "centre": centre, "dataDate": DATE, "dataTime": 0, "stepUnits": 1}
    for key, value in keys.items():
        ec.codes_set(handle, key, value)
    return handle


models = {}
# Of each file of messages, the lines of its index file.
index_lines = {}


def model(base, short, keys, process, packing):
    """A message of a parameter, to be copied for each step."""
    if (base, short) not in models:
        handle = ec.codes_clone(base)
        ec.codes_set(handle, "productDefinitionTemplateNumber", 1 if process is None else 11)
        if process is not None:
            ec.codes_set(handle, "typeOfStatisticalProcessing", process)
        for key, value in {**keys, "packingType": packing, "bitsPerValue": 16}.items():
            ec.codes_set(handle, key, value)
        models[(base, short)] = handle
    return models[(base, short)]


class Step:
    """The messages of a step, one of each parameter, which become those of one member after the other: copies take long."""

    def __init__(self, base, read, line):
        self.base, self.read, self.line, self.handles, self.names = base, read, line, {}, {}

    def write(self, file, short, keys, process, packing, member, steps, values):
        """Writes a message, and keeps the values that ecCodes reads from it."""
        start, end = steps if process is not None else (steps[1], steps[1])
        if short not in self.handles:
            self.handles[short] = ec.codes_clone(model(self.base, short, keys, process, packing))
            ec.codes_set(self.handles[short], "stepRange", str(end) if process is None else f"{start}-{end}")
        handle = self.handles[short]
        ec.codes_set(handle, "typeOfEnsembleForecast", 1 if member == 0 else 3)
        ec.codes_set(handle, "perturbationNumber", member)
        ec.codes_set_values(handle, values.ravel())
        lines = index_lines.setdefault(file.name, [])
        lines.append(self.line(len(lines) + 1, file.tell(), lambda key: self.get(short, key)) + "\n")
        file.write(ec.codes_get_message(handle))
        self.read[(short, member, start, end)] = ec.codes_get_values(handle)

    def get(self, short, key):
        """A key of a message as ecCodes reads it; its name once for all members, as ecCodes searches for it."""
        if key != "shortName":
            return ec.codes_get(self.handles[short], key, int)
        if short not in self.names:
            self.names[short] = ec.codes_get(self.handles[short], key, str)
        return self.names[short]

    def release(self):
        for handle in self.handles.values():
            ec.codes_release(handle)


NCEP_NAMES = {(0, 0, 0): "TMP", (0, 0, 6): "DPT", (0, 2, 2): "UGRD", (0, 2, 3): "VGRD", (0, 0, 4): "TMAX", (0, 0, 5): "TMIN",
              (0, 1, 8): "APCP", (0, 4, 192): "DSWRF"}


def ncep_line(number, offset, get):
    name = NCEP_NAMES[(get("discipline"), get("parameterCategory"), get("parameterNumber"))]
    level = "surface" if get("typeOfFirstFixedSurface") == 1 else f"{get('scaledValueOfFirstFixedSurface')} m above ground"
    start, end = get("startStep"), get("endStep")
    instant = "anl" if end == 0 else f"{end} hour fcst"
    is_instant = get("productDefinitionTemplateNumber") == 1
    when = instant if is_instant else f"{start}-{end} hour {['ave', 'acc', 'max', 'min'][get('typeOfStatisticalProcessing')]} fcst"
    member = "low-res ctl" if get("typeOfEnsembleForecast") == 1 else f"+{get('perturbationNumber')}"
    return f"{number}:{offset}:d={get('dataDate')}{get('dataTime') // 100:02}:{name}:{level}:{when}:ENS={member}"


def ecmwf_line(number, offset, get):
    keys = {"domain": "g", "date": str(get("dataDate")), "time": f"{get('dataTime'):04}", "expver": "0001", "class": "od",
            "type": "cf" if get("perturbationNumber") == 0 else "pf", "stream": "enfo", "step": str(get("endStep")), "levtype": "sfc",
            "number": str(get("perturbationNumber")), "param": get("shortName"), "_offset": offset, "_length": get("totalLength")}
    return json.dumps(keys)


def write_indexes(run, name_of):
    os.makedirs(os.path.join(folder, "index", run))
    for path, lines in index_lines.items():
        directory, name = os.path.split(path)
        if os.path.basename(directory) == run:
            with open(os.path.join(folder, "index", run, name_of(name)), "w") as file:
                file.writelines(lines)


def truth(members):
    """Hourly values: of rain and radiation those of the hour before, of others instants."""
    hours = DAYS * 24 + 1
    shape = (members, hours, NJ, NI)
    daily = 8 * np.sin((np.arange(hours) - 9) / 24 * 2 * np.pi)[None, :, None, None]
    t = 283 + daily + rng.normal(0, 2, shape)
    return {
        "rain": np.where(rng.random(shape) < 0.3, rng.gamma(1, 1.5, shape), 0),
        "sun": np.maximum(0, 60 * daily + rng.normal(0, 20, shape)),
        "t": t,
        "d": t - rng.gamma(2, 2, shape),
        "u": rng.normal(2, 4, shape),
        "v": rng.normal(-1, 4, shape),
    }


def write_gefs(steps, members):
    os.makedirs(os.path.join(folder, "gefs"))
    base, read = template(7), {}
    data = truth(members)
    for step in steps:
        messages = Step(base, read, ncep_line)
        start = step - 3 if step % 6 == 3 else step - 6
        span = slice(start + 1, step + 1)
        for member in range(members):
            name = f"ge{'c' if member == 0 else 'p'}{member:02}.t00z.pgrb2s.0p25.f{step:03}"
            of = {name: values[member] for name, values in data.items()}
            fields = [
                ("2t", {**numbers(0, 0, 0), **GROUND}, None, "grid_simple", of["t"][step]),
                ("2d", {**numbers(0, 0, 6), **GROUND}, None, "grid_complex", of["d"][step]),
                ("10u", {**numbers(0, 2, 2), **WIND}, None, "grid_ccsds", of["u"][step]),
                ("10v", {**numbers(0, 2, 3), **WIND}, None, "grid_simple", of["v"][step]),
            ]
            if step > 0:
                fields += [
                    ("tmax", {**numbers(0, 0, 4), **GROUND}, 2, "grid_complex", of["t"][span].max(0)),
                    ("tmin", {**numbers(0, 0, 5), **GROUND}, 3, "grid_simple", of["t"][span].min(0)),
                    ("tp", {**numbers(0, 1, 8), **SURFACE}, 1, "grid_simple", of["rain"][span].sum(0)),
                    ("dswrf", {**numbers(0, 4, 192), **SURFACE}, 0, "grid_complex", of["sun"][span].mean(0)),
                ]
            with open(os.path.join(folder, "gefs", name), "wb") as file:
                for *what, values in fields:
                    messages.write(file, *what, member, (start, step), values)
        messages.release()
    return read


def write_ens(steps, members):
    os.makedirs(os.path.join(folder, "ens"))
    base, read = template(98), {}
    data = truth(members)
    for step in steps:
        messages = Step(base, read, ecmwf_line)
        before = max([other for other in steps if other < step], default=0)
        files = [open(os.path.join(folder, "ens", f"{kind}-{step}h.grib2"), "wb") for kind in ("cf", "pf")]
        for member in range(members):
            of = {name: values[member] for name, values in data.items()}
            fields = [("2t", {**numbers(0, 0, 0), **GROUND}, None, 0, of["t"][step])]
            if step > 0:
                fields += [
                    ("tp", {"localTablesVersion": 1, **numbers(0, 1, 193), **SURFACE}, 1, 0, of["rain"][1:step + 1].sum(0) / 1000),
                    ("ssrd", {**numbers(0, 4, 7), **SURFACE}, 1, 0, of["sun"][1:step + 1].sum(0) * 3600),
                    ("mx2t", {**numbers(0, 0, 0), **GROUND}, 2, before, of["t"][before + 1:step + 1].max(0)),
                ]
            for short, keys, process, start, values in fields:
                messages.write(files[min(member, 1)], short, keys, process, "grid_ccsds", member, (start, step), values)
        for file in files:
            file.close()
        messages.release()
    return read


def instants(read, short, member, steps, values=None):
    """Daily means of instants: each holds until the next."""
    values = values or (lambda step: read[(short, member, step, step)])
    days = []
    for day in range(DAYS):
        of_day = [step for step in steps if 24 * day <= step < 24 * day + 24]
        lengths = [min(other for other in [*steps, 24 * DAYS] if other > step) - step for step in of_day]
        days.append(sum(values(step) * length for step, length in zip(of_day, lengths)) / 24)
    return np.array(days)


def wind(read, member):
    return lambda step: np.hypot(read[("10u", member, step, step)], read[("10v", member, step, step)])


def humidity(read, member):
    pressure = lambda kelvin: 0.6108 * np.exp(17.27 * (kelvin - 273.15) / (kelvin - 273.15 + 237.3))
    def at(step):
        dew, air = read[("2d", member, step, step)], read[("2t", member, step, step)]
        return np.minimum(100, 100 * pressure(dew) / pressure(air))
    return at


def buckets(read, short, member, reduce):
    return np.array([reduce([read[(short, member, start, start + 6)] for start in range(24 * day, 24 * day + 24, 6)])
                     for day in range(DAYS)])


def growth(read, short, member):
    ends = [np.zeros(NI * NJ), *[read[(short, member, 0, 24 * (day + 1))] for day in range(DAYS)]]
    return np.diff(np.array(ends), axis=0)


def weekly(days, rule):
    """Statistics over the members of the first ISO week, the only complete one; `days` by member, day and cell."""
    week = {"sum": np.sum, "mean": np.mean, "min": np.min, "max": np.max}[rule](days[:, :7], axis=1)
    return {"mean": week.mean(0).tolist(), "quantiles": np.quantile(week, QUANTILES, axis=0).tolist()}


def main():
    gefs_steps = [*range(0, 96, 3), *range(96, 24 * DAYS + 1, 6)]
    ens_steps = [*range(0, 48, 3), *range(48, 24 * DAYS + 1, 6)]
    gefs, ens = write_gefs(gefs_steps, 5), write_ens(ens_steps, MEMBERS)
    write_indexes("gefs", lambda name: f"{name}.idx")
    write_indexes("ens", lambda name: name.replace(".grib2", ".index"))
    of = lambda members, make: np.array([make(member) for member in range(members)])
    runs = {
        "gefs": {
            "precipitation": weekly(of(5, lambda m: buckets(gefs, "tp", m, sum)), "sum"),
            "temp_mean": weekly(of(5, lambda m: instants(gefs, "2t", m, gefs_steps) - 273.15), "mean"),
            "temp_max": weekly(of(5, lambda m: buckets(gefs, "tmax", m, lambda v: np.max(v, 0)) - 273.15), "mean"),
            "temp_min": weekly(of(5, lambda m: buckets(gefs, "tmin", m, lambda v: np.min(v, 0)) - 273.15), "mean"),
            "solar_radiation": weekly(of(5, lambda m: buckets(gefs, "dswrf", m, sum) * 0.0216), "mean"),
            "wind_speed": weekly(of(5, lambda m: instants(gefs, "", m, gefs_steps, wind(gefs, m))), "mean"),
            "relative_humidity": weekly(of(5, lambda m: instants(gefs, "", m, gefs_steps, humidity(gefs, m))), "mean"),
        },
        "ens": {
            "precipitation": weekly(of(MEMBERS, lambda m: growth(ens, "tp", m) * 1000), "sum"),
            "temp_mean": weekly(of(MEMBERS, lambda m: instants(ens, "2t", m, ens_steps) - 273.15), "mean"),
            "temp_max": weekly(of(MEMBERS, lambda m: np.array([
                np.max([ens[("mx2t", m, s - (3 if s <= 48 else 6), s)] for s in ens_steps if 24 * d < s <= 24 * d + 24], 0)
                for d in range(DAYS)]) - 273.15), "mean"),
            "solar_radiation": weekly(of(MEMBERS, lambda m: growth(ens, "ssrd", m) / 1e6), "mean"),
        },
    }
    print(json.dumps({"latitudes": LATITUDES, "longitudes": LONGITUDES, "runs": runs}))


main()
