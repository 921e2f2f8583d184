import { formatDate } from '../../src/period/day.js';
import { periodKey } from '../../src/period/period.js';
import type {
  DayRange,
  ForecastAnswer,
  HistoryAnswer,
  HorizonRange,
  LegacyAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  Location,
  MembersAnswer,
  StatisticsAnswer,
} from '../../src/respond/answer-data.js';
import { quantileName } from '../../src/statistics/statistic.js';
import type { Variable } from '../../src/variable/variable.js';

/*
 * The slow twins of the response writers: answers as plain objects. What is undefined here is absent in JSON.
 */

/** `toFixed` rounds the exact value, halves away from zero; adding 0 makes -0 a 0. */
export const rounded = (x: number, decimals: number) => (Number.isNaN(x) ? null : Number(x.toFixed(decimals)) + 0);

const period = (days: DayRange | undefined) =>
  days === undefined ? null : { start_date: formatDate(days.firstDay), end_date: formatDate(days.lastDay) };

const forecast = (answer: ForecastAnswer) => ({
  init_time: answer.initTime,
  version: answer.version,
  generation: answer.generation,
  location: { requested: answer.requested, closest_location: answer.closest },
  period: period(answer.period),
  precision: answer.precision,
  attribution: answer.attribution,
});

interface Answered {
  readonly variable: Variable;
  readonly downscaled: boolean;
  readonly location: Location;
  readonly horizons?: readonly HorizonRange[];
}

const bySlug = <T extends { readonly variable: Variable }>(variables: readonly T[], value: (answered: T) => unknown) =>
  Object.fromEntries(variables.map((answered) => [answered.variable.slug, value(answered)]));

const head = ({ variable, downscaled, location, horizons }: Answered) => ({
  units: variable.label,
  downscaled,
  closest_location: downscaled ? location : undefined,
  horizons: horizons?.map(({ horizon, ...days }) => ({ horizon, ...period(days) })),
});

export const membersResponse = (answer: MembersAnswer) => ({
  ...forecast(answer),
  variables: bySlug(answer.variables, (answered) => ({
    ...head(answered),
    members: Object.fromEntries(
      Array.from({ length: answered.days }, (_, day) => [
        formatDate(answered.firstDay + day),
        answered.members.map((values) => rounded(values[day], answered.variable.decimals)),
      ]),
    ),
  })),
});

const OPERATORS = { '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' };

/** The texts, each once; undefined where there are none. */
const listed = (texts: readonly (string | undefined)[]) =>
  [...new Set(texts.filter((text) => text !== undefined))].join(', ') || undefined;

export const statisticsResponse = (answer: StatisticsAnswer) => ({
  ...forecast(answer),
  granularity: answer.granularity,
  reference_period: listed(answer.variables.map(({ terciles }) => terciles?.climatology?.reference)),
  tercile_reference: listed(answer.variables.map(({ terciles }) => terciles?.climatology?.name)),
  variables: bySlug(
    answer.variables,
    ({ windows, statistics, thresholds = [], conditions = [], terciles, ...answered }) => ({
      ...head(answered),
      statistics: Object.fromEntries(
        [...windows.start].map((start, w) => [
          periodKey(answer.granularity, start),
          Object.fromEntries([
            ['mean', rounded(statistics.mean[w], answered.variable.decimals)],
            ...answer.quantiles.map((p, k) => [
              quantileName(p),
              rounded(statistics.quantiles[k][w], answered.variable.decimals),
            ]),
            ...thresholds.map(({ operator, limit }, k) => [
              `p_${OPERATORS[operator]}_${limit}`,
              rounded(statistics.probabilities[k][w], 4),
            ]),
            ...conditions.map(({ statistic, values }) => [
              statistic.kind === 'condition' ? statistic.column : 'p_gt_clim_q90',
              rounded(values[w], 4),
            ]),
            ...(terciles?.shares ?? []).map((values, k) => [
              ['p_below', 'p_normal', 'p_above'][k],
              rounded(values[w], 4),
            ]),
          ]),
        ]),
      ),
    }),
  ),
});

export const historyResponse = (answer: HistoryAnswer) => ({
  meta: {
    variables: answer.variables.map(({ variable }) => variable.slug),
    granularity: answer.granularity,
    location: answer.location,
    period: period(answer.period),
    attribution: answer.attribution,
    precision: answer.precision,
  },
  data: bySlug(answer.variables, ({ windows, values, ...answered }) => ({
    ...head(answered),
    values: Object.fromEntries(
      [...windows.start].map((start, w) => [
        periodKey(answer.granularity, start),
        rounded(values[w], answered.variable.decimals),
      ]),
    ),
  })),
});

const legacyMeta = (answer: LegacyAnswer & { variables: readonly { variable: Variable }[] }) => ({
  variables: answer.variables.map(({ variable }) => variable.slug),
  dropped_variables: answer.dropped,
  granularity: answer.granularity,
  units: bySlug(answer.variables, ({ variable }) => variable.label),
  location: answer.location,
  location_id: answer.locationId,
  attribution: answer.attribution,
});

const QUANTILES = ['0.05', '0.25', '0.50', '0.75', '0.95'];
const TERCILES = ['0.00-0.33', '0.33-0.67', '0.67-1.00'];

const legacyQuantiles = (quantiles: readonly ArrayLike<number>[], index: number, decimals: number) =>
  Object.fromEntries(QUANTILES.map((p, k) => [`quantile_${p}`, rounded(quantiles[k][index], decimals)]));

/** Entries of each variable, by day, turned into days and the entries that variables have on them. */
function byDate(entries: readonly (readonly [string, Map<number, unknown>])[]) {
  const days = [...new Set(entries.flatMap(([, ofDay]) => [...ofDay.keys()]))].sort((a, b) => a - b);
  return days.map((day) => ({
    date: formatDate(day),
    attributes: Object.fromEntries(
      entries.flatMap(([slug, ofDay]) => (ofDay.has(day) ? [[slug, ofDay.get(day)]] : [])),
    ),
  }));
}

export const legacyForecastResponse = (answer: LegacyForecastAnswer) => ({
  meta: {
    ...legacyMeta(answer),
    init_time: answer.initTime,
    reference_period: answer.referencePeriod,
    tercile_reference: answer.tercileReference,
  },
  data: byDate(
    answer.variables.map(({ variable, windows, statistics, terciles }) => {
      const entry = (w: number) => ({
        ensemble_mean: rounded(statistics.mean[w], variable.decimals),
        quantile: legacyQuantiles(statistics.quantiles, w, variable.decimals),
        probability:
          answer.granularity === 'daily'
            ? undefined
            : Object.fromEntries(
                TERCILES.map((t, k) => [`clim_prob_${t}`, rounded(terciles?.[k][w] ?? Number.NaN, 4)]),
              ),
      });
      return [variable.slug, new Map([...windows.start].map((start, w) => [start, entry(w)]))];
    }),
  ),
});

export const legacyHistoryResponse = (answer: LegacyHistoryAnswer) => ({
  meta: legacyMeta(answer),
  data: byDate(
    answer.variables.map(({ variable, firstDay, values }) => [
      variable.slug,
      new Map([...values].map((x, day) => [firstDay + day, { values: rounded(x, variable.decimals) }])),
    ]),
  ),
});

export const legacyClimatologyResponse = (answer: LegacyClimatologyAnswer) => ({
  meta: { ...legacyMeta(answer), reference_period: answer.referencePeriod },
  data: answer.keys.map((date, k) => ({
    date,
    attributes: bySlug(answer.variables, ({ variable, quantiles }) => ({
      quantile: legacyQuantiles(quantiles, k, variable.decimals),
    })),
  })),
});
