import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { statistics } from '../../src/statistics/statistics.js';
import { type EnsembleValues, ensembleTable, type TableLayout } from '../reference/ensemble-table.js';
import { seededField } from '../reference/fields.js';
import { fieldOptions, granularities, rain, valuesOf } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const layouts: fc.Arbitrary<TableLayout> = fc.record({
  form: fc.constantFrom('wide' as const, 'long' as const, 'list' as const),
  order: fc.constantFrom('day-fastest' as const, 'cell-fastest' as const),
  missing: fc.constantFrom('nan' as const, 'null' as const, 'no row' as const),
  breaks: fc
    .uniqueArray(fc.integer({ min: 1, max: 600 }), { maxLength: 6 })
    .map((rows) => rows.toSorted((a, b) => a - b)),
});

/** The numbers of each place and period, null where missing, by place and period: their order is that of the input. */
function byPlaceAndPeriod(result: Table): Map<string, (number | null)[]> {
  const names = result.schema.fields.map(({ name }) => name).filter((name) => /^(n_|mean|q\d|spread|p_)/.test(name));
  expect(names).toHaveLength(10);
  const columns = ['latitude', 'longitude', 'period', 'start', 'end', 'complete', ...names].map(
    (name) => result.getChild(name) ?? [],
  );
  const rows = columns[0].length;
  return new Map(
    Array.from({ length: rows }, (_, row) => {
      const [latitude, longitude, period, ...numbers] = columns.map((column) =>
        'get' in column ? column.get(row) : 0,
      );
      return [`${latitude} ${longitude} ${period}`, numbers.map((x) => (typeof x === 'boolean' ? Number(x) : x))];
    }),
  );
}

describe('statistics of a table', () => {
  holds(
    'are the same, bit for bit, from wide, long and list tables in either order of rows and any record batches',
    150,
    fc.record({
      options: fieldOptions({ members: [2, 20] }),
      granularity: granularities,
      missing: fc.constantFrom(0, 0.03),
      share: fc.constantFrom(0, 0.8, 1),
      layout: layouts,
    }),
    ({ options, granularity, missing, share, layout }) => {
      const field = seededField({ ...options, order: 'day-fastest', value: rain, missing });
      const { firstDay, days, cells } = field;
      const members = field.members.map((_, m) => valuesOf(field, m));
      // Every place keeps its first and last day, whichever of its rows are left out.
      for (let cell = 0; cell < cells; cell++) members[0][cell * days] = members[0][(cell + 1) * days - 1] = 0;
      const values: EnsembleValues = { firstDay, days, cells, members };
      const requested = {
        variable: 'precipitation',
        granularity,
        partial: true,
        spread: true,
        thresholds: ['>1'],
        minMemberShare: share,
      };
      const plain = statistics(core, ensembleTable(values, { form: 'wide' }), requested);
      const other = statistics(core, ensembleTable(values, layout), requested);
      expect(byPlaceAndPeriod(other)).toEqual(byPlaceAndPeriod(plain));
      expect(other.numRows).toBe(plain.numRows);
    },
  );
});
