import { DateDay, Float32, Float64, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTableKernels, type TableKernels } from '../../../src/core/table-kernels.js';
import type { Ensemble } from '../../../src/ensemble/ensemble.js';
import type { RowStores } from '../../../src/table/rows/added-rows.js';
import { EnsembleBuilder, type RowWay } from '../../../src/table/rows/ensemble-builder.js';
import { GATHER_LIMITS, GatheredRows } from '../../../src/table/rows/gathered-rows.js';
import { readEnsemble } from '../../../src/table/rows/read-ensemble.js';
import { RowOrderError } from '../../../src/table/rows/row-index.js';
import { BytesInMemory } from '../../../src/table/rows/row-runs.js';
import { RowsByLocation } from '../../../src/table/rows/rows-by-location.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { isFullCheck } from '../../full-check.js';
import { seeded } from '../../reference/fields.js';

const FIRST_DAY = 20_454;
let kernels: TableKernels;
beforeAll(async () => {
  kernels = await loadTableKernels();
});

interface Row {
  readonly cell: number;
  readonly day: number;
  readonly member: string;
  readonly value: number | null;
  readonly variable?: string;
}

function tableOf(rows: readonly Row[], single = false): Table {
  const column = <T>(of: (row: Row) => T) => rows.map(of);
  return new Table({
    latitude: vectorFromArray(
      column(({ cell }) => 50 - cell / 4),
      new Float64(),
    ),
    longitude: vectorFromArray(
      column(({ cell }) => cell / 2),
      new Float64(),
    ),
    date: vectorFromArray(
      column(({ day }) => (FIRST_DAY + day) * 86_400_000),
      new DateDay(),
    ),
    member: vectorFromArray(
      column(({ member }) => member),
      new Utf8(),
    ),
    ...(rows[0].variable !== undefined && {
      variable: vectorFromArray(
        column(({ variable }) => variable),
        new Utf8(),
      ),
    }),
    value: vectorFromArray(
      column(({ value }) => value),
      single ? new Float32() : new Float64(),
    ),
  });
}

/** Rows by location; of each day the members, or of each member the days. */
const shapes = fc.record({
  seed: fc.nat(),
  cells: fc.integer({ min: 1, max: 6 }),
  members: fc.integer({ min: 1, max: 4 }),
  days: fc.integer({ min: 2, max: 9 }),
  byMember: fc.boolean(),
  gaps: fc.constantFrom(0, 0.3),
  other: fc.boolean(),
  single: fc.boolean(),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

function rowsOf({ seed, cells, members, days, byMember, gaps, other }: Shape): Row[] {
  const random = seeded(seed);
  const rows: Row[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const shift = cell % 3;
    for (let i = 0; i < members * days; i++) {
      const member = byMember ? Math.floor(i / days) : i % members;
      const day = byMember ? i % days : Math.floor(i / members);
      // The first location has all members.
      if (cell > 0 && random() < gaps) continue;
      const value = random() < gaps ? null : Math.round(random() * 300) / 10;
      const row = { cell, day: day + shift, member: `m${member}`, value };
      rows.push({ ...row, ...(other && { variable: 'precipitation' }) });
      if (other) rows.push({ ...row, variable: 'temp_mean', value: 20 });
    }
  }
  return rows;
}

const OPTIONS = { variable: findVariable('precipitation') };

/** For each location of an ensemble its days and the values of its members. */
function locationsIn({ parts }: Ensemble) {
  return parts.flatMap(({ field, latitude, longitude }) =>
    Array.from({ length: field.cells }, (_, cell) => ({
      place: [latitude[cell], longitude[cell]],
      firstDay: field.firstDay,
      type: field.type,
      members: field.members.map((member) => [
        member.name,
        Array.from({ length: field.days }, (_, day) => member.value(cell * field.days + day)),
      ]),
    })),
  );
}

interface Built {
  readonly single?: boolean;
  readonly kernels?: TableKernels;
  readonly way?: RowWay;
  /** Whether rows that are not by location are gathered. */
  readonly mayGather?: boolean;
}

/** The locations that a builder gives, each read before the next table is added. */
function built(rows: readonly Row[], ends: readonly number[], how: Built = {}) {
  const { single, kernels, way = 'by-location', mayGather = way === 'gathered' } = how;
  const stores: RowStores = {
    byLocation: () => new RowsByLocation(kernels),
    gathered: (options) => {
      if (!mayGather) throw new Error('rows are gathered');
      return new GatheredRows(options, new BytesInMemory(), GATHER_LIMITS);
    },
  };
  const builder = new EnsembleBuilder(way, OPTIONS, stores);
  const found = [0, ...ends].flatMap((start, i) => {
    const part = rows.slice(start, ends[i] ?? rows.length);
    const ensemble = part.length > 0 ? builder.add(tableOf(part, single)) : undefined;
    return ensemble === undefined ? [] : locationsIn(ensemble);
  });
  return [...found, ...[...builder.end()].flatMap(({ ensemble }) => locationsIn(ensemble))];
}

describe('EnsembleBuilder of a long table', () => {
  it('gives the locations of readEnsemble, wherever tables end', () => {
    fc.assert(
      fc.property(shapes, fc.array(fc.nat(400), { maxLength: 8 }), (shape, cuts) => {
        const rows = rowsOf(shape);
        const ends = [...new Set(cuts.map((cut) => cut % rows.length))].sort((a, b) => a - b);
        const expected = locationsIn(readEnsemble(tableOf(rows, shape.single), OPTIONS));
        const { single } = shape;
        expect(built(rows, ends, { single })).toEqual(expected);
        const { memory } = kernels;
        const mark = memory.mark();
        expect(built(rows, ends, { single, kernels })).toEqual(expected);
        memory.release(mark);
        expect(built(rows, ends, { single, way: 'gathered' })).toEqual(expected);
      }),
      { numRuns: isFullCheck ? 60 : 20, seed: 20_261_123 },
    );
  });

  const rows = rowsOf({
    seed: 1,
    cells: 3,
    members: 2,
    days: 4,
    byMember: false,
    gaps: 0,
    other: false,
    single: false,
  });

  it.each([
    [
      'a location that begins again',
      [...rows, { ...rows[0], day: 9 }],
      /location 50, 0 begins again; allowed: all rows/,
    ],
    [
      'a member that comes late',
      [...rows, { ...rows.at(-1), member: 'm9', day: 0 } as Row],
      /member m9 has no rows at the first/,
    ],
    ['a day that comes twice', [...rows, rows.at(-1) as Row], /day given twice for member m1/],
    ['a day out of order', [...rows, { ...rows.at(-1), day: 0 } as Row], /day out of order for member m1/],
    ['rows by day', [...rows].sort((a, b) => a.day - b.day), /begins again/],
    [
      'rows by member',
      [...rows].sort((a, b) => (a.member < b.member ? -1 : 1)),
      /begins again|has no rows at the first/,
    ],
  ])('says of %s that rows are in another order', (_, given, message) => {
    const cuts = [[2, 17], Array.from({ length: given.length - 1 }, (_, i) => i + 1)];
    for (const [ends, tools] of cuts.flatMap((each) => [[each, undefined] as const, [each, kernels] as const])) {
      let thrown: unknown;
      try {
        built(given, ends, { kernels: tools });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(RowOrderError);
      expect(String(thrown)).toMatch(message);
    }
  });

  it('gathers rows where the first table shows that they are not by location', () => {
    const byDay = [...rows].sort((a, b) => a.day - b.day);
    for (const ends of [[], [20], [20, 22]]) {
      expect(built(byDay, ends, { mayGather: true, kernels })).toEqual(
        locationsIn(readEnsemble(tableOf(byDay), OPTIONS)),
      );
    }
    expect(() => built(byDay, [6, 12], { mayGather: true })).toThrow(RowOrderError);
  });

  it('counts rows without a member over the stream', () => {
    const broken = rows.map((row, i) => (i === 13 ? { ...row, member: null as never } : row));
    expect(() => built(broken, [5, 10])).toThrow('row 14, column member: missing member');
  });

  it('gives members that are whole numbers the names of readEnsemble', () => {
    const table = (from: number, to: number) => {
      const part = rows.slice(from, to);
      const numbered = tableOf(part);
      const member = vectorFromArray(
        part.map(({ member }) => Number(member.slice(1))),
        new Int32(),
      );
      return numbered.setChild('member', member);
    };
    const builder = new EnsembleBuilder('by-location', OPTIONS, {
      byLocation: () => new RowsByLocation(),
      gathered: (options) => new GatheredRows(options, new BytesInMemory(), GATHER_LIMITS),
    });
    const found = [builder.add(table(0, 10)), builder.add(table(10, rows.length))];
    for (const { ensemble } of builder.end()) found.push(ensemble);
    const names = found.flatMap((each) => each?.parts ?? []).map(({ field }) => field.members.map(({ name }) => name));
    expect(names.every((each) => each.join() === '0,1')).toBe(true);
  });
});
