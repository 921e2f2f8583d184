import { formatDate } from '../../period/day.js';
import type { WindowTable } from '../../period/period.js';
import { type Statistic, statisticName } from '../../statistics/statistic.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { StatisticsAnswer } from '../answer-data.js';
import { GRANULARITY, NUMBER, type Schema, SHARE_DECIMALS } from '../shared-fields.js';
import {
  type AnswerDescription,
  CREDIT,
  FORECAST_HEAD,
  FORECAST_VARIABLE,
  type HeadField,
  PERIOD_KEYS,
  type ValueColumn,
  type ValueField,
  type VariablesField,
} from './answer-description.js';

type Answered = StatisticsAnswer['variables'][number];
type JsonStatistics = Pick<StatisticsColumns, 'mean' | 'quantiles'> & Partial<StatisticsColumns>;

/** An answer with at least what its JSON contains. */
export interface WrittenStatistics extends Omit<StatisticsAnswer, 'variables'> {
  readonly variables: readonly (Omit<Answered, 'windows' | 'statistics'> & {
    readonly windows: Pick<WindowTable, 'count' | 'start'>;
    readonly statistics: JsonStatistics;
  })[];
}

type One = WrittenStatistics['variables'][number];

const CATEGORIES = ['below', 'normal', 'above'] as const;
const NONE = /* @__PURE__ */ new Float32Array(0);

/** What a column is, and its name. */
type Named = Required<Pick<ValueColumn, 'name' | 'statistic'>>;

function named(statistic: Statistic): Named {
  return { name: statisticName(statistic), statistic };
}

const MEMBERS = /* @__PURE__ */ named({ kind: 'count', of: 'members' });
const MEAN = /* @__PURE__ */ named({ kind: 'mean' });

const SHARE: Schema = {
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description: 'The share of members beyond the threshold: p_gt_20 of `>20`. Null where missing.',
};

const CONDITION: Schema = {
  ...SHARE,
  description:
    'The share of members for which the condition holds: p_5_to_20 of `5..20`, p_precipitation_gt_5_and_temp_mean_lt_0 of `precipitation>5 and temp_mean<0`. Null where missing.',
};

/** Skill of so few cases says nothing of what it will be. */
export const MIN_SKILL_CASES = 20;
/** Skill is rounded as the values of its variable, to so many decimals at least: rows of numbers with one rounding are written ten times as fast. */
export const SKILL_DECIMALS = 2;
const SKILL: Schema = { type: ['number', 'null'], maximum: 1 };
const OF_LEAD = `of earlier forecasts at this place and lead; null below ${MIN_SKILL_CASES} cases. With \`skill\``;

/** The fields of `StatisticsColumns`, in the order of tables and JSON: the compiler names one that is missing. */
const VALUES: {
  readonly [Name in Exclude<keyof StatisticsColumns, 'length'> | 'conditions' | 'skill']-?: ValueField<
    WrittenStatistics,
    One
  >;
} = {
  members: {
    ...{ role: 'unprepared', schema: undefined },
    columns: (_, one) => [column(MEMBERS, one?.statistics.members ?? new Int32Array(0), 0)],
  },
  mean: {
    ...{ role: 'of-point', schema: { properties: { mean: NUMBER } } },
    columns: (_, one) => [column(MEAN, one?.statistics.mean, one?.variable.decimals)],
  },
  // The service computes none.
  spread: { role: 'unprepared', schema: undefined, columns: () => [] },
  quantiles: {
    ...{ role: 'of-point', schema: { patternProperties: { '^q\\d{2,6}$': NUMBER } } },
    columns: ({ quantiles }, one) =>
      namedQuantiles(quantiles).map((named, k) => column(named, one?.statistics.quantiles[k], one?.variable.decimals)),
  },
  probabilities: {
    ...{ role: 'unprepared', schema: { patternProperties: { '^p_(gt|ge|lt|le)_-?\\d': SHARE } } },
    columns: (_, one) =>
      (one?.thresholds ?? []).map((threshold, k) =>
        column(named({ kind: 'exceedance', threshold }), one?.statistics.probabilities?.[k], SHARE_DECIMALS),
      ),
  },
  conditions: {
    ...{ role: 'unprepared', schema: { patternProperties: { '^p_.*\\d': CONDITION } } },
    columns: (_, one) =>
      (one?.conditions ?? []).map(({ statistic, values }) => column(named(statistic), values, SHARE_DECIMALS)),
  },
  categories: {
    role: 'unprepared',
    schema: {
      properties: {
        p_below: { ...SHARE, description: 'The share of members below the lower tercile; with `terciles`.' },
        p_normal: { ...SHARE, description: 'The share of members between the terciles or on one.' },
        p_above: { ...SHARE, description: 'The share of members above the upper tercile.' },
      },
    },
    columns: (_, one) =>
      (one?.terciles?.shares ?? []).map((values, k) =>
        column(named({ kind: 'category', category: CATEGORIES[k] }), values, SHARE_DECIMALS),
      ),
  },
  skill: {
    role: 'of-point',
    schema: {
      properties: {
        crpss: { ...SKILL, description: `The skill of the CRPS against the climatology, ${OF_LEAD}.` },
        rpss: { ...SKILL, description: `The skill of the RPS of terciles against the climatology, ${OF_LEAD}.` },
        skill_cases: { type: 'integer', minimum: 0, description: 'How many forecasts these are of.' },
      },
    },
    columns(_, one) {
      if (one?.skill === undefined) return [];
      const { crps, rps, cases } = one.skill;
      const decimals = Math.max(one.variable.decimals, SKILL_DECIMALS);
      return [
        { name: 'crpss', values: crps, decimals },
        { name: 'rpss', values: rps, decimals },
        { name: 'skill_cases', values: cases, decimals },
      ];
    },
  },
};

function column({ name, statistic }: Named, values: ValueColumn['values'] = NONE, decimals = 0): ValueColumn {
  return { name, values, decimals, statistic };
}

/** By lists of quantiles, of which most requests have the same: names take as long to make as rows to write. */
const QUANTILES = /* @__PURE__ */ new WeakMap<readonly number[], readonly Named[]>();

function namedQuantiles(quantiles: readonly number[]): readonly Named[] {
  const known = QUANTILES.get(quantiles) ?? quantiles.map((probability) => named({ kind: 'quantile', probability }));
  QUANTILES.set(quantiles, known);
  return known;
}

/** The climatologies that variables are compared with, and their years, each text once. */
const COMPARED: readonly VariablesField<One>[] = [
  {
    ...{ name: 'reference_period', role: 'unprepared', isOptional: true },
    schema: {
      type: 'string',
      description: 'The years that terciles and quantiles in conditions are of; only where there are such.',
    },
    value: (variables) => joinTexts(variables, 'reference'),
  },
  {
    ...{ name: 'tercile_reference', role: 'unprepared', isOptional: true },
    schema: {
      type: 'string',
      description: 'The climatology of terciles and of quantiles in conditions; only where there are such.',
    },
    value: (variables) => joinTexts(variables, 'name'),
  },
];

/** The field with the days that skill is of. */
export const SKILL_PERIOD_NAME = 'skill_period';
/** The columns of skill: of the CRPS, of the RPS, and the number of cases. */
export const SKILL_COLUMNS = 3;

/** The days that skill is of. */
const SKILL_PERIOD: VariablesField<One> = {
  ...{ name: SKILL_PERIOD_NAME, role: 'of-point', isOptional: true },
  schema: {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}/\\d{4}-\\d{2}-\\d{2}$',
    description: 'The first and the last verified day of the forecasts that skill is of; only where there are such.',
  },
  value(variables) {
    const periods = variables.flatMap(({ skill }) => skill?.period ?? []);
    if (periods.length === 0) return undefined;
    const first = Math.min(...periods.map(({ firstDay }) => firstDay));
    const last = Math.max(...periods.map(({ lastDay }) => lastDay));
    return periodText(first, last);
  },
};

/** The text of the days that skill is of. */
export function periodText(firstDay: number, lastDay: number): string {
  return `${formatDate(firstDay)}/${formatDate(lastDay)}`;
}

/** A text of the climatologies of some variables, each once; undefined where there is none. */
function joinTexts(variables: readonly One[], field: 'reference' | 'name'): string | undefined {
  const texts = variables.flatMap(({ terciles, climatology = terciles?.climatology }) => climatology?.[field] ?? []);
  return texts.length === 0 ? undefined : [...new Set(texts)].join(', ');
}

const WINDOWS: HeadField = { name: 'granularity', as: 'text', role: 'constant', schema: GRANULARITY };

/** Cut to an entry or two. */
export const STATISTICS_EXAMPLE = {
  init_time: '2026-11-20T00:00:00Z',
  version: 'gefs-v12',
  generation: '2026112000-7f3a9c',
  location: {
    requested: { latitude: 37.271, longitude: -79.9414 },
    closest_location: { latitude: 37.25, longitude: -80 },
  },
  period: { start_date: '2026-11-23', end_date: '2026-11-29' },
  granularity: 'weekly',
  attribution: 'NOAA GEFS',
  variables: {
    temp_mean: {
      units: '°C',
      downscaled: true,
      closest_location: { latitude: 37.275, longitude: -79.9417 },
      statistics: { '2026-W48': { mean: 8.13, q05: 4.2, q25: 6.71, q50: 8.02, q75: 9.6, q95: 12.44 } },
    },
  },
};

/**
 * `/v2/forecast/statistics`: for each variable a map from period key to mean and quantiles, in the order requested, and
 * shares of members.
 */
export const STATISTICS: AnswerDescription<WrittenStatistics> = {
  description:
    'Mean and quantiles over the members of the blended forecast, and shares of members, by day, week or month.',
  example: STATISTICS_EXAMPLE,
  head: {
    ...FORECAST_HEAD,
    granularity: WINDOWS,
    quantiles: 'in values',
    variables: [...COMPARED, SKILL_PERIOD],
    attribution: CREDIT,
  },
  variablesName: 'variables',
  rowsName: 'statistics',
  variable: {
    ...FORECAST_VARIABLE,
    ...{
      windows: 'in values',
      statistics: 'in values',
      thresholds: 'in values',
      conditions: 'in values',
      climatology: 'in values',
      terciles: 'in values',
      skill: 'in values',
    },
  },
  rowsSchema: PERIOD_KEYS,
  row: 'fields',
  rowSchema: {
    type: 'object',
    description:
      'The mean over members, a field for each requested quantile (q05, q50, q025, q100), and for each requested share of members.',
    required: ['mean'],
  },
  values: VALUES,
};
