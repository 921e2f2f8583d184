import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { icechunkPythons } from '../files/icechunk/icechunk-pythons.js';
import { casePath } from '../reference/data-folder.js';
import { plumecastHere } from './run-here.js';

/*
 * Inputs of every kind with the same weather, for what is tried with all of them: of each a `later` one that goes on
 * after it, and what was `observed`.
 */

const date = (day: number, hour = 0) => new Date(Date.UTC(2026, 2, 2 + day, hour)).toISOString();
const PLACES = [
  ['A', 'Asia/Tokyo'],
  ['B', 'Europe/Berlin'],
] as const;
const lines = (count: number, timeOf: (row: number) => string) =>
  PLACES.flatMap(([id, zone], p) =>
    Array.from({ length: count }, (_, i) =>
      [timeOf(i), 50 - p, 7 + p, id, zone, ((i * 7 + p) % 11) + 0.5, ((i * 5 + p) % 9) + 0.5].join(','),
    ),
  );
const csv = (rows: readonly string[]) => `${rows.join('\n')}\n`;
const dailyCsv = (days: number) =>
  csv(['date,latitude,longitude,id,zone,member_0 (mm),member_1 (mm)', ...lines(days, (day) => date(day).slice(0, 10))]);
const stepsCsv = (steps: number) =>
  csv([
    'time,latitude,longitude,id,zone,precipitation_member00 (mm),precipitation_member01 (mm)',
    ...lines(steps, (step) => date(0, 6 * step)),
  ]);

/** Open-Meteo's JSON of the hours of one place. */
function openMeteo(hours: number): string {
  const values = (factor: number) => Array.from({ length: hours }, (_, i) => ((i * factor) % 9) / 10);
  return JSON.stringify({
    ...{ latitude: 50, longitude: 7, elevation: 100, utc_offset_seconds: 0, timezone: 'GMT' },
    hourly_units: { time: 'iso8601', precipitation_member01: 'mm', precipitation_member02: 'mm' },
    hourly: {
      time: Array.from({ length: hours }, (_, i) => date(0, i).slice(0, 16)),
      precipitation_member01: values(5),
      precipitation_member02: values(7),
    },
  });
}

/** References of Kerchunk that hold rain in steps of some hours on a grid, with members; leads say when the run begins. */
function references(steps: number, hours: number): string {
  const grid = { number: 2, time: steps, latitude: 2, longitude: 2 };
  const refs: Record<string, string> = { '.zgroup': '{"zarr_format":2}' };
  const put = (name: string, dimensions: (keyof typeof grid)[], values: number[], attributes: object) => {
    const shape = dimensions.map((each) => grid[each]);
    const about = { zarr_format: 2, shape, chunks: shape, dtype: '<f8', compressor: null, fill_value: null };
    refs[`${name}/.zarray`] = JSON.stringify({ ...about, order: 'C', filters: null });
    refs[`${name}/.zattrs`] = JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, ...attributes });
    const bytes = Buffer.from(Float64Array.from(values).buffer).toString('base64');
    refs[`${name}/${dimensions.map(() => 0).join('.')}`] = `base64:${bytes}`;
  };
  const count = (length: number, of: (i: number) => number) => Array.from({ length }, (_, i) => of(i));
  put('number', ['number'], [0, 1], {});
  put('latitude', ['latitude'], [50, 49], { units: 'degrees_north' });
  put('longitude', ['longitude'], [7, 8], { units: 'degrees_east' });
  put(
    'time',
    ['time'],
    count(steps, (i) => hours * i),
    { units: 'hours since 2026-03-02', standard_name: 'time' },
  );
  put(
    'pr',
    ['number', 'time', 'latitude', 'longitude'],
    count(8 * steps, (i) => ((i * 7) % 23) / 10),
    {
      ...{ units: 'mm', standard_name: 'precipitation_amount', cell_methods: 'time: sum' },
    },
  );
  return JSON.stringify({ version: 1, refs });
}

const COPY_TO_ICECHUNK = `
import sys, warnings
warnings.simplefilter('ignore')
import icechunk as ic, zarr
given, to = sys.argv[1:]
session = ic.Repository.create(ic.local_filesystem_storage(to)).writable_session('main')
source, root = zarr.open_group(given, mode='r'), zarr.create_group(session.store)
root.attrs.update(source.attrs)
for name, array in source.arrays():
    copy = root.create_array(name, shape=array.shape, dtype=array.dtype, chunks=array.chunks, fill_value=array.fill_value,
        attributes=dict(array.attrs), dimension_names=array.metadata.dimension_names)
    copy[...] = array[...]
session.commit('written')
`;

/** A kind of input. */
export interface OptionInput {
  readonly name: string;
  /** The file, or the pattern of several. */
  readonly path: string;
  /** Another of this kind that begins as it does, and goes on after it; not of files of one member. */
  readonly later: string;
  readonly variable: string;
  /** The file of its observations. */
  readonly observed: string;
  /** One of its places. */
  readonly point: string;
}

/** Whether the files that inputs are made of are there. */
export const haveCases = ['days/era5-before-2024.nc', 'runs/one_run.grib2'].every((name) => casePath(name));

/** The names of all inputs; without the program that writes it, without Icechunk. */
export function inputNames(): string[] {
  const usual = ['daily.csv', 'daily.arrow', 'daily.parquet', 'daily.xlsx', 'daily.nc', 'daily.zarr', 'mem*.nc'];
  const steps = ['steps.csv', 'open-meteo.json', 'steps.kerchunk.json', 'steps.nc', 'run.grib2'];
  return [...usual, ...steps, ...(icechunkPythons().length > 0 ? ['daily.icechunk'] : [])];
}

/** Writes all inputs to a folder. */
export async function writeOptionInputs(folder: string): Promise<OptionInput[]> {
  const at = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(at(name), text);
  const convert = async (from: string, to: string, ...words: string[]) => {
    const { code, err } = await plumecastHere('convert', at(from), at(to), '-v', 'precipitation', ...words);
    if (code !== 0) throw new Error(err);
  };
  for (const [prefix, days] of [
    ['', 20],
    ['later-', 30],
  ] as const) {
    write(`${prefix}daily.csv`, dailyCsv(days));
    write(`${prefix}steps.csv`, stepsCsv(4 * days));
    write(`${prefix}open-meteo.json`, openMeteo(24 * days));
    write(`${prefix}steps.kerchunk.json`, references(4 * days, 6));
    for (const ending of ['arrow', 'parquet', 'xlsx', 'nc', 'zarr'])
      await convert(`${prefix}daily.csv`, `${prefix}daily.${ending}`);
    for (const [k, name] of ['member_0', 'member_1'].entries()) {
      const rows = dailyCsv(days).trimEnd().split('\n');
      const kept = rows.map((row) => row.split(',').filter((_, i) => i < 5 || i === 5 + k));
      write(`${prefix}${name}.csv`, csv(kept.map((row) => row.join(','))));
      await convert(`${prefix}${name}.csv`, `${prefix}mem${k}.nc`);
    }
    const [icechunk] = icechunkPythons();
    if (icechunk !== undefined)
      execFileSync(icechunk.program, [
        '-c',
        COPY_TO_ICECHUNK,
        at(`${prefix}daily.zarr`),
        at(`${prefix}daily.icechunk`),
      ]);
  }
  copyFileSync(casePath('days/era5-before-2024.nc') as string, at('steps.nc'));
  copyFileSync(casePath('runs/one_run.grib2') as string, at('run.grib2'));
  for (const [name, made, variable] of [
    ['steps.nc', 'rain.csv', 'tp'],
    ['run.grib2', 'heat.csv', 'temp_mean'],
  ] as const) {
    const { code, err } = await plumecastHere('convert', at(name), at(made), '-v', variable);
    if (code !== 0) throw new Error(err);
  }
  return inputNames().map((name) => ({
    ...{ name, path: at(name), later: at(`later-${name}`) },
    variable: { 'steps.nc': 'tp', 'run.grib2': 'temp_mean' }[name] ?? 'precipitation',
    point: { 'steps.nc': '48,0', 'run.grib2': '45,9' }[name] ?? '50,7',
    observed: { 'steps.nc': 'rain.csv', 'run.grib2': 'heat.csv' }[name] ?? 'member_0.csv',
  }));
}
