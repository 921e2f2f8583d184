import type { Table } from 'apache-arrow';
import { checkAgainstOptions } from '../climate/against-options.js';
import { ClimateReference } from '../climate/climate-reference.js';
import type { Climatology } from '../climate/climatology.js';
import { type Condition, leavesOf, namedVariables, neededQuantiles } from '../condition/condition.js';
import { type JointResults, JointShares, type JointVariable } from '../condition/joint-shares.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { floatArray } from '../core/number-arrays.js';
import { leadingPlaces, matchingCells } from '../ensemble/align-ensembles.js';
import { DataError, mentionOption, OptionError } from '../errors.js';
import { dataArrays } from '../files/cf/open-grid-ensemble.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from '../statistics/options.js';
import { findColumn } from '../table/arrow/table-schema.js';
import { variableByName } from '../variable/find-variable.js';
import { dailyEnsembleOfTable } from './daily-ensembles.js';
import { type DailyInput, gridInput, tableInput } from './daily-input.js';
import { type ArrayInput, type Input, openInput, type TableInput } from './input.js';
import { type InputFile, sourceName } from './input-file.js';
import { columnsOfTable, type ValueOptions } from './input-request.js';
import { variablesOfArrays, variablesOfTable } from './list-variables.js';
import type { Report } from './notice.js';
import { openGrid } from './open-grid.js';
import { OptionUse } from './option-use.js';
import { readWindowTexts } from './window-texts.js';

/** Shares of conditions that name several variables. */
export interface JointRequest {
  readonly conditions: readonly Condition[];
  /** The windows, the days and the place. */
  readonly statistics: StatisticsOptions;
  readonly values: ValueOptions;
  readonly threads?: number;
  /** The climatologies of variables whose conditions have quantiles, such as `>q90`. */
  readonly climatologies?: readonly Climatology[];
  /** The units of values by variable, for those that state none. */
  readonly units?: Readonly<Record<string, string>>;
  /** About how many bytes of values of all variables are in memory. */
  readonly bytes?: number;
  /** Called once with the number of members that all variables have. */
  readonly onMembers?: (members: number) => void;
}

/** A file, or an input that is open, and stays so. */
export type InputOfShares = string | InputFile | Input;

/** The same, where it is not said. */
const HELD_BYTES = 268_435_456;

/**
 * Computes the shares of members with conditions on several variables, each of which one of the inputs has: tables of
 * some places each, in the order of the first variable's places. Reports conversions, warnings and members without a
 * counterpart. Throws OptionError and DataError where conditions and inputs do not fit together.
 */
export async function* sharesOfInputs(
  core: Core,
  files: readonly InputOfShares[],
  request: JointRequest,
  report: Report,
): AsyncGenerator<Table> {
  const { conditions, values, threads, climatologies = [] } = request;
  const granularity = request.statistics.granularity ?? climatologies[0]?.granularity;
  const statistics = { ...request.statistics, ...(granularity !== undefined && { granularity }) };
  const joined = { ...request, statistics };
  const names = namedVariables(conditions);
  const opened: ReadInput[] = [];
  const own: Input[] = [];
  const use = new OptionUse(values);
  try {
    const selection = async () => selectArrays(names.map((variable) => ({ variable, ...values })));
    for (const file of files) {
      const isOpen = typeof file === 'object' && 'kind' in file;
      const input = isOpen ? file : await openInput(file, values, report, { threads, selection, use });
      if (!isOpen) own.push(input);
      opened.push(input.kind === 'arrays' ? input : { ...input, table: await input.read() });
    }
    const inputs: DailyInput[] = [];
    for (const name of names) {
      const input = inputOf(name, opened, statistics, names.length === 1);
      const options = optionsOf(name, input.source, joined);
      inputs.push(await dailyInput(core, input, options, { values: valuesOf(name, request), use }));
    }
    use.assertUsed();
    const options = optionsOf(names[0], inputs[0].source, joined);
    const joint = new JointShares(
      core,
      inputs.map((input, v) => ({ ...input, name: names[v], ...limitsOf(input, names[v], joined) })),
      conditions,
      options,
    );
    request.onMembers?.(joint.members);
    if (joint.note !== undefined) report({ kind: 'note', source: inputs[0].source, text: joint.note });
    let most = 0;
    for await (const table of tablesOf(joint, inputs, request.bytes)) {
      for (const count of findColumn(table, 'n_members') ?? []) most = Math.max(most, count);
      yield table;
    }
    if (most > 0) return;
    const source = inputs.map((input) => input.source).join(', ');
    throw new DataError({ source, problem: 'no member has a value of all variables in any window' });
  } finally {
    for (const input of own) await input.close();
  }
}

/**
 * The quantiles of a variable's climatology that conditions on it need; nothing where they need none. Throws OptionError and
 * DataError where there is no climatology for them.
 */
function limitsOf(
  input: DailyInput,
  name: string,
  { conditions, climatologies = [], ...request }: JointRequest,
): Pick<JointVariable, 'limitsAt'> {
  const needed = neededQuantiles(conditions.flatMap(leavesOf).filter(({ variable }) => variable === name));
  if (needed.length === 0) return {};
  const slug = input.variable?.slug ?? variableByName(name)?.slug ?? name;
  const matching = climatologies.filter(({ variable }) => variable?.slug === slug);
  if (matching.length !== 1) {
    throw new OptionError({
      subject: 'climatology',
      problem: `${matching.length === 0 ? 'none' : 'several'} of ${slug}, with which a condition compares`,
      received: climatologies.map(({ variable }) => variable?.slug ?? 'an unnamed variable').join(', '),
      allowed: 'one for each variable that is compared with its quantiles',
    });
  }
  const [climatology] = matching;
  const { variable, variableName, ...options } = optionsOf(name, input.source, { ...request, conditions });
  const checked = checkAgainstOptions(climatology, { ...request.statistics, ...options, variable: undefined }, needed);
  const { firstDay, days, type, latitude, longitude, labels } = input;
  const field: EnsembleField = { type, order: 'day-fastest', firstDay, days, cells: latitude.length, members: [] };
  const ensemble = { ...input, parts: [{ field, latitude, longitude, labels }] };
  const reference = new ClimateReference(climatology, ensemble, { ...checked, variable, variableName });
  return { limitsAt: (part, quantile) => reference.limitsAt(part, quantile) };
}

/** An input, whose table was read if it is one: it may be needed for several variables. */
type ReadInput = ArrayInput | (TableInput & { readonly table: Table });

/** What is said about the values of a variable. */
function valuesOf(name: string, { values, units = {} }: JointRequest): ValueOptions {
  const slug = variableByName(name)?.slug ?? name;
  return Object.hasOwn(units, slug) ? { ...values, units: units[slug] } : values;
}

async function* tablesOf(joint: JointShares, inputs: readonly DailyInput[], bytes = HELD_BYTES): AsyncGenerator<Table> {
  const places = leadingPlaces(inputs);
  const orders = inputs.map((input) => matchingCells(places, input));
  const type = inputs.every((input) => input.type === 'float32') ? 'float32' : 'float64';
  const { latitude, longitude } = places;
  const at = (from: number, to: number) => ({
    latitude: latitude.subarray(from, to),
    longitude: longitude.subarray(from, to),
  });
  // Tables of as many rows whatever the memory: files with batches of rows have the same bytes.
  const windows = Math.max(1, joint.windows.count);
  const step = Math.max(1, Math.floor(ROWS_AT_ONCE / windows));
  let held: JointResults | undefined;
  let first = 0;
  for (const run of cellRuns(inputs, orders, bytes)) {
    const fields = [];
    for (const [v, input] of inputs.entries()) fields.push(await input.read(run, type, orders[v]));
    const end = run.cell + run.cells;
    held = joinResults(held, joint.results(fields, at(run.cell, end)));
    for (const least = end === latitude.length ? 1 : step; end - first >= least; ) {
      const cells = Math.min(step, end - first);
      yield joint.tableOf(sliceResults(held, 0, cells * windows), fields[0], at(first, first + cells));
      held = sliceResults(held, cells * windows);
      first += cells;
    }
  }
}

/** About how many rows a table has. */
const ROWS_AT_ONCE = 65_536;

function joinResults(held: JointResults | undefined, added: JointResults): JointResults {
  if (held === undefined || held.members.length === 0) return added;
  const members = new Int32Array(held.members.length + added.members.length);
  members.set(held.members);
  members.set(added.members, held.members.length);
  const shares = held.shares.map((values, k) => {
    const all = floatArray(values instanceof Float32Array ? 'float32' : 'float64', members.length);
    all.set(values);
    all.set(added.shares[k], values.length);
    return all;
  });
  return { members, shares };
}

function sliceResults({ members, shares }: JointResults, from: number, to?: number): JointResults {
  return { members: members.slice(from, to), shares: shares.map((values) => values.slice(from, to)) };
}

/** Runs of cells that are read together: those that are best for a file of arrays whose cells are in order. */
function cellRuns(inputs: readonly DailyInput[], orders: readonly unknown[], held: number) {
  const bytes = held / inputs.length;
  const grid = inputs.find((input, v) => input.grid !== undefined && orders[v] === undefined) ?? inputs[0];
  return grid.blocks(bytes);
}

/** What is read of one variable. */
function optionsOf(name: string, source: string, { statistics, values }: JointRequest): CheckedStatisticsOptions {
  return checkStatisticsOptions({
    ...readWindowTexts(statistics),
    variable: name as 'precipitation',
    calendar: values.calendar,
    source,
  });
}

/**
 * The one input that has a variable. Throws OptionError where none has it, or several. Only where a variable is all that is asked of
 * a table, its values may have another name.
 */
function inputOf(
  name: string,
  inputs: readonly ReadInput[],
  { columns }: StatisticsOptions,
  isAlone: boolean,
): ReadInput {
  if (inputs.length === 1 && (isAlone || inputs[0].kind === 'arrays')) return inputs[0];
  if (inputs.length === 1 && columns?.value !== undefined) {
    throw new OptionError({
      subject: mentionOption('columns'),
      problem: 'has one column of values, and the condition has several variables',
      received: columns.value,
      allowed: 'columns that are named as the variables are',
    });
  }
  const found = inputs.filter((input) => namesIn(input, columns).includes(variableByName(name)?.slug ?? name));
  if (found.length === 1) return found[0];
  const all = [...new Set(inputs.flatMap((input) => variablesIn(input, columns, true)))];
  throw new OptionError({
    subject: 'condition',
    problem: found.length === 0 ? `no file has ${name}` : `several files have ${name}`,
    received: inputs.map(({ source }) => sourceName(source)).join(', '),
    allowed: found.length > 0 ? `one file with ${name}` : all.join(', ') || 'files that name their variables',
  });
}

/** The variables of an input: slugs, and with `others` the names of values that are none. */
function variablesIn(input: ReadInput, columns: StatisticsOptions['columns'], others?: boolean): string[] {
  return input.kind === 'arrays'
    ? variablesOfArrays(input.arrays, others)
    : variablesOfTable(input.table, columns, others);
}

/** The variables of an input, and the names of arrays and columns that are none. */
function namesIn(input: ReadInput, columns: StatisticsOptions['columns']): string[] {
  const slugs = variablesIn(input, columns);
  if (input.kind === 'arrays') return [...slugs, ...dataArrays(input.arrays).map((array) => array.name)];
  const { metadata, names } = input.table.schema;
  const stated = metadata.get('variable');
  return [...slugs, ...names.map(String), ...(stated ? [stated] : [])];
}

async function dailyInput(
  core: Core,
  input: ReadInput,
  options: CheckedStatisticsOptions,
  { values, use }: { readonly values: ValueOptions; readonly use: OptionUse },
): Promise<DailyInput> {
  if (input.kind === 'arrays') return gridInput(core, await openGrid(input, { ...options, values, use }));
  const request = { ...options, columns: columnsOfTable(options.columns, values), values, use };
  return tableInput(input.source, dailyEnsembleOfTable(input.table, input, request).ensemble);
}
