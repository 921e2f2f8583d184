import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const date = (day: number) => new Date(Date.UTC(2026, 2, 2 + day)).toISOString().slice(0, 10);
/** Daily values of one member, or of a run of days; `isEmpty` leaves all out. */
const csv = (member: number, from: number, to: number, isEmpty: boolean) =>
  `latitude,longitude,member,date,temp_mean (degC)\n${Array.from(
    { length: to - from },
    (_, i) => `50,8,${member},${date(from + i)},${isEmpty ? '' : 10 * member + from + i}\n`,
  ).join('')}`;
const MEMBERS = [0, 1, 2, 3, 4];
const SLICES = [0, 1, 2, 3];
const { folder, remove } = folderWith({
  ...Object.fromEntries(MEMBERS.map((m) => [`member/part-${m}.csv`, csv(m, 0, 14, m === 3)])),
  ...Object.fromEntries(SLICES.map((s) => [`time/part-${s}.csv`, csv(0, 4 * s, 4 * s + 4, s === 2)])),
  'full.csv': csv(0, 4, 20, false),
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const warnings = (err: string) =>
  err
    .split('\n')
    .flatMap((line) =>
      /^(warning|note): .*no value|a value on/.test(line) ? [line.replaceAll(`${folder}/`, '')] : [],
    );
const members = (ending: string) => MEMBERS.map((m) => at(`member/part-${m}.${ending}`));
const slices = (ending: string) => SLICES.map((s) => at(`time/part-${s}.${ending}`));

/** One temperature of a member at 00, 06, 12 and 18 UTC of three days: of member 3 all are missing. */
const fields = (member: number, value: number) =>
  gribFile(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((i) => ({
      ...T2M,
      member,
      step: 6 * i,
      value,
      isMissing: member === 3,
    })),
  );

beforeAll(async () => {
  for (const name of ['member', 'time']) {
    for (const part of name === 'member' ? MEMBERS : SLICES)
      await plumecastHere('convert', at(`${name}/part-${part}.csv`), at(`${name}/part-${part}.parquet`));
  }
  for (const m of MEMBERS) writeFileSync(at(`member/part-${m}.grib2`), fields(m, 280 + m));
});

describe('several files that are one, of which one has no value', () => {
  it.each(['csv', 'parquet'])('names the file and the member, or the days: %s', async (ending) => {
    const ofMembers = await plumecastHere('stats', ...members(ending));
    expect(ofMembers.code).toBe(0);
    expect(warnings(ofMembers.err)).toEqual([
      `warning: member/part-0.${ending} and 4 more: member 3 has no value on any day: results are of the other 4 of 5 members`,
      `warning: member/part-0.${ending} and 4 more: member/part-3.${ending} has no value of temp_mean: all that were read are missing`,
    ]);
    const ofDays = await plumecastHere('stats', ...slices(ending));
    expect(warnings(ofDays.err)).toEqual([
      `note: time/part-0.${ending} and 3 more: no member has a value on 4 of 16 days (2026-03-10 to 2026-03-13)`,
      `warning: time/part-0.${ending} and 3 more: time/part-2.${ending} has no value of temp_mean: all that were read are missing`,
    ]);
  });

  it('names the file of a member of GRIB', async () => {
    const { code, err } = await plumecastHere(
      'stats',
      ...members('grib2'),
      '--variable',
      'temp_mean',
      '--stamps',
      'instant',
    );
    expect([code, code === 0 ? warnings(err) : err]).toEqual([
      0,
      [
        'warning: member/part-0.grib2 and 4 more: member 3 has no value on any day: results are of the other 4 of 5 members',
        'warning: member/part-0.grib2 and 4 more: member/part-3.grib2 has no value of 2t: all that were read are missing',
      ],
    ]);
  });

  it('names the slice of time that has no whole day', async () => {
    /** References of Kerchunk to 6-hourly temperatures of a day, or of the first hours of one. */
    const slice = (day: number, steps: number) => {
      const times = Array.from({ length: steps }, (_, i) => 24 * day + 6 * i);
      const array = (name: string, dimensions: string[], values: number[], attributes: object) => {
        const shape = dimensions.map((each) => (each === 'time' ? steps : 1));
        const about = { zarr_format: 2, dtype: '<f8', compressor: null, fill_value: null, order: 'C', filters: null };
        const bytes = Buffer.from(Float64Array.from(values).buffer).toString('base64');
        return {
          [`${name}/.zarray`]: JSON.stringify({ ...about, shape, chunks: shape }),
          [`${name}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, ...attributes }),
          [`${name}/${dimensions.map(() => 0).join('.')}`]: `base64:${bytes}`,
        };
      };
      const heat = { units: 'K', standard_name: 'air_temperature', cell_methods: 'time: point' };
      return JSON.stringify({
        version: 1,
        refs: {
          '.zgroup': '{"zarr_format":2}',
          ...array('time', ['time'], times, { units: 'hours since 2026-03-02' }),
          ...array('latitude', ['latitude'], [50], { units: 'degrees_north' }),
          ...array('longitude', ['longitude'], [8], { units: 'degrees_east' }),
          ...array('t2m', ['time', 'latitude', 'longitude'], times.fill(280), heat),
        },
      });
    };
    const steps = [4, 4, 2, 4];
    for (const [day, count] of steps.entries()) writeFileSync(at(`slice-${day}.json`), slice(day, count));
    const files = steps.map((_, day) => at(`slice-${day}.json`));
    const { code, err } = await plumecastHere('stats', ...files, '-v', 'temp_mean');
    expect([code, code === 0 ? warnings(err) : err]).toEqual([
      0,
      [
        'note: slice-0.json and 3 more: no member has a value on 1 of 4 days (2026-03-04): no whole day with values is in slice-2.json',
      ],
    ]);
  });

  it('says nothing where all files have values', async () => {
    const others = members('csv').filter((_, m) => m !== 3);
    expect(warnings((await plumecastHere('stats', ...others)).err)).toEqual([]);
    expect(warnings((await plumecastHere('stats', ...slices('csv').slice(0, 2))).err)).toEqual([]);
  });

  it.each([['blend'], ['ingest']])('is told by %s, too', async (command) => {
    const own =
      command === 'blend'
        ? ['blend', at('wide.csv'), at('full-wide.csv'), '--out', at('out.arrow')]
        : ['ingest', '--store', at('store'), '--short-term', at('wide.csv')];
    const wide = (from: number, to: number, third: string) =>
      `latitude,longitude,date,m1,m2,m3\n${Array.from({ length: to - from }, (_, i) => `50,8,${date(from + i)},${i},${i + 1},${third}\n`).join('')}`;
    writeFileSync(at('wide.csv'), wide(0, 14, ''));
    writeFileSync(at('full-wide.csv'), wide(4, 20, '3'));
    const { err } = await plumecastHere(...own, '--variable', 'temp_mean', '--units', 'degC');
    expect(warnings(err)).toEqual([
      'warning: wide.csv: member m3 has no value on any day: results are of the other 2 of 3 members',
    ]);
  });

  it('is told by climatology of the file of a history', async () => {
    const years = (from: number, to: number, isEmpty: boolean) => {
      const [first, last] = [Date.UTC(from, 0, 1), Date.UTC(to + 1, 0, 1)].map((time) => time / 86_400_000);
      const days = Array.from({ length: last - first }, (_, i) =>
        new Date((first + i) * 86_400_000).toISOString().slice(0, 10),
      );
      return `date,temp_mean (degC)\n${days.map((day, i) => `${day},${isEmpty ? '' : i % 9}\n`).join('')}`;
    };
    writeFileSync(at('a.csv'), years(2001, 2009, false));
    writeFileSync(at('b.csv'), years(2010, 2010, true));
    const args = [
      'climatology',
      at('a.csv'),
      at('b.csv'),
      '--reference',
      '2001-2010',
      '--fewer-years',
      '--granularity',
      'monthly',
    ];
    const { code, err } = await plumecastHere(...args, '--out', at('normal.arrow'));
    expect([code, code === 0 ? warnings(err) : err]).toEqual([
      0,
      ['warning: b.csv: has no value: all are missing; the climatology is of the others'],
    ]);
  });
});
