import { join } from 'node:path';
import { parseDate } from '../../src/period/day.js';
import { referenceFolder } from '../reference/data-folder.js';
import type { EnsembleValues } from '../reference/ensemble-table.js';
import { type ReferenceCsv, readReferenceCsv } from './reference-csv.js';

/** One variable of one forecast of the reference data. */
export interface ReferenceEnsemble {
  readonly title: string;
  readonly variable: 'precipitation' | 'temp_mean';
  readonly window: 'sum' | 'mean';
  /** `members_daily`, `oracle_weekly`, `window_members_monthly`, ... */
  path(what: string): string;
}

const gefs = referenceFolder('gefs-fcre-2022');
const seas5 = referenceFolder('seas5-burrishoole-feb');

const folders: [title: string, folder: string][] = [
  ...(gefs === undefined ? [] : [['gefs-fcre-2022', gefs] satisfies [string, string]]),
  ...(seas5 === undefined
    ? []
    : ['2004', '2016', '2018', '2019'].map((year): [string, string] => [
        `seas5-burrishoole-feb ${year}`,
        join(seas5, year),
      ])),
];

/** Every ensemble of which there are reference results; none where the data are absent. */
export const referenceEnsembles: readonly ReferenceEnsemble[] = folders.flatMap(([title, folder]) =>
  (['precip_mm', 't2m_degC'] as const).map((name) => ({
    title: `${title} ${name}`,
    variable: name === 'precip_mm' ? 'precipitation' : 'temp_mean',
    window: name === 'precip_mm' ? 'sum' : 'mean',
    path: (what) => join(folder, `${name}_${what}.csv`),
  })),
);

/** The daily values, in Float64. */
export function dailyValues(ensemble: ReferenceEnsemble): EnsembleValues & { dates: readonly string[] } {
  const csv: ReferenceCsv = readReferenceCsv(ensemble.path('members_daily'));
  const dates = csv.text('date');
  return {
    dates,
    firstDay: parseDate(dates[0]),
    days: csv.length,
    cells: 1,
    members: csv.names.filter((name) => name !== 'date').map((name) => Float64Array.from(csv.numbers(name))),
  };
}
