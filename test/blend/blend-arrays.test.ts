import { beforeEach, describe, expect, it } from 'vitest';
import { blend, type EnsembleArray, loadCore, statistics } from '../../src/arrays.js';
import { blend as blendTables } from '../../src/blend/blend.js';
import type { BlendOptions } from '../../src/blend/options.js';
import type { Core } from '../../src/core/load.js';
import { parseDate } from '../../src/period/day.js';
import { statistics as statisticsOfTable } from '../../src/statistics/statistics.js';
import { locationRows, wideTable } from '../../src/table/build/wide-table.js';
import { seeded } from '../reference/fields.js';
import { inMemory, inOrder, ordersOf } from '../reference/laid-out.js';
import { messageOf } from '../table/tables.js';

let core: Core;
beforeEach(async () => {
  core = await loadCore();
});

const LATITUDE = Float64Array.of(50, 50, 50, 61, 61, 61);
const LONGITUDE = Float64Array.of(7, 8, 9, 7, 8, 9);

/** Daily values of some members at 2 x 3 places. */
function seededArray(seed: number, members: number, days: number, start: string, type = 'float32'): EnsembleArray {
  const random = seeded(seed);
  const length = members * 6 * days;
  const data = type === 'float32' ? new Float32Array(length) : new Float64Array(length);
  for (let i = 0; i < length; i++) data[i] = random() < 0.01 ? Number.NaN : Math.round(random() * 300) / 10;
  const [dims, shape] = [
    ['member', 'latitude', 'longitude', 'time'],
    [members, 2, 3, days],
  ];
  return { data, dims, shape, start, variable: 'precipitation', units: 'mm' };
}

function tableOf({ data, shape: [count, , , days], start }: EnsembleArray) {
  const length = 6 * days;
  const members = Array.from({ length: count }, (_, m) => data.subarray(m * length, (m + 1) * length));
  const rows = locationRows(
    { latitude: LATITUDE, longitude: LONGITUDE },
    { firstDay: parseDate(start as string), days },
  );
  const metadata = new Map([
    ['variable', 'precipitation'],
    ['units', 'mm'],
  ]);
  return wideTable({ ...rows, members }, metadata);
}

const short = (type?: string) => seededArray(1, 5, 16, '2026-03-02', type);
const long = (type?: string) => seededArray(2, 7, 60, '2026-03-05', type);

const plain = (values: Iterable<number>) => Array.from(values, (x) => (Number.isNaN(x) ? null : x));

describe('blend of arrays', () => {
  it.each([
    ['paired as fields', {}, 'float32'],
    ['paired at each place', { method: 'cell' }, 'float32'],
    ['spliced, with names', { method: 'splice', names: ['a', 'b'], lastLeads: [9, null] }, 'float64'],
    ['with overlaps of its own', { overlaps: [5] }, 'float64'],
  ] as const)('equals the timeline of tables to the last bit, %s', (_, options: BlendOptions, type) => {
    const arrays = [short(type), long(type)];
    const ofTables = blendTables(core, arrays.map(tableOf), options);
    const given = { ...options, places: { latitude: LATITUDE, longitude: LONGITUDE } };
    const orders = ordersOf(['member', 'time', 'latitude', 'longitude']);
    for (const [k, dims] of orders.entries()) {
      const later = inOrder(arrays[1], dims);
      const timeline = blend(core, [arrays[0], k % 2 === 0 ? later : inMemory(core, later)], given);
      const { shape } = timeline.array;
      expect(timeline.pairing.seams).toEqual(ofTables.pairing.seams);
      expect(timeline.shares).toEqual(ofTables.shares);
      expect(timeline.array).toMatchObject({ dims: ['member', 'latitude', 'longitude', 'time'], start: '2026-03-02' });
      expect(shape).toEqual([5, 2, 3, 63]);
      const members = [0, 1, 2, 3, 4].flatMap((m) => [
        ...(ofTables.table.getChild(`member_0${m}`) as Iterable<number | null>),
      ]);
      expect(plain(timeline.array.data)).toEqual(members);
      for (const granularity of ['daily', 'weekly']) {
        const requested = { granularity, thresholds: ['>100'], spread: true, minMemberShare: 0.5 };
        const expected = statisticsOfTable(core, ofTables.table, requested);
        const found = statistics(core, timeline, requested);
        expect(found.dims).toEqual(['latitude', 'longitude', 'time']);
        for (const [name, values] of Object.entries(found.columns)) {
          expect(plain(values), name).toEqual([...(expected.getChild(name) as Iterable<number | null>)]);
        }
        expect(statistics(core, timeline.array, requested)).toEqual(found);
      }
    }
  });

  it('has the places in the order of the first array', () => {
    const first = inOrder(short(), ['longitude', 'time', 'member', 'latitude']);
    const timeline = blend(core, [first, long()]);
    expect([timeline.array.dims, timeline.array.shape]).toEqual([
      ['member', 'longitude', 'latitude', 'time'],
      [5, 3, 2, 63],
    ]);
    const expected = blend(core, [short(), long()]).array;
    expect(inOrder(timeline.array, expected.dims).data).toEqual(expected.data);
  });

  it('joins another variable by the pairing of the first', () => {
    const { pairing } = blend(core, [short(), long()]);
    for (const granularity of ['daily', 'weekly']) {
      const timeline = blend(core, [short(), long()]);
      const found = statistics(core, timeline, { granularity, startDate: '2026-03-20' });
      expect(timeline.pairing).toEqual(pairing);
      expect(statistics(core, timeline, { granularity, startDate: '2026-03-20' })).toEqual(found);
      expect(timeline.array).toEqual(blend(core, [short(), long()], { pairing }).array);
    }
    const made = blend(core, [short(), long()]);
    expect(made.array.data).toHaveLength(5 * 6 * 63);
    expect(made.pairing).toEqual(pairing);
    const others = [seededArray(3, 5, 16, '2026-03-02'), seededArray(4, 7, 60, '2026-03-05')];
    const ofTables = blendTables(core, others.map(tableOf), {
      pairing: blendTables(core, [short(), long()].map(tableOf)).pairing,
    });
    const found = statistics(core, blend(core, others, { pairing }), { granularity: 'weekly' });
    const expected = statisticsOfTable(core, ofTables, { granularity: 'weekly' });
    expect(plain(found.columns.q50)).toEqual([...(expected.getChild('q50') as Iterable<number | null>)]);
  });

  it('rejects arrays and options that do not fit each other', () => {
    const message = (arrays: readonly EnsembleArray[], options = {}) => messageOf(() => blend(core, arrays, options));
    const { data, ...rest } = long();
    expect(message([])).toBe('OptionError horizons: none; allowed: an array for each, from the shortest on');
    expect(message('x' as never)).toContain('arrays: cannot be used');
    expect(message([short(), { ...rest, data, dims: ['member', 'latitude', 'level', 'time'] }])).toBe(
      'OptionError array of horizon 2: has other places than the first; received "latitude 2, level 3"; allowed: latitude 2, longitude 3',
    );
    expect(message([short(), long('float64')])).toContain('another type of float');
    expect(message([short(), { ...rest, data, variable: 'temp_mean' }])).toContain('horizon 2: another variable');
    expect(message([short(), { ...rest, data, units: 'm' }], { names: ['a', 'b'] })).toContain('b: another unit');
    expect(message([short(), { ...rest, data, start: '2026-05-05' }])).toContain('does not overlap or touch');
    expect(message([short(), { ...rest, data, calendar: '360_day' }])).toContain('blending needs real dates');
    expect(
      message([short(), long()], { places: { latitude: new Float64Array(5), longitude: new Float64Array(5) } }),
    ).toContain('places');
    expect(message([short(), long()], { variable: 'tp' })).toContain('options: unknown option');
    const timeline = blend(core, [
      { ...short(), variable: undefined },
      { ...rest, data, variable: undefined },
    ]);
    expect(messageOf(() => statistics(core, timeline, { granularity: 'weekly' }))).toContain('window: not given');
    // Of a member that is in use, on a day after the seam.
    const [member] = blend(core, [short(), { ...rest, data }]).pairing.seams[0].member;
    const at = 360 * member + 200;
    data[at] = Number.POSITIVE_INFINITY;
    expect(
      messageOf(() => statistics(core, blend(core, [short(), { ...rest, data }]), { granularity: 'weekly' })),
    ).toContain(`horizon 2, array.data[${at}]: infinite value`);
  });
});
