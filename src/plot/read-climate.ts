import type { Table } from 'apache-arrow';
import { climatePlace } from '../climate/climate-place.js';
import { areOfClimatology, type ClimateWindows, climateKeyIndices } from '../climate/climatology.js';
import { readClimatology } from '../climate/read-climatology.js';
import { formatReference } from '../climate/reference-years.js';
import type { FloatArray } from '../core/number-arrays.js';
import { DataError } from '../errors.js';
import { type WindowTable, windowTable } from '../period/period.js';
import type { ClimateLines, QuantileLine, TableTexts, Windows } from './panel-data.js';
import { shownUnits } from './window-rows.js';

/** The days that a climatology is read for. */
export interface ClimateSpan {
  readonly texts: TableTexts;
  /** The windows that a panel shows. */
  readonly shown: readonly Windows[];
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * Reads the values of a climatology along some days: its outermost quantiles, and the limits between its categories.
 * Throws DataError for what is not a climatology, or one of another variable, unit or place.
 */
export function readClimate(table: Table, span: ClimateSpan): ClimateLines {
  const { texts } = span;
  const { calendar, labels } = texts;
  const climatology = readClimatology(table, { source: 'climatology', calendar });
  assertSame('variable', texts.variable, climatology.variable?.slug);
  assertSame('units', texts.units, shownUnits(climatology.variable?.slug, climatology.units));
  const { granularity, keys, quantiles, quantileValues, limits, reference } = climatology;
  const [latitude, longitude] = [Float64Array.of(texts.latitude), Float64Array.of(texts.longitude)];
  const place = climatePlace(climatology, () => true)({ latitude, longitude, labels }, 0);
  const windows = climateWindows(granularity, span);
  const { start, end } = windows;
  const entries = climateKeyIndices(granularity, windows).map((key) => (key < 0 ? -1 : place * keys.length + key));
  const valuesAt = (values: FloatArray) => Float64Array.from(entries, (entry) => values[entry] ?? Number.NaN);
  const lines = quantiles
    .map((probability, k): QuantileLine => ({ probability, values: valuesAt(quantileValues[k]) }))
    .sort((a, b) => a.probability - b.probability);
  return {
    ...{ granularity: windows.granularity, start, end, limits: limits.map(valuesAt) },
    ...(reference !== undefined && { reference: formatReference(reference) }),
    ...(lines.length > 1 && { band: [lines[0], lines[lines.length - 1]] as const }),
  };
}

/** The windows that a climatology is shown for: its own, or the windows of the panel, such as DJF among seasons, where all are of it. */
function climateWindows(
  granularity: ClimateWindows,
  { texts: { calendar }, shown, firstDay, lastDay }: ClimateSpan,
): Pick<WindowTable, 'granularity' | 'start' | 'end' | 'calendar'> {
  if (typeof granularity === 'string') return windowTable(granularity, firstDay, lastDay, { partial: true, calendar });
  const own = shown.find(
    (windows) => windows.granularity !== `${granularity}` && areOfClimatology(granularity, { ...windows, calendar }),
  );
  return own === undefined ? granularity.table(firstDay, lastDay, { partial: true, calendar }) : { ...own, calendar };
}

function assertSame(what: string, expected: string | undefined, received: string | undefined): void {
  if (expected === undefined || received === undefined || expected === received) return;
  throw new DataError({ source: 'climatology', problem: `is of another ${what}`, received, allowed: expected });
}
