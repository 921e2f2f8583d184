"""
Writes stores with a dry member, whose chunk zarr-python leaves out as it does by default, a store for each member, and one with NaN
in its place.

    python write-dry.py FOLDER

Prints JSON of the mean over members of each week's sum, as xarray reads the first two.
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd
import xarray as xr

warnings.filterwarnings("ignore")
root = sys.argv[1]
rain = np.full((4, 14, 1, 1), 5, "f4")
rain[1, :7] = 0
coords = {
    "number": ("number", np.arange(4), {"standard_name": "realization"}),
    "time": pd.date_range("2026-03-02", periods=14),
    "latitude": ("latitude", [50.0], {"units": "degrees_north"}),
    "longitude": ("longitude", [6.0], {"units": "degrees_east"}),
}
attrs = {"units": "mm", "cell_methods": "time: sum"}
data = xr.Dataset({"precipitation": (("number", "time", "latitude", "longitude"), rain, attrs)}, coords=coords)
chunks = {"chunks": (1, 7, 1, 1)}
data.to_zarr(f"{root}/v2.zarr", zarr_format=2, encoding={"precipitation": {**chunks, "_FillValue": None}})
data.to_zarr(f"{root}/v3.zarr", zarr_format=3, encoding={"precipitation": {**chunks, "fill_value": 0.0}})
data.where(data > 0).to_zarr(f"{root}/nan.zarr", zarr_format=2, encoding={"precipitation": chunks})
for i in range(4):
    data.isel(number=i).to_zarr(f"{root}/mem{i}.zarr", zarr_format=3, encoding={"precipitation": {"chunks": (7, 1, 1), "fill_value": 0.0}})
means = []
for name in ("v2", "v3"):
    weeks = xr.open_zarr(f"{root}/{name}.zarr").precipitation.coarsen(time=7).sum().mean("number")
    means.append(weeks.values.ravel().tolist())
assert means[0] == means[1]
print(json.dumps(means[0]))
