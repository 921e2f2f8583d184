import { readFileSync } from 'node:fs';
import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/index.js';
import { GRANULARITIES, type Granularity } from '../../src/period/period.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { expectSameWindows, measure, noError, printWorst, resultNumbers, type WorstError } from './compare.js';
import { ensembleFiles, throughFile } from './ensemble-layouts.js';
import { dailyValues, type ReferenceEnsemble, referenceEnsembles } from './ensembles.js';
import { readReferenceCsv } from './reference-csv.js';

/** The reference results have five-percent steps. */
const percents = Array.from({ length: 19 }, (_, k) => 5 * (k + 1));
const columns: [ours: string, theirs: string][] = [
  ['mean', 'mean'],
  ['q00', 'min'],
  ['q100', 'max'],
  ...percents.map((percent): [string, string] => [quantileColumn(percent), quantileColumn(percent)]),
];
const quantiles = [0, 1, ...percents.map((percent) => percent / 100)];

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

function quantileColumn(percent: number): string {
  return `q${String(percent).padStart(2, '0')}`;
}

function compareStatistics(worst: WorstError, ensemble: ReferenceEnsemble, granularity: Granularity, table: Table) {
  const { variable } = ensemble;
  const reference = readReferenceCsv(ensemble.path(`oracle_${granularity}`));
  const result = statistics(core, table, { variable, granularity, quantiles, partial: true });
  expectSameWindows(result, reference);
  expect([...(result.getChild('n_members') ?? [])]).toEqual(reference.numbers('n_members'));
  for (const [ours, theirs] of columns) {
    measure(worst, resultNumbers(result, ours), reference.numbers(theirs));
  }
}

function compareMembers(worst: WorstError, ensemble: ReferenceEnsemble, granularity: Granularity, table: Table) {
  const { variable } = ensemble;
  const reference = readReferenceCsv(ensemble.path(`window_members_${granularity}`));
  const result = memberWindows(core, table, { variable, granularity, partial: true });
  expectSameWindows(result, reference);
  const names = reference.names.filter((name) => /^m\d+$/.test(name));
  names.forEach((name, m) => {
    measure(worst, resultNumbers(result, `member_${String(m).padStart(2, '0')}`), reference.numbers(name));
  });
}

it.skipIf(referenceEnsembles.length === 0)('there are ten ensembles with reference results', () => {
  expect(referenceEnsembles).toHaveLength(10);
});

describe.each(referenceEnsembles)('$title', (ensemble) => {
  it('equals the reference from every file form: windows of members, mean and quantiles, within 1e-12', async () => {
    const csv = await readTable(readFileSync(ensemble.path('members_daily')));
    const values = dailyValues(ensemble);
    const tables: [string, Table][] = [
      ['the CSV file', csv],
      ['an Arrow file of the CSV file', await throughFile(csv, 'arrow')],
      ['a Parquet file of the CSV file', await throughFile(csv, 'parquet')],
    ];
    for (const [form, bytes] of ensembleFiles) tables.push([form, await readTable(await bytes(values))]);
    const all = noError();
    for (const [form, table] of tables) {
      for (const granularity of GRANULARITIES) {
        const worst = noError();
        compareStatistics(worst, ensemble, granularity, table);
        if (granularity !== 'daily') compareMembers(worst, ensemble, granularity, table);
        expect(worst.relative, `${granularity} from ${form}`).toBeLessThanOrEqual(1e-12);
        all.relative = Math.max(all.relative, worst.relative);
        all.values += worst.values;
      }
    }
    printWorst(ensemble.title, all);
  });
});
