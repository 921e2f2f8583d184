import type { Table } from 'apache-arrow';
import { type ColumnRoles, columnRoles } from '../arrow/column-roles.js';
import type { Core } from '../core/load.js';
import { type StepTable, stepTable } from '../daily/step-table.js';
import { isPlumecastError } from '../errors.js';
import { isClimatologyTable } from '../grid/content-of-table.js';
import { isStatisticsTable } from '../grid/table-results.js';
import { tablesOfFile } from '../stream/tables-of-file.node.js';
import type { Variable } from '../variable/variable.js';
import { variableByName } from '../variable/variable-by-name.js';
import { commandFor } from './command-for.js';
import { givenOptions } from './given-options.js';
import { inspectDays } from './inspect-days.js';
import type { InspectRequest } from './inspect-request.js';
import { inspectTableValues, type KnownOfTable } from './inspect-table-values.js';
import type { InspectedColumn, InspectedVariable, Inspection } from './inspection.js';
import type { InputFile } from './standard-input-file.js';
import { TableProfile } from './table-profile.js';
import { wholeTable } from './whole-input.js';

/** A table of several variables that takes no more than this is read once for all of them. */
const SHARED_BYTES = 268_435_456;

/** What is told of a file of a table; all but `format` and `bytes`. Throws as `tablesOfFile` does. */
export async function inspectTable(
  core: Core,
  file: InputFile,
  request: InspectRequest,
): Promise<Omit<Inspection, 'format'>> {
  const { source } = file;
  let shape: TableShape | undefined;
  let profile: TableProfile | undefined;
  for await (const table of tablesOfFile(core, file.path, { source })) {
    shape ??= shapeOf(table, source, request.columns);
    profile ??= new TableProfile(table, request.columns, source);
    profile.add(table);
    if (!request.values) break;
  }
  if (shape === undefined || profile === undefined) {
    return { source, holds: 'nothing understood', metadata: {}, columns: [], variables: [] };
  }
  const variables = shape.holds === 'values' ? await inspectVariables(core, file, request, shape, profile) : [];
  const isUnderstood = variables.some(({ problem }) => problem === undefined);
  return {
    source,
    holds: shape.holds !== 'values' || isUnderstood ? shape.holds : 'nothing understood',
    metadata: shape.metadata,
    ...(request.values && { rows: profile.rows }),
    columns: shape.columns.map((column) => ({
      ...column,
      ...(request.values && { missing: profile.missing.get(column.name) ?? 0 }),
    })),
    variables,
  };
}

/** What the first rows of a table tell of it. */
interface TableShape {
  readonly holds: 'values' | 'statistics' | 'climatology';
  readonly metadata: Readonly<Record<string, string>>;
  readonly columns: readonly InspectedColumn[];
  /** Undefined where values are not understood without a variable, or at all. */
  readonly plan: StepTable | undefined;
  readonly problem: string | undefined;
  /** The variables that its columns are named after. */
  readonly named: readonly (readonly [string, Variable])[];
}

function shapeOf(table: Table, source: string, columns: ColumnRoles | undefined): TableShape {
  const { fields, metadata } = table.schema;
  const holds = isClimatologyTable(table) ? 'climatology' : isStatisticsTable(table) ? 'statistics' : 'values';
  const roles = columnRoles(table, columns, source);
  const { plan, problem } = holds === 'values' ? planOf(table, source, columns) : {};
  return {
    ...{ holds, plan, problem },
    metadata: Object.fromEntries(metadata),
    columns: fields.map(({ name, type, metadata: own }) => {
      const [role, units] = [holds === 'values' ? roleOf(plan, roles, name) : undefined, own.get('units')];
      return { name, type: String(type), ...(role && { role }), ...(units !== undefined && { units }) };
    }),
    named: fields.flatMap(({ name }) => {
      const variable = variableByName(name);
      return variable === undefined ? [] : [[name, variable] as const];
    }),
  };
}

function planOf(table: Table, source: string, columns: ColumnRoles | undefined) {
  try {
    const plan = stepTable(table, { source, columns });
    return { plan, problem: plan === undefined ? 'no column of dates' : undefined };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { problem: error.message };
  }
}

function roleOf(plan: StepTable | undefined, roles: ColumnRoles, name: string): string | undefined {
  const role = Object.entries(roles).find(([, column]) => column === name)?.[0];
  if (role !== undefined) return role;
  if (plan === undefined) return variableByName(name) && `values of ${variableByName(name)?.slug}`;
  if (!plan.values.names.includes(name)) return undefined;
  return plan.values.form === 'wide' ? 'member' : plan.values.form === 'list' ? 'members' : 'value';
}

/** Each variable that a table may hold: those listed in a column, or named by columns of which one has to be chosen, else its only one. */
async function inspectVariables(
  core: Core,
  file: InputFile,
  request: InspectRequest,
  shape: TableShape,
  profile: TableProfile,
): Promise<InspectedVariable[]> {
  const found: InspectedVariable[] = [];
  const all = candidates(shape, profile);
  const isShared = request.values && all.length > 1 && 8 * profile.rows * shape.columns.length <= SHARED_BYTES;
  const whole = isShared ? await wholeTable(core, file.path, file.source, 'several variables') : undefined;
  const { stamps } = request.options;
  const covered = new Map((['start', 'end'] as const).map((each) => [each, profile.covered(each)]));
  const coveredBy: KnownOfTable['covered'] = (accumulation) => {
    const grows = accumulation === 'since-start' || accumulation === 'buckets';
    return covered.get(stamps ?? (grows ? 'end' : 'start'));
  };
  for (const candidate of all) {
    found.push(await inspectVariable(core, file, request, candidate, { covered: coveredBy, whole }));
  }
  return found;
}

interface Candidate {
  readonly name: string;
  readonly variable?: Variable;
  readonly problem?: string;
}

function candidates({ plan, problem, named }: TableShape, profile: TableProfile): Candidate[] {
  if (profile.variables.size > 1) {
    return [...profile.variables].map((name) => {
      const variable = variableByName(name);
      return variable === undefined ? { name, problem: 'no variable that is known by this name' } : { name, variable };
    });
  }
  if (plan !== undefined) return [{ name: nameOf(plan), ...(plan.variable && { variable: plan.variable }) }];
  const isChoice = named.length > 0 && profile.roles.date !== undefined;
  return isChoice ? named.map(([name, variable]) => ({ name, variable })) : [{ name: 'values', problem }];
}

function nameOf({ variable, names, values }: StepTable): string {
  return variable?.slug ?? names[0] ?? values.named ?? 'values';
}

async function inspectVariable(
  core: Core,
  file: InputFile,
  request: InspectRequest,
  { name, variable, problem }: Candidate,
  known: KnownOfTable,
): Promise<InspectedVariable> {
  if (problem !== undefined) return { name, problem };
  const told = { name, ...(variable && { variable: variable.slug }) };
  const withCommand = (all: InspectedVariable) => ({
    ...all,
    command: commandFor(file.source, all, givenOptions(request)),
  });
  if (!request.values) return withCommand(told);
  try {
    const values = await inspectTableValues(core, file, request, variable, known);
    const covered = known.covered(values.accumulation);
    return withCommand({ ...told, ...values, ...(covered && inspectDays(covered.days, covered.steps)) });
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { ...told, problem: error.message };
  }
}
