import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type BlendOptions, blend, pairMembers } from '../../src/blend/index.js';
import { loadCore } from '../../src/core/load.js';
import { contentOfTable } from '../../src/files/cf/content/content-of-table.js';
import { encodeTable } from '../../src/files/index.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { type BlendRequest, blendInputs } from '../../src/input/blend-inputs.js';
import type { Notice } from '../../src/input/notice.js';
import { allTables, joinTables } from '../../src/table/build/join-tables.js';
import { wideTable } from '../../src/table/build/wide-table.js';
import { folderWith } from '../cli/run-command.js';
import { seeded } from '../reference/fields.js';

const core = await loadCore();
const { folder, remove } = folderWith({});
afterAll(remove);

const FIRST_DAY = 20_514;
const ROWS = 5;
const COLUMNS = 4;

interface MadeHorizon {
  readonly days: number;
  readonly members: number;
  readonly seed: number;
  /** How its grid lies in files. */
  readonly latitudes?: 'descending' | 'ascending';
  readonly longitudes?: 'from -180' | 'from 0';
  readonly type?: 'float32' | 'float64';
  /** The places that have values. Default all. */
  readonly land?: readonly number[];
}

const HORIZONS: readonly MadeHorizon[] = [
  { days: 15, members: 5, seed: 1 },
  { days: 46, members: 7, seed: 2, latitudes: 'ascending' },
  { days: 90, members: 3, seed: 3, longitudes: 'from 0' },
];

/** Values on a grid across the meridian of Greenwich, some of them missing, location by location. */
function gridTable(slug: 'precipitation' | 'temp_mean', horizon: MadeHorizon): Table {
  const { days, members, seed, latitudes = 'descending', longitudes = 'from -180', type = 'float32', land } = horizon;
  const random = seeded(slug === 'temp_mean' ? seed + 100 : seed);
  const rows = ROWS * COLUMNS * days;
  const place = (row: number) => Math.floor(row / days);
  const north = (index: number) => (latitudes === 'descending' ? 50 - 0.5 * index : 48 + 0.5 * index);
  const east = (index: number) => (longitudes === 'from 0' ? [0, 0.5, 359, 359.5][index] : -1 + 0.5 * index);
  const columns = Array.from({ length: members }, () =>
    Float64Array.from({ length: rows }, (_, row) => {
      const isSea = land?.includes(place(row)) === false;
      return random() < 0.01 || isSea ? Number.NaN : 20 * random() ** 3;
    }),
  );
  return wideTable(
    {
      latitude: Float64Array.from({ length: rows }, (_, row) => north(Math.floor(place(row) / COLUMNS))),
      longitude: Float64Array.from({ length: rows }, (_, row) => east(place(row) % COLUMNS)),
      date: Int32Array.from({ length: rows }, (_, row) => FIRST_DAY + (row % days)),
      members: type === 'float32' ? columns.map((values) => Float32Array.from(values)) : columns,
    },
    new Map([
      ['variable', slug],
      ['units', slug === 'temp_mean' ? 'degC' : 'mm'],
    ]),
  );
}

/** Writes tables of the same grid as one NetCDF file. */
async function gridFile(name: string, ...tables: readonly Table[]): Promise<string> {
  const [first, ...others] = tables.map((table) => contentOfTable(table));
  const all = [...first.arrays, ...others.map((content) => content.arrays[content.arrays.length - 1])];
  // Pieces of a row of the grid, so that blocks may be small.
  const arrays = all.map((array) => (array.chunk ? { ...array, chunk: [array.chunk[0], 1, 1, COLUMNS] } : array));
  const path = join(folder, name);
  await writeNetcdf4(path, { ...first, arrays });
  return path;
}

async function tableFile(name: string, table: Table): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, await encodeTable(table, 'arrow'));
  return path;
}

const inputs = (paths: readonly string[]) =>
  paths.map((path) => ({ path, source: basename(path), close: async () => {} }));

/** The timeline of files, read in blocks of about `bytes` bytes, and what was reported. */
async function blended(
  paths: readonly string[],
  request: Partial<BlendRequest> = {},
  bytes?: number,
): Promise<{ table: Table; notices: string[]; blocks: number }> {
  const notices: string[] = [];
  let blocks = 0;
  const tables: Table[] = [];
  const hooks = {
    report: ({ kind, source, text }: Notice) => notices.push(`${kind}: ${source}: ${text}`),
    opening: () => {},
    sampled: true,
    progress: () => blocks++,
    bytes,
  };
  await blendInputs(core, inputs(paths), { options: {}, values: {}, ...request }, hooks, async (timeline) => {
    tables.push(...(await allTables(timeline.tables())));
  });
  return { table: joinTables(tables), notices, blocks };
}

const csv = async (table: Table) => new TextDecoder().decode(await encodeTable(table, 'csv'));
const metadataOf = ({ schema }: Table) => Object.fromEntries([...schema.metadata].sort());

const rain = HORIZONS.map((horizon) => gridTable('precipitation', horizon));
const warmth = HORIZONS.map((horizon) => gridTable('temp_mean', horizon));
const rainGrids = await Promise.all(rain.map((table, h) => gridFile(`rain-${h}.nc`, table)));
const bothGrids = await Promise.all(rain.map((table, h) => gridFile(`both-${h}.nc`, table, warmth[h])));
const warmthTables = await Promise.all(warmth.map((table, h) => tableFile(`warmth-${h}.arrow`, table)));
/** What takes two rows of the grid at a time, or a part of one. */
const BUDGETS = [undefined, 40_000, 10_000];

describe('blendInputs', () => {
  it.each<[string, Omit<BlendOptions, 'variable'>]>([
    ['as it is', {}],
    ['with other overlaps', { overlaps: [5, 9], lastLeads: [12, 30, null] }],
    ['spliced', { method: 'splice' }],
    ['with a pairing at each place', { method: 'cell' }],
  ])('gives for gridded files, %s, what blend gives for their tables, in blocks of any size', async (_, options) => {
    const expected = blend(core, rain, options).table;
    const counts: number[] = [];
    for (const bytes of BUDGETS) {
      const { table, notices, blocks } = await blended(rainGrids, { options }, bytes);
      expect(await csv(table)).toBe(await csv(expected));
      expect(notices).toEqual([]);
      counts.push(blocks);
    }
    expect(counts[0]).toBe(1);
    expect(counts[2]).toBeGreaterThan(counts[1]);
  });

  it('warns of a horizon without any value', async () => {
    const empty = gridTable('precipitation', { ...HORIZONS[1], land: [] });
    const warning = (name: string) =>
      `warning: ${name}: has no value: all are missing, and so are the days that it alone covers`;
    const grid = await gridFile('rain-empty.nc', empty);
    expect((await blended([rainGrids[0], grid])).notices).toContain(warning('rain-empty.nc'));
    const table = await tableFile('rain-empty.arrow', empty);
    expect((await blended([rainGrids[0], table], {}, 10_000)).notices).toContain(warning('rain-empty.arrow'));
  });

  it('gives the same for grids and tables of any shape', async () => {
    const shape = fc.record({
      members: fc.integer({ min: 2, max: 6 }),
      seed: fc.integer({ min: 1, max: 1000 }),
      latitudes: fc.constantFrom('descending' as const, 'ascending' as const),
      longitudes: fc.constantFrom('from -180' as const, 'from 0' as const),
      type: fc.constantFrom('float32' as const, 'float64' as const),
    });
    const shapes = fc.tuple(
      shape.map((one) => ({ ...one, longitudes: 'from -180' as const })),
      shape,
      fc.integer({ min: 4, max: 12 }),
      fc.integer({ min: 1, max: 9 }),
    );
    await fc.assert(
      fc.asyncProperty(shapes, fc.integer({ min: 6_000, max: 30_000 }), async ([first, second, days, more], bytes) => {
        const horizons = [
          { ...first, days },
          { ...second, days: days + more },
        ];
        const tables = horizons.map((horizon) => gridTable('precipitation', horizon));
        const files = await Promise.all(tables.map((table, h) => gridFile(`shape-${h}.nc`, table)));
        expect(await csv((await blended(files, {}, bytes)).table)).toBe(await csv(blend(core, tables).table));
      }),
      { numRuns: 8 },
    );
  });

  it('pairs by the places with values, as blend does, where the sea has none', async () => {
    const tables = HORIZONS.map(({ days, members, seed }) =>
      gridTable('precipitation', { days, members, seed, land: [7, 13] }),
    );
    const files = await Promise.all(tables.map((table, h) => gridFile(`land-${h}.nc`, table)));
    const expected = await csv(blend(core, tables).table);
    for (const bytes of BUDGETS) expect(await csv((await blended(files, {}, bytes)).table)).toBe(expected);
    const mixed = [files[0], await tableFile('land.arrow', tables[1]), files[2]];
    expect(await csv((await blended(mixed)).table)).toBe(expected);
  });

  it('gives the timeline of gridded files the metadata of blend for their tables', async () => {
    const { table } = await blended(rainGrids, {}, 10_000);
    const members = { member_names: '["0","1","2","3","4"]' };
    expect(metadataOf(table)).toMatchObject({ ...metadataOf(blend(core, rain).table), ...members });
  });

  it('pairs members by temp_mean and precipitation if all files have them, or by named arrays or other files', async () => {
    const pairing = pairMembers(core, warmth, { also: [rain] });
    const expected = await csv(blend(core, rain, { pairing }).table);
    const alone = await csv(blend(core, rain, { pairing: pairMembers(core, warmth) }).table);
    expect(new Set([expected, alone, await csv(blend(core, rain).table)]).size).toBe(3);
    const options = { variable: 'precipitation' };
    for (const bytes of BUDGETS) {
      expect(await csv((await blended(bothGrids, { options }, bytes)).table)).toBe(expected);
      expect(await csv((await blended(bothGrids, { options, pairBy: ['temp_mean'] }, bytes)).table)).toBe(alone);
      const byFiles = await blended(rainGrids, { options, pairBy: inputs(warmthTables) }, bytes);
      expect(await csv(byFiles.table)).toBe(alone);
      const both = inputs([...warmthTables, ...rainGrids]);
      expect(await csv((await blended(rainGrids, { options, pairBy: both }, bytes)).table)).toBe(expected);
    }
    const byOwn = await blended(bothGrids, { options, pairBy: ['precipitation'] });
    expect(await csv(byOwn.table)).toBe(await csv(blend(core, rain).table));
    const byCell = { ...options, method: 'cell' as const };
    const own = pairMembers(core, warmth, { method: 'cell' });
    const { table } = await blended(bothGrids, { options: byCell }, 10_000);
    expect(await csv(table)).toBe(await csv(blend(core, rain, { ...byCell, pairing: own }).table));
  });

  it('blends tables with gridded files, with places in the order of the first file', async () => {
    const double = gridTable('precipitation', { ...HORIZONS[1], type: 'float64' });
    const expected = await csv(blend(core, [rain[0], double, rain[2]]).table);
    const mixed = [rainGrids[0], await tableFile('double.arrow', double), rainGrids[2]];
    expect(await csv((await blended(mixed, {}, 10_000)).table)).toBe(expected);
    const tableFirst = [await tableFile('first.arrow', rain[0]), rainGrids[1], rainGrids[2]];
    const { table } = await blended(tableFirst, {}, 10_000);
    expect(await csv(table)).toBe(await csv(blend(core, rain).table));
  });

  it('converts steps and other units to daily values, and reports it', async () => {
    const lines = ['date,member,precipitation'];
    for (let hour = 0; hour < 15 * 24; hour += 6) {
      const time = new Date((FIRST_DAY * 24 + hour) * 3_600_000).toISOString().slice(0, 16);
      for (const member of [0, 1, 2]) lines.push(`${time},${member},${(member + 1) * (1 + (hour % 5)) * 0.001}`);
    }
    const path = join(folder, 'steps.csv');
    writeFileSync(path, lines.join('\n'));
    const later = join(folder, 'later.csv');
    const days = Array.from({ length: 30 }, (_, day) => {
      return `${new Date((FIRST_DAY + day) * 86_400_000).toISOString().slice(0, 10)},0,${day}\n`;
    });
    writeFileSync(later, `date,member,precipitation\n${days.join('')}${days.join('').replaceAll(',0,', ',1,')}`);
    const values = { units: 'm', accumulation: 'per-step', stamps: 'start' } as const;
    const { table, notices } = await blended([path, later], { values, options: { names: ['a', 'b'] } });
    expect(notices).toEqual([
      'note: steps.csv: m to mm; amounts of each step, by the option accumulation; 6-hourly values to daily sums',
      'note: later.csv: m to mm',
    ]);
    expect(table.numRows).toBe(30);
    expect(table.getChild('member_00')?.get(0)).toBeCloseTo(10, 12);
  });

  it('throws for grids that do not match, and names the files', async () => {
    const other = await gridFile('other.nc', gridTable('precipitation', { ...HORIZONS[1], longitudes: 'from 0' }));
    const smaller = await tableFile('smaller.arrow', rain[1].slice(0, 46 * 7));
    expect((await blended([rainGrids[0], other])).table.numRows).toBeGreaterThan(0);
    await expect(blended([rainGrids[0], smaller])).rejects.toThrow(
      /^smaller.arrow: other locations: 7 of them; allowed: the 20 of .*rain-0.nc, in any order$/,
    );
    await expect(blended([bothGrids[0], bothGrids[1]])).rejects.toThrow('the file holds several');
    await expect(blended([rainGrids[1], rainGrids[0]])).rejects.toThrow(/rain-0.nc: adds no day to .*rain-1.nc/);
  });
});
