"""The same points and regions by other software, beside `bench/regions.ts`: xarray, exactextract and CDO.

    python bench/regions-beside.py FILE --points POINTS.csv | --regions REGIONS.geojson

The best of three turns, each with the file in the cache of the system, as of `bench/regions.ts`. Seconds of the clock, and of
processors in brackets.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import tempfile
import time

import numpy as np
import xarray as xr

TURNS = 3


def used():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in (own, children))


def take(name, run):
    clock, processors = [], []
    for _ in range(TURNS):
        begin, before = time.perf_counter(), used()
        run()
        clock.append(time.perf_counter() - begin)
        processors.append(used() - before)
    print(f"{name}: {min(clock):.2f} s ({min(processors):.2f})", flush=True)


def values(path):
    with xr.open_dataset(path) as data:
        name = next(name for name, array in data.items() if array.ndim >= 3)
        return data[name].load()


def cdo(*words):
    subprocess.run(["cdo", "-s", *words], check=True, stderr=subprocess.DEVNULL)


def points(path, table):
    with open(table) as file:
        rows = list(csv.DictReader(file))
    latitude = [float(row["latitude"]) for row in rows]
    longitude = [float(row["longitude"]) % 360 for row in rows]
    at = {"latitude": xr.DataArray(latitude, dims="point"), "longitude": xr.DataArray(longitude, dims="point")}
    take("xarray, read and sel(method=nearest)", lambda: values(path).sel(at, method="nearest").values)
    with tempfile.TemporaryDirectory() as folder:
        grid, weights, out = (os.path.join(folder, name) for name in ("points.txt", "weights.nc", "out.nc"))
        with open(grid, "w") as file:
            numbers = lambda all: " ".join(map(str, all))
            file.write(f"gridtype = unstructured\ngridsize = {len(rows)}\n")
            file.write(f"xvals = {numbers(longitude)}\nyvals = {numbers(latitude)}\n")
        take("cdo remapnn", lambda: cdo(f"remapnn,{grid}", path, out))
        take("cdo remapbil", lambda: cdo(f"remapbil,{grid}", path, out))
        cdo(f"gennn,{grid}", path, weights)
        take("cdo remap with weights of gennn", lambda: cdo(f"remap,{grid},{weights}", path, out))


def regions(path, outlines):
    from exactextract import exact_extract
    from exactextract.raster import NumPyRasterSource

    with open(outlines) as file:
        features = json.load(file)["features"]

    def source(field):
        half = field.shape[1] // 2
        # From -180 to 180, as the outlines are.
        return NumPyRasterSource(np.roll(field, half, axis=1), -180, -90, 180, 90)

    def weights():
        first = values(path).values.reshape(-1, *values(path).shape[-2:])[0]
        return exact_extract(source(first), features, ["coverage", "cell_id"])

    def all_fields():
        data = values(path).values
        fields = data.reshape(-1, *data.shape[-2:])
        found = exact_extract(source(fields[0]), features, ["coverage", "cell_id"])
        half = fields.shape[2] // 2
        rolled = np.roll(fields, half, axis=2).reshape(len(fields), -1)
        return [rolled[:, one["properties"]["cell_id"]] @ one["properties"]["coverage"] for one in found]

    take("exactextract, weights alone", weights)
    take("xarray and exactextract, weights once and then numpy", all_fields)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.nc")
        take("cdo fldmean of the globe, one region", lambda: cdo("fldmean", path, out))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--points")
    parser.add_argument("--regions")
    given = parser.parse_args()
    take("xarray, reading the file", lambda: values(given.file).values.sum())
    if given.points:
        points(given.file, given.points)
    if given.regions:
        regions(given.file, given.regions)
