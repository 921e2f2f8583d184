import { DateDay, Schema, Table, tableFromArrays, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { blend, climatology, dailyTable, statistics } from '../../../src/index.js';
import { runsOfTable, SingleRun } from '../../../src/table/daily/runs-of-table.js';

const DAY = 86_400_000;
const day = (n: number) => new Date(Date.UTC(2026, 2, 2) + n * DAY);
const text = (n: number) => day(n).toISOString().slice(0, 10);
/** Rows of runs: each with its start and the days of its leads. */
function rows(runs: readonly { start: number; days: number }[]) {
  const all = runs.flatMap(({ start, days }) => Array.from({ length: days }, (_, lead) => [start, start + lead]));
  return { starts: all.map(([start]) => start), days: all.map(([, date]) => date) };
}
const tableOf = (runs: readonly { start: number; days: number }[], name = 'init_time') => {
  const { starts, days } = rows(runs);
  return tableFromArrays({ [name]: starts.map(text), date: days.map(text), value: days.map(Number) });
};

describe('SingleRun', () => {
  const checked = (...tables: ReturnType<typeof tableOf>[]) => {
    const run = new SingleRun('a.csv');
    for (const table of tables) run.check(table);
  };
  const several =
    /a\.csv, column init_time: holds several runs, which are no series; received "2026-03-02, 2026-03-12"/;

  it('takes one run, and tables without a column of starts', () => {
    checked(tableOf([{ start: 0, days: 10 }]), tableOf([{ start: 0, days: 10 }]));
    checked(
      tableOf(
        [
          { start: 0, days: 10 },
          { start: 10, days: 10 },
        ],
        'note',
      ),
    );
  });

  it('takes analyses, of which each day has a start of its own or several', () => {
    checked(tableOf(Array.from({ length: 20 }, (_, start) => ({ start, days: 1 }))));
    const starts = ['2026-03-02T00:00', '2026-03-02T12:00', '2026-03-03T00:00', '2026-03-03T12:00'];
    const date = ['2026-03-02', '2026-03-02', '2026-03-03', '2026-03-03'];
    checked(tableFromArrays({ init_time: starts, date, value: [1, 2, 3, 4] }) as never);
  });

  it('rejects two runs that follow one another, in one table or in two parts', () => {
    expect(() =>
      checked(
        tableOf([
          { start: 0, days: 10 },
          { start: 10, days: 10 },
        ]),
      ),
    ).toThrow(several);
    expect(() => checked(tableOf([{ start: 0, days: 10 }]), tableOf([{ start: 10, days: 10 }]))).toThrow(several);
  });

  it('rejects starts that are dates, and starts of runs of several days that overlap', () => {
    const { starts, days } = rows([
      { start: 0, days: 5 },
      { start: 10, days: 5 },
    ]);
    const table = new Table({
      init_time: vectorFromArray(starts.map(day), new DateDay()),
      date: vectorFromArray(days.map(day), new DateDay()),
      value: vectorFromArray(days.map(Number)),
    });
    expect(() => checked(table as never)).toThrow(several);
    expect(() =>
      checked(
        tableOf([
          { start: 0, days: 20 },
          { start: 10, days: 20 },
        ]),
      ),
    ).toThrow(several);
  });
});

describe('runsOfTable', () => {
  it('divides rows by their start, in the order of first rows', () => {
    const runs = runsOfTable(
      tableOf([
        { start: 10, days: 3 },
        { start: 0, days: 2 },
      ]),
    );
    expect(runs.map(({ numRows, schema }) => [schema.metadata.get('init_time'), numRows])).toEqual([
      ['2026-03-12', 3],
      ['2026-03-02', 2],
    ]);
  });
});

describe('functions of the library', () => {
  const apart = [
    { start: 0, days: 7 },
    { start: 7, days: 7 },
  ];

  it('reject rows of two runs one after the other, whichever the form of their starts', async () => {
    const core = await loadCore();
    const { starts, days } = rows(apart);
    const dated = new Table({
      init_time: vectorFromArray(starts.map(day), new DateDay()),
      date: vectorFromArray(days.map(text)),
      temp_mean: vectorFromArray(days.map(Number)),
    });
    const ofTwo =
      /row 8, column (init_time|Initialization_Time|issued): another run than in the rows before; .* allowed: one run, .*; several need a table each/;
    for (const table of [tableOf(apart), tableOf(apart, 'Initialization_Time'), tableOf(apart, 'issued'), dated])
      expect(() => statistics(core, table as never, { window: 'mean' })).toThrow(ofTwo);
    expect(() =>
      blend(core, [tableOf(apart), tableOf([{ start: 7, days: 20 }])] as never, { variable: 'temp_mean' }),
    ).toThrow(ofTwo);
    expect(() => climatology(core, tableOf(apart) as never, { variable: 'temp_mean' } as never)).toThrow(ofTwo);
    expect(() => dailyTable(tableOf(apart) as never)).toThrow(/holds several runs, which are no series/);
  });

  it('take one run, analyses, columns that number the runs, and metadata that state one', async () => {
    const core = await loadCore();
    const single = tableOf([{ start: 0, days: 14 }]);
    const analysis = tableOf(Array.from({ length: 14 }, (_, start) => ({ start, days: 1 })));
    const { days } = rows(apart);
    const cycles = tableFromArrays({
      cycle: days.map((d) => (d < 7 ? '00' : '12')),
      date: days.map(text),
      value: days,
    });
    const { schema, batches } = tableOf(apart);
    const stated = new Table(new Schema(schema.fields, new Map([['init_time', '2026-03-02']])), batches);
    for (const table of [single, analysis, cycles, stated])
      expect(statistics(core, table as never, { window: 'mean' }).numRows).toBe(14);
  });
});
