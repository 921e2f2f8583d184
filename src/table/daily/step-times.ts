import { DataType, type Table } from 'apache-arrow';
import { statedMethod } from '../../ensemble/time-evidence.js';
import { decideTimes, type TimeMeaning } from '../../ensemble/time-meaning.js';
import { variableByName } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import { columnOf } from '../arrow/table-schema.js';
import type { DailyTableOptions } from './daily-options.js';
import { type AmountRows, runStart, statedTexts } from './step-amounts.js';
import { stepRule } from './step-table.js';

/** What the times of the tables of one input stand for, which is decided once for all of them. */
export class StepTimes {
  readonly #options: DailyTableOptions;
  #decided: TimeMeaning | undefined;

  constructor(options: DailyTableOptions) {
    this.#options = options;
  }

  /** What the times of values of each step stand for; undefined where no series has two steps. */
  of(found: AmountRows, variable: Variable): TimeMeaning | undefined {
    this.#decided ??= this.#decide(found, variable);
    return this.#decided;
  }

  #decide(found: AmountRows, variable: Variable): TimeMeaning | undefined {
    const { table, plan, series, times } = found;
    const { source, stamps } = this.#options;
    const first = series.find(({ rows }) => rows.length > 1);
    if (first === undefined) return undefined;
    const texts = statedTexts(table, plan);
    const init = runStart(found);
    const isExtreme = plan.names.some((name) => /_(min|max)$/.test(variableByName(name)?.slug ?? ''));
    return decideTimes({
      ...{ name: plan.values.names[0], source, texts, init, coordinate: plan.dateColumn },
      times: Float64Array.from(first.rows, (row) => times[row]),
      ...(stamps !== undefined && { requested: stamps }),
      method: statedMethod(texts),
      stepType: texts.get('GRIB_stepType') ?? texts.get('step_type'),
      history: texts.get('history'),
      isOverTime: stepRule(variable) === 'sum' || isExtreme,
      atStart: init === undefined ? undefined : valuesAtStart(found, init),
      ...(plan.areOfPrecedingSteps && { documented: { stamps: 'end', by: 'as Open-Meteo documents' } }),
    });
  }
}

/** Whether values begin at the start of the run, or other columns alone do; undefined where no row is of that time. */
function valuesAtStart({ table, plan, times }: AmountRows, init: number): 'values' | 'missing' | undefined {
  const { values, use = () => true } = plan;
  const rows = [...times.keys()].filter((row) => times[row] === init);
  const hasValue = (names: readonly string[], which: readonly number[]) =>
    names.some((name) => {
      const column = columnOf(table, name);
      return which.some((row) => isValue(column.get(row)));
    });
  if (hasValue(values.names, rows.filter(use))) return 'values';
  const others = otherNumbers(table, new Set([...values.names, ...Object.values(plan.roles)]));
  const ofOthers = rows.filter((row) => !use(row));
  return hasValue(others, rows) || hasValue(values.names, ofOthers) ? 'missing' : undefined;
}

function otherNumbers(table: Table, taken: ReadonlySet<string | undefined>): string[] {
  const others = table.schema.fields.filter(({ name, type }) => !taken.has(name) && DataType.isFloat(type));
  return others.map(({ name }) => name);
}

function isValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && Symbol.iterator in value)
    return [...(value as Iterable<unknown>)].some(isValue);
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value));
}
