"""Writes forecasts as repositories of Icechunk whose values lie in other files, below a folder or in a bucket of S3.

`values.bin` beside them has the values of temp_mean: 4 days, 3 members, float32.

Usage: write-virtual.py FOLDER SPEC_VERSION
"""
import os, sys, warnings
warnings.simplefilter('ignore')
import icechunk as ic, numpy as np, zarr

folder, version = sys.argv[1], int(sys.argv[2])
how = {'spec_version': version} if hasattr(ic, 'SpecVersion') else {}
os.makedirs(f'{folder}/beside', exist_ok=True)
values = (np.arange(12, dtype='<f4').reshape(4, 3) * 0.5 + 1)
with open(f'{folder}/beside/values.bin', 'wb') as file: file.write(b'head' + values.tobytes())

def write(name, prefix, store):
    config = ic.RepositoryConfig.default()
    config.set_virtual_chunk_container(ic.VirtualChunkContainer(prefix, store))
    repo = ic.Repository.create(ic.local_filesystem_storage(f'{folder}/{name}'), config=config,
        authorize_virtual_chunk_access=ic.containers_credentials({prefix: None}), **how)
    session = repo.writable_session('main')
    root = zarr.create_group(session.store)
    time = root.create_array('time', shape=(4,), chunks=(4,), dtype='i8', dimension_names=['time'],
        attributes={'units': 'days since 2026-03-02', 'standard_name': 'time'})
    time[:] = range(4)
    root.create_array('temp_mean', shape=(4, 3), chunks=(1, 3), dtype='f4', compressors=None,
        dimension_names=['time', 'member'], attributes={'units': 'degC', 'standard_name': 'air_temperature'})
    for day in range(4):
        session.store.set_virtual_ref(f'temp_mean/c/{day}/0', f'{prefix}values.bin', offset=4 + 12 * day, length=12)
    session.commit('virtual')

write('local', f'file://{folder}/beside/', ic.local_filesystem_store(f'{folder}/beside'))
write('bucket', 's3://bucket/grib/', ic.s3_store(region='eu-west-1', anonymous=True))
