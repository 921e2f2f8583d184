import type { Table } from 'apache-arrow';
import type { Variable } from '../../variable/variable.js';

/** Days of a window where a table does not tell: as many as may be, so that no average is taken for more than it is. */
const MAX_DAYS: Readonly<Record<string, number>> = { daily: 1, weekly: 7, monthly: 31 };

/**
 * What is implausible about statistics or a climatology of a variable: the first daily average that lies outside its bounds, or quantile
 * below them, with its period, as a warning; undefined where all is well. Values are reported, never changed.
 */
export function implausible(statistics: Table, variable: Variable): string | undefined {
  const rule = statistics.schema.metadata.get('window');
  const means = statistics.getChild('mean');
  const days = statistics.getChild('n_days');
  const longest = MAX_DAYS[statistics.schema.metadata.get('granularity') ?? ''];
  if (rule === 'count' || means === null || (days === null && longest === undefined)) return undefined;
  const [least, most] = variable.bounds;
  // Real files hold amounts such as -1e-18 mm.
  const slack = (most - least) * 1e-6;
  const lowest = statistics.schema.names
    .map(String)
    .filter((name) => /^q\d+$/.test(name))
    .sort()[0];
  const quantiles = lowest === undefined ? null : statistics.getChild(lowest);
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
