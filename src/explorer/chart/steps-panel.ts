import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { periodWords } from '../../plot/period-words.js';
import { readMembers } from '../../plot/read-members.js';
import { readStatistics, spanOf } from '../../plot/read-statistics.js';
import { stepStatistics } from '../../statistics/step-statistics.js';
import { columnOf } from '../../table/arrow/table-schema.js';
import { createTable, textDictionary, texts } from '../../table/build/create-table.js';
import type { Shown } from '../view/units.js';
import type { Explained } from './explain.js';
import { inUnit } from './window-order.js';

/** Computes what a chart of time steps shows, in the unit of the reader's choice. Throws what statistics throw. */
export function stepsPanel(
  core: Core,
  steps: Table,
  { quantiles, shown }: { readonly quantiles: readonly number[]; readonly shown: Shown },
): Pick<Explained, 'panel' | 'members' | 'keys' | 'chance' | 'results'> {
  const read = readMembers(steps, {});
  const table = stepStatistics(core, steps, { quantiles });
  const { statistics } = readStatistics(table, {});
  const convert = (values: Float64Array) => inUnit(values, shown);
  const members = { ...read.members, values: read.members.values.map(convert) };
  const keys = Array.from(members.start, (day, row) =>
    [
      periodWords({ granularity: 'daily', start: day, end: day, calendar: read.texts.calendar }),
      hours(table, row),
    ].join(', '),
  );
  return {
    ...{ members, keys, chance: undefined, results: { table: () => withPeriods(table) } },
    panel: {
      ...{ texts: { ...read.texts, units: shown.label || undefined }, members, seams: [], thresholds: [] },
      statistics: [
        {
          ...statistics,
          ...(statistics.mean && { mean: convert(statistics.mean) }),
          quantiles: statistics.quantiles.map(({ probability, values }) => ({ probability, values: convert(values) })),
        },
      ],
      memberCount: members.values.length,
      ...spanOf([members], 'steps'),
    },
  };
}

/** A time in UTC, which is a number of milliseconds, or in a model calendar a text: `2026-03-02 06:00`. */
function timeText(time: unknown): string {
  const text = typeof time === 'number' ? new Date(time).toISOString() : String(time);
  return text.slice(0, 16).replace('T', ' ');
}

/** The hours of a step in UTC: `06:00 to 09:00`; of an instant `06:00`. */
function hours(table: Table, row: number): string {
  const [from, to] = ['start', 'end'].map((name) => timeText(columnOf(table, name).get(row)).slice(11));
  return `${from === to ? from : `${from} to ${to}`} UTC`;
}

/** A table with a column of periods, as tables of windows have it. */
function withPeriods(table: Table): Table {
  const periods = Array.from({ length: table.numRows }, (_, row) => {
    const [from, to] = ['start', 'end'].map((name) => timeText(columnOf(table, name).get(row)));
    return from === to ? from : `${from} to ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`;
  });
  const rows = Int32Array.from(periods.keys());
  return table.assign(createTable([texts('period', rows, textDictionary(periods))], new Map(table.schema.metadata)));
}
