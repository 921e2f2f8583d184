import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressionRegistry, type Table, tableFromArrays, tableToIPC } from 'apache-arrow';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { contentOfTable } from '../../src/files/cf/content/content-of-table.js';
import type { FORMATS } from '../../src/files/formats.js';
import { type Compression, encodeTable, encodeTables, type TableFormat } from '../../src/files/index.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { statistics } from '../../src/index.js';
import { writeNetcdf3 } from '../files/netcdf3/write-netcdf3.js';
import { openMeteoCsv, openMeteoJson } from '../files/open-meteo-answers.js';
import { CODECS, zarrFixture } from '../files/zarr/zarr-fixture.js';
import { bomb } from './bombs.js';
import { gribSamples } from './grib-samples.js';
import { gribSeeds } from './grib-seeds.js';
import { makeLarge } from './large-seeds.js';
import type { Region } from './mutate-bytes.js';
import { checkedRegions } from './mutate-parquet.js';

type FormatName = (typeof FORMATS)[number]['name'];

/** The readers that are fuzzed, by the names of their formats: the compiler names a format without one. */
export const READER_OF = {
  csv: 'csv',
  'nasa-power-csv': 'nasa-power',
  'arrow-file': 'arrow-file',
  'arrow-stream': 'arrow-stream',
  parquet: 'parquet',
  xlsx: 'xlsx',
  netcdf3: 'netcdf3',
  netcdf4: 'netcdf4',
  zarr: 'zarr',
  kerchunk: 'kerchunk',
  'open-meteo-json': 'json',
  grib: 'grib',
} as const satisfies Readonly<Record<FormatName, string>>;
export type Reader = (typeof READER_OF)[FormatName];
export const READERS: readonly Reader[] = Object.values(READER_OF);

/** A small real file that mutations are made of, or the folder of a store. */
export interface Seed {
  readonly name: string;
  /** Its files by their path within the store; a single file has an empty one. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The bytes of each file that a checksum covers. */
  readonly checked: ReadonlyMap<string, readonly Region[]>;
}

/** Reference files that are small, or of which the beginning is taken. */
const REFERENCE: readonly { readonly reader: Reader; readonly file: string; readonly lines?: number }[] = [
  { reader: 'csv', file: 'gefs-fcre-2022/precip_mm_members_daily.csv', lines: 12 },
  { reader: 'csv', file: 'era5-burrishoole-1979-2019/daily.csv', lines: 40 },
  { reader: 'csv', file: 'era5-burrishoole-1979-2019/precip_mm_clim_month_1981_2010.csv', lines: 14 },
  { reader: 'netcdf3', file: 'gefs-fcre-2022/daily_nc3_f64.nc' },
  { reader: 'netcdf4', file: 'gefs-fcre-2022/hourly_nc4.nc' },
  { reader: 'zarr', file: 'gefs-fcre-2022/daily.zarr' },
];

/**
 * Makes the files of all readers in a folder: our own, those of the reference data, and those that Python's libraries
 * write.
 */
export async function makeSeeds(folder: string): Promise<void> {
  for (const reader of READERS) await mkdir(join(folder, reader), { recursive: true });
  await writeFile(join(folder, 'covered.json'), '{}');
  await makeTables(folder);
  await makeOpenMeteo(folder);
  await makeNasaPower(folder);
  await makeLarge(folder);
  await makeNetcdf(folder);
  await makeZarr(folder);
  for (const [name, bytes] of [...gribSeeds(), ...(await gribSamples())])
    await writeFile(join(folder, 'grib', name), bytes);
  await copyReference(folder);
  makeForeign(folder);
}

async function makeTables(folder: string): Promise<void> {
  const write = async (format: TableFormat, name: string, table: Table, compression?: Compression) => {
    const reader = format === 'arrow' ? 'arrow-file' : format;
    await writeFile(join(folder, reader, name), await encodeTable(table, format, { compression }));
  };
  const wide = demoTable('precipitation', { days: 9, members: 4, locations: [place(0), place(1)] });
  const core = await loadCore();
  const weeks = statistics(core, demoTable('temp_mean', { days: 30, members: 5 }), { granularity: 'weekly' });
  const members = Array.from({ length: 24 }, (_, row) => row % 3);
  const long = tableFromArrays({
    date: members.map((_, row) => `2026-03-${String(2 + Math.floor(row / 3)).padStart(2, '0')}`),
    member: Int32Array.from(members),
    precipitation: Float64Array.from(members, (member, row) => member + row / 8),
  });
  for (const [name, table] of Object.entries({ wide, weeks, long })) {
    for (const format of ['csv', 'arrow', 'arrow-stream', 'parquet', 'xlsx'] as const) await write(format, name, table);
    for (const compression of ['lz4', 'zstd'] as const) {
      await write('arrow', `${name}-${compression}`, table, compression);
      await write('arrow-stream', `${name}-${compression}`, table, compression);
      await write('parquet', `${name}-${compression}`, table, compression);
    }
    await write('parquet', `${name}-none`, table, 'none');
  }
  const parts = [wide.slice(0, 7), wide.slice(7)];
  for (const format of ['arrow', 'arrow-stream'] as const) {
    const reader = format === 'arrow' ? 'arrow-file' : format;
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeTables(parts, format)) pieces.push(piece.slice());
    await writeFile(join(folder, reader, 'batches'), Buffer.concat(pieces));
  }
  const csv = new TextDecoder().decode(await encodeTable(long, 'csv'));
  await writeFile(join(folder, 'csv', 'semicolons'), csv.replaceAll(',', ';').replaceAll('.', ','));
  await writeFile(join(folder, 'csv', 'quoted'), csv.replaceAll(/^([^,\n]*),/gm, '"$1",').replaceAll('\n', '\r\n'));
  await writeFile(join(folder, 'csv', 'units'), csv.replace('precipitation', 'precipitation_sum (mm)'));
  await makeArrowBombs(folder);
}

/** CSV of NASA POWER: a header of texts, then days by month or by day of the year. */
async function makeNasaPower(folder: string): Promise<void> {
  const header = (parameter: string) =>
    [
      ...[
        '-BEGIN HEADER-',
        'NASA/POWER Source Native Resolution Daily Data ',
        'Location: Latitude  50.5   Longitude 7.25 ',
      ],
      'The value for missing source data that cannot be computed or is outside of the sources availability range: -999 ',
      ...['Parameter(s): ', parameter, '-END HEADER-', ''],
    ].join('\n');
  const rain = header('PRECTOTCORR     MERRA-2 Precipitation Corrected (mm/day) ');
  const days = Array.from({ length: 9 }, (_, i) => `2026,${i + 60},${i % 4 === 3 ? -999 : i / 4}`);
  await writeFile(join(folder, 'nasa-power', 'day-of-year'), `${rain}YEAR,DOY,PRECTOTCORR\n${days.join('\n')}\n`);
  const warm = header('T2M     MERRA-2 Temperature at 2 Meters (C) ');
  const dates = Array.from({ length: 9 }, (_, i) => `2026,3,${i + 1},${i / 2}`);
  await writeFile(join(folder, 'nasa-power', 'dates'), `${warm}YEAR,MO,DY,T2M\n${dates.join('\n')}\n`);
}

/** The answers of Open-Meteo: hours of two places in local time, days of two models, seconds since 1970. */
async function makeOpenMeteo(folder: string): Promise<void> {
  const locations = [
    [52.52, 13.42],
    [48.1, 11.6],
  ] as const;
  const answers = {
    hours: { locations, times: 50, members: 2, timezone: 'Europe/Berlin', utcOffset: 7200 },
    days: { section: 'daily', times: 9, models: ['icon_seamless_eps', 'ncep_gefs025'] },
    seconds: { times: 30, unixtime: true, variables: { temperature_2m: '°C', rain: 'mm' } },
  } as const;
  for (const [name, options] of Object.entries(answers)) {
    await writeFile(join(folder, 'json', name), openMeteoJson(options));
    await writeFile(join(folder, 'csv', `open-meteo-${name}`), openMeteoCsv(options));
  }
}

/**
 * Arrow files whose bodies are bombs: apache-arrow compresses with what is registered, where that makes a column
 * shorter.
 */
async function makeArrowBombs(folder: string): Promise<void> {
  const ZSTD = 1;
  const before = compressionRegistry.get(ZSTD);
  const rows = bomb('zstd').length / 4;
  const table = tableFromArrays({ date: new Float64Array(rows), precipitation: new Float64Array(rows) });
  compressionRegistry.set(ZSTD, { encode: () => bomb('zstd') });
  for (const format of ['file', 'stream'] as const) {
    await writeFile(join(folder, `arrow-${format}`, 'bomb-zstd'), tableToIPC(table, format, ZSTD));
  }
  compressionRegistry.set(ZSTD, before ?? {});
}

function place(index: number) {
  return { latitude: 37.3, longitude: -79.84 + index / 2 };
}

const DAYS = 9;
const GRID = [3, DAYS, 2, 2];
const NAMES = ['number', 'time', 'latitude', 'longitude'];
const RAIN = Array.from({ length: GRID.reduce((product, length) => product * length) }, (_, i) => (i * 7) % 19);
const COORDINATES: Readonly<Record<string, { values: number[]; attributes: Record<string, string> }>> = {
  number: { values: [0, 1, 2], attributes: { standard_name: 'realization' } },
  time: { values: Array.from({ length: DAYS }, (_, day) => day), attributes: { units: 'days since 2026-03-02' } },
  latitude: { values: [37.5, 37], attributes: { units: 'degrees_north' } },
  longitude: { values: [280, 280.5], attributes: { units: 'degrees_east' } },
};
const RAIN_ATTRIBUTES = { units: 'mm', standard_name: 'precipitation_amount' };

/** Units of times and codings of values that mean something else than they seem to, or nothing. */
const ODD: Readonly<Record<string, { units: string; coding: Readonly<Record<string, string | number | number[]>> }>> = {
  east: { units: 'days since 2026-03-02 00:00 +01:00', coding: {} },
  west: { units: 'hours since 2026-03-02T00:00:00-0930', coding: {} },
  zulu: { units: 'days since 2026-03-02 00:00:00 UTC', coding: { scale_factor: 0.5, add_offset: -1 } },
  infinite: { units: 'days since 2026-03-02', coding: { scale_factor: Number.POSITIVE_INFINITY } },
  nan: { units: 'days since 2026-03-02', coding: { scale_factor: 2, add_offset: Number.NaN } },
  zero: { units: 'days since 2026-03-02', coding: { scale_factor: 0 } },
  vector: { units: 'days since 2026-03-02', coding: { scale_factor: [1, 2] } },
  text: { units: 'days since 2026-03-02', coding: { scale_factor: 'twice', add_offset: '1' } },
};

/** References whose chunks lie in them. */
async function makeReferences(folder: string): Promise<void> {
  const along = ({ values, attributes }: (typeof COORDINATES)[string], name: string) => ({
    ...{
      type: 'float64' as const,
      dimensions: [name],
      shape: [values.length],
      chunk: [values.length],
      values,
      attributes,
    },
  });
  const fixture = await zarrFixture(2, {
    ...Object.fromEntries(Object.entries(COORDINATES).map(([name, each]) => [name, along(each, name)])),
    precip: {
      ...{ type: 'float32', dimensions: NAMES, shape: GRID, chunk: [1, 5, 2, 2], values: RAIN },
      attributes: RAIN_ATTRIBUTES,
    },
  });
  const refs = [...fixture.values].flatMap(([key, bytes]) => {
    if (key === '.zmetadata') return [];
    const isText = /\.z\w+$/.test(key);
    return [[key, isText ? Buffer.from(bytes).toString() : `base64:${Buffer.from(bytes).toString('base64')}`]];
  });
  const all = { version: 1, templates: { u: 'beside' }, refs: Object.fromEntries(refs) };
  await writeFile(join(folder, 'kerchunk', 'inline'), JSON.stringify(all));
  await writeFile(join(folder, 'kerchunk', 'version-0'), JSON.stringify(all.refs));
}

async function makeNetcdf(folder: string): Promise<void> {
  const attributes = (all: Record<string, string>) =>
    Object.entries(all).map(([name, values]) => ({ name, type: 'text' as const, values }));
  for (const version of [1, 2, 5] as const) {
    for (const isRecords of [false, true]) {
      const order = isRecords ? [1, 0, 2, 3] : [0, 1, 2, 3];
      const names = order.map((d) => NAMES[d]);
      const bytes = writeNetcdf3({
        version,
        records: isRecords ? DAYS : 0,
        dimensions: order.map((d) => ({ name: NAMES[d], length: isRecords && d === 1 ? 0 : GRID[d] })),
        attributes: attributes({ Conventions: 'CF-1.8' }),
        variables: [
          ...Object.entries(COORDINATES).map(([name, { values, attributes: own }]) => {
            const dimensions = [names.indexOf(name)];
            return { name, type: 'float64' as const, dimensions, attributes: attributes(own), values };
          }),
          {
            ...{ name: 'precip', type: 'float32' as const, dimensions: [0, 1, 2, 3] },
            ...{ attributes: attributes(RAIN_ATTRIBUTES), values: RAIN },
          },
        ],
      });
      await writeFile(join(folder, 'netcdf3', `version-${version}${isRecords ? '-records' : ''}.nc`), bytes);
    }
  }
  for (const [name, { units, coding }] of Object.entries(ODD)) {
    const bytes = writeNetcdf3({
      version: 1,
      records: 0,
      dimensions: NAMES.map((of, d) => ({ name: of, length: GRID[d] })),
      variables: [
        ...Object.entries(COORDINATES).map(([of, { values, attributes: own }]) => {
          const all = of === 'time' ? { ...own, units } : own;
          return {
            ...{ name: of, type: 'float64' as const, dimensions: [NAMES.indexOf(of)] },
            ...{ attributes: attributes(all), values },
          };
        }),
        {
          ...{ name: 'precip', type: 'float32' as const, dimensions: [0, 1, 2, 3], values: RAIN },
          attributes: [
            ...attributes(RAIN_ATTRIBUTES),
            ...Object.entries(coding).map(([of, values]) =>
              typeof values === 'string'
                ? { name: of, type: 'text' as const, values }
                : { name: of, type: 'float64' as const, values: [values].flat() },
            ),
          ],
        },
      ],
    });
    await writeFile(join(folder, 'netcdf3', `odd-${name}.nc`), bytes);
  }
  const table = demoTable('temp_mean', { days: 9, members: 3, locations: [place(0), place(1)] });
  for (const deflate of [0, 1]) {
    await writeNetcdf4(join(folder, 'netcdf4', `own-${deflate}.nc`), contentOfTable(table), { deflate });
  }
  const core = await loadCore();
  const weeks = statistics(core, demoTable('temp_mean', { days: 30, members: 5 }), { granularity: 'weekly' });
  await writeNetcdf4(join(folder, 'netcdf4', 'weeks.nc'), contentOfTable(weeks));
}

async function makeZarr(folder: string): Promise<void> {
  await makeReferences(folder);
  const coordinates = Object.fromEntries(
    Object.entries(COORDINATES).map(([name, { values, attributes }]) => {
      const shape = [values.length];
      return [name, { type: 'float64' as const, dimensions: [name], shape, chunk: shape, values, attributes }];
    }),
  );
  for (const [name, { units, coding }] of Object.entries(ODD)) {
    const fixture = await zarrFixture(2, {
      ...{ ...coordinates, time: { ...coordinates.time, attributes: { units } } },
      precip: {
        ...{ type: 'float32', dimensions: NAMES, shape: GRID, chunk: [1, 5, 2, 2], values: RAIN },
        attributes: { ...RAIN_ATTRIBUTES, ...coding },
      },
    });
    await fixture.writeTo(join(folder, 'zarr', `odd-${name}`));
  }
  for (const version of [2, 3] as const) {
    for (const codec of CODECS) {
      if (version === 3 && (codec === 'lz4' || codec === 'zlib')) continue;
      for (const isSharded of version === 3 ? [false, true] : [false]) {
        const fixture = await zarrFixture(version, {
          ...coordinates,
          precip: {
            ...{ type: 'float32', dimensions: NAMES, shape: GRID, chunk: [1, 5, 2, 2], values: RAIN, codec },
            ...(isSharded ? { perShard: [3, 1, 1, 1], checksums: true } : {}),
            ...{ fill: 'NaN', attributes: RAIN_ATTRIBUTES },
          },
        });
        await fixture.writeTo(join(folder, 'zarr', `own-v${version}-${codec}${isSharded ? '-sharded' : ''}`));
      }
    }
  }
}

async function copyReference(folder: string): Promise<void> {
  const data = process.env.PLUMECAST_REFERENCE_DATA ?? '../shared/data';
  for (const { reader, file, lines } of REFERENCE) {
    const target = join(folder, reader, `reference-${file.replaceAll('/', '-')}`);
    try {
      if (lines === undefined) await cp(join(data, file), target, { recursive: true, force: true });
      else {
        const text = await readFile(join(data, file), 'utf8');
        await writeFile(target, `${text.split('\n').slice(0, lines).join('\n')}\n`);
      }
    } catch {
      console.log(`skipped: seed ${file} (no reference data)`);
    }
  }
}

function makeForeign(folder: string): void {
  const python = process.env.PLUMECAST_PYTHON ?? 'python3';
  const { status, stdout, error } = spawnSync(python, ['-W', 'ignore', 'test/fuzz/seeds.py', folder], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error !== undefined || status !== 0)
    console.log(`skipped: seeds of Python's libraries (${python} cannot be run)`);
  else if (stdout !== '') console.log(stdout.trimEnd());
}

/** The seeds of a reader, from the folder that they were made in, always in the same order. */
export async function readSeeds(folder: string, reader: Reader): Promise<Seed[]> {
  const covered = JSON.parse(await readFile(join(folder, 'covered.json'), 'utf8'));
  const names = (await readdir(join(folder, reader))).sort();
  return Promise.all(
    names.map(async (name) => {
      const files = await readFiles(join(folder, reader, name));
      const checked = new Map<string, Region[]>(Object.entries(covered[`${reader}/${name}`] ?? {}));
      if (reader === 'parquet') checked.set('', checkedRegions(files.get('') as Uint8Array));
      for (const [file, regions] of checked) if (regions.length === 0) checked.delete(file);
      return { name, files, checked };
    }),
  );
}

async function readFiles(path: string, inside = ''): Promise<Map<string, Uint8Array>> {
  const full = join(path, inside);
  if (!(await stat(full)).isDirectory()) return new Map([[inside, new Uint8Array(await readFile(full))]]);
  const files = new Map<string, Uint8Array>();
  for (const name of (await readdir(full)).sort()) {
    for (const [file, bytes] of await readFiles(path, join(inside, name))) files.set(file, bytes);
  }
  return files;
}
