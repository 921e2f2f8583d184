import { type Data, makeData, Table, TimestampMillisecond } from 'apache-arrow';
import type { StepEdges } from '../../ensemble/accumulation.js';
import { DataError } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import { DAY_SECONDS } from '../../period/day.js';
import { STEPS } from '../../period/stated-days.js';
import { columnOf, findColumn } from '../arrow/table-schema.js';
import { createTable, dates, type NewColumn, textDictionary, texts } from '../build/create-table.js';
import { joinTables } from '../build/join-tables.js';
import { dayColumn, statedCalendar } from '../columns/day-column.js';
import { timeColumn } from './time-column.js';

/** Whether a table is of time steps, by its metadata. */
export function isOfSteps({ schema }: Table): boolean {
  return schema.metadata.get('granularity') === STEPS;
}

/**
 * A table whose dates are numbers of time steps, with the start and the end of each step in their place, as timestamps
 * in UTC; of a model calendar as texts, as Arrow only has the real one. Columns of windows are left out.
 */
export function timedTable(table: Table, edges: StepEdges, date = 'date'): Table {
  const calendar = statedCalendar(table.schema.metadata);
  const steps = dayColumn(columnOf(table, date), date, undefined, calendar);
  const columns = columnsOf(table).flatMap((column): NewColumn[] => {
    if (OF_WINDOWS.has(column.name) && column.name !== date) return [];
    if (column.name !== date) return [column];
    return [times('start', steps, edges.starts, calendar), times('end', steps, edges.ends, calendar)];
  });
  return createTable(columns, new Map(table.schema.metadata).set('granularity', STEPS));
}

/** Columns of windows that time steps do not have, or have as times. */
const OF_WINDOWS = new Set(['period', 'start', 'end', 'complete', 'n_days']);

function times(name: string, steps: Int32Array, edges: Float64Array, calendar: ModelCalendar | undefined): NewColumn {
  if (calendar !== undefined) {
    return texts(name, steps, textDictionary(Array.from(edges, (seconds) => timeText(seconds, calendar))));
  }
  const data = BigInt64Array.from(steps, (step) => BigInt(Math.round(1000 * edges[step])));
  return { name, data: makeData({ type: new TimestampMillisecond('UTC'), data }) as Data };
}

function timeText(seconds: number, calendar: ModelCalendar): string {
  const day = Math.floor(seconds / DAY_SECONDS);
  return `${dateText(calendar, day)}T${new Date(1000 * (seconds - day * DAY_SECONDS)).toISOString().slice(11, 19)}`;
}

/** A table of time steps, with the number of its step in each row, and the times of all steps. */
export interface NumberedSteps {
  readonly table: Table;
  readonly edges: StepEdges;
}

/**
 * The opposite of `timedTable`: dates that are numbers of steps, in the order of their times, in place of `start` and
 * `end`. Throws DataError for a table that is not of time steps.
 */
export function numberedSteps(table: Table, source?: string): NumberedSteps {
  const calendar = statedCalendar(table.schema.metadata);
  const [starts, ends] = ['start', 'end'].map((name) => {
    const column = isOfSteps(table) ? findColumn(table, name) : undefined;
    return column && timeColumn(column, name, source, calendar);
  });
  if (starts === undefined || ends === undefined) {
    const problem = 'is not a table of time steps';
    throw new DataError({ source, problem, allowed: 'what reading time steps gives: columns start and end' });
  }
  const byTime = new Map<string, { start: number; end: number; step: number }>();
  const keys = Array.from(starts, (start, row) => `${start} ${ends[row]}`);
  for (const [row, key] of keys.entries()) byTime.set(key, { start: starts[row], end: ends[row], step: 0 });
  const steps = [...byTime.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [step, each] of steps.entries()) each.step = step;
  const numbers = Int32Array.from(keys, (key) => byTime.get(key)?.step ?? 0);
  const columns = columnsOf(table).flatMap((column): NewColumn[] =>
    column.name === 'end' ? [] : [column.name === 'start' ? dates('date', numbers, calendar) : column],
  );
  const metadata = new Map(table.schema.metadata);
  metadata.delete('granularity');
  const edges = (name: 'start' | 'end') => Float64Array.from(steps, (each) => each[name]);
  return { table: createTable(columns, metadata), edges: { starts: edges('start'), ends: edges('end') } };
}

/** The columns of a table, in one piece each. */
function columnsOf(table: Table): NewColumn[] {
  const { batches, schema } = table.batches.length > 1 ? joinTables(table.batches.map((one) => new Table(one))) : table;
  return schema.fields.map(({ name, metadata }, c) => ({ name, data: batches[0].data.children[c], metadata }));
}
