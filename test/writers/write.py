"""
Writes one ensemble in every way that other people's tools write one, into a folder, and prints what it wrote as JSON.

    python write.py FOLDER CASES [TOOLS]

CASES is `one` for a case of each writer and of each shape, `all` for every writer with every shape that it has. TOOLS are the modules
that may be used, by default all that are installed. The others are left out, and listed.

The ensemble: rain and temperature of five members, 42 days from Monday, 2 March 2026, at one place, and of a grid of four.
Values are multiples of 1/8 mm, 1/8 degC, so that float32 holds them exactly.
"""

import gzip
import importlib
import json
import os
import shutil
import subprocess
import sys
import warnings
from datetime import datetime, timedelta, timezone

warnings.simplefilter("ignore")
folder, cases = sys.argv[1:3]
allowed = sys.argv[3].split(",") if len(sys.argv) > 3 else None
os.makedirs(folder, exist_ok=True)
files, absent = [], []


def tool(name):
    """A module; None where it is not installed or not to be used."""
    try:
        if allowed is not None and name not in allowed:
            raise ImportError
        return importlib.import_module(name)
    except ImportError:
        absent.append(name)
        return None


np, pd, pl, pa = tool("numpy"), tool("pandas"), tool("polars"), tool("pyarrow")
duckdb, xr, zarr = tool("duckdb"), tool("xarray"), tool("zarr")
has_netcdf4, has_h5netcdf, has_scipy = tool("netCDF4"), tool("h5netcdf"), tool("scipy")
cdo = shutil.which("cdo") or absent.append("cdo")
if np is None:
    print(json.dumps({"files": [], "absent": absent}))
    sys.exit()
if pa:
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

MEMBERS, DAYS = 5, 42
FIRST = datetime(2026, 3, 2)
LATITUDES, LONGITUDES = [52.5, 52.0], [13.0, 13.5]
random = np.random.default_rng(1)
# By member, day, latitude and longitude.
RAIN = np.round(random.gamma(0.6, 6, (MEMBERS, DAYS, 2, 2)) * 8) / 8 * (random.random((MEMBERS, DAYS, 2, 2)) < 0.7)
WARMTH = np.round((8 + random.normal(0, 4, (MEMBERS, DAYS, 2, 2))) * 8) / 8
DATES = [FIRST + timedelta(days=day) for day in range(DAYS)]


def add(writer, shape, path, variable="precipitation", **values):
    """Lists a file that was written: `values` are options that stats needs for it."""
    files.append({"writer": writer, "shape": shape, "path": path, "variable": variable, "values": values})


def path_of(writer, shape, ending):
    return os.path.join(folder, f"{writer}--{shape}.{ending}".replace(" ", "-").replace(",", "").replace("/", "-"))


written = set()


def is_wanted(writer, shape):
    """Whether a case is to be written: of one case each, that of a writer or a shape that is new."""
    is_new = ("writer", writer) not in written or ("shape", shape) not in written
    if cases != "all" and not is_new:
        return False
    written.update([("writer", writer), ("shape", shape)])
    return True


# ---------------------------------------------------------------------------------------------------------------- tables

def wide(name="tp_{:02d}", dates=DATES, date="time"):
    return {date: dates, **{name.format(m): RAIN[m, :, 0, 0] for m in range(MEMBERS)}}


def long(dates=DATES, date="date", member="member", value="precipitation", of=RAIN, with_place=False):
    rows = [(d, m) for d in range(DAYS) for m in range(MEMBERS)]
    table = {date: [dates[d] for d, _ in rows], member: [m for _, m in rows], value: [of[m, d, 0, 0] for d, m in rows]}
    return {"latitude": [52.5] * len(rows), "longitude": [13.0] * len(rows), **table} if with_place else table


def several_variables():
    rain, warmth = long(value="value"), long(value="value", of=WARMTH)
    names = {"variable": ["precipitation"] * len(rain["date"]) + ["temp_mean"] * len(rain["date"])}
    return {**{key: rain[key] + warmth[key] for key in rain}, **names}


DAY_NUMBERS = [int(day.strftime("%Y%m%d")) for day in DATES]
SECONDS = [int(day.replace(tzinfo=timezone.utc).timestamp()) for day in DATES]
#: By shape: columns, and what stats has to be given.
TABLES = {
    "wide": (wide, {}),
    "wide, stem alone is member 0": (lambda: {
        "time": DATES,
        "precipitation_sum": RAIN[0, :, 0, 0],
        **{f"precipitation_sum_member{m:02d}": RAIN[m, :, 0, 0] for m in range(1, MEMBERS)},
    }, {}),
    "long": (long, {}),
    "long with a place": (lambda: long(with_place=True), {}),
    "long of ECMWF": (lambda: long(date="valid_time", member="number", value="tp"), {"units": "mm"}),
    "long of CMIP": (lambda: long(date="time", member="realization", value="pr"), {"units": "mm"}),
    "long, several variables": (several_variables, {}),
    "dates as eight digits": (lambda: long(dates=DAY_NUMBERS), {}),
    "dates as seconds": (lambda: long(dates=SECONDS, date="time"), {}),
    "dates as milliseconds": (lambda: long(dates=[1000 * s for s in SECONDS], date="time"), {}),
    "dates as texts": (lambda: long(dates=[day.strftime("%Y-%m-%d") for day in DATES]), {}),
    "times with an offset": (lambda: wide(dates=[day.strftime("%Y-%m-%d 00:00:00+00") for day in DATES]), {}),
    "year, month, day": (lambda: {
        "year": [d.year for d in DATES], "month": [d.month for d in DATES], "day": [d.day for d in DATES],
        **{f"member_{m}": RAIN[m, :, 0, 0] for m in range(MEMBERS)},
    }, {}),
    "NCEP names": (lambda: wide("APCP_{:02d}"), {"units": "mm"}),
}


def as_pandas(columns):
    return pd.DataFrame(columns)


def pivoted():
    """Members as columns of a pivot, dates as its index."""
    return pd.DataFrame(long()).pivot(index="date", columns="member", values="precipitation")


def write_lines(path, text, encoding="utf-8"):
    with open(path, "w", encoding=encoding, newline="") as file:
        file.write(text)


def duck(columns, path, options):
    frame = pa.table(columns)  # noqa: F841 - DuckDB finds it by its name.
    duckdb.sql(f"COPY (SELECT * FROM frame) TO '{path}' ({options})")


def polars(columns):
    return pl.DataFrame({name: list(values) for name, values in columns.items()})


def arrow(columns):
    return pa.table({name: list(values) for name, values in columns.items()})


def ipc(columns, path, make, **options):
    table = arrow(columns)
    with make(path, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=50)


#: By writer: what it needs, how files end, and how it writes columns.
TABLE_WRITERS = {
    "pandas, CSV": (pd, "csv", lambda c, p: as_pandas(c).to_csv(p, index=False)),
    "pandas, CSV with its index": (pd, "csv", lambda c, p: as_pandas(c).to_csv(p)),
    "pandas, CSV indexed by date": (
        pd, "csv", lambda c, p: as_pandas(c).set_index(next(iter(c))).rename_axis(None).to_csv(p)),
    "pandas, CSV in gzip": (pd, "csv.gz", lambda c, p: as_pandas(c).to_csv(p, index=False)),
    "pandas, decimal commas": (pd, "csv", lambda c, p: as_pandas(c).to_csv(p, index=False, sep=";", decimal=",")),
    "pandas, UTF-16": (pd, "csv", lambda c, p: as_pandas(c).to_csv(p, index=False, encoding="utf-16")),
    "pandas, tabs": (pd, "tsv", lambda c, p: as_pandas(c).to_csv(p, index=False, sep="\t")),
    "pandas, Parquet": (pd and pa, "parquet", lambda c, p: as_pandas(c).to_parquet(p)),
    "pandas, Feather": (pd and pa, "feather", lambda c, p: as_pandas(c).to_feather(p)),
    "Polars, CSV": (pl, "csv", lambda c, p: polars(c).write_csv(p)),
    "Polars, Parquet": (pl, "parquet", lambda c, p: polars(c).write_parquet(p)),
    "Polars, Arrow": (pl, "arrow", lambda c, p: polars(c).write_ipc(p)),
    "Polars, Arrow in Zstandard": (pl, "arrow", lambda c, p: polars(c).write_ipc(p, compression="zstd")),
    "Polars, Arrow of the oldest form": (
        pl, "arrow", lambda c, p: polars(c).write_ipc(p, compat_level=pl.CompatLevel.oldest())),
    "Polars, Arrow stream": (pl, "arrows", lambda c, p: polars(c).write_ipc_stream(p)),
    "pyarrow, CSV": (pa, "csv", lambda c, p: pa.csv.write_csv(arrow(c), p)),
    "pyarrow, Parquet": (pa, "parquet", lambda c, p: pa.parquet.write_table(arrow(c), p, row_group_size=50)),
    "pyarrow, Parquet 2.6 in Brotli": (pa, "parquet", lambda c, p: pa.parquet.write_table(
        arrow(c), p, version="2.6", data_page_version="2.0", compression="brotli", use_dictionary=False)),
    "pyarrow, Arrow": (pa, "arrow", lambda c, p: ipc(c, p, pa.ipc.new_file)),
    "pyarrow, Arrow in LZ4": (pa, "arrow", lambda c, p: ipc(c, p, pa.ipc.new_file, compression="lz4")),
    "pyarrow, Arrow stream": (pa, "arrows", lambda c, p: ipc(c, p, pa.ipc.new_stream)),
    "DuckDB, CSV": (duckdb and pa, "csv", lambda c, p: duck(c, p, "FORMAT csv, HEADER")),
    "DuckDB, CSV in gzip": (duckdb and pa, "csv.gz", lambda c, p: duck(c, p, "FORMAT csv, HEADER, COMPRESSION gzip")),
    "DuckDB, Parquet": (duckdb and pa, "parquet", lambda c, p: duck(c, p, "FORMAT parquet")),
}

for writer, (has, ending, write) in TABLE_WRITERS.items():
    for shape, (columns, values) in TABLES.items():
        if not has or not is_wanted(writer, shape):
            continue
        made = columns()
        if "indexed by date" in writer and (shape.startswith("dates as") or shape == "year, month, day"):
            continue
        path = path_of(writer, shape, ending)
        write(made, path)
        add(writer, shape, path, **values)

if pd:
    path = path_of("pandas", "pivot", "csv")
    pivoted().to_csv(path)
    add("pandas, CSV", "pivot", path)
    path = path_of("pandas", "units in Latin-1", "csv")
    frame = pd.DataFrame(wide("Pluie totale member {:02d} (mm)"))
    frame["Température (°C)"] = WARMTH[0, :, 0, 0]
    frame.to_csv(path, index=False, encoding="latin-1")
    add("pandas, CSV", "units in Latin-1", path)
    path = path_of("pandas", "missing as -9999", "csv")
    frame = pd.DataFrame(wide())
    frame.loc[1, "tp_00"] = -9999
    frame.to_csv(path, index=False)
    add("pandas, CSV", "missing as -9999", path, missing=[-9999])
    files[-1]["gap"] = True
    path = path_of("pandas", "rows out of order", "csv")
    pd.DataFrame(long()).sample(frac=1, random_state=1).to_csv(path, index=False)
    add("pandas, CSV", "rows out of order", path, sort=True)

# ------------------------------------------------------------------------------------------------------------ Open-Meteo

OPEN_METEO_NAMES = ["precipitation_sum"] + [f"precipitation_sum_member{m:02d}" for m in range(1, MEMBERS)]
PLACE = {"latitude": 52.5, "longitude": 13.0, "elevation": 38.0, "utc_offset_seconds": 0, "timezone": "GMT",
         "timezone_abbreviation": "GMT"}


def open_meteo_csv():
    lines = [",".join(PLACE), ",".join(str(value) for value in PLACE.values()), "",
             ",".join(["time", *(f"{name} (mm)" for name in OPEN_METEO_NAMES)])]
    for d, day in enumerate(DATES):
        lines.append(",".join([day.strftime("%Y-%m-%d"), *(f"{RAIN[m, d, 0, 0]:.3f}" for m in range(MEMBERS))]))
    return "\n".join(lines) + "\n"


def open_meteo_hourly_csv(offset):
    """A third of each day's rain in its hours 3, 12 and 21: the hours that end at 04:00, 13:00 and 22:00."""
    place = {**PLACE, "utc_offset_seconds": offset}
    lines = [",".join(place), ",".join(str(value) for value in place.values()), "",
             ",".join(["time", *(f"{name} (mm)" for name in OPEN_METEO_NAMES)]).replace("_sum", "")]
    for h in range(DAYS * 24 + 1):
        d, hour = divmod(h - 1, 24)
        parts = {3: 0.5, 12: 0.25, 23: 0.25}
        values = [(RAIN[m, d, 0, 0] * parts.get(hour, 0) if h > 0 else 0) for m in range(MEMBERS)]
        time = FIRST + timedelta(hours=h, seconds=offset)
        lines.append(",".join([time.strftime("%Y-%m-%dT%H:%M"), *(f"{value:.5f}" for value in values)]))
    return "\n".join(lines) + "\n"


def open_meteo_json():
    names = {name: [float(v) for v in RAIN[m, :, 0, 0]] for m, name in enumerate(OPEN_METEO_NAMES)}
    return json.dumps({**PLACE, "generationtime_ms": 0.1,
                       "daily_units": {"time": "iso8601", **{name: "mm" for name in OPEN_METEO_NAMES}},
                       "daily": {"time": [day.strftime("%Y-%m-%d") for day in DATES], **names}})


for shape, ending, text in [
    ("daily CSV", "csv", open_meteo_csv()),
    ("hourly CSV", "csv", open_meteo_hourly_csv(0)),
    ("hourly CSV in local time", "csv", open_meteo_hourly_csv(3600)),
    ("daily JSON", "json", open_meteo_json()),
]:
    path = path_of("Open-Meteo", shape, ending)
    write_lines(path, text)
    add("Open-Meteo", shape, path)
path = path_of("Open-Meteo", "daily CSV in gzip", "csv.gz")
with gzip.open(path, "wt") as file:
    file.write(open_meteo_csv())
add("Open-Meteo", "daily CSV in gzip", path)

# ---------------------------------------------------------------------------------------------------------------- arrays

TIME = np.array(DATES, dtype="datetime64[ns]")
AXES = {"latitude": ("latitude", LATITUDES, {"units": "degrees_north"}),
        "longitude": ("longitude", LONGITUDES, {"units": "degrees_east"})}


def dataset(name, values, attributes, member, time, latitude="latitude", longitude="longitude", longitudes=LONGITUDES):
    dimensions = (member, "time", latitude, longitude)
    return xr.Dataset(
        {name: (dimensions, values.astype("float32"), attributes)},
        coords={
            member: (member, np.arange(MEMBERS, dtype="int32")),
            "time": ("time", time),
            latitude: (latitude, LATITUDES, {"units": "degrees_north"}),
            longitude: (longitude, longitudes, {"units": "degrees_east"}),
        },
    )


def cf():
    attributes = {"standard_name": "precipitation_amount", "units": "kg m-2", "cell_methods": "time: sum"}
    return dataset("pr", RAIN, attributes, "realization", TIME)


def ecmwf():
    """Metres since the run began, every six hours, as ECMWF's tp."""
    steps = np.arange(1, DAYS * 4 + 1)
    shares = np.repeat(RAIN, 4, axis=1) / 4 / 1024
    total = np.concatenate([np.zeros((MEMBERS, 1, 2, 2)), np.cumsum(shares, axis=1)], axis=1)
    attributes = {"GRIB_stepType": "accum", "GRIB_shortName": "tp", "units": "m", "standard_name": "unknown"}
    made = xr.Dataset(
        {"tp": (("number", "step", "latitude", "longitude"), total * 1.024, attributes)},
        coords={
            "number": ("number", np.arange(MEMBERS)),
            "time": FIRST,
            "step": ("step", np.concatenate([[0], steps]) * np.timedelta64(6, "h").astype("timedelta64[ns]")),
            "latitude": ("latitude", LATITUDES, {"units": "degrees_north", "standard_name": "latitude"}),
            "longitude": ("longitude", LONGITUDES, {"units": "degrees_east", "standard_name": "longitude"}),
        },
    )
    made = made.assign_coords(valid_time=made.time + made.step)
    return made


def c3s():
    """A rate in metres a second, as C3S has of daily means, at the ends of their days, as cfgrib gives them."""
    attributes = {"units": "m s-1", "long_name": "Mean total precipitation rate", "GRIB_shortName": "tprate",
                  "GRIB_stepType": "avg"}
    return dataset("tprate", RAIN / 86_400_000, attributes, "number",
                   TIME + np.timedelta64(1, "D"))


def ncep():
    attributes = {"units": "kg/m^2", "short_name": "APCP_surface", "long_name": "Total Precipitation", "level": "surface"}
    return dataset("APCP_surface", RAIN, attributes, "ens", TIME)


def southwards_to_360():
    """Longitudes beyond 180, latitudes to the north."""
    made = cf()
    return made.isel(latitude=slice(None, None, -1))


def xy():
    made = cf().rename({"latitude": "y", "longitude": "x"})
    return made


def several_arrays():
    made = cf()
    made["tas"] = (made["pr"].dims, (WARMTH + 273.15).astype("float32"),
                   {"units": "K", "standard_name": "air_temperature", "cell_methods": "time: mean"})
    return made


ARRAYS = {
    "CF": cf, "ECMWF": ecmwf, "C3S": c3s, "NCEP": ncep, "latitudes to the north": southwards_to_360, "x and y in degrees": xy,
    "several arrays": several_arrays,
}


def packed(made):
    return {name: {"dtype": "int16", "scale_factor": 0.125, "add_offset": 0.0, "_FillValue": -32768}
            for name, array in made.data_vars.items() if name == "pr"}


def compressed(made):
    return {name: {"zlib": True, "complevel": 4, "shuffle": True} for name in made.data_vars}


def to_zarr(made, path, version, **options):
    made.to_zarr(path, zarr_format=version, **options)


#: By writer: what it needs, how files end, and how it writes a dataset.
ARRAY_WRITERS = {
    "xarray by netCDF4": (xr and has_netcdf4, "nc", lambda d, p: d.to_netcdf(p, engine="netcdf4", encoding=compressed(d))),
    "xarray by h5netcdf": (xr and has_h5netcdf, "nc", lambda d, p: d.to_netcdf(p, engine="h5netcdf")),
    "xarray, NetCDF3": (
        xr and has_netcdf4, "nc", lambda d, p: d.to_netcdf(p, engine="netcdf4", format="NETCDF3_64BIT")),
    "xarray, packed": (xr and has_netcdf4, "nc", lambda d, p: d.to_netcdf(p, engine="netcdf4", encoding=packed(d))),
    "xarray, Zarr 2": (xr and zarr, "zarr", lambda d, p: to_zarr(d, p, 2)),
    "xarray, Zarr 3": (xr and zarr, "zarr", lambda d, p: to_zarr(d, p, 3)),
}

for writer, (has, ending, write) in ARRAY_WRITERS.items():
    for shape, make in ARRAYS.items():
        if not has or not is_wanted(writer, shape) or (writer == "xarray, packed" and shape in ("ECMWF", "C3S", "NCEP")):
            continue
        path = path_of(writer, shape, ending)
        write(make(), path)
        add(writer, shape, path)
        files[-1]["grid"] = True

if cdo and xr and has_netcdf4:
    source = os.path.join(folder, "for-cdo.nc")
    for shape, make in ARRAYS.items():
        # CDO knows no members beside levels.
        if shape in ("ECMWF", "x and y in degrees") or (cases != "all" and shape != "CF"):
            continue
        make().to_netcdf(source)
        for form in ["nc1", "nc2", "nc4", "nc4c", "nc5"] if cases == "all" else ["nc2", "nc4"]:
            path = path_of(f"CDO {form}", shape, "nc")
            done = subprocess.run([cdo, "-s", "-f", form, "copy", source, path], capture_output=True, text=True)
            if done.returncode == 0:
                add(f"CDO, {form}", shape, path)
                files[-1]["grid"] = True
    if os.path.exists(source):
        os.remove(source)

print(json.dumps({
    "files": files,
    "absent": absent,
    "firstDay": "2026-03-02",
    "place": {"latitude": 52.5, "longitude": 13.0},
    "rain": RAIN[:, :, 0, 0].tolist(),
}))
