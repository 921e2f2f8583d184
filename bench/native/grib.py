"""Fields of GRIB for bench/grib.ts: makes them, and unpacks them with ecCodes.

    grib.py make FOLDER              a field of 0.25 degrees in each packing
    grib.py read ROUNDS FILE...      prints the milliseconds from bytes to values, the best of several rounds

A temperature of 1,440 by 721 points: zonal bands, waves, and noise that is smooth over some grid points.
"""

import os
import sys
import time

import eccodes as ec
import numpy as np

COLUMNS, ROWS = 1440, 721
PACKINGS = {
    "5.0, 16 bits": ("grid_simple", {"bitsPerValue": 16}),
    "5.0, 12 bits": ("grid_simple", {"bitsPerValue": 12}),
    "5.3, order 2": ("grid_complex_spatial_differencing", {"bitsPerValue": 16, "orderOfSpatialDifferencing": 2}),
    "5.3, order 1": ("grid_complex_spatial_differencing", {"bitsPerValue": 12, "orderOfSpatialDifferencing": 1}),
    "5.42, 16 bits": ("grid_ccsds", {"bitsPerValue": 16}),
    "5.42, 12 bits": ("grid_ccsds", {"bitsPerValue": 12}),
}


def temperature():
    latitude = np.radians(np.linspace(90, -90, ROWS))[:, None]
    longitude = np.radians(np.arange(COLUMNS) * 360 / COLUMNS)[None, :]
    waves = 250 + 45 * np.cos(latitude) ** 2 + 5 * np.sin(3 * longitude) * np.cos(latitude)
    along, across = np.fft.fftfreq(ROWS)[:, None], np.fft.rfftfreq(COLUMNS)[None, :]
    spectrum = np.fft.rfft2(np.random.default_rng(1).normal(size=(ROWS, COLUMNS))) / (1e-4 + along**2 + across**2) ** 0.9
    noise = np.fft.irfft2(spectrum, s=(ROWS, COLUMNS))
    return (waves + 4 * noise / noise.std()).ravel()


def make(folder):
    values = temperature()
    for name, (packing, keys) in PACKINGS.items():
        handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
        for key, value in {"Ni": COLUMNS, "Nj": ROWS, "numberOfDataPoints": len(values)}.items():
            ec.codes_set(handle, key, value)
        ec.codes_set(handle, "packingType", packing)
        for key, value in keys.items():
            ec.codes_set(handle, key, value)
        ec.codes_set_double_array(handle, "values", values)
        with open(os.path.join(folder, f"{name}.grib2"), "wb") as file:
            ec.codes_write(handle, file)
        ec.codes_release(handle)


def read(rounds, paths):
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        best = float("inf")
        for _ in range(rounds):
            start = time.perf_counter()
            handle = ec.codes_new_from_message(data)
            ec.codes_get_double_array(handle, "values")
            best = min(best, time.perf_counter() - start)
            ec.codes_release(handle)
        print(1000 * best)


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    read(int(sys.argv[2]), sys.argv[3:])
