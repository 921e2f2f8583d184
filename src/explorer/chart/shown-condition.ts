import type { Table } from 'apache-arrow';
import { checkAgainstOptions } from '../../climate/against-options.js';
import { ClimateReference } from '../../climate/climate-reference.js';
import { readClimatology } from '../../climate/read-climatology.js';
import { type Condition, leavesOf, neededQuantiles } from '../../condition/condition.js';
import { JointShares } from '../../condition/joint-shares.js';
import type { Core } from '../../core/load.js';
import { alignEnsembles } from '../../ensemble/align-ensembles.js';
import type { ModelCalendar } from '../../period/calendar.js';
import type { Windows } from '../../plot/panel-data.js';
import { checkStatisticsOptions } from '../../statistics/options.js';
import { statedCalendar } from '../../table/columns/day-column.js';
import { ensembleOf } from '../../table/rows/read-ensemble.js';
import type { WindowChoice } from '../view/window-choice.js';
import { orderOf } from './window-order.js';

/** A variable of a condition. */
export interface ConditionVariable {
  /** As the condition names it. */
  readonly name: string;
  readonly table: Table;
  /** The table of its climatology, which quantiles need. */
  readonly climatology: Table | undefined;
  readonly choice: WindowChoice;
}

/** The share of members with a condition by window. */
export interface ConditionShares {
  readonly windows: Windows;
  /** The keys of windows, where their days alone do not say these. */
  readonly keys: readonly string[] | undefined;
  readonly calendar: ModelCalendar | undefined;
  /** NaN where it is missing. */
  readonly shares: Float64Array;
  readonly members: number;
  /** Which members are left out; undefined where all have a value of each variable. */
  readonly note: string | undefined;
}

/** Counts the members with a condition. Throws OptionError and DataError for what does not fit together. */
export function conditionShares(
  core: Core,
  condition: Condition,
  variables: readonly ConditionVariable[],
): ConditionShares {
  const read = variables.map(({ name, table, choice }) => ({
    ...{ name, source: name },
    ensemble: ensembleOf(table, checkStatisticsOptions(choice)),
  }));
  const parts = alignEnsembles(read);
  const joint = new JointShares(
    core,
    read.map(({ name, source, ensemble }, v) => {
      const { firstDay, days, members } = parts[v].field;
      const own = { name, source, firstDay, days, members: members.map((member) => member.name) };
      return {
        ...ensemble,
        ...own,
        window: variables[v].choice.window,
        ...limitsOf(variables[v], ensemble, condition),
      };
    }),
    [condition],
    checkStatisticsOptions({ ...variables[0].choice, window: undefined }),
  );
  const fields = parts.map(({ field }) => field);
  const table = joint.table(fields, parts[0]);
  const share = table.getChildAt(table.numCols - 1);
  const { granularity, keys, start, end, days } = joint.windows;
  const order = orderOf(joint.windows);
  const ofOrder = (values: Int32Array) => Int32Array.from(order, (w) => values[w]);
  return {
    windows: { granularity, start: ofOrder(start), end: ofOrder(end), days: ofOrder(days) },
    keys: keys && Array.from(order, (w) => keys[w]),
    calendar: statedCalendar(read[0].ensemble.metadata),
    shares: Float64Array.from(order, (w) => share?.get(w) ?? Number.NaN),
    ...{ members: joint.members, note: joint.note },
  };
}

/** The quantiles of a climatology that a condition needs of a variable. */
function limitsOf(
  { name, climatology, choice }: ConditionVariable,
  ensemble: ReturnType<typeof ensembleOf>,
  condition: Condition,
) {
  const needed = neededQuantiles(leavesOf(condition).filter(({ variable }) => variable === name));
  if (needed.length === 0 || climatology === undefined) return {};
  const normal = readClimatology(climatology, { source: `climatology of ${name}` });
  const reference = new ClimateReference(normal, ensemble, checkAgainstOptions(normal, choice, needed));
  return {
    limitsAt: (...[part, quantile]: Parameters<ClimateReference['limitsAt']>) => reference.limitsAt(part, quantile),
  };
}
