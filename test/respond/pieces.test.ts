import { type Table, tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../src/period/day.js';
import { windowTable } from '../../src/period/period.js';
import type { HistoryAnswer, MembersAnswer, StatisticsAnswer } from '../../src/respond/answer-data.js';
import { JsonWriter } from '../../src/respond/json-writer.js';
import { answerParts, type JsonPart, jsonPieces } from '../../src/respond/v2/answer-json.js';
import { answerTable } from '../../src/respond/v2/answer-tables.js';
import { HISTORY } from '../../src/respond/v2/history-answer.js';
import { MEMBERS } from '../../src/respond/v2/members-answer.js';
import { STATISTICS } from '../../src/respond/v2/statistics-answer.js';
import { answerTables, arrowPieces, csvPieces, joinPieces } from '../../src/respond/v2/table-pieces.js';
import { findVariable } from '../../src/variable/find-variable.js';
import { seeded } from '../reference/fields.js';
import { historyJson, membersJson, statisticsJson } from './json-bodies.js';

/*
 * Long answers, of variables with different days, some of which are none.
 */

const FIRST = dayNumber(1995, 1, 1);
const PLACE = { latitude: 37.25, longitude: -80 };
const random = seeded(7);
const numbers = (length: number) =>
  Float32Array.from({ length }, (_, i) => (i % 17 === 3 ? Number.NaN : 40 * random() - 10));
const days = [9000, 0, 9000, 2000];
const variables = (['precipitation', 'temp_min', 'temp_mean', 'temp_max'] as const).map((slug, v) => ({
  variable: findVariable(slug),
  downscaled: v === 3,
  location: v === 3 ? { latitude: 37.2583, longitude: -79.9917 } : PLACE,
}));
const forecast = {
  ...{ initTime: '2026-03-02T00:00:00Z', version: 'model-1', generation: 'run-1', attribution: 'Us, "we"' },
  ...{ requested: PLACE, closest: PLACE, period: { firstDay: FIRST, lastDay: FIRST + 8999 } },
};
const windows = days.map((count) => windowTable('daily', FIRST, FIRST + count - 1));

const history: HistoryAnswer = {
  ...{ granularity: 'daily', location: PLACE, period: forecast.period },
  variables: variables.map((one, v) => ({ ...one, windows: windows[v], values: numbers(days[v]) })),
};
const statistics: StatisticsAnswer = {
  ...forecast,
  ...{ granularity: 'daily', quantiles: [0.1, 0.5] },
  variables: variables.map((one, v) => ({
    ...one,
    windows: windows[v],
    thresholds: v === 1 ? [] : [{ operator: '>', limit: 20 + v }],
    terciles: { shares: [numbers(days[v]), numbers(days[v]), numbers(days[v])] },
    statistics: {
      length: days[v],
      mean: numbers(days[v]),
      quantiles: [numbers(days[v]), numbers(days[v])],
      probabilities: v === 1 ? [] : [numbers(days[v])],
      categories: [],
      members: new Int32Array(days[v]).fill(31),
    },
  })),
};
const members: MembersAnswer = {
  ...forecast,
  variables: variables.map((one, v) => ({
    ...one,
    ...{ firstDay: FIRST + v, days: days[v] },
    members: Array.from({ length: 3 + v }, () => numbers(days[v])),
  })),
};

describe('a long body in pieces', () => {
  const cases: [
    string,
    (writer: JsonWriter) => JsonPart[],
    Uint8Array,
    (isShared: boolean) => Iterable<Table>,
    Table,
  ][] = [
    [
      'history',
      (w) => answerParts(HISTORY, history, w),
      historyJson(history),
      (isShared) => answerTables(HISTORY, history, isShared),
      answerTable(HISTORY, history),
    ],
    [
      'statistics',
      (writer) => answerParts(STATISTICS, statistics, writer),
      statisticsJson(statistics),
      (isShared) => answerTables(STATISTICS, statistics, isShared),
      answerTable(STATISTICS, statistics),
    ],
    [
      'members',
      (w) => answerParts(MEMBERS, members, w),
      membersJson(members),
      (isShared) => answerTables(MEMBERS, members, isShared),
      answerTable(MEMBERS, members),
    ],
  ];

  it.each(cases)('%s: JSON has the same bytes as the body written at once', (_, parts, whole) => {
    const writer = new JsonWriter();
    const pieces = [...jsonPieces(parts(writer), writer)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
    expect(Buffer.compare(joinPieces(pieces), whole)).toBe(0);
  });

  it.each(cases)('%s: CSV has the same bytes as that of one table', (_, __, ___, tables, table) => {
    const pieces = [...csvPieces(tables(false))];
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
    expect(Buffer.compare(joinPieces(pieces), joinPieces([...csvPieces([table])]))).toBe(0);
  });

  it.each(cases)(
    '%s: Arrow is the same each time, and has the rows of one table in several batches',
    (_, __, ___, tables, table) => {
      const bytes = joinPieces([...arrowPieces(tables(true))]);
      expect(Buffer.compare(bytes, joinPieces([...arrowPieces(tables(true))]))).toBe(0);
      const read = tableFromIPC(bytes);
      expect(read.batches.length).toBeGreaterThan(3);
      expect(read.schema.metadata).toEqual(table.schema.metadata);
      // As CSV, both are the same to the byte.
      expect(Buffer.compare(joinPieces([...csvPieces([read])]), joinPieces([...csvPieces([table])]))).toBe(0);
    },
  );
});
