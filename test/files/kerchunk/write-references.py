"""Writes a NetCDF4 file, and references to its chunks by kerchunk (JSON, Parquet) and VirtualiZarr (JSON), and beside them
its values by xarray, as JSON.

Usage: write-references.py FOLDER
"""
import json, os, sys, warnings
warnings.simplefilter('ignore')
import fsspec, numpy as np, pandas as pd, xarray as xr
from fsspec.implementations.reference import LazyReferenceMapper
from kerchunk.df import refs_to_dataframe
from kerchunk.hdf import SingleHdf5ToZarr

folder = os.path.realpath(sys.argv[1])
os.chdir(folder)
rng = np.random.default_rng(5)
data = xr.Dataset(
    {'tp': (('number', 'time', 'latitude', 'longitude'), rng.gamma(0.5, 4, (3, 8, 5, 7)).astype('f4'), {'units': 'mm', 'GRIB_stepType': 'accum'}),
     't2m': (('time', 'latitude', 'longitude'), rng.normal(280, 5, (8, 5, 7)), {'units': 'K'})},
    {'number': np.arange(3), 'time': pd.date_range('2026-11-01', periods=8), 'latitude': 50 - np.arange(5.0), 'longitude': np.arange(7.0)})
data.to_netcdf('data.nc', engine='h5netcdf', encoding={
    'tp': {'zlib': True, 'shuffle': True, 'chunksizes': (3, 4, 5, 7)},
    't2m': {'dtype': 'i2', 'scale_factor': 0.01, 'add_offset': 280.0, '_FillValue': -9999, 'chunksizes': (2, 5, 7)}})
raw = xr.open_dataset('data.nc', mask_and_scale=False, decode_times=False)
json.dump({name: np.asarray(raw[name].values, 'f8').ravel().tolist() for name in raw.variables}, open('values.json', 'w'))

refs = SingleHdf5ToZarr(folder + '/data.nc', inline_threshold=100).translate()
json.dump(refs, open('absolute.json', 'w'))
def moved(value, to): return [to, *value[1:]] if isinstance(value, list) else value
relative = {key: moved(value, 'data.nc') for key, value in refs['refs'].items()}
json.dump({'version': 1, 'templates': {'u': 'data.nc'}, 'refs': {key: moved(value, '{{u}}') for key, value in relative.items()}}, open('templates.json', 'w'))
json.dump(relative, open('version-0.json', 'w'))
json.dump({'version': 1, 'refs': {key: moved(value, f'file://{folder}/data.nc') for key, value in relative.items()}}, open('file-urls.json', 'w'))
refs_to_dataframe({'version': 1, 'refs': relative}, 'parquet.parq', record_size=3)
try:
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore
    from virtualizarr import open_virtual_dataset
    from virtualizarr.parsers import HDFParser
    url = f'file://{folder}/data.nc'
    virtual = open_virtual_dataset(url, registry=ObjectStoreRegistry({'file://': LocalStore()}), parser=HDFParser(), loadable_variables=['number'])
    virtual.vz.to_kerchunk('virtualizarr.json', format='json')
except Exception as error:
    print('no VirtualiZarr:', error)
