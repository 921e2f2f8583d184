import type { Table } from 'apache-arrow';
import { quantileColumns } from '../../statistics/result-column.js';
import type { Variable } from '../../variable/variable.js';
import type { Report } from './notice.js';

/** The days of a window in tables without n_days: the maximum, so that no average is overestimated. */
const MAX_DAYS: Readonly<Record<string, number>> = { daily: 1, weekly: 7, monthly: 31 };

/**
 * A warning for implausible statistics or climatology of a variable: the first daily average outside its bounds, or
 * quantile below them, with its period; undefined if there is none. Values are never changed.
 */
function findImplausible(statistics: Table, variable: Variable): string | undefined {
  const rule = statistics.schema.metadata.get('window');
  const means = statistics.getChild('mean');
  const days = statistics.getChild('n_days');
  const longest = MAX_DAYS[statistics.schema.metadata.get('granularity') ?? ''];
  if (rule === 'count' || means === null || (days === null && longest === undefined)) return undefined;
  const [least, most] = variable.bounds;
  // Real files hold amounts such as -1e-18 mm.
  const slack = (most - least) * 1e-6;
  const [lowest] = quantileColumns(statistics).sort((a, b) => a.probability - b.probability);
  const quantiles = lowest === undefined ? null : statistics.getChild(lowest.name);
  const perDay = (value: number | null, row: number) =>
    value === null ? least : rule === 'sum' ? value / (days?.get(row) ?? longest) : value;
  let row = 0;
  for (const mean of means as Iterable<number | null>) {
    const average = perDay(mean, row);
    const low = perDay(quantiles?.get(row) ?? null, row);
    const daily = low < least - slack ? low : average;
    if (daily < least - slack || daily > most + slack) {
      const period = statistics.getChild('period')?.get(row);
      return `${variable.slug} of ${Number(daily.toPrecision(6))} ${variable.units} a day in ${period} is not plausible (${least} to ${most}): are the units right, and are numbers such as -9999 missing values (the option missing)?`;
    }
    row++;
  }
  return undefined;
}

/** Checks tables of results one after the other, and warns of the first that is not plausible. */
export class ResultCheck {
  readonly #report: (text: string) => void;
  #variable: Variable | undefined;

  /** Nothing is checked without a variable. */
  constructor(variable: Variable | undefined, source: string, report: Report) {
    this.#variable = variable;
    this.#report = (text) => report({ kind: 'warning', source, text });
  }

  check(table: Table): void {
    const warning = this.#variable && findImplausible(table, this.#variable);
    if (warning === undefined) return;
    this.#report(warning);
    this.#variable = undefined;
  }
}

/** The maximum number of periods that a warning names. */
const MAX_NAMED = 3;

/**
 * A warning that names the periods in which limits of categories coincide, by the metadata of a result; undefined if
 * there are none.
 */
export function describeCoincidingLimits(metadata: ReadonlyMap<string, string>): string | undefined {
  const periods: string[] = JSON.parse(metadata.get('degenerate_periods') ?? '[]');
  if (periods.length === 0) return undefined;
  const named = periods.slice(0, MAX_NAMED).join(', ') + (periods.length > MAX_NAMED ? ', ...' : '');
  const count = `${periods.length} ${periods.length === 1 ? 'period' : 'periods'}`;
  return `limits of the climatology coincide in ${count} (${named}): between them are only members that equal them`;
}
