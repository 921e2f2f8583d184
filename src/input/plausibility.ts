import type { Table } from 'apache-arrow';
import type { Variable } from '../variable/variable.js';

/**
 * What is implausible about statistics of a variable: the first daily average that lies outside its bounds, with its period, as a
 * warning; undefined where all is well. Values are reported, never changed.
 */
export function implausible(statistics: Table, variable: Variable): string | undefined {
  const rule = statistics.schema.metadata.get('window');
  const means = statistics.getChild('mean');
  const days = statistics.getChild('n_days');
  if (rule === 'count' || means === null || days === null) return undefined;
  const [least, most] = variable.bounds;
  // Real files hold amounts such as -1e-18 mm.
  const slack = (most - least) * 1e-6;
  let row = 0;
  for (const mean of means as Iterable<number | null>) {
    const daily = mean === null ? least : rule === 'sum' ? mean / days.get(row) : mean;
    if (daily < least - slack || daily > most + slack) {
      const period = statistics.getChild('period')?.get(row);
      return `${variable.slug} of ${Number(daily.toPrecision(6))} ${variable.units} a day in ${period} is not plausible (${least} to ${most}): are the units right, and are numbers such as -9999 missing values (the option missing)?`;
    }
    row++;
  }
  return undefined;
}
