import type { Table, Vector } from 'apache-arrow';
import { stepEdges } from '../../ensemble/accumulation.js';
import { mayStateAmounts, statedAmounts } from '../../ensemble/stated-accumulation.js';
import { dayColumn } from '../columns/day-column.js';
import type { DailyTableOptions } from './daily-options.js';
import { StepAmounts, statedTexts } from './step-amounts.js';
import { stepRule } from './step-rule.js';
import type { StepTable } from './step-table.js';

const DAY = 86_400;

/** How to read a table of daily amounts that grow from day to day as one of time steps. */
export interface GrowingDays {
  readonly plan: StepTable;
  readonly options: DailyTableOptions;
}

/**
 * Reads a table of daily amounts as one of time steps of a day each, if the option `accumulation` or its metadata say
 * that they grow; undefined for all other tables. Throws OptionError for an unknown accumulation.
 */
export function growingDays(table: Table, plan: StepTable, options: DailyTableOptions): GrowingDays | undefined {
  const { variable, times, units } = plan;
  if (times !== undefined || variable === undefined || stepRule(variable) !== 'sum') return undefined;
  const { accumulation } = new StepAmounts(options);
  if (accumulation === 'per-step') return undefined;
  if (accumulation === undefined && !mayStateAmounts(statedTexts(table, plan))) return undefined;
  const days = dayColumn(table.getChild(plan.dateColumn) as Vector, plan.dateColumn, options.source, plan.calendar);
  const starts = Float64Array.from(days, (day) => day * DAY);
  const known = accumulation ?? statedAmounts(statedTexts(table, plan), edgesOf(starts))?.kind;
  if (known === undefined || known === 'per-step' || known === 'either') return undefined;
  return {
    plan: { ...plan, times: starts, units: units ?? options.units ?? variable.units },
    options: { ...options, accumulation: known, stamps: 'start' },
  };
}

function edgesOf(starts: Float64Array) {
  const axis = Float64Array.from(new Set(starts)).sort();
  return stepEdges(axis, new Float64Array(axis.length).fill(DAY), 'start');
}
