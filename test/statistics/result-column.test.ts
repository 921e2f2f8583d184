import { tableFromIPC, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { climatologyTable } from '../../src/climate/climatology-table.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import { readClimatology } from '../../src/climate/read-climatology.js';
import { conditionShares } from '../../src/condition/condition-shares.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { statisticAttributes } from '../../src/files/cf/content/statistics-attributes.js';
import { windowTable } from '../../src/period/period.js';
import { mapHeading } from '../../src/plot/map/map-texts.js';
import { parseQuantiles, parseThreshold } from '../../src/statistics/options.js';
import { readStatistic } from '../../src/statistics/result-column.js';
import {
  parseStatisticName,
  quantileName,
  type Statistic,
  statisticName,
  thresholdName,
} from '../../src/statistics/statistic.js';
import { STATISTIC_KINDS } from '../../src/statistics/statistic-kinds.js';
import { statistics } from '../../src/statistics/statistics.js';
import { joinTables } from '../../src/table/build/join-tables.js';
import { findVariable } from '../../src/variable/find-variable.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const NAMED: readonly (readonly [string, Statistic])[] = [
  ['n_members', { kind: 'count', of: 'members' }],
  ['n_samples', { kind: 'count', of: 'samples' }],
  ['mean', { kind: 'mean' }],
  ['spread', { kind: 'spread' }],
  ['anomaly', { kind: 'anomaly' }],
  ['q05', { kind: 'quantile', probability: 0.05 }],
  ['q100', { kind: 'quantile', probability: 1 }],
  ['t33', { kind: 'limit', percent: 33 }],
  ['t05', { kind: 'limit', percent: 5 }],
  ['p_gt_20', { kind: 'exceedance', threshold: { operator: '>', limit: 20 } }],
  ['p_le_-0.5', { kind: 'exceedance', threshold: { operator: '<=', limit: -0.5 } }],
  ['p_normal', { kind: 'category', category: 'normal' }],
  ['p_2_of_5', { kind: 'category', category: 2, categories: 5 }],
  ['p_gt_clim_q90', { kind: 'climate-exceedance', probability: 0.9 }],
];
/** Statistics that metadata state, and names do not. */
const STATED: Statistic = { kind: 'condition', condition: '5..20', column: 'p_5_to_20' };
/** Kinds of columns that only `stats --bands` adds. */
const BANDS = ['value-band', 'share-band'];
const GRID = { kind: 'rectilinear', latitude: Float64Array.of(1, 2), longitude: Float64Array.of(3) } as const;
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const millionths = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1e6);

describe('the kinds of statistics', () => {
  const kinds = Object.keys(STATISTIC_KINDS);

  it('all have a name that is read back', () => {
    expect([...new Set(NAMED.map(([, { kind }]) => kind)), STATED.kind, ...BANDS].sort()).toEqual(kinds.toSorted());
  });

  it('all say in words on a map what they are, each something else', () => {
    const field = { grid: GRID, values: [1, 2], variable: 'precipitation', units: 'mm' };
    const headings = NAMED.map(([, statistic]) => mapHeading({ ...field, statistic }));
    expect(headings.filter((heading) => !/: \S/.test(heading) || /undefined|NaN/.test(heading))).toEqual([]);
    expect(new Set(headings).size).toBe(NAMED.length);
  });

  it('all are arrays of NetCDF that say what they are, in units of their own', () => {
    for (const [name, statistic] of NAMED) {
      const given = { variable: findVariable('precipitation'), units: 'mm', window: 'sum' } as const;
      const windows = windowTable('daily', 0, 1);
      const attributes = new Map(statisticAttributes(statistic, name, { ...given, windows }));
      const { measure } = STATISTIC_KINDS[statistic.kind];
      const units = measure === 'share' || measure === 'number' ? '1' : measure === 'limit' ? undefined : 'mm';
      expect([name, attributes.get('units'), `${attributes.get('long_name')}`.length > 10]).toEqual([
        name,
        units,
        true,
      ]);
    }
  });
});

describe('quantileName', () => {
  it('is q and the decimals after the point, trailing zeros trimmed, at least two digits', () => {
    const names = [0, 0.05, 0.1, 0.25, 0.5, 0.025, 0.975, 0.123456, 0.000001, 1].map(quantileName);
    expect(names).toEqual(['q00', 'q05', 'q10', 'q25', 'q50', 'q025', 'q975', 'q123456', 'q000001', 'q100']);
  });

  it('differs for different quantiles', () => {
    fc.assert(
      fc.property(millionths, millionths, (a, b) => {
        expect(quantileName(a) === quantileName(b)).toBe(a === b);
        expect(parseQuantiles(String(a))).toEqual([a]);
      }),
      { seed: 1 },
    );
  });
});

describe('thresholdName', () => {
  it('is p, the operator and the limit', () => {
    const names = ['>20', '>=0.10', '<-5', '<= 0'].map((text) => thresholdName(parseThreshold(text)));
    expect(names).toEqual(['p_gt_20', 'p_ge_0.1', 'p_lt_-5', 'p_le_0']);
  });
});

describe('the name of a statistic', () => {
  it.each(NAMED)('%s', (name, statistic) => {
    expect(statisticName(statistic)).toBe(name);
    expect(parseStatisticName(name)).toEqual(statistic);
  });

  it('is read back for every quantile and every finite threshold', () => {
    fc.assert(
      fc.property(millionths, doubles, (probability, limit) => {
        const quantile = { kind: 'quantile', probability } as const;
        const exceedance = { kind: 'exceedance', threshold: { operator: '<', limit: limit + 0 } } as const;
        expect(parseStatisticName(statisticName(quantile))).toEqual(quantile);
        expect(parseStatisticName(statisticName(exceedance))).toEqual(exceedance);
      }),
      { seed: 1 },
    );
  });

  it('is not found in names of other columns, or written in another way', () => {
    const others = ['period', 'n_days', 'value', 'q5', 'q050', 'q', 't3', 't033', 'p_gt_', 'p_gt_x', 'p_gt_1e999'];
    const more = ['p_gt_020', 'p_gt_1-2', 'p_gt_clim_q9', 'p_02_of_05', 'Mean', 'mean ', 'degenerate', ''];
    expect([...others, ...more].filter((name) => parseStatisticName(name) !== undefined)).toEqual([]);
  });
});

describe('readStatistic', () => {
  const read = (name: string, stated?: string) =>
    readStatistic({ name, metadata: new Map(stated === undefined ? [] : [['plumecast', stated]]) });

  it('takes a condition from the metadata alone', () => {
    expect(read('other', JSON.stringify(STATED))).toEqual(STATED);
    expect(read('p_5_to_20')).toBeUndefined();
    expect(read('q05', '{"kind":"condition"}')).toEqual({ kind: 'quantile', probability: 0.05 });
    expect(read('q05', '{"kind":"condition","condition":"5..20","column":5}')?.kind).toBe('quantile');
  });

  it('takes what the metadata state, whatever the name', () => {
    for (const [, statistic] of NAMED) expect(read('other', JSON.stringify(statistic))).toEqual(statistic);
  });

  it('takes the name where the metadata state nothing, or nothing that is a statistic', () => {
    const unusable = ['', '{', 'null', '5', '[]', '{}', '{"kind":"median"}', '{"kind":"quantile"}', '{"kind":null}'];
    const wrong = ['{"kind":"quantile","probability":"0.5"}', '{"kind":"exceedance","threshold":">20"}'];
    for (const stated of [undefined, ...unusable, ...wrong]) {
      expect(read('q05', stated), stated).toEqual({ kind: 'quantile', probability: 0.05 });
      expect(read('period', stated), stated).toBeUndefined();
    }
  });
});

describe('the metadata of fields', () => {
  const run = { members: 3, locations: [{ latitude: 37.25, longitude: -80 }] };
  const tables = () => {
    const past = demoTable('temp_mean', { ...run, initDate: 8400, days: 3 * 366, members: 1 });
    const normal = climatology(core, past, {
      ...{ reference: '1993-1994', categories: 3, quantiles: [0.9], granularity: 'monthly', thresholds: ['>5'] },
    });
    const forecast = demoTable('temp_mean', { ...run, days: 62 });
    const against = { granularity: 'monthly', spread: true, thresholds: ['>5'], exceed: [0.9], anomaly: true } as const;
    return [climatologyTable(normal), statistics(core, forecast, { ...against, climatology: normal })];
  };

  it('state the statistic of each column of results, also in Arrow files and in joined tables', () => {
    for (const table of tables()) {
      for (const each of [table, tableFromIPC(tableToIPC(table)), joinTables([table, table])]) {
        for (const { name, metadata } of each.schema.fields) {
          const statistic = parseStatisticName(name);
          const texts = each.schema.metadata;
          // A share of members says what its condition is of; in a climatology all statistics are of samples.
          const isShare =
            statistic?.kind === 'exceedance' && each.schema.fields.every((field) => field.name !== 'n_samples');
          const of = isShare ? { of: `${texts.get('granularity')} ${texts.get('window')}` } : {};
          const expected = statistic === undefined ? [] : [['plumecast', JSON.stringify({ ...statistic, ...of })]];
          expect([...metadata], name).toEqual(expected);
        }
      }
    }
  });

  it('are of columns in the order of the kinds, and there is no kind that no table has', () => {
    const kinds = Object.keys(STATISTIC_KINDS);
    const seen = tables().map(({ schema }) => schema.fields.flatMap((field) => readStatistic(field)?.kind ?? []));
    for (const each of seen)
      expect(each.map((kind) => kinds.indexOf(kind))).toEqual(
        each.map((kind) => kinds.indexOf(kind)).sort((a, b) => a - b),
      );
    const shares = conditionShares(core, demoTable('temp_mean', run), ['5..20']).schema.fields.at(-1);
    expect(readStatistic(shares as never)).toEqual(STATED);
    expect([...new Set(seen.flat()), STATED.kind, ...BANDS].sort()).toEqual(kinds.toSorted());
  });

  it('let a climatology be read whose columns have other names', () => {
    const [table] = tables();
    const before = readClimatology(table);
    const renamed = tableFromIPC(tableToIPC(table));
    for (const field of renamed.schema.fields) {
      if (field.metadata.size > 0) (field as { name: string }).name = `my ${field.name}`;
    }
    expect(readClimatology(tableFromIPC(tableToIPC(renamed)))).toEqual(before);
  });
});
