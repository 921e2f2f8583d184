"""Writes a field of GRIB edition 2 for each packing by ecCodes, and what ecCodes reads of it as float64. Argument: a folder.

Prints the packings that it could write.
"""
import os
import sys

import eccodes as ec
import numpy as np

folder = sys.argv[1]
random = np.random.default_rng(3)
values = 280 + np.cumsum(random.normal(size=60 * 40))
for packing in ["grid_simple", "grid_ccsds", "grid_second_order", "grid_complex", "grid_complex_spatial_differencing", "grid_jpeg", "grid_png", "grid_ieee"]:
    for bits in [8, 12, 16]:
        handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
        keys = {"Ni": 60, "Nj": 40, "iDirectionIncrementInDegrees": 1, "jDirectionIncrementInDegrees": 1, "latitudeOfFirstGridPointInDegrees": 60, "latitudeOfLastGridPointInDegrees": 21, "longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 59, "shortName": "2t"}
        try:
            for key, value in keys.items():
                ec.codes_set(handle, key, value)
            ec.codes_set(handle, "packingType", packing)
            if packing != "grid_ieee":
                ec.codes_set(handle, "bitsPerValue", bits)
            ec.codes_set_double_array(handle, "values", values)
            name = f"{packing}-{bits}"
            with open(os.path.join(folder, f"{name}.grib2"), "wb") as file:
                ec.codes_write(handle, file)
            with open(os.path.join(folder, f"{name}.grib2"), "rb") as file:
                read = ec.codes_grib_new_from_file(file)
                found = ec.codes_get(read, "packingType")
                ec.codes_get_double_array(read, "values").astype("<f8").tofile(os.path.join(folder, f"{name}.f64"))
                ec.codes_release(read)
            if found == packing and (packing != "grid_ieee" or bits == 8):
                print(name)
        except ec.CodesInternalError:
            pass
        ec.codes_release(handle)
