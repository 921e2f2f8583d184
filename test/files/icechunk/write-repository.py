"""Writes a repository of Icechunk with chunks of every kind, and beside it what zarr-python reads back, as JSON.

Usage: write-repository.py FOLDER SPEC_VERSION
"""
import datetime, json, os, sys, warnings
warnings.simplefilter('ignore')
import icechunk as ic, numpy as np, zarr

folder, version = sys.argv[1], int(sys.argv[2])
repository, beside = folder + '/repository', folder + '/beside'
os.makedirs(beside, exist_ok=True)
is_new = hasattr(ic, 'SpecVersion')

config = ic.RepositoryConfig.default()
config.inline_chunk_threshold_bytes = 100
split = ic.ManifestSplittingConfig.from_dict(
    {ic.ManifestSplitCondition.name_matches('split'): {ic.ManifestSplitDimCondition.Axis(0): 2}})
config.manifest = ic.ManifestConfig(splitting=split)
config.set_virtual_chunk_container(ic.VirtualChunkContainer(f'file://{beside}/', ic.local_filesystem_store(beside)))
repo = ic.Repository.create(
    ic.local_filesystem_storage(repository), config=config,
    authorize_virtual_chunk_access=ic.containers_credentials({f'file://{beside}/': None}),
    **({'spec_version': version} if is_new else {}))

contents = {}
def remember(name, session):
    group = zarr.open_group(session.store, mode='r')
    arrays = {path: array for path, array in group.members(max_depth=None) if isinstance(array, zarr.Array)}
    contents[name] = {'snapshot': session.snapshot_id, 'arrays': {
        path: np.asarray(array[...], 'f8').ravel().tolist() for path, array in arrays.items()}}

a = np.arange(7 * 11 * 13).reshape(7, 11, 13) * 0.5 - 100
rng = np.random.default_rng(1)
session = repo.writable_session('main')
root = zarr.create_group(session.store, attributes={'title': 'chunks of every kind'})
tyx = ['t', 'y', 'x']
def put(path, data, **how):
    how = {'chunks': (3, 4, 5)[:data.ndim], 'dimension_names': tyx[:data.ndim], **how}
    array = root.create_array(path, shape=data.shape, dtype=data.dtype, **how)
    array[...] = data
    return array
put('native', rng.normal(size=a.shape).astype('f4'), compressors=None)
put('inline', (a * 0).astype('i4') + 3, fill_value=0)
put('run/deep/split', a.astype('f8'))
put('sharded', rng.normal(size=a.shape).astype('f4'), chunks=(3, 2, 5), shards=(6, 6, 10))
put('scalar', np.array(7.25))
put('t', np.arange(7, dtype='i8'), chunks=(7,))
half = root.create_array('half', shape=(4, 4), chunks=(2, 2), dtype='f4', dimension_names=['a', 'b'], fill_value=-1)
half[:2] = 5
first = session.commit('first')
repo.create_tag('v1', snapshot_id=first)
remember('v1', repo.readonly_session(tag='v1'))

session = repo.writable_session('main')
root = zarr.open_group(session.store)
root['native'][0] = 1
root['run/deep/split'][5] = 2
del root['scalar']
second = session.commit('second')
remember('main', repo.readonly_session('main'))
repo.create_branch('side', first)
session = repo.writable_session('side')
zarr.open_group(session.store)['inline'][:, 0] = 9
session.commit('beside')
remember('side', repo.readonly_session('side'))
repo.create_tag('gone', snapshot_id=first)
repo.delete_tag('gone')
repo.create_tag('twice', snapshot_id=first)
repo.create_branch('twice', second)

# Chunks that lie in a file beside the repository, of which some are packed where there are many.
values = np.arange(1200, dtype='<f4')
with open(beside + '/values.bin', 'wb') as file: file.write(b'head' + values.tobytes())
session = repo.writable_session('main')
root = zarr.open_group(session.store)
now = datetime.datetime.fromtimestamp(int(os.path.getmtime(beside + '/values.bin')) + 1, datetime.timezone.utc)
root.create_array('virtual', shape=(1200,), chunks=(1,), dtype='f4', compressors=None, dimension_names=['v'])
for i in range(1200):
    session.store.set_virtual_ref(f'virtual/c/{i}', f'file://{beside}/values.bin', offset=4 + 4 * i, length=4, checksum=now)
session.commit('virtual')
remember('virtual', repo.readonly_session('main'))
json.dump(contents, open(folder + '/contents.json', 'w'))
