import { Float32, Schema, Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { blend } from '../../src/blend/blend.js';
import { blendedStatistics } from '../../src/blend/blended-statistics.js';
import type { BlendOptions } from '../../src/blend/options.js';
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

describe('blendedStatistics', () => {
  it.each<[string, BlendOptions, StatisticsOptions]>([
    ['by day', {}, {}],
    ['by week', {}, { granularity: 'weekly', thresholds: ['>20'], spread: true }],
    ['by month, of whatever days there are', { method: 'splice' }, { granularity: 'monthly', partial: true }],
    ['of some days', { fieldWide: true }, { granularity: 'weekly', startDate: '2026-03-10', endDate: '2026-05-10' }],
    ['at the place nearest to a point', {}, { granularity: 'weekly', point: { latitude: -17, longitude: 145.7 } }],
    ['of a variable of another rule', { variable: 'precipitation' }, { granularity: 'weekly', quantiles: [0.5] }],
    ['of days before the timeline', {}, { granularity: 'weekly', endDate: '2026-02-01' }],
  ])('is the table of statistics of the timeline, %s', (_, blending, options) => {
    const stated = blending.variable === undefined ? tables : tables.map(withoutMetadata);
    const timeline = blend(core, stated, blending);
    const { variable } = blending;
    const found = blendedStatistics(core, stated, blending, options);
    expect(content(found.table)).toEqual(content(statistics(core, timeline.table, { ...options, variable })));
    expect(found.pairing).toEqual(timeline.pairing);
    expect(found.notes).toEqual(timeline.notes);
  });

  it('follows the pairing of another variable', () => {
    const { pairing } = blend(core, tables, {});
    const rain = [drawn(0, 15, 7), drawn(3, 46, 12)];
    const expected = statistics(core, blend(core, rain, { pairing }).table, { granularity: 'weekly' });
    const found = blendedStatistics(core, rain, { pairing }, { granularity: 'weekly' });
    expect(content(found.table)).toEqual(content(expected));
  });

  it('rejects what blend and statistics reject', () => {
    expect(() => blendedStatistics(core, [])).toThrow('horizons: none');
    expect(() => blendedStatistics(core, tables, { overlaps: [0, 0] })).toThrow('overlaps');
    expect(() => blendedStatistics(core, tables, {}, { granularity: 'yearly' as never })).toThrow('granularity');
    expect(() => blendedStatistics(core, tables, {}, { variable: 'temp_mean' } as never)).toThrow('variable: not an');
    expect(() => blendedStatistics(core, tables.map(withoutMetadata), {}, {})).toThrow('variable');
  });
});

function withoutMetadata({ schema, batches }: Table): Table {
  return new Table(new Schema(schema.fields), batches);
}
