import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Stamps } from '../../ensemble/daily-steps.js';
import { isPlumecastError } from '../../errors.js';
import { isClimatologyTable } from '../../files/cf/content/climatology-netcdf.js';
import { isStatisticsTable } from '../../files/cf/content/table-results.js';
import type { TakenFacts } from '../../files/cf/grid-ensemble.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { assertTable } from '../../table/arrow/own-table.js';
import { parseColumnName } from '../../table/columns/column-name.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { columnRoles } from '../../table/columns/column-roles.js';
import type { ReadOptions } from '../../table/columns/read-options.js';
import { valueCandidates } from '../../table/columns/value-columns.js';
import type { ValueGroup } from '../../table/columns/value-groups.js';
import { type DatedTable, type DateOptions, datedTable, type KnownDates } from '../../table/daily/dated-table.js';
import { type StepTable, selectModel, stepTable } from '../../table/daily/step-table.js';
import { UnstatedUnitsError } from '../../table/daily/unstated-units.js';
import { readPlaces } from '../../table/rows/read-places.js';
import { resolveVariable, variableByName, variableFinder } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { TableInput } from '../input.js';
import { OptionUse } from '../option-use.js';
import { collectTable, TableCollector } from '../table-ensembles.js';
import { commandFor } from './command-for.js';
import { inspectDays } from './inspect-days.js';
import { inspectTableValues, type KnownOfTable } from './inspect-table-values.js';
import type { InspectedColumn, InspectedVariable, Inspection, InspectRequest } from './inspection.js';
import { TableProfile } from './table-profile.js';
import { takenOfTable } from './taken-of-table.js';

/** A table of several variables up to this size is read once for all of them. */
const SHARED_BYTES = 268_435_456;

/**
 * Inspects the file of a table; the result has everything but `format` and `bytes`. `decisions` are the notes that
 * reading the file has reported. Throws as `readTables` does.
 */
export async function inspectTable(
  core: Core,
  input: TableInput,
  request: InspectRequest,
  decisions: readonly string[],
): Promise<Omit<Inspection, 'format'>> {
  const { source } = input;
  let shape: TableShape | undefined;
  let profile: TableProfile | undefined;
  const { model } = request.options;
  const head = new TableCollector(source, true);
  let isAll = true;
  const dates: KnownDates = {};
  for await (const read of input.tables(core)) {
    if (shape !== undefined && !request.values) {
      isAll = false;
      break;
    }
    const table = model === undefined ? read : selectModel(read, { model, source });
    const dated = tableWithDates(table, { ...request.options, columns: request.columns, source }, dates);
    shape ??= readShape(table, dated, source, request);
    profile ??= new TableProfile(dated.table, dated.columns, source, request.options.calendar);
    profile.add(dated.table, table);
    if (!request.values) head.add(read, 'its first rows suggest a command');
  }
  if (shape === undefined || profile === undefined) {
    return { source, holds: 'nothing understood', metadata: {}, columns: [], variables: [] };
  }
  const sample = request.values ? undefined : { table: head.table(), isAll };
  const context = { sample, decisions: [...decisions] };
  const variables =
    shape.holds === 'values' ? await inspectVariables(core, input, request, shape, profile, context) : [];
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

/** The first rows of a table whose values are not inspected: enough to suggest a command. */
interface Sample {
  readonly table: Table;
  /** Whether there are no other rows. */
  readonly isAll: boolean;
}

/** What the first rows of a table show. */
interface TableShape {
  readonly holds: 'values' | 'statistics' | 'climatology';
  readonly metadata: Readonly<Record<string, string>>;
  readonly columns: readonly InspectedColumn[];
  /** Undefined if values are not understood without a variable, or at all. */
  readonly plan: StepTable | undefined;
  readonly problem: string | undefined;
  /**
   * Columns that may hold the values if these are not understood without a variable: names, and the variables they are
   * named after, or the names of their own that choose them.
   */
  readonly named: readonly NamedCandidate[];
  /** How the facts of values in some columns are taken. */
  readonly taken: (names: readonly string[]) => TakenFacts;
}

/** Columns that may hold values. */
type NamedCandidate = Pick<ValueGroup, 'names' | 'variable'> & { readonly own?: string };

/** The table with readable dates. A table without is returned as it is, because reading its values reports that. */
function tableWithDates(table: Table, options: DateOptions, known: KnownDates): DatedTable {
  const { columns = {}, source } = options;
  assertTable(table, source);
  try {
    return datedTable(table, options, known);
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return { table, columns, notes: [] };
  }
}

function readShape(
  given: Table,
  { table, columns }: DatedTable,
  source: string,
  { options: { calendar, units }, columns: requested }: InspectRequest,
): TableShape {
  const { fields, metadata } = given.schema;
  const holds = isClimatologyTable(given) ? 'climatology' : isStatisticsTable(given) ? 'statistics' : 'values';
  const roles = columnRoles(table, columns, source);
  const { plan, problem } = holds === 'values' ? planSteps(table, { source, columns, calendar }) : {};
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
    taken: (names) => takenOfTable(given, names, { roles, plan, given: requested, units }),
  };
}

function planSteps(table: Table, options: ReadOptions) {
  try {
    const plan = stepTable(table, { ...options, places: readPlaces });
    return { plan, problem: plan === undefined ? 'no column of dates' : undefined };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { problem: error.message };
  }
}

/**
 * The candidates that are named after a variable, each variable once, and columns with names of their own; none if two columns
 * are the same member.
 */
function namedCandidates(
  table: Table,
  roles: ColumnRoles,
  source: string,
  columns: ColumnRoles | undefined,
): NamedCandidate[] {
  try {
    const slugs = new Set<string>();
    const groups = valueCandidates(table, roles, { source, columns });
    const hasMembers = groups.some(({ names, variable }) => variable === undefined && names.length > 1);
    return groups.flatMap(({ names, variable, named }): NamedCandidate[] => {
      // A single column beside members of an unknown name may be something next to them.
      const isChosen = named !== undefined && (names.length > 1 || !hasMembers);
      if (variable === undefined) return isChosen ? [{ names, own: named }] : [];
      if (slugs.has(variable.slug)) return [];
      slugs.add(variable.slug);
      return [{ names, variable }];
    });
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return [];
  }
}

/** Creates a function that returns the role of a column. */
function columnRole(plan: StepTable | undefined, roles: ColumnRoles): (name: string) => string | undefined {
  const roleOf = new Map(Object.entries(roles).map(([role, name]) => [name, role]));
  const { names = [], hasId = false } = plan?.values.labels ?? {};
  for (const [i, name] of names.entries()) roleOf.set(name, i === 0 && hasId ? 'id' : 'label');
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

/**
 * Inspects each variable that a table may hold: those listed in a column, those that columns are named after, or its
 * only one.
 */
async function inspectVariables(
  core: Core,
  input: TableInput,
  request: InspectRequest,
  shape: TableShape,
  profile: TableProfile,
  { sample, decisions }: { sample: Sample | undefined; decisions: readonly string[] },
): Promise<InspectedVariable[]> {
  const found: InspectedVariable[] = [];
  const possible = candidates(shape, profile);
  const isShared = request.values && possible.length > 1 && 8 * profile.rows * shape.columns.length <= SHARED_BYTES;
  const all = isShared ? await collectTable(core, input, 'several variables') : sample?.table;
  const days = new Map<Stamps | undefined, ReturnType<TableProfile['covered']>>();
  const covered = (stamps: Stamps | undefined) => {
    if (!days.has(stamps)) days.set(stamps, profile.covered(stamps));
    return days.get(stamps);
  };
  for (const candidate of possible) {
    const notes = shape.plan?.notes ?? [];
    const { calendar } = profile;
    const taken = candidate.names === undefined ? undefined : shape.taken(candidate.names);
    const known = { covered, all, notes, sample, decisions, calendar, taken };
    found.push(await inspectVariable(core, input, request, candidate, known));
  }
  return found;
}

interface Candidate {
  readonly name: string;
  /** The columns of its values, where they are known. */
  readonly names?: readonly string[];
  readonly variable?: Variable;
  /** The name that chooses its columns, where they mean no known variable. */
  readonly own?: string;
  /** Whether others may be meant without that name; true by default. */
  readonly isNeeded?: boolean;
  readonly problem?: string;
}

function candidates({ plan, problem, named }: TableShape, profile: TableProfile): Candidate[] {
  if (profile.variables.size > 1) {
    return [...profile.variables].map((name) => {
      const variable = variableByName(name);
      return {
        name,
        ...(variable === undefined ? { own: name } : { variable }),
        ...(plan && { names: plan.values.names }),
      };
    });
  }
  if (plan !== undefined) {
    const { variable } = plan;
    const own = ownNameOf(plan);
    return [
      {
        name: nameOf(plan),
        names: plan.values.names,
        ...(variable && { variable }),
        ...(own && { own, isNeeded: false }),
      },
    ];
  }
  if (named.length === 0) return [{ name: 'values', problem }];
  return named.map(({ own, ...columns }) => ({ name: own ?? columns.names[0], ...columns, ...(own && { own }) }));
}

/** The name that keeps the one of the only columns, where they mean no known variable and nothing states another. */
function ownNameOf({ variable, names, values, roles }: StepTable): string | undefined {
  const { named } = values;
  const isTheirs = roles.value === undefined && names.length === 1 && names[0] === named;
  return variable === undefined && isTheirs ? named : undefined;
}

function nameOf({ variable, names, values }: StepTable): string {
  return variable?.slug ?? names[0] ?? values.named ?? 'values';
}

/** What is known of a variable besides its values; `decisions` are about the format of the file. */
interface KnownVariable extends KnownOfTable {
  readonly notes: readonly string[];
  readonly sample: Sample | undefined;
  readonly decisions: readonly string[];
  readonly calendar: ModelCalendar | undefined;
  readonly taken: TakenFacts | undefined;
}

async function inspectVariable(
  core: Core,
  input: TableInput,
  request: InspectRequest,
  { name, variable, own, isNeeded = true, problem }: Candidate,
  { notes, sample, decisions, calendar, taken, ...known }: KnownVariable,
): Promise<InspectedVariable> {
  if (problem !== undefined) return { name, problem };
  const named = { name, ...(variable && { variable: variable.slug }), ...(taken && { taken }) };
  const chosen = own === undefined ? variable : resolveVariable(own, [], 'mean').variable;
  const withNotes = (texts: readonly string[] = []) => {
    const conversions = [...decisions, ...texts];
    return conversions.length > 0 && { conversions };
  };
  const structure = { ...named, ...withNotes(notes) };
  try {
    const { problem: wrong, ...values } = await valuesInUnits(core, input, request, chosen, known);
    new OptionUse(request.options, { isOne: true }).read(chosen, input.source, values.times === undefined);
    const covered = known.covered(values.times?.stamps);
    // Nothing says how time steps of an unknown variable become days, either.
    const ofOwn = own === undefined ? undefined : { name: own, isNeeded: isNeeded || values.times !== undefined };
    const all = {
      ...{ ...named, ...values, ...withNotes(values.conversions) },
      ...(covered && inspectDays(covered.days, covered.steps, calendar)),
    };
    if (wrong !== undefined) return { ...(sample === undefined ? all : structure), problem: wrong };
    return {
      ...(sample === undefined ? all : structure),
      ...commandFor(input.source, all, request, { own: ofOwn }),
    };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    // The problem may be due to reading only the first rows.
    return sample?.isAll === false ? structure : { ...named, problem: error.message };
  }
}

/** Values in the units of their variable, also where they cannot be in these, which is the problem then. */
async function valuesInUnits(
  core: Core,
  input: TableInput,
  request: InspectRequest,
  variable: Variable | undefined,
  known: KnownOfTable,
): Promise<Awaited<ReturnType<typeof inspectTableValues>> & { readonly problem?: string }> {
  try {
    return await inspectTableValues(core, input, request, variable, known);
  } catch (error) {
    if (!(error instanceof UnstatedUnitsError) || variable === undefined) throw error;
    const options = { ...request.options, units: variable.units };
    return {
      ...(await inspectTableValues(core, input, { ...request, options }, variable, known)),
      problem: error.message,
    };
  }
}
