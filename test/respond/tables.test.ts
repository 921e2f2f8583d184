import { type Table, tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/files/index.js';
import { formatDate } from '../../src/period/day.js';
import { windowKeys } from '../../src/period/period.js';
import type { HistoryAnswer, MembersAnswer, StatisticsAnswer } from '../../src/respond/answer-data.js';
import { answerTable } from '../../src/respond/v2/answer-tables.js';
import { HISTORY } from '../../src/respond/v2/history-answer.js';
import { MEMBERS } from '../../src/respond/v2/members-answer.js';
import { STATISTICS } from '../../src/respond/v2/statistics-answer.js';
import { arrowPieces, csvPieces, joinPieces } from '../../src/respond/v2/table-pieces.js';
import { readStatistic } from '../../src/statistics/result-column.js';
import { quantileName, statisticName, thresholdName } from '../../src/statistics/statistic.js';
import { findVariable } from '../../src/variable/find-variable.js';
import { holds } from '../property/fuzz.js';
import * as random from './random-answers.js';
import * as tiny from './tiny-answers.js';

const csv = async (table: Table) => new TextDecoder().decode(joinPieces([...csvPieces([table])]));
const arrow = (table: Table) => joinPieces([...arrowPieces([table])]);
const rowsOf = (table: Table) => table.toArray().map((row) => ({ ...row?.toJSON() }));
const numberOf = (x: number | undefined) => (x === undefined || Number.isNaN(x) ? null : x);
const DAY = 86_400_000;

const place = ({ variable, location }: StatisticsAnswer['variables'][number] | MembersAnswer['variables'][number]) => ({
  variable: variable.slug,
  units: variable.units,
  ...location,
});

const window = ({ windows }: StatisticsAnswer['variables'][number], w: number) => ({
  period: windowKeys(windows)[w],
  start: windows.start[w] * DAY,
  end: windows.end[w] * DAY,
  complete: windows.complete[w] === 1,
  n_days: windows.days[w],
});

/** The shares of a variable in one window, by column. */
const sharesIn = (
  { thresholds = [], conditions = [], statistics, terciles }: StatisticsAnswer['variables'][number],
  w: number,
) =>
  Object.fromEntries([
    ...thresholds.map((threshold, k) => [thresholdName(threshold), numberOf(statistics.probabilities[k][w])]),
    ...conditions.map(({ statistic, values }) => [statisticName(statistic), numberOf(values[w])]),
    ...(terciles?.shares ?? []).map((values, k) => [['p_below', 'p_normal', 'p_above'][k], numberOf(values[w])]),
  ]);

describe('statisticsTable', () => {
  it('has the columns of the statistics table, CF units and the place of the values', async () => {
    expect(await csv(answerTable(STATISTICS, tiny.statistics))).toBe(
      'variable,units,latitude,longitude,period,start,end,complete,n_days,n_members,mean,q05,q025\n' +
        'temp_mean,degC,37.275,-79.9417,2025-W48,2025-11-24,2025-11-30,1,7,31,8.125,-4.2,6.7\n' +
        'temp_mean,degC,37.275,-79.9417,2025-W49,2025-12-01,2025-12-07,1,7,3,,,\n',
    );
  });
  it('has a column for each share of any variable, null for the others, and says what it is', async () => {
    const [temperature] = tiny.statistics.variables;
    const rain = { ...temperature, variable: findVariable('precipitation'), downscaled: false };
    const share = (...values: number[]) => Float32Array.from(values);
    const answer: StatisticsAnswer = {
      ...tiny.statistics,
      quantiles: [],
      variables: [
        {
          ...temperature,
          thresholds: [{ operator: '>=', limit: 30 }],
          statistics: { ...temperature.statistics, probabilities: [share(0.25, Number.NaN)] },
          terciles: {
            shares: [share(0.25, 0), share(0.5, 0), share(0.25, 1)],
            climatology: { name: 'observations', reference: '1993-2022' },
          },
        },
        {
          ...rain,
          thresholds: [{ operator: '>', limit: 20 }],
          statistics: { ...rain.statistics, probabilities: [share(0.125, 1)] },
        },
      ],
    };
    const table = answerTable(STATISTICS, answer);
    const lines = (await csv(table)).trimEnd().split('\n');
    expect(lines.map((line) => line.split(',').slice(10).join())).toEqual([
      'mean,p_ge_30,p_below,p_normal,p_above,p_gt_20',
      '8.125,0.25,0.25,0.5,0.25,',
      ',,0,0,1,',
      '8.125,,,,,0.125',
      ',,,,,1',
    ]);
    const { fields, metadata } = table.schema;
    expect(fields.slice(-5).map(readStatistic)).toMatchObject([
      { kind: 'exceedance', threshold: { operator: '>=', limit: 30 } },
      ...['below', 'normal', 'above'].map((category) => ({ kind: 'category', category })),
      { kind: 'exceedance', threshold: { operator: '>', limit: 20 } },
    ]);
    expect([metadata.get('reference_period'), metadata.get('tercile_reference')]).toEqual([
      '1993-2022',
      'observations',
    ]);
  });
  it('has no horizons of a variable whose points have different ones', () => {
    const { variables } = tiny.members;
    const of = (lastDay: number) => ({ horizons: [{ horizon: 'seasonal', firstDay: 20_412, lastDay }] as const });
    const horizonsIn = (lasts: readonly number[]) => {
      const answers = lasts.map((lastDay) => ({ ...variables[0], ...of(lastDay) }));
      return answerTable(MEMBERS, { ...tiny.members, variables: answers }).schema.metadata.get('horizons');
    };
    expect([horizonsIn([20_413, 20_413]), horizonsIn([20_413, 20_414])]).toEqual([
      '[{"name":"seasonal","start":"2025-11-20","end":"2025-11-21"}]',
      '[]',
    ]);
  });

  it('has the metadata of the JSON body', () => {
    expect(Object.fromEntries(answerTable(STATISTICS, tiny.statistics).schema.metadata)).toEqual({
      init_time: '2025-11-20T00:00:00Z',
      version: 'gefs-v12',
      generation: '7f3a',
      granularity: 'weekly',
      attribution: 'NOAA "GEFS"',
    });
  });
  holds(
    'has a row for each variable and window, values as computed',
    100,
    random.statisticsAnswers,
    (answer: StatisticsAnswer) => {
      const names = [...new Set(answer.variables.flatMap((answered) => Object.keys(sharesIn(answered, 0))))];
      const expected = answer.variables.flatMap((answered) =>
        Array.from({ length: answered.windows.count }, (_, w) => ({
          ...place(answered),
          ...window(answered, w),
          n_members: answered.statistics.members[w],
          mean: numberOf(answered.statistics.mean[w]),
          ...Object.fromEntries(
            answer.quantiles.map((p, k) => [quantileName(p), numberOf(answered.statistics.quantiles[k][w])]),
          ),
          ...Object.fromEntries(names.map((name) => [name, null])),
          ...sharesIn(answered, w),
        })),
      );
      expect(rowsOf(answerTable(STATISTICS, answer))).toEqual(expected);
    },
  );
});

describe('membersTable', () => {
  it('has a row for each day and a column for each member', async () => {
    expect(await csv(answerTable(MEMBERS, tiny.members))).toBe(
      'variable,units,latitude,longitude,date,member_00,member_01,member_02\n' +
        'precipitation,mm,37.25,-80,2025-11-20,0,1.25,12.3\n' +
        'precipitation,mm,37.25,-80,2025-11-21,,0.125,-1e-18\n',
    );
  });
  holds(
    'is null where a variable has fewer members than another',
    100,
    random.membersAnswers,
    (answer: MembersAnswer) => {
      const count = Math.max(0, ...answer.variables.map(({ members }) => members.length));
      const expected = answer.variables.flatMap((answered) =>
        Array.from({ length: answered.days }, (_, day) => ({
          ...place(answered),
          date: formatDate(answered.firstDay + day),
          ...Object.fromEntries(
            Array.from({ length: count }, (_, m) => [`member_0${m}`, numberOf(answered.members[m]?.[day])]),
          ),
        })),
      );
      const rows = rowsOf(answerTable(MEMBERS, answer)).map((row) => ({ ...row, date: formatDate(row.date / DAY) }));
      expect(rows).toEqual(expected);
    },
  );
});

describe('historyTable', () => {
  it('has a row for each window and a column of values', async () => {
    const table = answerTable(HISTORY, tiny.history);
    expect(await csv(table)).toBe(
      'variable,units,latitude,longitude,period,start,end,complete,n_days,value\n' +
        'solar_radiation,MJ m-2 d-1,37.25,-80,2025-09,2025-09-01,2025-09-30,1,30,17.4\n' +
        'solar_radiation,MJ m-2 d-1,37.25,-80,2025-10,2025-10-01,2025-10-31,1,31,\n',
    );
    expect(Object.fromEntries(table.schema.metadata)).toEqual({ granularity: 'monthly' });
  });
  holds(
    'has a row for each variable and window, values as computed',
    100,
    random.historyAnswers,
    (answer: HistoryAnswer) => {
      const expected = answer.variables.flatMap(({ values, ...answered }) =>
        Array.from({ length: answered.windows.count }, (_, w) => ({
          ...place(answered as never),
          ...window(answered as never, w),
          value: numberOf(values[w]),
        })),
      );
      expect(rowsOf(answerTable(HISTORY, answer))).toEqual(expected);
    },
  );
});

describe('arrowPieces', () => {
  it('writes equal tables as equal bytes, whatever was written before', () => {
    const bytes = () => arrow(answerTable(STATISTICS, tiny.statistics));
    expect(bytes()).toEqual(bytes());
  });

  it('is an Arrow IPC stream of the same rows and metadata', async () => {
    for (const table of [
      answerTable(STATISTICS, tiny.statistics),
      answerTable(MEMBERS, tiny.members),
      answerTable(HISTORY, tiny.history),
    ]) {
      const bytes = arrow(table);
      // A stream begins with a continuation marker, a file with ARROW1.
      expect([...bytes.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
      expect([...bytes.subarray(-8)]).toEqual([255, 255, 255, 255, 0, 0, 0, 0]);
      const read = tableFromIPC(bytes);
      expect(rowsOf(read)).toEqual(rowsOf(table));
      expect(read.schema.metadata).toEqual(table.schema.metadata);
      expect(rowsOf(await readTable(bytes))).toEqual(rowsOf(table));
    }
  });
  it('has its columns also without rows', async () => {
    const empty: StatisticsAnswer = { ...tiny.statistics, variables: [] };
    const none = answerTable(STATISTICS, empty);
    expect(tableFromIPC(arrow(none)).schema.fields.map(({ name }) => name)).toEqual(
      answerTable(STATISTICS, tiny.statistics).schema.fields.map(({ name }) => name),
    );
    expect(await csv(none)).toMatch(/^variable,.*,mean,q05,q025\n$/);
  });
});
