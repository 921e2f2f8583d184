import { Float32, Schema, Table } from 'apache-arrow';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { blend } from '../../src/blend/blend.js';
import type { BlendOptions } from '../../src/blend/options.js';
import { climatology } from '../../src/climate/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import type { StatisticsOptions } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { seeded } from '../reference/fields.js';
import { cairns, horizon, roanoke } from './horizon-table.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const random = seeded(3);
const drawn = (first: number, last: number, members: number, places = [roanoke, cairns]) =>
  horizon({
    leads: [first, last],
    members,
    places,
    value: () => (random() < 0.01 ? null : random() * 30),
    type: new Float32(),
    metadata: { variable: 'temp_mean', units: 'degC', init_time: '2026-03-02T00:00:00Z' },
  });
const tables = [drawn(0, 15, 7), drawn(3, 46, 12), drawn(10, 120, 5)];

const content = (table: Table) => ({
  rows: table.toArray().map((row) => row.toJSON()),
  columns: table.schema.fields.map(({ name, type }) => `${name} ${type}`),
  metadata: [...table.schema.metadata],
});

describe('statistics of a timeline', () => {
  it.each<[string, BlendOptions, StatisticsOptions]>([
    ['by day', {}, {}],
    ['by week', {}, { granularity: 'weekly', thresholds: ['>20'], spread: true }],
    ['by month, of whatever days there are', { method: 'splice' }, { granularity: 'monthly', partial: true }],
    ['of some days', { method: 'cell' }, { granularity: 'weekly', startDate: '2026-03-10', endDate: '2026-05-10' }],
    ['at the place nearest to a point', {}, { granularity: 'weekly', point: { latitude: -17, longitude: 145.7 } }],
    ['of a variable of another rule', { variable: 'precipitation' }, { granularity: 'weekly', quantiles: [0.5] }],
    ['of days before the timeline', {}, { granularity: 'weekly', endDate: '2026-02-01' }],
  ])('are those of its table, %s', (_, blending, options) => {
    const stated = blending.variable === undefined ? tables : tables.map(withoutMetadata);
    const { variable } = blending;
    const made = blend(core, stated, blending);
    const expected = content(statistics(core, made.table, { ...options, variable }));
    // Before and after its table is made.
    const timeline = blend(core, stated, blending);
    expect(content(statistics(core, timeline, options))).toEqual(expected);
    expect(timeline.pairing).toEqual(made.pairing);
    expect(timeline.shares).toEqual(made.shares);
    expect(content(statistics(core, timeline, options))).toEqual(expected);
    expect(content(timeline.table)).toEqual(content(made.table));
    expect(content(statistics(core, timeline, options))).toEqual(expected);
    expect(timeline.notes).toEqual(made.notes);
  });

  it('do not make it', () => {
    const timeline = blend(core, tables);
    const before = core.memory.wasm.buffer.byteLength;
    const field = vi.spyOn(timeline, 'field', 'get');
    expect(statistics(core, timeline, { granularity: 'weekly' }).numRows).toBeGreaterThan(0);
    expect(field).not.toHaveBeenCalled();
    expect(core.memory.wasm.buffer.byteLength).toBe(before);
    field.mockRestore();
  });

  it('follow the pairing of another variable', () => {
    const { pairing } = blend(core, tables, {});
    const rain = [drawn(0, 15, 7), drawn(3, 46, 12)];
    const expected = statistics(core, blend(core, rain, { pairing }).table, { granularity: 'weekly' });
    const found = statistics(core, blend(core, rain, { pairing }), { granularity: 'weekly' });
    expect(content(found)).toEqual(content(expected));
  });

  it('are compared with a climatology as those of its table', () => {
    const history = horizon({ leads: [-800, 0], members: 1, places: [roanoke, cairns], value: () => random() * 30 });
    const normal = climatology(core, history, {
      variable: 'temp_mean',
      granularity: 'monthly',
      reference: '2024-2025',
    });
    const options = { climatology: normal, anomaly: true };
    const timeline = blend(core, tables);
    const found = content(statistics(core, timeline, options));
    expect(found.columns).toContain('p_below Float32');
    expect(found).toEqual(content(statistics(core, timeline.table, options)));
  });

  it('reject what blend and statistics reject', () => {
    const weekly = { granularity: 'weekly' } as const;
    expect(() => blend(core, [])).toThrow('horizons: none');
    expect(() => blend(core, tables, { overlaps: [0, 0] })).toThrow('overlaps');
    const timeline = blend(core, tables);
    expect(() => statistics(core, timeline, { granularity: 'yearly' as never })).toThrow('granularity');
    expect(() => statistics(core, timeline, { ...weekly, variable: 'temp_mean' })).toThrow('variable: not an');
    expect(() => statistics(core, blend(core, tables.map(withoutMetadata)), weekly)).toThrow('variable');
    expect(() => statistics(core, timeline, null as never)).toThrow('options: cannot be used; received null');
    expect(() => statistics(core, timeline, { exceed: [0.9] })).toThrow('climatology: cannot be used');
    const unset = { ...weekly, climatology: undefined, exceed: undefined, anomaly: undefined } as object;
    expect(content(statistics(core, blend(core, tables), unset))).toEqual(
      content(statistics(core, blend(core, tables), weekly)),
    );
  });
});

function withoutMetadata({ schema, batches }: Table): Table {
  return new Table(new Schema(schema.fields), batches);
}
