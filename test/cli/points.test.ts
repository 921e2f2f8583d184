import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNetcdf } from '../../src/files/node.js';
import { hasProgram, said } from '../reference/foreign-programs.js';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const LATITUDES = [50, 49, 48, 47, 46];
const LONGITUDES = [10, 11, 12, 13, 14, 15];
const DAYS = 14;
const MEMBERS = 3;
const [rows, columns] = [LATITUDES.length, LONGITUDES.length];
const cells = rows * columns;
/** A value that tells the cell, the day and the member. */
const value = (member: number, day: number, cell: number) => Math.fround(((cell * 37) % 29) + day / 8 + member / 16);
const metres = (cell: number) => 100 * ((cell * 7) % 11);
const isLand = (cell: number) => cell % 2;

const FARMS = `farm_id,lat,lon,elevation,crop
F001,47.4,14.4,610,wheat
F002,47.3,14.2,720,rye
007,48.25,11.4,250,rye
`;
const geoJson = (features: readonly object[]) => JSON.stringify({ type: 'FeatureCollection', features });
const feature = (properties: object, ...coordinates: number[]) => ({
  ...{ type: 'Feature', properties, geometry: { type: 'Point', coordinates } },
});
const { folder, remove } = folderWith({
  'farms.csv': FARMS,
  'farms.geojson': geoJson([
    feature({ farm_id: 'F001', crop: 'wheat' }, 14.4, 47.4, 610),
    feature({ farm_id: 'F002', crop: 'rye' }, 14.2, 47.3, 720),
    feature({ farm_id: '007', crop: 'rye' }, 11.4, 48.25, 250),
  ]),
  'unnamed.csv': 'latitude,longitude\n47.4,14.4\n48.25,11.4\n',
  'named.csv': 'Länge;Breite;Nummer\n14,4;47,4;7\n11,4;48,25;8\n',
  'unnamed-twice.csv': 'latitude,longitude\n47.4,14.4\n47.4,14.4\n',
  'id-twice.csv': 'farm_id,latitude,longitude\nA,47.4,14.4\nA,48.25,11.4\n',
  'no-id.csv': 'farm_id,latitude,longitude\nA,47.4,14.4\n,48.25,11.4\n',
  'outside.csv': 'farm_id,latitude,longitude\nA,47.4,14.4\nB,40,11.4\nC,48.25,40\n',
  'swapped.csv': 'farm_id,latitude,longitude\nA,14.4,47.4\nB,11.4,48.25\n',
  'swapped-far.csv': 'farm_id,latitude,longitude\nA,-119.4,36.7\nB,-121,37\n',
  'no-coordinates.csv': 'farm_id,easting,northing\nA,1,2\n',
  'minutes.csv': 'id,lat_deg,lat_min,lon_deg,lon_min\nA,47,24,14,24\n',
  'radians.csv': 'id,lat_rad,lon_rad\nA,0.82,0.25\n',
  'numbers-of-cells.csv': 'id,x,y\nA,14,47\n',
  'metres.csv': 'id,x,y\nA,450123.5,5250432.1\n',
  'lines.geojson': geoJson([{ ...feature({}, 1, 2), geometry: { type: 'LineString', coordinates: [[1, 2]] } }]),
  'utm.geojson': JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::32633' } },
    features: [feature({}, 500000, 5200000)],
  }),
});
afterAll(remove);
const at = (name: string) => join(folder, name);

/** Writes arrays on the grid. */
async function writeGrid(
  name: string,
  { field = true, mask, height, shift = 0 }: { field?: boolean; mask?: boolean; height?: boolean; shift?: number },
): Promise<void> {
  const dimensions = ['latitude', 'longitude'];
  const all = (of: (cell: number) => number) => Float32Array.from({ length: cells }, (_, cell) => of(cell));
  const plain = (own: string, values: Float32Array, standardName: string, units: string) => ({
    ...{ name: own, type: 'float32' as const, dimensions, values },
    attributes: new Map([
      ['standard_name', standardName],
      ['units', units],
    ]),
  });
  const axis = (own: string, values: readonly number[], units: string) => ({
    ...{ name: own, type: 'float64' as const, dimensions: [own], values: Float64Array.from(values) },
    attributes: new Map([['units', units]]),
  });
  const temperatures = Float32Array.from({ length: MEMBERS * DAYS * cells }, (_, i) =>
    value(Math.floor(i / (DAYS * cells)), Math.floor(i / cells) % DAYS, i % cells),
  );
  await writeNetcdf(at(name), {
    attributes: new Map(),
    dimensions: new Map([
      ['number', MEMBERS],
      ['time', DAYS],
      ['latitude', rows],
      ['longitude', columns],
    ]),
    arrays: [
      axis(
        'latitude',
        LATITUDES.map((degrees) => degrees + shift),
        'degrees_north',
      ),
      axis('longitude', LONGITUDES, 'degrees_east'),
      axis('number', [0, 1, 2], '1'),
      axis(
        'time',
        Array.from({ length: DAYS }, (_, day) => day),
        'days since 2026-03-02',
      ),
      ...(mask ? [plain('lsm', all(isLand), 'land_binary_mask', '1')] : []),
      ...(height ? [plain('orog', all(metres), 'surface_altitude', 'm')] : []),
      ...(field
        ? [
            {
              ...{ name: 't2m', type: 'float32' as const, values: temperatures },
              dimensions: ['number', 'time', 'latitude', 'longitude'],
              attributes: new Map([
                ['units', 'degC'],
                ['standard_name', 'air_temperature'],
                ['cell_methods', 'time: mean'],
              ]),
            },
          ]
        : []),
    ],
  } as never);
}

beforeAll(async () => {
  await writeGrid('run.nc', { height: true });
  await writeGrid('own-mask.nc', { mask: true });
  await writeGrid('mask.nc', { field: false, mask: true });
  await writeGrid('shifted.nc', { field: false, mask: true, shift: 0.5 });
  await plumecastHere('convert', at('farms.csv'), at('farms.parquet'), '--quiet');
});

type Row = Record<string, string>;
function records(csv: string): Row[] {
  const [header, ...lines] = csv.trim().split('\n');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [header.split(',')[i], cell])));
}
async function weekly(file: string, points: string, ...options: string[]): Promise<{ all: Row[]; err: string }> {
  const { code, out, err } = await plumecastHere(
    ...['stats', at(file), '-v', 'temp_mean', '--granularity', 'weekly', '--points', at(points), ...options],
  );
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return { all: records(out), err };
}
async function failure(...args: string[]): Promise<string> {
  const { code, err } = await plumecastHere(...args);
  expect(code).not.toBe(0);
  return err.trim();
}

/** The mean over members and the first week at a cell. */
function weekMean(cell: number): number {
  let sum = 0;
  for (let member = 0; member < MEMBERS; member++) for (let day = 0; day < 7; day++) sum += value(member, day, cell);
  return sum / 7 / MEMBERS;
}
const cellAt = (latitude: number, longitude: number) =>
  LATITUDES.indexOf(latitude) * columns + LONGITUDES.indexOf(longitude);
const near = (all: readonly Row[], id = 'farm_id') =>
  all.filter(({ period }) => period === '2026-W10').map((row) => [row[id], Number(row.mean).toFixed(4)]);

describe('--points', () => {
  const expected = [
    ['F001', weekMean(cellAt(47, 14)).toFixed(4)],
    ['F002', weekMean(cellAt(47, 14)).toFixed(4)],
    ['007', weekMean(cellAt(48, 11)).toFixed(4)],
  ];

  it.each(['farms.csv', 'farms.geojson', 'farms.parquet'])(
    'of %s have the nearest cell, and keep ids and coordinates',
    async (name) => {
      const { all, err } = await weekly('run.nc', name);
      expect(near(all)).toEqual(expected);
      const [first] = all;
      expect([first.latitude, first.longitude, first.crop, first.elevation]).toEqual(['47.4', '14.4', 'wheat', '610']);
      expect([first.cell_latitude, first.cell_longitude, first.distance_km]).toEqual(['47', '14', '53.773']);
      expect(err).toContain('3 points by the nearest cell');
    },
  );

  it('without ids are told apart by coordinates', async () => {
    const { all } = await weekly('run.nc', 'unnamed.csv');
    expect(near(all, 'latitude')).toEqual([
      ['47.4', expected[0][1]],
      ['48.25', expected[2][1]],
    ]);
  });

  it.each([
    ['id,geoBreite,geoLaenge', 'latitude by the column geoBreite, longitude by the column geoLaenge'],
    ['id,Breite,Länge (°)', 'latitude by the column Breite, longitude by the column Länge (°)'],
    ['id,lat_dd,lon_dd', 'latitude by the column lat_dd, longitude by the column lon_dd'],
    ['id,latitude,lon_wgs84', 'longitude by the column lon_wgs84'],
    ['id,Y,X', 'latitude by the column Y, longitude by the column X'],
  ])('have columns of coordinates with the names %s, which a note says', async (names, note) => {
    writeFileSync(at('other-names.csv'), `${names}\nA,47.4,14.4\nB,48.25,11.4\n`);
    const { all, err } = await weekly('run.nc', 'other-names.csv');
    expect(err).toContain(`other-names.csv: ${note}; 2 points by`);
    expect(near(all, 'id')).toEqual([
      ['A', expected[0][1]],
      ['B', expected[2][1]],
    ]);
  });

  it('have columns of any name, by --columns', async () => {
    const named = ['--columns', 'latitude=Breite,longitude=Länge,id=Nummer'];
    const { all } = await weekly('run.nc', 'named.csv', ...named);
    expect(near(all, 'Nummer')).toEqual([
      ['7', expected[0][1]],
      ['8', expected[2][1]],
    ]);
    const points = ['-v', 'temp_mean', '--points', at('named.csv'), ...named];
    const { code } = await plumecastHere('convert', at('run.nc'), at('named-out.csv'), ...points, '--quiet');
    expect(code).toBe(0);
    expect(records(readFileSync(at('named-out.csv'), 'utf8'))[0]).toMatchObject({ Nummer: '7', latitude: '47.4' });
    // Coordinates of the grid are none of the points.
    const grid = ['--coordinates', 'latitude=latitude,longitude=longitude'];
    const blend = ['blend', at('run.nc'), '-v', 'temp_mean', '--points', at('farms.csv'), ...grid];
    expect(await plumecastHere(...blend)).toMatchObject({ code: 0 });
    const absent = ['--columns', 'latitude=y,longitude=x'];
    expect(await failure('stats', at('run.nc'), ...points.slice(0, 4), ...absent)).toContain(
      'column for latitude: not in the table; received "y"; allowed: one of Länge, Breite, Nummer',
    );
    expect(await failure('stats', at('run.nc'), '-v', 'temp_mean', ...absent)).toContain('--columns for tables');
  });

  it('of a timeline of several grids have no cell, which only horizons of one grid share', async () => {
    await writeGrid('moved.nc', { shift: 0.5 });
    const blended = async (other: string) => {
      const how = ['-v', 'temp_mean', '--points', at('farms.csv'), '--names', 'a,b'];
      const { code, out } = await plumecastHere(
        'blend',
        at('run.nc'),
        at(other),
        ...how,
        '--overlaps',
        '1',
        '--last-leads',
        '5,all',
      );
      expect(code).toBe(0);
      return records(out)[0];
    };
    await plumecastHere('convert', at('run.nc'), at('again.nc'), '-v', 'temp_mean', '--quiet');
    expect(await blended('again.nc')).toMatchObject({ farm_id: 'F001', cell_latitude: '47', distance_km: '53.773' });
    const moved = await blended('moved.nc');
    expect(moved).toMatchObject({ farm_id: 'F001', crop: 'wheat', cell_longitude: '14' });
    expect(Object.keys(moved)).not.toContain('cell_latitude');
    expect(Object.keys(moved)).not.toContain('distance_km');
  });

  it('are the same values as those of --point', async () => {
    const { all } = await weekly('run.nc', 'farms.csv', '--quantiles', '0.1,0.9');
    for (const [i, point] of ['47.4,14.4', '47.3,14.2', '48.25,11.4'].entries()) {
      const { out } = await plumecastHere(
        ...[
          'stats',
          at('run.nc'),
          '-v',
          'temp_mean',
          '--granularity',
          'weekly',
          '--point',
          point,
          '--quantiles',
          '0.1,0.9',
        ],
      );
      const values = ({ mean, q10, q90 }: Row) => [mean, q10, q90];
      expect(records(out).map(values)).toEqual(all.slice(2 * i, 2 * i + 2).map(values));
    }
  });

  it('have the nearest cell of land by a mask, or by the mask of the file itself', async () => {
    for (const [file, ...options] of [['run.nc', '--land-mask', at('mask.nc')], ['own-mask.nc']]) {
      const { all, err } = await weekly(file, 'farms.csv', ...options);
      expect(err).toContain('by the nearest cell of land');
      for (const row of all) {
        expect(isLand(cellAt(Number(row.cell_latitude), Number(row.cell_longitude)))).toBe(1);
      }
      expect(near(all)[0][1]).toBe(
        weekMean(cellAt(Number(all[0].cell_latitude), Number(all[0].cell_longitude))).toFixed(4),
      );
    }
  });

  it('have temperatures at their own elevation by a lapse rate', async () => {
    const { all, err } = await weekly('run.nc', 'farms.csv', '--lapse-rate', '6.5');
    expect(err).toContain('temperature by 6.5 K/km');
    const own = (cell: number, elevation: number) =>
      (weekMean(cell) + (6.5 * (metres(cell) - elevation)) / 1000).toFixed(4);
    expect(near(all).map(([, mean]) => mean)).toEqual([
      own(cellAt(47, 14), 610),
      own(cellAt(47, 14), 720),
      own(cellAt(48, 11), 250),
    ]);
    expect(all[0].cell_elevation).toBe(String(metres(cellAt(47, 14))));
  });

  it('go through convert to NetCDF with their ids, and what was done stands in the file', async () => {
    const out = at('farms.nc');
    const made = await plumecastHere('convert', at('run.nc'), out, '-v', 'temp_mean', '--points', at('farms.csv'));
    expect(made.code).toBe(0);
    const { out: csv } = await plumecastHere('stats', out, '--granularity', 'weekly');
    expect(near(records(csv))).toEqual(expected);
    expect(readFileSync(out).includes('3 points by the nearest cell')).toBe(true);
  });

  it('go through batch, which computes again when the points change', async () => {
    writeFileSync(at('own.csv'), FARMS);
    const batch = () =>
      plumecast([
        ...[
          'batch',
          at('run.nc'),
          '-v',
          'temp_mean',
          '--granularity',
          'weekly',
          '--format',
          'csv',
          '--out',
          at('results'),
        ],
        ...['--points', at('own.csv')],
      ]);
    const first = batch();
    expect(first).toMatchObject({ code: 0 });
    const written = () => readFileSync(at('results/run.csv'), 'utf8');
    expect(near(records(written()))).toEqual(expected);
    writeFileSync(at('own.csv'), FARMS.replace('F001', 'F009'));
    expect(batch()).toMatchObject({ code: 0 });
    expect(near(records(written()))[0][0]).toBe('F009');
  });

  it('go through a climatology and a timeline', async () => {
    const climate = await plumecastHere(
      ...[
        'climatology',
        at('run.nc'),
        '-v',
        'temp_mean',
        '--reference',
        '2026-2026',
        '--fewer-years',
        '--half-width',
        '0',
      ],
      ...['--granularity', 'daily', '--format', 'csv', '--points', at('farms.csv')],
    );
    expect([climate.code, new Set(records(climate.out).map(({ farm_id }) => farm_id)).size]).toEqual([0, 3]);
    const timeline = await plumecastHere(
      ...['blend', at('run.nc'), at('run.nc'), '-v', 'temp_mean', '--names', 'a,b', '--last-leads', '8,all'],
      ...['--overlaps', '2', '--points', at('farms.csv')],
    );
    expect([timeline.code, new Set(records(timeline.out).map(({ farm_id }) => farm_id)).size]).toEqual([0, 3]);
  });
});

describe.skipIf(!hasProgram('cdo', '--version'))('--points beside CDO', () => {
  const values = (method: string) =>
    ['14.4/47.4', '14.2/47.3', '11.4/48.25'].map((place) => {
      const [lon, lat] = place.split('/');
      const week = ['-timmean', '-seltimestep,1/7', `-${method},lon=${lon}_lat=${lat}`];
      const text = said('cdo', ['-s', 'outputf,%.6f,1', ...week, at('member0.nc')]);
      return Number(text.trim());
    });

  beforeAll(async () => {
    const temperatures = (member: number) =>
      Array.from({ length: DAYS * cells }, (_, i) => value(member, Math.floor(i / cells), i % cells));
    writeFileSync(
      at('member0.cdl'),
      `netcdf m { dimensions: time = ${DAYS}; latitude = ${rows}; longitude = ${columns};
variables: double time(time); time:units = "days since 2026-03-02"; double latitude(latitude); latitude:units = "degrees_north";
double longitude(longitude); longitude:units = "degrees_east"; float t2m(time, latitude, longitude); t2m:units = "degC"; t2m:standard_name = "air_temperature"; t2m:cell_methods = "time: mean";
data: time = ${Array.from({ length: DAYS }, (_, day) => day)}; latitude = ${LATITUDES}; longitude = ${LONGITUDES}; t2m = ${temperatures(0)}; }`,
    );
    said('ncgen', ['-o', at('member0.nc'), at('member0.cdl')]);
  });

  it.each([
    ['nearest', 'remapnn'],
    ['bilinear', 'remapbil'],
  ])('%s gives what %s gives', async (method, operator) => {
    const { all } = await weekly('member0.nc', 'farms.csv', '--point-method', method);
    const found = all.filter(({ period }) => period === '2026-W10').map(({ mean }) => Number(mean));
    for (const [i, expected] of values(operator).entries()) expect(found[i]).toBeCloseTo(expected, 4);
  });
});

describe('plot --points', () => {
  const labels = (svg: string) =>
    [...svg.matchAll(/>([^<>]*: [^<>]*, (?:daily|weekly[^<>]*))</g)].map(([, text]) => text);
  const plot = (...options: string[]) => plumecastHere('plot', at('run.nc'), '-v', 'temp_mean', ...options);

  it('draws a panel for each place, with its id', async () => {
    const out = at('farms.svg');
    const { code, err } = await plot('--points', at('farms.csv'), '--out', out);
    expect([code, err.includes('error')]).toEqual([0, false]);
    const svg = readFileSync(out, 'utf8');
    const ids = ['F001', 'F002', '007'];
    expect(labels(svg)).toEqual(ids.map((id) => `${id}: temp mean (°C), daily`));
    const table = await plot('--points', at('farms.csv'), '--granularity', 'weekly', '--format', 'text');
    for (const id of ids) expect(table.out).toContain(`${id}: temp mean (°C), weekly means`);
  });

  it('draws a picture for each place with {id} in its name, as of this place alone', async () => {
    expect(await plot('--points', at('farms.csv'), '--out', at('plume-{id}.svg'))).toMatchObject({ code: 0 });
    for (const [row, id] of ['F001', 'F002', '007'].entries()) {
      writeFileSync(at('alone.csv'), [0, row + 1].map((line) => FARMS.split('\n')[line]).join('\n'));
      expect(await plot('--points', at('alone.csv'), '--out', at('alone.svg'))).toMatchObject({ code: 0 });
      const own = readFileSync(at(`plume-${id}.svg`), 'utf8');
      expect(own).toBe(readFileSync(at('alone.svg'), 'utf8'));
      expect(own).toContain(`>${id} · `);
    }
  });

  it('draws regions and boxes', async () => {
    const { code, out } = await plot('--bbox', '46,10,48,12', '--mean', '--format', 'text');
    expect([code, out.includes('temp mean (°C), daily')]).toEqual([0, true]);
  });

  it('says what to do with more places than fit, without ids, and on a map', async () => {
    const many = Array.from({ length: 21 }, (_, i) => `P${i},${46 + i / 10},12`).join('\n');
    writeFileSync(at('many.csv'), `id,latitude,longitude\n${many}\n`);
    const { code, err } = await plot('--points', at('many.csv'), '--out', at('many.svg'));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('received "21 places"; allowed: at most 20, or a picture for'),
    ]);
    expect(err).toContain("--out 'plume-{id}.svg'");
    expect((await plot('--points', at('unnamed.csv'), '--out', at('{id}.svg'))).err).toContain('places with ids');
    expect((await plot('--points', at('farms.csv'), '--map', '--out', at('map.svg'))).err).toContain(
      '--points is not for a map',
    );
    expect((await plot('--out', at('all.svg'))).err).toContain('some, by --ids, --points or --regions');
  });
});

describe('--points that cannot be used', () => {
  const stats = (points: string, ...options: string[]) =>
    failure('stats', at('run.nc'), '-v', 'temp_mean', '--points', at(points), ...options);

  it.each([
    ['unnamed-twice.csv', 'row 2: is the place of row 1 once more; received "47.4, 14.4"'],
    ['id-twice.csv', 'row 2, column farm_id: has the id of row 1; received "A"'],
    ['no-id.csv', 'row 2, column farm_id: has no id'],
    ['outside.csv', '2 of its 3 points are not on the grid of'],
    ['outside.csv', 'received "B; C"'],
    ['swapped.csv', 'as latitudes and longitudes seem to be swapped'],
    ['swapped-far.csv', 'out of range, as latitudes and longitudes seem to be swapped'],
    ['no-coordinates.csv', 'has no coordinates of points'],
    ['no-coordinates.csv', 'of other names by --columns latitude=NAME,longitude=NAME'],
    ['minutes.csv', 'has no clear column of latitudes; received "lat_deg", "lat_min"'],
    ['radians.csv', 'has no clear column of latitudes; received "lat_rad"'],
    ['numbers-of-cells.csv', 'has no coordinates of points; received "id", "x", "y"'],
    ['metres.csv', 'has no coordinates of points; received "id", "x", "y"'],
    ['lines.geojson', 'feature 1: is no point; received "LineString"'],
    ['utm.geojson', 'has coordinates of another reference system'],
    ['absent.csv', 'no such file'],
  ])('%s: %s', async (name, message) => {
    expect(await stats(name)).toContain(message);
  });

  it('are a mask of another grid, and options that have no effect', async () => {
    expect(await stats('farms.csv', '--land-mask', at('shifted.nc'))).toContain('is on another grid than');
    expect(await stats('farms.csv', '--model-elevation', at('run.nc'))).toContain('--lapse-rate with it');
    expect(await stats('unnamed.csv', '--lapse-rate', '6.5')).toContain('needs the elevation of each point');
    expect(await stats('farms.csv', '--lapse-rate', '65')).toContain('is no lapse rate');
    expect(await stats('farms.csv', '--point', '47,14')).toContain('cannot be given together with --point');
    expect(await failure('stats', at('run.nc'), '--point-method', 'bilinear')).toContain('--points with it');
    expect(await failure('stats', at('farms.csv'), '--points', at('farms.csv'))).toContain('for files of arrays only');
  });
});
