import type { Table } from 'apache-arrow';
import { climatePlace } from '../climate/climate-place.js';
import { climateKeyIndex } from '../climate/climatology.js';
import { readClimatology } from '../climate/read-climatology.js';
import { formatReference } from '../climate/reference-years.js';
import type { FloatArray } from '../core/number-arrays.js';
import { DataError } from '../errors.js';
import { windowTable } from '../period/period.js';
import type { ClimateLines, QuantileLine, TableTexts } from './panel-data.js';
import { shownUnits } from './window-rows.js';

/** The days that a climatology is read for. */
export interface ClimateSpan {
  readonly texts: TableTexts;
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * Reads the values of a climatology along some days: its outermost quantiles, and the limits between its categories.
 * Throws DataError for what is not a climatology, or one of another variable, unit or place.
 */
export function readClimate(table: Table, { texts, firstDay, lastDay }: ClimateSpan): ClimateLines {
  const { calendar, labels } = texts;
  const climatology = readClimatology(table, { source: 'climatology', calendar });
  assertSame('variable', texts.variable, climatology.variable?.slug);
  assertSame('units', texts.units, shownUnits(climatology.variable?.slug, climatology.units));
  const { granularity, keys, quantiles, quantileValues, limits, reference } = climatology;
  const [latitude, longitude] = [Float64Array.of(texts.latitude), Float64Array.of(texts.longitude)];
  const place = climatePlace(climatology, () => true)({ latitude, longitude, labels }, 0);
  const { start, end } = windowTable(granularity, firstDay, lastDay, { partial: true, calendar });
  const entries = Int32Array.from(start, (day) => place * keys.length + climateKeyIndex(granularity, day, calendar));
  const valuesAt = (values: FloatArray) => Float64Array.from(entries, (entry) => values[entry]);
  const lines = quantiles
    .map((probability, k): QuantileLine => ({ probability, values: valuesAt(quantileValues[k]) }))
    .sort((a, b) => a.probability - b.probability);
  return {
    ...{ granularity, start, end, limits: limits.map(valuesAt) },
    ...(reference !== undefined && { reference: formatReference(reference) }),
    ...(lines.length > 1 && { band: [lines[0], lines[lines.length - 1]] as const }),
  };
}

function assertSame(what: string, expected: string | undefined, received: string | undefined): void {
  if (expected === undefined || received === undefined || expected === received) return;
  throw new DataError({ source: 'climatology', problem: `is of another ${what}`, received, allowed: expected });
}
