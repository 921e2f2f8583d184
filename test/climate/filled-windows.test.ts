import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillGaps } from '../../src/climate/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { statistics } from '../../src/statistics/statistics.js';
import { expectSameWindows, measure, noError, printWorst, resultNumbers } from '../golden/compare.js';
import { readReferenceCsv } from '../golden/reference-csv.js';
import { referenceFolder } from '../reference/data-folder.js';
import { dates, table } from '../table/tables.js';

const folder = referenceFolder('era5-burrishoole-1979-2019');

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe.skipIf(folder === undefined)('forty years with holes, filled from the analysis', () => {
  it.for([
    ['precip_mm', 'precipitation'],
    ['t2m_degC', 'temp_mean'],
  ])('have the windows of the whole history: %s', ([name, slug]) => {
    const daily = readReferenceCsv(join(folder as string, 'daily.csv'));
    const [days, values] = [daily.text('date'), daily.numbers(name)];
    const part = (keep: (day: string) => boolean): Table => {
      const rows = [...days.keys()].filter((row) => keep(days[row]));
      return table({ date: dates(...rows.map((row) => days[row])), value: rows.map((row) => values[row]) });
    };
    const isMissing = (day: string) =>
      (day > '1995-11-20' && day < '2001-02-28') || day.endsWith('-13') || day > '2019';
    const filled = fillGaps(
      [
        { name: 'reanalysis', table: part((day) => !isMissing(day)) },
        { name: 'analysis', table: part((day) => day > '1979-01-10') },
      ],
      { variable: slug },
    );

    const origin = [...(filled.getChild('origin') ?? [])];
    expect(origin).toEqual(days.map((day) => (isMissing(day) ? 'analysis' : 'reanalysis')));
    const worst = noError();
    for (const granularity of ['weekly', 'monthly'] as const) {
      const reference = readReferenceCsv(join(folder as string, `${name}_history_${granularity}.csv`));
      const windows = statistics(core, filled, { granularity, partial: true });
      expectSameWindows(windows, reference);
      measure(worst, resultNumbers(windows, 'mean'), reference.numbers('value'));
    }
    expect(worst.relative).toBeLessThanOrEqual(1e-12);
    printWorst(`filled ${name}`, worst);
  });
});
