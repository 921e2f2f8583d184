"""Writes a small repository with the layout of dynamical.org's noaa-gefs-forecast-35-day, version 0.2.0.

Names, dimensions, attributes, types, codecs and the meaning of steps are those of its public template
(dynamical-org/reformatters, noaa/gefs/forecast_35_day/templates/latest.zarr): a forecast a day, 3-hourly to 240 h, then
6-hourly to 840 h; shards of all members and leads of a run; means over a step are dated at its end, and have no value at
lead 0. Only the numbers of members, cells and runs are smaller.

Usage: dynamical.py FOLDER SPEC_VERSION MEMBERS RUNS LATITUDES LONGITUDES
"""
import os, sys, warnings
warnings.simplefilter('ignore')
import numpy as np, pandas as pd, zarr, icechunk as ic
from zarr.codecs import BloscCodec

LEADS = np.array([*range(0, 241, 3), *range(246, 841, 6)])
RUNS_FROM = pd.Timestamp('2026-11-20')

def temperature(run, member, lead, lat, lon):
    """A cycle of a day about a mean that falls by a tenth of a degree a day, different for each member and cell."""
    hour = (run * 24 + lead) % 24
    return (8 + 5 * np.sin((hour - 9) / 24 * 2 * np.pi) - 0.1 * lead / 24 + 0.3 * member + 0.05 * lat - 0.02 * lon).astype('f4')

def noise(values):
    """Values with noise, of 7 bits after the first one, as dynamical.org rounds temperatures."""
    rough = (values + np.random.default_rng(7).normal(0, 3, values.shape)).astype('f4')
    return ((rough.view('u4') + 0x8000) & 0xffff0000).view('f4')

def rain_rate(run, member, lead, lat, lon):
    """In kg m-2 s-1 over the step that ends at the lead: the day of a step has its number in tenths of mm an hour."""
    day = (lead - 1) // 24 + run
    return ((1 + day + 0.1 * member + 0.01 * (lat + lon)) / 10 / 3600).astype('f4')

def write(path, version, members, runs, lats, lons, incomplete=()):
    shards = {'shape': (runs, members, len(LEADS), lats, lons)}
    kw = {'spec_version': version} if hasattr(ic, 'SpecVersion') else {}
    repo = ic.Repository.create(ic.local_filesystem_storage(path), **kw)
    session = repo.writable_session('main')
    root = zarr.create_group(session.store, attributes={
        'dataset_id': 'noaa-gefs-forecast-35-day', 'dataset_version': '0.2.0', 'name': 'NOAA GEFS forecast, 35 day',
        'attribution': 'NOAA NWS NCEP GEFS data processed by dynamical.org from NOAA Open Data Dissemination archives.',
        'license': 'CC-BY-4.0'})
    eight = BloscCodec(typesize=8, cname='zstd', clevel=3, shuffle='shuffle')
    four = BloscCodec(typesize=4, cname='zstd', clevel=3, shuffle='shuffle')
    def coordinate(name, data, dims, chunks, fill, attributes, compressors=(eight,)):
        array = root.create_array(name, shape=data.shape, dtype=data.dtype, chunks=chunks, fill_value=fill,
                                  compressors=compressors, dimension_names=dims, attributes=attributes)
        array[...] = data
    since = {'units': 'seconds since 1970-01-01 00:00:00', 'calendar': 'proleptic_gregorian'}
    starts = (RUNS_FROM + pd.to_timedelta(np.arange(runs), 'D')).values.astype('M8[s]').astype('i8')
    coordinate('init_time', starts, ['init_time'], (5475,), 0, {'long_name': 'Forecast initialization time', 'standard_name': 'forecast_reference_time', **since})
    coordinate('ensemble_member', np.arange(members, dtype='i2'), ['ensemble_member'], (members,), -1, {'standard_name': 'realization', 'units': '1'}, None)
    coordinate('lead_time', LEADS * 3600.0, ['lead_time'], (len(LEADS),), np.nan, {'long_name': 'Forecast lead time', 'standard_name': 'forecast_period', 'units': 'seconds'})
    lat, lon = 60 - 0.25 * np.arange(lats), 5 + 0.25 * np.arange(lons)
    coordinate('latitude', lat, ['latitude'], (lats,), np.nan, {'standard_name': 'latitude', 'units': 'degree_north', 'axis': 'Y'})
    coordinate('longitude', lon, ['longitude'], (lons,), np.nan, {'standard_name': 'longitude', 'units': 'degree_east', 'axis': 'X'})
    coordinate('valid_time', starts[:, None] + LEADS[None] * 3600, ['init_time', 'lead_time'], (5475, len(LEADS)), 0, {'long_name': 'Valid time', 'standard_name': 'time', **since})
    coordinate('expected_forecast_length', np.full(runs, 840 * 3600.0), ['init_time'], (5475,), np.nan, {'long_name': 'Expected forecast length', 'units': 'seconds'})
    coordinate('ingested_forecast_length', np.full((runs, members), 840 * 3600.0), ['init_time', 'ensemble_member'], (5475, members), np.nan, {'long_name': 'Ingested forecast length', 'units': 'seconds'})
    coordinate('spatial_ref', np.array(0), [], (), 0, {'grid_mapping_name': 'latitude_longitude', 'semi_major_axis': 6371229.0})
    m, l, y, x = np.ix_(np.arange(members), LEADS, np.arange(lats), np.arange(lons))
    common = {'coordinates': 'expected_forecast_length ingested_forecast_length spatial_ref valid_time'}
    def variable(name, values, fill, attributes):
        array = root.create_array(name, shape=shards['shape'], dtype='f4', chunks=(1, members, 64, 17, 16), fill_value=fill,
            shards=(1, members, 192, 17 * -(-lats // 17), 16 * -(-lons // 16)), compressors=four,
            dimension_names=['init_time', 'ensemble_member', 'lead_time', 'latitude', 'longitude'],
            attributes={**attributes, **common, '_FillValue': 'AAAAAAAA+H8='})
        for run in range(runs):
            data = values(run, m, l, y, x)
            if os.environ.get('NOISE'): data = noise(data)
            if (name, run) in incomplete: data[1:, LEADS > 400] = np.nan
            array[run] = data
    variable('temperature_2m', temperature, np.nan, {'long_name': '2 metre temperature', 'short_name': '2t', 'units': 'degree_Celsius', 'step_type': 'instant', 'standard_name': 'air_temperature'})
    def rain(*at):
        data = rain_rate(*at)
        data[:, 0] = np.nan
        return data
    variable('precipitation_surface', rain, np.nan, {'short_name': 'prate', 'standard_name': 'precipitation_flux', 'long_name': 'Precipitation rate', 'units': 'kg m-2 s-1', 'comment': 'Average precipitation rate since the previous forecast step. Units equivalent to mm/s.', 'step_type': 'avg'})
    session.commit('written')
    return repo

if __name__ == '__main__':
    path, *numbers = sys.argv[1:]
    version, members, runs, lats, lons, *more = map(int, numbers)
    write(path, version, members, runs, lats, lons, {('temperature_2m', run) for run in more})
