import { beforeAll, describe, expect, it } from 'vitest';
import { blend } from '../../../src/blend/blend.js';
import { climatology } from '../../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { demoTable } from '../../../src/demo/demo-table.js';
import { samplingBands } from '../../../src/statistics/bands/band-reference.js';
import { meanBand, quantileRanks, shareBand } from '../../../src/statistics/bands/sampling-bands.js';
import { memberWindows } from '../../../src/statistics/member-windows.js';
import { statistics } from '../../../src/statistics/statistics.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const options = { granularity: 'weekly', quantiles: [0.1, 0.5], thresholds: ['>20'] } as const;
const forecast = demoTable('precipitation');

describe('samplingBands', () => {
  it('adds the bands of the mean, of quantiles and of shares, as order statistics, Student and Wilson give them', () => {
    const table = statistics(core, forecast, { ...options, bands: samplingBands(0.8) });
    expect(table.schema.metadata.get('bands')).toBe('0.8');
    const windows = memberWindows(core, forecast, { granularity: 'weekly' });
    const members = windows.schema.fields.flatMap(({ name }) => (name.startsWith('member_') ? name : []));
    const n = members.length;
    for (const [i, row] of table.toArray().entries()) {
      const values = members.map((name) => windows.getChild(name)?.get(i)).sort((a, b) => a - b);
      const mean = values.reduce((sum, x) => sum + x, 0) / n;
      const spread = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1));
      const ranked = [0.1, 0.5].flatMap((p) => quantileRanks(p, n, 0.8).map((rank) => values[rank - 1]));
      const share = values.filter((x) => x > 20).length / n;
      const expected = [...meanBand(mean, spread, n, 0.8), ...ranked, ...shareBand(share, n, 0.8)];
      const names = ['mean', 'q10', 'q50', 'p_gt_20'].flatMap((name) => [`${name}_low`, `${name}_high`]);
      for (const [k, name] of names.entries()) expect(row[name], `${i} ${name}`).toBeCloseTo(expected[k], 4);
    }
    const plain = statistics(core, forecast, options);
    expect(table.schema.fields.slice(0, plain.numCols).map(({ name }) => name)).toEqual(
      plain.schema.fields.map(({ name }) => name),
    );
  });

  it('adds bands of shares by category after a climatology, and of the table of a timeline', () => {
    const history = demoTable('precipitation', { members: 1, days: 1500, initDate: 18_000 });
    const normal = climatology(core, history, {
      granularity: 'weekly',
      reference: '2019-2023',
      fewerYears: true,
      minSampleShare: 0,
    });
    const against = { quantiles: [0.5], climatology: normal, bands: samplingBands(0.9) };
    const [row] = statistics(core, forecast, against).toArray();
    expect([row.p_above_low, row.p_above_high]).toEqual(
      shareBand(row.p_above, 31, 0.9).map((end) => expect.closeTo(end, 6)),
    );
    const short = demoTable('precipitation', { days: 30 });
    const timeline = blend(core, [short, demoTable('precipitation', { seed: 2 })]);
    const withBands = { ...options, bands: samplingBands(0.9) };
    expect(statistics(core, timeline, withBands).toArray().join()).toBe(
      statistics(core, timeline.table, withBands).toArray().join(),
    );
  });

  it.each([0, 1, Number.NaN, '0.9', undefined])('rejects %s as a level', (level) => {
    expect(() => samplingBands(level as number)).toThrow(/level: is not a probability.*allowed: from 0.01 to 0.9999/);
  });

  it('is what the option takes', () => {
    expect(() => statistics(core, forecast, { ...options, bands: 0.9 as never })).toThrow(
      /bands: .*0\.9.*allowed: what samplingBands returns/,
    );
  });
});
