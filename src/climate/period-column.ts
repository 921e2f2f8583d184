import type { Table } from 'apache-arrow';
import { DataError } from '../errors.js';
import type { ModelCalendar } from '../period/calendar.js';
import { twoDigits } from '../period/digits.js';
import { GRANULARITIES, type Granularity } from '../period/window-table.js';
import { codedColumn } from '../table/coded-column.js';
import { climateKeys } from './climatology.js';

/** The periods of the year that rows are of. */
export interface PeriodColumn {
  readonly granularity: Granularity;
  readonly keys: readonly string[];
  /** Which of `keys` each row has. */
  readonly keyOfRow: Int32Array;
}

const PERIOD = 'period';

/**
 * Reads the column `period`; the form of its keys tells the granularity. Months may be numbers, as CSV makes of `01`. Throws DataError
 * where there is no such column, or a row has none of the keys of the first row's granularity.
 */
export function periodColumn(table: Table, calendar?: ModelCalendar, source?: string): PeriodColumn {
  const vector = table.getChild(PERIOD);
  if (vector === null || vector.length === 0) {
    throw new DataError({
      source,
      problem: vector === null ? 'no column period' : 'no rows',
      ...(vector === null && { received: table.schema.fields.map(({ name }) => name).join(', ') }),
      allowed: 'a climatology: rows with a period such as 01-31, W05 or 01, n_samples and mean',
    });
  }
  const { codes, values } = codedColumn(vector);
  const texts = values.map((value) => (typeof value === 'string' ? value : monthText(Number(value))));
  const granularities = GRANULARITIES.filter((each) => calendar === undefined || each !== 'weekly');
  const known = granularities.map((granularity) => ({ granularity, keys: climateKeys(granularity, calendar) }));
  const found = known.find(({ keys }) => keys.includes(texts[codes[0]]));
  const keys = found?.keys ?? known.flatMap((each) => each.keys);
  const keyOf = new Map(keys.map((key, k) => [key, k]));
  const keyOfRow = Int32Array.from(codes, (code) => keyOf.get(texts[code]) ?? -1);
  const wrong = found === undefined ? 0 : keyOfRow.indexOf(-1);
  if (found !== undefined && wrong < 0) return { ...found, keyOfRow };
  throw new DataError({
    source,
    row: wrong + 1,
    column: PERIOD,
    problem: 'not a period of the year',
    received: texts[codes[wrong]] ?? null,
    allowed:
      found === undefined
        ? 'MM-DD, W01 to W53 or MM, as climatology gives them'
        : `${keys[0]} to ${keys[keys.length - 1]}, as in the rows before`,
  });
}

function monthText(month: number): string {
  return Number.isInteger(month) && month >= 1 && month <= 12 ? twoDigits(month) : String(month);
}
