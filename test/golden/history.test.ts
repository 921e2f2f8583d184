import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/index.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { referenceFolder } from '../reference/data-folder.js';
import { expectSameWindows, measure, noError, printWorst, resultNumbers } from './compare.js';
import { throughFile } from './ensemble-layouts.js';
import { readReferenceCsv } from './reference-csv.js';

const burrishoole = referenceFolder('era5-burrishoole-1979-2019');
const cities = referenceFolder('era5-cancities-1990-1993');

/** Where the daily values of a place lie, and what the files beside them begin with. */
interface Place {
  readonly title: string;
  readonly daily: string;
  readonly prefix: string;
}

const places: Place[] = [];
if (burrishoole !== undefined) {
  places.push({ title: 'Burrishoole', daily: join(burrishoole, 'daily.csv'), prefix: join(burrishoole, '/') });
}
if (cities !== undefined) {
  for (const city of ['Halifax', 'Iqaluit', 'Montreal', 'Saskatoon', 'Victoria']) {
    places.push({ title: city, daily: join(cities, `${city}_daily.csv`), prefix: join(cities, `${city}_`) });
  }
}

const variables = [
  ['precip_mm', 'precipitation'],
  ['t2m_degC', 'temp_mean'],
] as const;

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe.skipIf(places.length === 0)('a history is an ensemble of one: its windows equal the reference', () => {
  it.for(places)('$title, as CSV, Arrow and Parquet, within 1e-12', async ({ title, daily, prefix }) => {
    const csv = await readTable(readFileSync(daily));
    const worst = noError();
    for (const table of [csv, await throughFile(csv, 'arrow'), await throughFile(csv, 'parquet')]) {
      for (const [value, variable] of variables) {
        for (const granularity of ['weekly', 'monthly'] as const) {
          const reference = readReferenceCsv(`${prefix}${value}_history_${granularity}.csv`);
          const options = { variable, granularity, columns: { value }, partial: true };
          const result = statistics(core, table, { ...options, spread: true });
          expectSameWindows(result, reference);
          const expected = reference.numbers('value');
          // Of one member the mean and every quantile are its value, and there is no spread.
          for (const name of ['mean', 'q05', 'q50', 'q95']) measure(worst, resultNumbers(result, name), expected);
          expect(result.getChild('spread')?.nullCount).toBe(reference.length);
          expect([...(result.getChild('n_members') ?? [])]).toEqual(expected.map(() => 1));
          const members = memberWindows(core, table, options);
          expectSameWindows(members, reference);
          measure(worst, resultNumbers(members, 'member_00'), expected);
        }
      }
    }
    expect(worst.relative).toBeLessThanOrEqual(1e-12);
    printWorst(`era5 ${title}`, worst);
  });
});
