import type { Table } from 'apache-arrow';
import { parseColumnName } from '../arrow/column-name.js';
import { type ColumnRoles, columnRoles } from '../arrow/column-roles.js';
import type { ReadOptions } from '../arrow/read-options.js';
import { valueCandidates } from '../arrow/value-columns.js';
import type { ValueGroup } from '../arrow/value-groups.js';
import type { Core } from '../core/load.js';
import { type StepTable, stepTable } from '../daily/step-table.js';
import { isPlumecastError } from '../errors.js';
import { isClimatologyTable } from '../grid/climatology-content.js';
import { isStatisticsTable } from '../grid/table-results.js';
import type { ModelCalendar } from '../period/calendar.js';
import { tablesOfFile } from '../stream/tables-of-file.node.js';
import type { Variable } from '../variable/variable.js';
import { variableByName, variableFinder } from '../variable/variable-by-name.js';
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
    shape ??= shapeOf(table, source, request);
    profile ??= new TableProfile(table, request.columns, source, request.options.calendar);
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
  /** The columns that may be meant where its values are not understood without a variable: names, and variables they are named after. */
  readonly named: readonly Pick<ValueGroup, 'names' | 'variable'>[];
}

function shapeOf(table: Table, source: string, { columns, options: { calendar } }: InspectRequest): TableShape {
  const { fields, metadata } = table.schema;
  const holds = isClimatologyTable(table) ? 'climatology' : isStatisticsTable(table) ? 'statistics' : 'values';
  const roles = columnRoles(table, columns, source);
  const { plan, problem } = holds === 'values' ? planOf(table, { source, columns, calendar }) : {};
  const isChoice = holds === 'values' && plan === undefined && roles.date !== undefined;
  const roleOf = columnRole(plan, roles);
  return {
    ...{ holds, plan, problem },
    metadata: Object.fromEntries(metadata),
    columns: fields.map(({ name, type, metadata: own }) => {
      const [role, units] = [holds === 'values' ? roleOf(name) : undefined, own.get('units')];
      return { name, type: String(type), ...(role && { role }), ...(units !== undefined && { units }) };
    }),
    named: isChoice ? namedCandidates(table, roles, source, columns) : [],
  };
}

function planOf(table: Table, options: ReadOptions) {
  try {
    const plan = stepTable(table, options);
    return { plan, problem: plan === undefined ? 'no column of dates' : undefined };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { problem: error.message };
  }
}

/** The candidates that are named after a variable, each variable once; none where two columns are one member. */
function namedCandidates(table: Table, roles: ColumnRoles, source: string, columns: ColumnRoles | undefined) {
  try {
    const slugs = new Set<string>();
    return valueCandidates(table, roles, { source, columns }).filter(({ variable }) => {
      const isNew = variable !== undefined && !slugs.has(variable.slug);
      if (isNew) slugs.add(variable.slug);
      return isNew;
    });
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return [];
  }
}

/** Tells what a column is taken for. */
function columnRole(plan: StepTable | undefined, roles: ColumnRoles): (name: string) => string | undefined {
  const roleOf = new Map(Object.entries(roles).map(([role, name]) => [name, role]));
  const values = new Set(plan?.values.names);
  const ofValues = plan?.values.form === 'wide' ? 'member' : plan?.values.form === 'list' ? 'members' : 'value';
  const find = variableFinder();
  return (name) => {
    const role = roleOf.get(name);
    if (role !== undefined) return role;
    if (plan !== undefined) return values.has(name) ? ofValues : undefined;
    const variable = find(name) ?? find(parseColumnName(name).stem);
    return variable && `values of ${variable.slug}`;
  };
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
    const notes = shape.plan?.notes ?? [];
    const { calendar } = profile;
    found.push(await inspectVariable(core, file, request, candidate, { covered: coveredBy, whole, notes, calendar }));
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
  if (named.length === 0) return [{ name: 'values', problem }];
  return named.map(({ names, variable }) => ({ name: names[0], ...(variable && { variable }) }));
}

function nameOf({ variable, names, values }: StepTable): string {
  return variable?.slug ?? names[0] ?? values.named ?? 'values';
}

async function inspectVariable(
  core: Core,
  file: InputFile,
  request: InspectRequest,
  { name, variable, problem }: Candidate,
  { notes, calendar, ...known }: KnownOfTable & { notes: readonly string[]; calendar: ModelCalendar | undefined },
): Promise<InspectedVariable> {
  if (problem !== undefined) return { name, problem };
  const told = { name, ...(variable && { variable: variable.slug }) };
  const withCommand = (all: InspectedVariable) => ({
    ...all,
    command: commandFor(file.source, all, givenOptions(request)),
  });
  if (!request.values) return withCommand({ ...told, ...(notes.length > 0 && { conversions: notes }) });
  try {
    const values = await inspectTableValues(core, file, request, variable, known);
    const covered = known.covered(values.accumulation);
    return withCommand({ ...told, ...values, ...(covered && inspectDays(covered.days, covered.steps, calendar)) });
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { ...told, problem: error.message };
  }
}
