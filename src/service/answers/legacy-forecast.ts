import { climateKeyIndex } from '../../climate/climatology.js';
import type { EnsembleField } from '../../core/field.js';
import type { FloatArray } from '../../core/float-array.js';
import { type Granularity, type WindowTable, windowTable } from '../../period/window-table.js';
import type { LegacyForecastAnswer } from '../../respond/answer-data.js';
import type { Categories } from '../../statistics/categories.js';
import { DEFAULT_QUANTILES } from '../../statistics/quantile-options.js';
import { type HorizonName, isAvailable } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { LegacyPeriodQuery } from '../handler/queries.js';
import type { Snapshot } from '../source/source.js';
import { selectVariables } from './available-variables.js';
import { coveredPlace } from './covered-place.js';
import { datasetDays, toDayRange } from './day-ranges.js';
import type { ForecastTools } from './forecast-answers.js';
import { memberStatistics } from './member-statistics.js';
import { eachAwaited, type Pause } from './pause.js';
import type { PointClimatologies, PointClimatology } from './point-climatology.js';
import { elevationAt, requireHorizon } from './snapshot-parts.js';
import { readVariable, type VariableSeries } from './timeline-series.js';

/** Leads in days, inclusive. */
interface Leads {
  readonly from: number;
  readonly to: number;
}

/** The leads of each horizon in legacy responses, by granularity, counted from the horizon's first complete day. */
const LEADS: Record<HorizonName, Partial<Record<Granularity, Leads>>> = {
  'short-term': { daily: { from: 0, to: 14 } },
  subseasonal: { daily: { from: 7, to: 41 }, weekly: { from: 7, to: 41 } },
  seasonal: { daily: { from: 30, to: 214 }, monthly: { from: 0, to: 214 } },
};

/** The most months of a seasonal answer. */
const MAX_MONTHS = 6;

/**
 * Computes the answer about one horizon by itself, as the legacy endpoints give it: with tercile probabilities unless
 * daily.
 */
export async function legacyForecastAnswer(
  tools: ForecastTools & { readonly climatologies: PointClimatologies },
  data: Snapshot,
  horizon: HorizonName,
  query: LegacyPeriodQuery,
  pause?: Pause,
): Promise<LegacyForecastAnswer> {
  const { initTime, data: dataset } = requireHorizon(data, horizon);
  const place = coveredPlace(dataset, query.point);
  const metres = elevationAt(data, dataset, place.cell);
  const isOffered = (variable: Variable) => isAvailable(variable, horizon);
  const { kept, dropped } = selectVariables(tools.available, dataset, query.variables, metres, isOffered);
  const { granularity, locationId } = query;
  const lead0 = datasetDays(dataset)?.firstDay ?? 0;
  const read = await Promise.all(kept.map((variable) => readVariable({ coarse: dataset, place, metres }, variable)));
  const made = await eachAwaited(read, pause, async (series) => {
    const windows = legacyWindows(series, horizon, granularity, lead0);
    if (granularity === 'daily') return { climatology: undefined, answer: statisticsOf(tools, series, windows) };
    const { climatologies } = tools;
    const climatology = await climatologies.ofHorizon(data, horizon, granularity, series.variable, place.location);
    return { climatology, answer: withTerciles(tools, series, windows, climatology) };
  });
  const used = made.flatMap(({ climatology }) => climatology ?? []);
  return {
    ...{ granularity, location: place.location, locationId, dropped, attribution: data.attribution, initTime },
    variables: made.map(({ answer }) => answer),
    tercileReference: listed(used.map(({ name }) => name)),
    referencePeriod: listed(used.map(({ reference }) => reference)),
  };
}

/**
 * A variable's windows in an answer: complete ones, for the leads of the horizon at which the variable is available.
 */
function legacyWindows(
  { variable, field }: VariableSeries,
  horizon: HorizonName,
  granularity: Granularity,
  lead0: number,
): WindowTable {
  const { from, to } = LEADS[horizon][granularity] as Leads;
  const { firstDay, lastDay } = toDayRange(field);
  const lastLead = Math.min(to, variable.availability[horizon]?.lastLead ?? to);
  const first = Math.max(firstDay, lead0 + from);
  const windows = windowTable(granularity, first, Math.min(lastDay, lead0 + lastLead));
  if (granularity !== 'monthly' || windows.count <= MAX_MONTHS) return windows;
  return windowTable(granularity, first, windows.end[MAX_MONTHS - 1]);
}

function statisticsOf(
  { core }: ForecastTools,
  { variable, field }: { readonly variable: Variable; readonly field: EnsembleField },
  windows: WindowTable,
  categories?: readonly Categories[],
) {
  const statistics = memberStatistics(core, variable, field, windows, DEFAULT_QUANTILES, categories);
  return { variable, windows, statistics };
}

/**
 * Adds the shares of members below, within and above the terciles of each window's period of the year; NaN without a
 * climatology.
 */
function withTerciles(
  tools: ForecastTools,
  series: VariableSeries,
  windows: WindowTable,
  climatology: PointClimatology | undefined,
) {
  if (climatology === undefined || climatology.limits.length !== 2) {
    const none = new Float32Array(windows.count).fill(Number.NaN);
    return { ...statisticsOf(tools, series, windows), terciles: [none, none, none] as const };
  }
  const keys = Array.from(windows.start, (day) => climateKeyIndex(windows.granularity, day));
  const limits = climatology.limits.map((values) => Float64Array.from(keys, (key) => values[key]));
  // Values on a limit are normal.
  const answer = statisticsOf(tools, series, windows, [{ limits, lower: 1 }]);
  const [below, normal, above] = answer.statistics.categories[0];
  return { ...answer, terciles: [below, normal, above] as [FloatArray, FloatArray, FloatArray] };
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)].join(', ');
}
