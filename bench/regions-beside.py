"""The same points and regions by other software, beside `bench/regions.ts`: xarray, exactextract and CDO.

    python bench/regions-beside.py FILE --points POINTS.csv | --regions REGIONS.geojson
    python bench/regions-beside.py FOLDER --make

The second makes the files of docs/benchmarks.md: half.nc (31 members by 46 days at half a degree) with points.csv, quarter.nc
(5 members by 4 days at a quarter) with regions.geojson.

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


def make(folder):
    random = np.random.default_rng(1)
    at = lambda name: os.path.join(folder, name)
    for name, step, members, days in (("half.nc", 0.5, 31, 46), ("quarter.nc", 0.25, 5, 4)):
        latitude, longitude = np.arange(90, -90 - step / 2, -step), np.arange(0, 360, step)
        first = random.normal(280, 10, (len(latitude), len(longitude)))
        more = np.arange(days)[:, None] * 0.1 + np.arange(members) * 0.01
        axes = {
            "time": np.datetime64("2026-03-02", "ns") + np.arange(days) * np.timedelta64(1, "D"),
            "number": np.arange(members),
            "latitude": ("latitude", latitude, {"units": "degrees_north"}),
            "longitude": ("longitude", longitude, {"units": "degrees_east"}),
        }
        of = {"units": "K", "standard_name": "air_temperature", "cell_methods": "time: mean"}
        values = (first + more[:, :, None, None]).astype("f4")
        data = xr.Dataset({"t2m": (("time", "number", "latitude", "longitude"), values, of)}, axes)
        data.to_netcdf(at(name), encoding={"t2m": {"_FillValue": None}})
    with open(at("points.csv"), "w") as file:
        file.write("id,latitude,longitude\n")
        for i in range(10_000):
            file.write(f"P{i:05d},{random.uniform(-80, 80):.4f},{random.uniform(-180, 180):.4f}\n")
    features = []
    for i in range(200):
        x, y, size = random.uniform(-170, 170), random.uniform(-75, 75), random.uniform(1, 8)
        angle = np.sort(random.uniform(0, 2 * np.pi, 500))
        radius = size * (1 + 0.15 * np.sin(5 * angle) + 0.05 * random.normal(size=500)).clip(0.5)
        longitude = np.clip(x + radius * np.cos(angle), -179.9, 179.9).round(4).tolist()
        latitude = np.clip(y + radius * np.sin(angle), -89.9, 89.9).round(4).tolist()
        ring = list(zip(longitude, latitude))
        polygon = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
        features.append({"type": "Feature", "properties": {"name": f"R{i}"}, "geometry": polygon})
    with open(at("regions.geojson"), "w") as file:
        json.dump({"type": "FeatureCollection", "features": features}, file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--points")
    parser.add_argument("--regions")
    parser.add_argument("--make", action="store_true")
    given = parser.parse_args()
    if given.make:
        make(given.file)
        raise SystemExit
    take("xarray, reading the file", lambda: values(given.file).values.sum())
    if given.points:
        points(given.file, given.points)
    if given.regions:
        regions(given.file, given.regions)
