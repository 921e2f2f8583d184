import type { HistoryAnswer } from '../answer-data.js';
import { GRANULARITY, LOCATION, NUMBER, SLUGS } from '../shared-fields.js';
import {
  type AnswerDescription,
  CREDIT,
  PERIOD,
  PERIOD_KEYS,
  PLACED_VARIABLE,
  PRECISION,
} from './answer-description.js';

/** Cut to an entry or two. */
export const HISTORY_EXAMPLE = {
  meta: {
    variables: ['precipitation'],
    granularity: 'monthly',
    location: { latitude: 37.25, longitude: -80 },
    period: { start_date: '2026-09-01', end_date: '2026-10-31' },
  },
  data: {
    precipitation: { units: 'mm', downscaled: false, values: { '2026-09': 84.2, '2026-10': null } },
  },
};

/** `/v2/history`: for each variable a map from period key to value. */
export const HISTORY: AnswerDescription<HistoryAnswer> = {
  description: 'What was observed or reanalysed, by day, week or month.',
  example: HISTORY_EXAMPLE,
  headName: 'meta',
  head: {
    variables: [
      {
        ...{ name: 'variables', role: 'constant', schema: SLUGS },
        value: (variables) => variables.map(({ variable }) => variable.slug),
      },
    ],
    granularity: { name: 'granularity', as: 'text', role: 'constant', schema: GRANULARITY },
    location: {
      ...{ name: 'location', as: 'location', role: 'of-point' },
      schema: { ...LOCATION, description: 'The point of the coarse grid.' },
    },
    period: PERIOD,
    attribution: CREDIT,
    precision: PRECISION,
  },
  variablesName: 'data',
  rowsName: 'values',
  variable: { ...PLACED_VARIABLE, windows: 'in values', values: 'in values' },
  rowsSchema: PERIOD_KEYS,
  row: 'number',
  rowSchema: NUMBER,
  values: {
    values: {
      role: 'unprepared',
      schema: {},
      columns: (_, one) => [
        { name: 'value', values: one?.values ?? new Float32Array(0), decimals: one?.variable.decimals ?? 0 },
      ],
    },
  },
};
