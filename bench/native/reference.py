"""The workloads in numpy or xarray, one thread.

    reference.py LIBRARY INPUT RESULTS MEMBERS DAYS CELLS RULE TURNS FIRST:DAYS... < NETWORK

INPUT holds float32 by member, cell, day. Before the timing starts it is put into the order that is fastest for numpy:
member, day, cell. Every way is timed from there to new arrays of results. Prints a line of JSON for the fastest way of each
name; its results are in the file that the line names, float32 by statistic, window and cell. NETWORK is a JSON array of
[low, high, keep].
"""

import json
import re
import statistics
import sys
import time

import numpy as np

PROBABILITIES = [0.05, 0.25, 0.5, 0.75, 0.95]
# Seconds after which no further turn begins.
ENOUGH = 1.5

library, source, target, members, days, cells, rule, turns, *windows = sys.argv[1:]
members, days, cells, turns = int(members), int(days), int(cells), int(turns)
windows = [tuple(map(int, window.split(":"))) for window in windows]
outputs = cells * len(windows)
is_raw = len(windows) == days
values = np.fromfile(source, np.float32).reshape(members, cells, days)
planes = np.ascontiguousarray(values.transpose(0, 2, 1))
del values

positions = [(members - 1) * p for p in PROBABILITIES]
places = [(int(np.floor(x)), int(np.ceil(x)), np.float32(x - np.floor(x))) for x in positions]
ranks = sorted({rank for low, high, _ in places for rank in (low, high)})
network = json.loads(sys.stdin.read())


def totals(block):
    """Window totals by member, window and cell."""
    if is_raw:
        return block
    combine = np.mean if rule == "mean" else np.sum
    first, length = windows[0]
    if all(each == length for _, each in windows):
        in_windows = block[:, first : first + length * len(windows)]
        return combine(in_windows.reshape(members, len(windows), length, -1), axis=2)
    return np.stack([combine(block[:, a : a + n], axis=1) for a, n in windows], axis=1)


def interpolate(ordered, mean):
    """Results by statistic from what holds the order statistics by rank."""
    between = [ordered[a] if a == b else ordered[a] + w * (ordered[b] - ordered[a]) for a, b, w in places]
    return [mean, *between]


def sort_members(block):
    total = totals(block)
    return interpolate(np.sort(total, axis=0), total.mean(axis=0))


def select_by_network(block):
    total = totals(block)
    if is_raw:
        total = total.copy()
    mean = total.mean(axis=0)
    spare = np.empty_like(total[0])
    wires = list(total)
    for low, high, keep in network:
        a, b = wires[low], wires[high]
        if keep == "low":
            np.minimum(a, b, out=a)
        elif keep == "high":
            np.maximum(a, b, out=b)
        else:
            np.minimum(a, b, out=spare)
            np.maximum(a, b, out=b)
            wires[low], spare = spare, a
    return interpolate(wires, mean)


def quantile(block):
    total = totals(block)
    return [total.mean(axis=0), *np.quantile(total, PROBABILITIES, axis=0)]


def in_blocks(way, size):
    """A block of cells at a time, so that its values stay in the caches."""

    def run():
        results = np.empty((6, len(windows), cells), np.float32)
        for cell in range(0, cells, size):
            for to, part in zip(results, way(planes[:, :, cell : cell + size])):
                to[:, cell : cell + size] = part
        return results

    return run


def xarray_ways():
    import pandas as pd
    import xarray as xr

    # As in the workloads; weeks end on Sundays.
    dates = pd.date_range("2026-02-01", periods=days)
    data = xr.DataArray(planes, dims=("member", "time", "cell"), coords={"time": dates})
    first, length = windows[0]

    def windowed():
        if is_raw:
            return data
        resampled = data.resample(time="MS" if rule == "mean" else "W-SUN")
        total = resampled.mean() if rule == "mean" else resampled.sum()
        # Incomplete windows are left out.
        start = 0 if rule == "mean" else 1
        return total.isel(time=slice(start, start + len(windows)))

    def coarsened():
        if is_raw or rule == "mean":
            return windowed()
        return data.isel(time=slice(first, first + length * len(windows))).coarsen(time=length).sum()

    def by_quantile(total, skipna=None):
        found = total.quantile(PROBABILITIES, dim="member", skipna=skipna)
        return np.stack([total.mean("member").data, *found.data])

    def by_sort():
        total = coarsened()
        ordered = np.sort(total.data, axis=0)
        count = np.isfinite(total.data).sum(axis=0)
        mean = total.mean("member").data
        if (count == members).all():
            return np.stack(interpolate(ordered, mean))
        at = np.stack([(count - 1) * p for p in PROBABILITIES])
        low = np.clip(np.floor(at).astype(int), 0, None)
        high = np.minimum(low + 1, np.maximum(count - 1, 0))
        a, b = (np.take_along_axis(ordered, place, axis=0) for place in (low, high))
        return np.stack([mean, *(a + (at - low) * (b - a))])

    yield "xarray, NaN-aware sort", "coarsen, sort of .data", by_sort
    yield "xarray, NaN-aware quantile", "resample and quantile", lambda: by_quantile(windowed())
    yield "xarray, quantile", "resample and quantile without skipna", lambda: by_quantile(windowed(), skipna=False)


def numpy_ways():
    sizes = sorted({max(1, min(cells, lanes // len(windows))) for lanes in (4096, 32768)})
    for size in sizes:
        note = f"blocks of {size} cells"
        yield "numpy, network over planes", note, in_blocks(select_by_network, size)
        yield "numpy, sort", f"sort along the first axis, {note}", in_blocks(sort_members, size)
    yield "numpy.quantile", f"blocks of {sizes[-1]} cells", in_blocks(quantile, sizes[-1])


def measure(name, formulation, run, fastest):
    begin = time.perf_counter()
    results = run()
    times = [time.perf_counter() - begin]
    # A run that takes long needs no warm-up.
    if times[0] < ENOUGH:
        times = []
    while len(times) < turns and time.perf_counter() - begin < ENOUGH:
        start = time.perf_counter()
        results = run()
        times.append(time.perf_counter() - start)
    nanoseconds = statistics.median(times) * 1e9 / outputs
    if name in fastest and fastest[name]["nanoseconds"] <= nanoseconds:
        return
    file = target + "." + re.sub(r"\W+", "-", name)
    np.asarray(results, np.float32).tofile(file)
    fastest[name] = {"name": name, "formulation": formulation, "nanoseconds": nanoseconds, "file": file}


fastest = {}
for way in numpy_ways() if library == "numpy" else xarray_ways():
    measure(*way, fastest)
for found in fastest.values():
    print(json.dumps(found))
