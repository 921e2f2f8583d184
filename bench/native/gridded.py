"""Gridded ensembles for bench/gridded.ts: makes them, and computes their weekly statistics by xarray and numpy.

    gridded.py make FOLDER GB raw|deflate|zarr|members
    gridded.py xarray FILE OUT
    gridded.py numpy FILE OUT      prints the seconds of reading and of computing
    gridded.py compare OURS OTHER [CDO...]
"""

import os
import sys
import time

import numpy as np

MEMBERS, NY, NX = 31, 361, 720
QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
COORDINATES = {
    "number": (np.arange(MEMBERS, dtype="i4"), {"standard_name": "realization"}),
    "latitude": (np.linspace(90, -90, NY), {"units": "degrees_north", "standard_name": "latitude"}),
    "longitude": (np.arange(NX) * 0.5, {"units": "degrees_east", "standard_name": "longitude"}),
}
RAIN = {"units": "mm", "standard_name": "lwe_thickness_of_precipitation_amount", "cell_methods": "time: sum"}
TIME = {"units": "days since 2026-03-02", "calendar": "proleptic_gregorian", "standard_name": "time"}


def days_of(gigabytes):
    """A number of days that is complete weeks, from a Monday on."""
    return max(1, round(gigabytes * 1e9 / (4 * MEMBERS * NY * NX * 7))) * 7


def fields():
    """Rain with dry places and steps of 0.01 mm; each field is one of eight, shifted along the longitudes."""
    random = np.random.default_rng(1)
    base = random.gamma(0.4, 6, size=(8, NY, NX))
    base[random.random((8, NY, NX)) < 0.5] = 0
    base = np.round(base, 2).astype("f4")
    return lambda member, day: np.roll(base[(7 * member + day) % 8], (131 * member + 17 * day) % NX, axis=1)


def make(folder, gigabytes, kind):
    import netCDF4

    days, field = days_of(float(gigabytes)), fields()
    if kind == "zarr":
        return make_zarr(os.path.join(folder, "zstd.zarr"), days, field)
    names = [f"member{m:02d}.nc" for m in range(MEMBERS)] if kind == "members" else [f"{kind}.nc"]
    for index, name in enumerate(names):
        members = [index] if kind == "members" else range(MEMBERS)
        dimensions = ("time", "latitude", "longitude")
        if kind != "members":
            dimensions = ("number", *dimensions)
        with netCDF4.Dataset(os.path.join(folder, name), "w") as file:
            file.Conventions = "CF-1.8"
            for dimension in dimensions:
                values, attributes = (np.arange(days), TIME) if dimension == "time" else COORDINATES[dimension]
                file.createDimension(dimension, len(values))
                coordinate = file.createVariable(dimension, values.dtype, (dimension,))
                coordinate[:] = values
                coordinate.setncatts(attributes)
            packed = {"zlib": True, "complevel": 1, "shuffle": True, "chunksizes": (1, 1, NY, NX)}
            options = packed if kind == "deflate" else {}
            rain = file.createVariable("precip", "f4", dimensions, fill_value=np.nan, **options)
            rain.setncatts(RAIN)
            for member in members:
                for day in range(days):
                    rain[(day,) if kind == "members" else (member, day)] = field(member, day)


def make_zarr(path, days, field):
    import zarr
    from zarr.codecs import ZstdCodec

    group = zarr.open_group(path, mode="w", zarr_format=3)
    for name, (values, attributes) in {**COORDINATES, "time": (np.arange(days, dtype="i4"), TIME)}.items():
        array = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=[name])
        array[:] = values
        array.attrs.update(attributes)
    rain = group.create_array(
        "precip",
        shape=(MEMBERS, days, NY, NX),
        chunks=(1, 7, NY, NX),
        dtype="f4",
        fill_value=float("nan"),
        dimension_names=["number", "time", "latitude", "longitude"],
        compressors=[ZstdCodec(level=1)],
    )
    rain.attrs.update(RAIN)
    for member in range(MEMBERS):
        for day in range(0, days, 7):
            rain[member, day : day + 7] = np.stack([field(member, d) for d in range(day, day + 7)])


def by_xarray(path, out):
    """As its documentation advises: chunks of dask by week, coarsen, mean and quantile over members."""
    import xarray

    rain = xarray.open_dataset(path, chunks={"number": -1, "time": 7, "latitude": 90})["precip"]
    weekly = rain.coarsen(time=7).sum()
    result = xarray.Dataset({"mean": weekly.mean("number"), "quantile": weekly.quantile(QUANTILES, "number")})
    result.to_netcdf(out)


def by_numpy(path, out):
    import netCDF4

    reading = computing = 0.0
    results = []
    with netCDF4.Dataset(path) as file:
        rain = file["precip"]
        rain.set_auto_mask(False)
        for day in range(0, rain.shape[1], 7):
            start = time.perf_counter()
            values = rain[:, day : day + 7]
            middle = time.perf_counter()
            weekly = values.sum(axis=1)
            results.append((weekly.mean(axis=0), np.quantile(weekly, QUANTILES, axis=0)))
            end = time.perf_counter()
            reading += middle - start
            computing += end - middle
    np.savez(out, mean=np.stack([mean for mean, _ in results]), quantile=np.stack([q for _, q in results]))
    print(reading, computing)


def compare(ours, other, *cdo):
    """Prints the largest difference, as a share of the largest value."""
    import netCDF4

    # Quantiles come first: quantile, time, latitude, longitude.
    with netCDF4.Dataset(ours) as file:
        mean, quantile = file["precipitation_mean"][:], file["precipitation_quantile"][:]
    if cdo:
        files = [netCDF4.Dataset(path) for path in (other, *cdo)]
        others = [file["precip"][:] for file in files]
        theirs = others[0], np.stack(others[1:])
    elif other.endswith(".npz"):
        theirs = np.load(other)["mean"], np.moveaxis(np.load(other)["quantile"], 1, 0)
    else:
        with netCDF4.Dataset(other) as file:
            theirs = file["mean"][:], file["quantile"][:]
    if any(a.shape != b.shape for a, b in zip((mean, quantile), theirs)):
        sys.exit(f"{ours} and {other} have different shapes")
    print(max(np.abs(a - b).max() / np.abs(a).max() for a, b in zip((mean, quantile), theirs)))


if __name__ == "__main__":
    {"make": make, "xarray": by_xarray, "numpy": by_numpy, "compare": compare}[sys.argv[1]](*sys.argv[2:])
