import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { isPlumecastError } from '../../errors.js';
import { isClimatologyTable } from '../../files/cf/content/climatology-netcdf.js';
import { isStatisticsTable } from '../../files/cf/content/table-results.js';
import { tablesOfFile } from '../../files/tables-of-file.node.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { assertTable } from '../../table/assert-table.js';
import { parseColumnName } from '../../table/column-name.js';
import { type ColumnRoles, columnRoles } from '../../table/column-roles.js';
import { type DatedTable, datedTable } from '../../table/daily/dated-table.js';
import { areOfPrecedingSteps } from '../../table/daily/preceding-steps.js';
import { type StepTable, stepTable } from '../../table/daily/step-table.js';
import { selectModel } from '../../table/daily/table-of-model.js';
import type { ReadOptions } from '../../table/read-options.js';
import { valueCandidates } from '../../table/value-columns.js';
import type { ValueGroup } from '../../table/value-groups.js';
import type { Variable } from '../../variable/variable.js';
import { variableByName, variableFinder } from '../../variable/variable-by-name.js';
import { GatheredTables } from '../run/gathered-tables.js';
import type { InputFile } from '../run/standard-input-file.js';
import { wholeTable } from '../run/whole-input.js';
import { commandFor } from './command-for.js';
import { inspectDays } from './inspect-days.js';
import type { InspectRequest } from './inspect-request.js';
import { inspectTableValues, type KnownOfTable } from './inspect-table-values.js';
import type { InspectedColumn, InspectedVariable, Inspection } from './inspection.js';
import { TableProfile } from './table-profile.js';

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
  const { model, decimal } = request.options;
  const begin = new GatheredTables(source, true);
  const decided: string[] = [];
  const reading = { source, report: (note: string) => decided.push(note), ...(decimal !== undefined && { decimal }) };
  let isAll = true;
  for await (const read of tablesOfFile(core, file.path, reading)) {
    if (shape !== undefined && !request.values) {
      isAll = false;
      break;
    }
    const table = model === undefined ? read : selectModel(read, { model, source });
    const dated = tableWithDates(table, request.columns, source);
    shape ??= shapeOf(table, dated, source, request.options.calendar);
    profile ??= new TableProfile(dated.table, dated.columns, source, request.options.calendar);
    profile.add(dated.table, table);
    if (!request.values) begin.add(read);
  }
  if (shape === undefined || profile === undefined) {
    return { source, holds: 'nothing understood', metadata: {}, columns: [], variables: [] };
  }
  const sample = request.values ? undefined : { table: begin.whole(), isAll };
  const beside = { sample, decided };
  const variables = shape.holds === 'values' ? await inspectVariables(core, file, request, shape, profile, beside) : [];
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

/** The first rows of a table whose values are not to be told: they show which command there is. */
interface Sample {
  readonly table: Table;
  /** Whether there are no others. */
  readonly isAll: boolean;
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
  readonly named: readonly NamedCandidate[];
}

/** Columns that may be meant, and whether they are of the time steps before their times. */
interface NamedCandidate extends Pick<ValueGroup, 'names' | 'variable'> {
  readonly areOfPrecedingSteps: boolean;
}

/** The table with dates that are understood; where they are not, as it is: that is told where values are read. */
function tableWithDates(table: Table, columns: ColumnRoles = {}, source: string): DatedTable {
  assertTable(table, source);
  try {
    return datedTable(table, columns, source);
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return { table, columns, notes: [] };
  }
}

function shapeOf(given: Table, { table, columns }: DatedTable, source: string, calendar?: string): TableShape {
  const { fields, metadata } = given.schema;
  const holds = isClimatologyTable(given) ? 'climatology' : isStatisticsTable(given) ? 'statistics' : 'values';
  const roles = columnRoles(table, columns, source);
  const { plan, problem } = holds === 'values' ? readPlanFor(table, { source, columns, calendar }) : {};
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

function readPlanFor(table: Table, options: ReadOptions) {
  try {
    const plan = stepTable(table, options);
    return { plan, problem: plan === undefined ? 'no column of dates' : undefined };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { problem: error.message };
  }
}

/** The candidates that are named after a variable, each variable once; none where two columns are one member. */
function namedCandidates(
  table: Table,
  roles: ColumnRoles,
  source: string,
  columns: ColumnRoles | undefined,
): NamedCandidate[] {
  try {
    const slugs = new Set<string>();
    const candidates = valueCandidates(table, roles, { source, columns }).filter(({ variable }) => {
      const isNew = variable !== undefined && !slugs.has(variable.slug);
      if (isNew) slugs.add(variable.slug);
      return isNew;
    });
    return candidates.map(({ names, variable }) => ({
      ...{ names, variable },
      areOfPrecedingSteps: areOfPrecedingSteps(table, names),
    }));
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
  { sample, decided }: { sample: Sample | undefined; decided: readonly string[] },
): Promise<InspectedVariable[]> {
  const found: InspectedVariable[] = [];
  const all = candidates(shape, profile);
  const isShared = request.values && all.length > 1 && 8 * profile.rows * shape.columns.length <= SHARED_BYTES;
  const { stamps, decimal } = request.options;
  const reading = { source: file.source, ...(decimal !== undefined && { decimal }) };
  const whole = isShared ? await wholeTable(core, file.path, reading, 'several variables') : sample?.table;
  const covered = new Map((['start', 'end'] as const).map((each) => [each, profile.covered(each)]));
  const coveredBy = (areEnds: boolean, accumulation: InspectedVariable['accumulation']) => {
    const grows = accumulation === 'since-start' || accumulation === 'buckets';
    return covered.get(stamps ?? (grows || areEnds ? 'end' : 'start'));
  };
  for (const candidate of all) {
    const notes = shape.plan?.notes ?? [];
    const areEnds = candidate.areOfPrecedingSteps === true;
    const { calendar } = profile;
    const known = { covered: coveredBy.bind(undefined, areEnds), whole, notes, sample, decided, calendar };
    found.push(await inspectVariable(core, file, request, candidate, known));
  }
  return found;
}

interface Candidate {
  readonly name: string;
  readonly variable?: Variable;
  readonly problem?: string;
  /** Whether its values are of the time steps before their times. */
  readonly areOfPrecedingSteps?: boolean;
}

function candidates({ plan, problem, named }: TableShape, profile: TableProfile): Candidate[] {
  if (profile.variables.size > 1) {
    return [...profile.variables].map((name) => {
      const variable = variableByName(name);
      return variable === undefined ? { name, problem: 'no variable that is known by this name' } : { name, variable };
    });
  }
  if (plan !== undefined) {
    const { variable, areOfPrecedingSteps } = plan;
    return [{ name: nameOf(plan), areOfPrecedingSteps, ...(variable && { variable }) }];
  }
  if (named.length === 0) return [{ name: 'values', problem }];
  return named.map(({ names, variable, ...others }) => ({ name: names[0], ...(variable && { variable }), ...others }));
}

function nameOf({ variable, names, values }: StepTable): string {
  return variable?.slug ?? names[0] ?? values.named ?? 'values';
}

/** What is known of a variable beside its values: `decided` is what was decided when the file was read. */
interface KnownVariable extends KnownOfTable {
  readonly notes: readonly string[];
  readonly sample: Sample | undefined;
  readonly decided: readonly string[];
  readonly calendar: ModelCalendar | undefined;
}

async function inspectVariable(
  core: Core,
  file: InputFile,
  request: InspectRequest,
  { name, variable, problem }: Candidate,
  { notes, sample, decided, calendar, ...known }: KnownVariable,
): Promise<InspectedVariable> {
  if (problem !== undefined) return { name, problem };
  const reported = { name, ...(variable && { variable: variable.slug }) };
  const withNotes = (of: readonly string[] = []) => {
    const conversions = [...decided, ...of];
    return conversions.length > 0 && { conversions };
  };
  const structure = { ...reported, ...withNotes(notes) };
  try {
    const values = await inspectTableValues(core, file, request, variable, known);
    const covered = known.covered(values.accumulation);
    const all = {
      ...{ ...reported, ...values, ...withNotes(values.conversions) },
      ...(covered && inspectDays(covered.days, covered.steps, calendar)),
    };
    return { ...(sample === undefined ? all : structure), ...commandFor(file.source, all, request) };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    // What the first rows lack the others may have.
    return sample?.isAll === false ? structure : { ...reported, problem: error.message };
  }
}
