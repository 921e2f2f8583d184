"""Writes a small repository of Icechunk with the layout of one of dynamical.org's datasets, and prints what it holds.

    python write_dynamical.py FOLDER SPEC_VERSION DATASET RUNS [VARIABLE:RUN ...]

Names, dimensions, attributes, types, codecs, chunks and the meaning of steps are those of the public templates
(github.com/dynamical-org/reformatters, src/reformatters, templates/latest.zarr of noaa/gefs/forecast_35_day, noaa/gefs/analysis,
ecmwf/ifs_ens/forecast_15_day_0_25_degree and ecmwf/aifs_ens/forecast); only members, cells and runs are fewer. VARIABLE:RUN lacks
the last steps of all members but the first, as one run was published.

Values follow from those of each hour, so that the truth of each UTC day is known: prints JSON by run, variable and date, a list with
a value for each member, at the cell of 59.5 degrees north and 5.5 degrees east.
"""
import json, sys, warnings
warnings.simplefilter('ignore')
import numpy as np, pandas as pd, zarr, icechunk as ic
from zarr.codecs import BloscCodec

path, version, dataset, runs, *incomplete = sys.argv[1:]
version, runs = int(version), int(runs)
is_gefs = dataset.startswith('noaa-gefs')
is_analysis = dataset == 'noaa-gefs-analysis'
LEADS = np.array({
    'noaa-gefs-forecast-35-day': [*range(0, 241, 3), *range(246, 841, 6)],
    'noaa-gefs-analysis': [0],
    'ecmwf-ifs-ens-forecast-15-day-0-25-degree': [*range(0, 145, 3), *range(150, 361, 6)],
    'ecmwf-aifs-ens-forecast': range(0, 361, 6),
}[dataset])
BY = 6 if dataset == 'ecmwf-aifs-ens-forecast' else 24
ATTRIBUTION = {
    'noaa-gefs-forecast-35-day': 'NOAA NWS NCEP GEFS data processed by dynamical.org from NOAA Open Data Dissemination archives.',
    'noaa-gefs-analysis': 'NOAA NWS NCEP GEFS data processed by dynamical.org from NOAA Open Data Dissemination archives.',
    'ecmwf-ifs-ens-forecast-15-day-0-25-degree': 'ECMWF IFS Ensemble Forecast data processed by dynamical.org from ECMWF Open Data.',
    'ecmwf-aifs-ens-forecast': 'ECMWF AIFS ENS forecast data processed by dynamical.org from ECMWF Open Data.',
}[dataset]
MEMBERS, SIDE = (1 if is_analysis else 3), 8
FIRST = pd.Timestamp('2026-11-20')
starts = FIRST + pd.to_timedelta(np.arange(runs) * (3 if is_analysis else BY), 'h')

def hours(start, count, seed):
    """Values of the hours after the start of a run: members, hours, cells."""
    rng = np.random.default_rng(int(start.timestamp()) + seed)
    hour = (start.hour + np.arange(count)) % 24
    place = 0.1 * np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    rain = rng.gamma(0.3, 1.0, (MEMBERS, count, 1, 1)) + 0.01 * place
    sun = np.maximum(0, np.sin((hour - 5.5) / 24 * 2 * np.pi))[None, :, None, None] * (600 + 50 * rng.random((MEMBERS, count, 1, 1)))
    heat = 8 + 5 * np.sin((hour - 9) / 24 * 2 * np.pi)[None, :, None, None] + rng.normal(0, 2, (MEMBERS, count, 1, 1)) + place
    return {'rain': rain, 'sun': sun + 0 * place, 'heat': heat}

def before(values, end, length):
    """The mean of the hours before one."""
    return values[:, end - length:end].mean(axis=1)

kw = {'spec_version': version} if hasattr(ic, 'SpecVersion') else {}
repo = ic.Repository.create(ic.local_filesystem_storage(path), **kw)
session = repo.writable_session('main')
root = zarr.create_group(session.store, attributes={
    'dataset_id': dataset, 'dataset_version': '0.1.0', 'name': dataset, 'attribution': ATTRIBUTION, 'license': 'CC-BY-4.0'})
four, eight = (BloscCodec(typesize=size, cname='zstd', clevel=3, shuffle='shuffle') for size in (4, 8))

def coordinate(name, data, dims, chunks, fill, attributes, compressors=(eight,)):
    array = root.create_array(name, shape=data.shape, dtype=data.dtype, chunks=chunks, fill_value=fill,
                              compressors=compressors, dimension_names=dims, attributes=attributes)
    array[...] = data

since = {'units': 'seconds since 1970-01-01 00:00:00', 'calendar': 'proleptic_gregorian'}
seconds = starts.values.astype('M8[s]').astype('i8')
coordinate('latitude', 60 - 0.25 * np.arange(SIDE), ['latitude'], (SIDE,), np.nan, {'long_name': 'Latitude', 'standard_name': 'latitude', 'units': 'degree_north', 'axis': 'Y'})
coordinate('longitude', 5 + 0.25 * np.arange(SIDE), ['longitude'], (SIDE,), np.nan, {'long_name': 'Longitude', 'standard_name': 'longitude', 'units': 'degree_east', 'axis': 'X'})
coordinate('spatial_ref', np.array(0), [], (), 0, {'grid_mapping_name': 'latitude_longitude', 'semi_major_axis': 6371229.0})
if is_analysis:
    coordinate('time', seconds, ['time'], (146000,), 0, {'long_name': 'Time', 'standard_name': 'time', 'axis': 'T', **since})
    dims, chunks, shards = ['time', 'latitude', 'longitude'], (1440, 32, 32), (2880, 32, 32)
    shape, common = (runs, SIDE, SIDE), {'coordinates': 'spatial_ref'}
else:
    coordinate('init_time', seconds, ['init_time'], (5475,), 0, {'long_name': 'Forecast initialization time', 'standard_name': 'forecast_reference_time', **since})
    coordinate('ensemble_member', np.arange(MEMBERS, dtype='i2'), ['ensemble_member'], (MEMBERS,), -1, {'long_name': 'Ensemble member', 'standard_name': 'realization', 'units': '1'}, None)
    coordinate('lead_time', LEADS * 3600.0, ['lead_time'], (len(LEADS),), np.nan, {'long_name': 'Forecast lead time', 'standard_name': 'forecast_period', 'units': 'seconds'})
    coordinate('valid_time', seconds[:, None] + LEADS[None] * 3600, ['init_time', 'lead_time'], (5475, len(LEADS)), 0, {'long_name': 'Valid time', 'standard_name': 'time', **since})
    # Ingested lengths claim that all is there, as they once did.
    length = np.full(runs, LEADS[-1] * 3600.0)
    coordinate('expected_forecast_length', length, ['init_time'], (5475,), np.nan, {'long_name': 'Expected forecast length', 'units': 'seconds'})
    if is_gefs:
        coordinate('ingested_forecast_length', np.repeat(length[:, None], MEMBERS, 1), ['init_time', 'ensemble_member'], (5475, MEMBERS), np.nan, {'long_name': 'Ingested forecast length', 'units': 'seconds'})
        dims = ['init_time', 'ensemble_member', 'lead_time', 'latitude', 'longitude']
        shape, chunks, shards = (runs, MEMBERS, len(LEADS), SIDE, SIDE), (1, MEMBERS, 64, 17, 16), (1, MEMBERS, 192, 17, 16)
    else:
        coordinate('ingested_forecast_length', length, ['init_time'], (5475,), np.nan, {'long_name': 'Ingested forecast length', 'units': 'seconds'})
        dims = ['init_time', 'lead_time', 'ensemble_member', 'latitude', 'longitude']
        shape, chunks = (runs, len(LEADS), MEMBERS, SIDE, SIDE), (1, len(LEADS), MEMBERS, 32, 32)
        shards = chunks
    common = {'coordinates': 'expected_forecast_length ingested_forecast_length spatial_ref valid_time'}

OF_SUN = ('Average value in the last 6 hour period (00, 06, 12, 18 UTC) or 3 hour period (03, 09, 15, 21 UTC).' if is_gefs
          else 'Average flux since the previous forecast step.')
arrays = {name: root.create_array(name, shape=shape, dtype='f4', chunks=chunks, shards=shards, fill_value=np.nan, compressors=four,
                                  dimension_names=dims, attributes={**attributes, **common, '_FillValue': 'AAAAAAAA+H8='})
    for name, attributes in {
        'temperature_2m': {'long_name': '2 metre temperature', 'short_name': '2t', 'units': 'degree_Celsius', 'step_type': 'instant', 'standard_name': 'air_temperature'},
        'precipitation_surface': {'long_name': 'Precipitation rate', 'short_name': 'prate', 'standard_name': 'precipitation_flux', 'units': 'kg m-2 s-1', 'comment': 'Average precipitation rate since the previous forecast step. Units equivalent to mm/s.', 'step_type': 'avg'},
        'downward_short_wave_radiation_flux_surface': {'long_name': 'Surface downward short-wave radiation flux', 'short_name': 'sdswrf', 'standard_name': 'surface_downwelling_shortwave_flux_in_air', 'units': 'W m-2', 'comment': OF_SUN, 'step_type': 'avg'},
    }.items()}

Y, X = 2, 2
truth = {}
def daily(known, start, count):
    """Truth of the days of UTC that hours cover, at one cell; temperatures are means of the values at all steps, by their length."""
    days = {}
    first = (24 - start.hour) % 24
    for begin in range(first, count - 23, 24):
        day = str((start + pd.Timedelta(hours=begin)).date())
        days[day] = (known['rain'][:, begin:begin + 24, Y, X].sum(axis=1), known['sun'][:, begin:begin + 24, Y, X].mean(axis=1) * 0.0864)
    return days

if is_analysis:
    # Each time has the shortest lead: radiation is of 6 hours at 00, 06, 12 and 18 UTC.
    count = 3 * runs + 6
    known = hours(FIRST - pd.Timedelta(hours=6), count, 0)
    at = 6 + 3 * np.arange(runs)
    arrays['temperature_2m'][...] = np.stack([known['heat'][0, h] for h in at]).astype('f4')
    arrays['precipitation_surface'][...] = np.stack([before(known['rain'], h, 3)[0] for h in at]).astype('f4') / 3600
    arrays['downward_short_wave_radiation_flux_surface'][...] = np.stack([before(known['sun'], h, 6 if h % 6 == 0 else 3)[0] for h in at]).astype('f4')
    whole = {name: values[:, 6:] for name, values in known.items()}
    table = {'precipitation': {}, 'solar_radiation': {}, 'temp_mean': {}}
    for day, (rain, sun) in daily(whole, FIRST, 3 * (runs - 1)).items():
        table['precipitation'][day], table['solar_radiation'][day] = list(rain), list(sun)
        begin = int((pd.Timestamp(day) - FIRST).total_seconds() // 3600)
        table['temp_mean'][day] = [float(np.mean(np.float32(whole['heat'][0, begin:begin + 24:3, Y, X])))]
    truth['analysis'] = table
else:
    steps = np.diff(LEADS, prepend=0)
    for run, start in enumerate(starts):
        known = hours(start, LEADS[-1] + 24, 0)
        heat = np.stack([known['heat'][:, lead] for lead in LEADS], axis=1)
        rain, sun = (np.full(heat.shape, np.nan) for _ in range(2))
        for i, lead in enumerate(LEADS):
            if lead == 0: continue
            rain[:, i] = before(known['rain'], lead, steps[i]) / 3600
            window = (6 if lead % 6 == 0 else 3) if is_gefs else steps[i]
            sun[:, i] = before(known['sun'], lead, window)
        for name, values in (('temperature_2m', heat), ('precipitation_surface', rain), ('downward_short_wave_radiation_flux_surface', sun)):
            data = values.astype('f4')
            if f'{name}:{run}' in incomplete: data[1:, LEADS > 0.75 * LEADS[-1]] = np.nan
            arrays[name][run] = data if is_gefs else data.swapaxes(0, 1)
        table = {'precipitation': {}, 'solar_radiation': {}, 'temp_mean': {}}
        for day, (rain, sun) in daily(known, start, LEADS[-1]).items():
            table['precipitation'][day], table['solar_radiation'][day] = list(rain), list(sun)
            begin = int((pd.Timestamp(day) - start).total_seconds() // 3600)
            inside = (LEADS >= begin) & (LEADS < begin + 24)
            # An instant counts as long as the step that follows.
            weights = np.append(steps[1:], steps[-1])[inside]
            table['temp_mean'][day] = [float(value) for value in (np.float32(heat[:, inside, Y, X]) * weights).sum(axis=1) / weights.sum()]
        truth[start.strftime('%Y-%m-%dT%H')] = table
session.commit('written')
print(json.dumps(truth))
