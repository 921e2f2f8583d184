import type { FloatArray } from '../../core/number-arrays.js';
import { type Granularity, type WindowTable, windowTable } from '../../period/period.js';
import type { LegacyForecastAnswer } from '../../respond/answer-data.js';
import { writeLegacyForecast } from '../../respond/v1/legacy-json.js';
import type { Categories } from '../../statistics/categories.js';
import { DEFAULT_QUANTILES } from '../../statistics/options.js';
import { type HorizonName, isAvailable } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import { selectVariables } from '../point/available-variables.js';
import { eachAwaited, type Pause } from '../point/pause.js';
import { type PointClimatology, tercileCategories } from '../point/point-climatology.js';
import {
  datasetDays,
  findSeriesSource,
  memberStatistics,
  readVariable,
  toDayRange,
  type VariableSeries,
} from '../point/series.js';
import { horizonRevision, requireHorizon } from '../point/snapshot-parts.js';
import type { Snapshot } from '../source/source.js';
import type { Endpoint, Tools } from './endpoint.js';
import { type LegacyParameters, legacyEndpoints } from './legacy-endpoint.js';
import { variablesParameter } from './list-parameters.js';
import { granularityParameter } from './parameters.js';

export interface LegacyForecastParameters extends LegacyParameters {
  readonly granularity: Granularity;
  readonly horizon: HorizonName;
}

/** Leads in days, inclusive. */
interface Leads {
  readonly from: number;
  readonly to: number;
}

/** One horizon as the legacy endpoints give it. */
interface LegacyHorizon {
  readonly operationId: string;
  readonly summary: string;
  readonly note: string;
  /** For each granularity that may be requested the leads of the answer, counted from the first complete day. */
  readonly leads: Partial<Record<Granularity, Leads>>;
}

const TERCILES = 'responses add tercile probabilities; maximum wind speed and gust are not available.';

const LEGACY_HORIZONS: Readonly<Record<HorizonName, LegacyHorizon>> = {
  'short-term': {
    operationId: 'legacyShortTermForecast',
    summary: 'The short-term forecast: about 15 days',
    note: 'The maximum wind gust is available for the first 10 days only.',
    leads: { daily: { from: 0, to: 14 } },
  },
  subseasonal: {
    operationId: 'legacySubseasonalForecast',
    summary: 'The subseasonal forecast: weeks 2 to 6',
    note: `Weekly ${TERCILES}`,
    leads: { daily: { from: 7, to: 41 }, weekly: { from: 7, to: 41 } },
  },
  seasonal: {
    operationId: 'legacySeasonalForecast',
    summary: 'The seasonal forecast: months 1 to 6',
    note: `Monthly ${TERCILES}`,
    leads: { daily: { from: 30, to: 214 }, monthly: { from: 0, to: 214 } },
  },
};

/** The most months of a seasonal answer. */
const MAX_MONTHS = 6;

/** `/v1/forecast/...`: one horizon by itself; `extra` are variables besides the built-in ones. */
export function legacyForecastEndpoints(horizon: HorizonName, extra: readonly Variable[]): Endpoint[] {
  const { operationId, summary, note, leads } = LEGACY_HORIZONS[horizon];
  const revision = (data: Snapshot) => horizonRevision(data, horizon);
  return legacyEndpoints({
    operationId,
    path: `/v1/forecast/${horizon}`,
    family: 'forecast',
    summary,
    description: `Mean and fixed quantiles of one horizon by itself. ${note}`,
    parameters: [variablesParameter(extra, horizon), granularityParameter(Object.keys(leads) as Granularity[])],
    query: (values, place): LegacyForecastParameters => ({
      ...place,
      variables: values.var,
      granularity: values.granularity,
      horizon,
    }),
    answer: 'legacyForecast',
    revision: () => revision,
    schema: 'LegacyForecastAnswer',
    write: writeLegacyForecast,
  });
}

/**
 * Computes the answer about one horizon by itself, as the legacy endpoints give it: with tercile probabilities unless
 * daily.
 */
export async function computeLegacyForecast(
  tools: Tools,
  data: Snapshot,
  query: LegacyForecastParameters,
  pause?: Pause,
): Promise<LegacyForecastAnswer> {
  const { horizon, granularity, locationId } = query;
  const { initTime, data: coarse } = requireHorizon(data, horizon);
  const source = findSeriesSource(data, { coarse }, query);
  const { location } = source.place;
  const isOffered = (variable: Variable) => isAvailable(variable, horizon);
  const { kept, dropped } = selectVariables(tools.available, coarse, query.variables, source.metres, isOffered);
  const lead0 = datasetDays(coarse)?.firstDay ?? 0;
  const read = await Promise.all(kept.map((variable) => readVariable(source, variable)));
  const made = await eachAwaited(read, pause, async (series) => {
    const windows = legacyWindows(series, horizon, granularity, lead0);
    if (granularity === 'daily') return { climatology: undefined, answer: statisticsOf(tools, series, windows) };
    const { climatologies } = tools;
    const climatology = await climatologies.ofHorizon(data, horizon, granularity, series.variable, location);
    return { climatology, answer: withTerciles(tools, series, windows, climatology) };
  });
  const used = made.flatMap(({ climatology }) => climatology ?? []);
  return {
    ...{ granularity, location, locationId, dropped, attribution: data.attribution, initTime },
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
  const { from, to } = LEGACY_HORIZONS[horizon].leads[granularity] as Leads;
  const { firstDay, lastDay } = toDayRange(field);
  const lastLead = Math.min(to, variable.availability[horizon]?.lastLead ?? to);
  const first = Math.max(firstDay, lead0 + from);
  const windows = windowTable(granularity, first, Math.min(lastDay, lead0 + lastLead));
  if (granularity !== 'monthly' || windows.count <= MAX_MONTHS) return windows;
  return windowTable(granularity, first, windows.end[MAX_MONTHS - 1]);
}

function statisticsOf(tools: Tools, series: VariableSeries, windows: WindowTable, categories?: readonly Categories[]) {
  const statistics = memberStatistics(tools, series, windows, DEFAULT_QUANTILES, categories);
  return { variable: series.variable, windows, statistics };
}

/**
 * Adds the shares of members below, within and above the terciles of each window's period of the year; NaN without a
 * climatology.
 */
function withTerciles(
  tools: Tools,
  series: VariableSeries,
  windows: WindowTable,
  climatology: PointClimatology | undefined,
) {
  const categories = tercileCategories(windows, climatology);
  if (categories === undefined) {
    const none = new Float32Array(windows.count).fill(Number.NaN);
    return { ...statisticsOf(tools, series, windows), terciles: [none, none, none] as const };
  }
  const answer = statisticsOf(tools, series, windows, [categories]);
  const [below, normal, above] = answer.statistics.categories[0];
  return { ...answer, terciles: [below, normal, above] as [FloatArray, FloatArray, FloatArray] };
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)].join(', ');
}
