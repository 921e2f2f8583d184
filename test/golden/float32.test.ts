import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/index.js';
import { GRANULARITIES, type Granularity } from '../../src/period/period.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { casesOf } from '../full-check.js';
import { exactMean, exactOf, exactQuantile, roundedToFloat32 } from '../reference/exact.js';
import { resultNumbers } from './compare.js';
import { ensembleFiles } from './ensemble-layouts.js';
import { dailyValues, type ReferenceEnsemble, referenceEnsembles } from './ensembles.js';
import { readReferenceCsv } from './reference-csv.js';

const percents = Array.from({ length: 21 }, (_, k) => 5 * k);

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** What is expected of one granularity: results by the names of their columns. */
interface Expected {
  readonly statistics: ReadonlyMap<string, number[]>;
  readonly members: ReadonlyMap<string, number[]>;
}

function expectedResults(
  { path, window }: ReferenceEnsemble,
  granularity: Granularity,
  { members, dates }: ReturnType<typeof dailyValues>,
): Expected {
  // The windows' first and last days are taken from the reference results, not from the library.
  const windows = readReferenceCsv(path(`oracle_${granularity}`));
  const [start, end] = [windows.text('start'), windows.text('end')];
  const exact = members.map((values) => Array.from(values, exactOf));
  const rows = start.map((first, w) => {
    const inWindow = dates.flatMap((date, day) => (date >= first && date <= end[w] ? [day] : []));
    const divisor = window === 'mean' ? inWindow.length : 1;
    const totals = exact.map((values) => inWindow.reduce((sum, day) => sum + values[day], 0n));
    const sorted = totals.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return { totals, sorted, divisor };
  });
  const statisticsColumns = new Map([
    ['mean', rows.map(({ totals, divisor }) => roundedToFloat32(exactMean(totals, divisor)))],
  ]);
  for (const percent of percents) {
    const name = `q${String(percent).padStart(2, '0')}`;
    const values = rows.map(({ sorted, divisor }) => roundedToFloat32(exactQuantile(sorted, percent, divisor)));
    statisticsColumns.set(name, values);
  }
  const memberColumns = members.map((_, m): [string, number[]] => [
    `member_${String(m).padStart(2, '0')}`,
    rows.map(({ totals, divisor }) => roundedToFloat32(exactMean([totals[m]], divisor))),
  ]);
  return { statistics: statisticsColumns, members: new Map(memberColumns) };
}

describe.skipIf(referenceEnsembles.length === 0)('Float32 input gives the correctly rounded results', () => {
  it.for(casesOf(referenceEnsembles, referenceEnsembles.length === 0 ? [] : [0, 1, 4, 7]))(
    '$title, from every file form',
    async (ensemble) => {
      const daily = dailyValues(ensemble);
      const values = { ...daily, members: daily.members.map((member) => Float32Array.from(member)) };
      const expected = new Map(GRANULARITIES.map((one) => [one, expectedResults(ensemble, one, values)]));
      const wrong: string[] = [];
      let compared = 0;
      for (const [form, bytes] of ensembleFiles.filter(([title]) => !title.includes('CSV'))) {
        const table = await readTable(await bytes(values));
        for (const [granularity, columns] of expected) {
          const options = { variable: ensemble.variable, granularity, partial: true };
          const quantiles = percents.map((percent) => percent / 100);
          compare(
            `${granularity} from ${form}`,
            statistics(core, table, { ...options, quantiles }),
            columns.statistics,
          );
          compare(`${granularity} from ${form}`, memberWindows(core, table, options), columns.members);
        }
      }
      console.log(`${ensemble.title}, Float32: ${compared - wrong.length} of ${compared} values correctly rounded`);
      expect(wrong).toEqual([]);

      function compare(what: string, result: Table, columns: ReadonlyMap<string, number[]>): void {
        for (const [name, numbers] of columns) {
          const found = resultNumbers(result, name);
          expect(found, name).toBeInstanceOf(Float32Array);
          expect(found.length).toBe(numbers.length);
          numbers.forEach((x, i) => {
            if (found[i] !== x) wrong.push(`${name}[${i}], ${what}: ${found[i]} for ${x}`);
          });
          compared += numbers.length;
        }
      }
    },
  );
});
