"""Writes members by days of precipitation as a repository of Icechunk, in shards.

Usage: write-rain.py FOLDER SPEC_VERSION MEMBERS; values.json beside the folder has the values, member by member
"""
import json, os, sys, warnings
warnings.simplefilter('ignore')
import icechunk as ic, numpy as np, zarr

folder, version, members = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(os.path.dirname(folder) + '/values.json') as file: values = np.array(json.load(file), 'f8').reshape(members, -1)
how = {'spec_version': version} if hasattr(ic, 'SpecVersion') else {}
repo = ic.Repository.create(ic.local_filesystem_storage(folder), **how)
session = repo.writable_session('main')
root = zarr.create_group(session.store)
days = values.shape[1]
def put(name, data, dimensions, attributes, **form):
    array = root.create_array(name, shape=data.shape, dtype=data.dtype, dimension_names=dimensions, attributes=attributes, **form)
    array[...] = data
put('precipitation', values, ['number', 'time'],
    {'units': 'mm', 'standard_name': 'precipitation_amount', 'cell_methods': 'time: sum'}, chunks=(1, 7), shards=(members, 14), fill_value=np.nan)
put('number', np.arange(members, dtype='i4'), ['number'], {'standard_name': 'realization'})
put('time', np.arange(days, dtype='i4'), ['time'], {'units': 'days since 2026-03-02', 'standard_name': 'time', 'axis': 'T'})
session.commit('rain')
