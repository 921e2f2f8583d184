import { memberName } from '../../table/build/wide-table.js';
import type { MembersAnswer } from '../answer-data.js';
import { DATE, NUMBER } from '../shared-fields.js';
import { type AnswerDescription, CREDIT, FORECAST_HEAD, FORECAST_VARIABLE } from './answer-description.js';

/** Cut to an entry or two. */
export const MEMBERS_EXAMPLE = {
  init_time: '2026-11-20T00:00:00Z',
  version: 'gefs-v12',
  generation: '2026112000-7f3a9c',
  location: {
    requested: { latitude: 37.271, longitude: -79.9414 },
    closest_location: { latitude: 37.25, longitude: -80 },
  },
  period: { start_date: '2026-11-20', end_date: '2026-11-21' },
  variables: {
    precipitation: {
      units: 'mm',
      downscaled: false,
      members: { '2026-11-20': [0, 1.25, 0.4], '2026-11-21': [3.1, null, 0] },
    },
  },
};

/** `/v2/forecast`: for each variable a map from date to the values of its members, always in the same order. */
export const MEMBERS: AnswerDescription<MembersAnswer> = {
  description: 'The members of the blended forecast, day by day.',
  example: MEMBERS_EXAMPLE,
  head: { ...FORECAST_HEAD, variables: [], attribution: CREDIT },
  variablesName: 'variables',
  rowsName: 'members',
  variable: { ...FORECAST_VARIABLE, firstDay: 'in values', days: 'in values', members: 'in values' },
  rowsSchema: {
    type: 'object',
    description: 'From date to the values of all members, always in the same order.',
    propertyNames: DATE,
  },
  row: 'list',
  rowSchema: { type: 'array', items: NUMBER },
  values: {
    members: {
      role: 'unprepared',
      schema: {},
      columns({ variables }, one) {
        const count = Math.max(0, ...variables.map(({ members }) => members.length));
        return (one?.members ?? []).map((values, m) => {
          return { name: memberName(m, count), values, decimals: one?.variable.decimals ?? 0 };
        });
      },
    },
  },
};
