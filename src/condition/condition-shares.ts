import type { Table } from 'apache-arrow';
import { assertKnownKeys, assertObject, namesOf } from '../check/option-checks.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { alignEnsembles } from '../ensemble/align-ensembles.js';
import { unusable } from '../errors.js';
import { checkStatisticsOptions, STATISTICS_OPTIONS, type StatisticsOptions } from '../statistics/options.js';
import { isTable } from '../table/arrow/own-table.js';
import type { ReadOptions } from '../table/columns/read-options.js';
import { ensembleOf, isOpened, type Opened } from '../table/rows/read-ensemble.js';
import { variableByName } from '../variable/find-variable.js';
import { JointShares } from './joint-shares.js';
import { parseCondition } from './parse-condition.js';

/** What `statistics` has besides: conditions name their variables. */
const NOT_OF_CONDITIONS = ['quantiles', 'quantileType', 'thresholds', 'spread', 'variable'];

/** Options of `conditionShares`: windows, and how tables are read. */
export type ConditionOptions = Omit<
  StatisticsOptions,
  'quantiles' | 'quantileType' | 'thresholds' | 'spread' | 'variable'
>;

/**
 * The share of members for which conditions hold, in a column for each after those of places and windows (`n_members`
 * counts members with a value of every variable). A condition is a text such as `"5..20"`.
 *
 * `data` is a table of one variable, which comparisons do not name, or an object of tables by the names that conditions
 * use: `{ precipitation, temp_mean }` for `"precipitation>5 and temp_mean<0"`. The tables have the same places; members
 * are paired by number; windows lie within the days of all. A share is null where it is not known of at least
 * `minMemberShare` of the members whether the condition holds, or where the given condition holds for none. Throws
 * OptionError and DataError as `statistics` does.
 *
 * @example
 * ```js
 * import { conditionShares, loadCore } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const data = { precipitation: demoTable('precipitation'), temp_min: demoTable('temp_min') };
 * const days = conditionShares(await loadCore(), data, ['precipitation>1 and temp_min<0']);
 * console.log(days.schema.names.at(-1), days.get(4)[days.schema.names.at(-1)].toFixed(2));
 * ```
 *
 * ```text
 * p_precipitation_gt_1_and_temp_min_lt_0 0.00
 * ```
 */
export function conditionShares(
  core: Core,
  data: Table | Opened | Readonly<Record<string, Table | Opened>>,
  conditions: readonly string[],
  options: ConditionOptions = {},
): Table {
  assertCore(core);
  const known = namesOf(STATISTICS_OPTIONS).filter((name) => !NOT_OF_CONDITIONS.includes(name));
  assertKnownKeys(options, known);
  const checked = checkStatisticsOptions(options);
  const { source } = checked;
  if (!Array.isArray(conditions) || conditions.length === 0) {
    throw unusable('conditions', conditions, 'a list such as ["5..20"]');
  }
  const parsed = conditions.map(parseCondition);
  const isOne = isTable(data) || isOpened(data as Opened);
  if (!isOne) assertObject('data', data, '{ precipitation: table, temp_mean: table }');
  const named = isOne ? [[undefined, data as Table] as const] : Object.entries(data as Record<string, Table>);
  if (named.length === 0) throw unusable('data', data, 'a table for each variable');
  const read = named.map(([name, table]) => {
    const isNamed = name !== undefined && !isOpened(table);
    const reading = isNamed ? { ...checked, source: name, ...variableCalled(name, checked) } : checked;
    return { name, source: name ?? source ?? 'table', ensemble: ensembleOf(table, reading) };
  });
  const parts = alignEnsembles(read);
  const variables = read.map(({ name, source, ensemble: { variable, units, metadata } }, v) => {
    const { members, firstDay, days } = parts[v].field;
    return {
      ...{ name, source, variable, units, metadata, firstDay, days },
      members: members.map((each) => each.name),
    };
  });
  const joint = new JointShares(core, variables, parsed, checked);
  const fields = parts.map(({ field }) => field);
  return joint.table(fields, parts[0]);
}

/** The variable with this name, if it is known: others are what their tables say. */
function variableCalled(name: string, { variables }: ReadOptions): ReadOptions {
  const variable = variables?.find(({ slug }) => slug === name) ?? variableByName(name);
  return variable === undefined ? {} : { variable, variableName: name };
}
