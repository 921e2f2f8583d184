import { DataType, type Table } from 'apache-arrow';
import { DataError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import { folded, variableFinder } from '../../variable/find-variable.js';
import { columnOf } from '../arrow/table-schema.js';
import { parseColumnName } from './column-name.js';
import { type ColumnRoles, listed } from './column-role.js';
import { otherColumns } from './column-roles.js';
import { isListColumn, looksNumeric } from './column-values.js';
import type { FoundLabels, PlaceReader } from './place-reader.js';
import type { ReadOptions } from './read-options.js';
import { type ColumnContent, type ValueGroup, valueGroups } from './value-groups.js';

/** Which columns hold the values, and in which form. */
export interface ValueColumns {
  readonly form: 'wide' | 'long' | 'list' | 'series';
  readonly names: readonly string[];
  /**
   * The name of all values, which may mean a variable: that of their only column, or the common part of the members'
   * names.
   */
  readonly named?: string;
  /** For people: the columns of numbers that are left out, the numbers of members without a column. */
  readonly notes: readonly string[];
  /** What says more of places than coordinates do, where that is read. */
  readonly labels: FoundLabels | undefined;
}

/**
 * Finds the columns of values: the one with the role, else lists, else columns of numbers whose name does not mean
 * something else. Throws DataError if there are none, or if two are the same member, and OptionError if one of several
 * must be named.
 */
export function valueColumns(table: Table, roles: ColumnRoles, options: ReadOptions): ValueColumns {
  const { value, member } = roles;
  const isGiven = options.columns?.value !== undefined;
  const groups = value !== undefined && isGiven ? [] : valueCandidates(table, roles, options);
  const { names, named, notes } =
    value === undefined
      ? chosenGroup(table, groups, roles, options)
      : chosen(groups.find((group) => group.names.includes(value)) ?? { names: [value], named: value, missing: [] });
  const isList = isListColumn(columnOf(table, names[0]));
  const form = isList ? 'list' : names.length > 1 ? 'wide' : member === undefined ? 'series' : 'long';
  const labels = (options.places as PlaceReader | undefined)?.(table, roles, names, options);
  const leftOut = columnsLeftOut(table, roles, [...names, ...(labels?.names ?? [])]);
  return { form, names, named, notes: leftOut === undefined ? notes : [...notes, leftOut], labels };
}

/**
 * The columns that may hold the values of a table: lists, else columns of numbers, grouped by ensemble. Throws a
 * DataError if two columns are the same member, and an OptionError if columns are of several models.
 */
export function valueCandidates(
  table: Table,
  roles: ColumnRoles,
  { variable, variables, variableName, source }: ReadOptions,
): ValueGroup[] {
  const models = table.schema.metadata.get('models')?.split(',') ?? [];
  if (models.length > 1) throw severalModels(models, source);
  const others = otherColumns(table, roles, variableName ?? variable?.slug);
  if (roles.value !== undefined) others.push(roles.value);
  const hasLists = others.some((name) => isListColumn(columnOf(table, name)));
  const contentOf = (name: string): ColumnContent => {
    const vector = columnOf(table, name);
    if (hasLists) return isListColumn(vector) ? 'numbers' : 'other';
    if (DataType.isNull(vector.type)) return 'nothing';
    return looksNumeric(vector) ? 'numbers' : 'other';
  };
  const mayBeMembers = !hasLists && roles.member === undefined;
  return valueGroups(others, { contentOf, find: variableFinder(variables), mayBeMembers, source });
}

/** The columns that are chosen, and notes on them. */
type Chosen = Pick<ValueColumns, 'names' | 'named' | 'notes'>;

function chosen({ names, named, missing }: Pick<ValueGroup, 'names' | 'named' | 'missing'>): Chosen {
  const gap = missing.length === 1 && !missing[0].includes(' ') ? 'member' : 'members';
  return { names, named, notes: missing.length === 0 ? [] : [`no column for ${gap} ${missing.join(', ')}`] };
}

function chosenGroup(
  table: Table,
  groups: readonly ValueGroup[],
  roles: ColumnRoles,
  { variable, variableName, variables, source }: ReadOptions,
): Chosen {
  if (groups.length === 0) throw noValues(table, roles, source);
  if (groups.length === 1) return chosen(groups[0]);
  const ensembles = groups.filter(({ names }) => names.length > 1);
  const unknown = ensembles.filter((group) => group.variable === undefined);
  const isList = isListColumn(columnOf(table, groups[0].names[0]));
  const { metadata } = table.schema;
  const slug = (variable ?? variableFinder(variables)(metadata.get('variable') ?? ''))?.slug;
  const name = folded(variableName ?? slug ?? '');
  const ofName = groups.filter(({ named }) => named && folded(named) === name);
  // Names of Open-Meteo always say which columns are members.
  const isOfOpenMeteo = metadata.get('provider') === 'Open-Meteo';
  if (!isList && roles.member === undefined && groups.every((group) => group.variable === undefined)) {
    if (ensembles.length === 1) return chosen(ensembles[0]);
    if (!isOfOpenMeteo && ensembles.length + ofName.length === 0) {
      const names = groups.flatMap((group) => group.names);
      return { names, notes: [`columns taken for members: ${inRuns(names)}`] };
    }
  }
  const wanted = ofName.length === 1 ? ofName : groups.filter((group) => slug && group.variable?.slug === slug);
  // An ensemble with the name is chosen whatever others there are; a single column may be something next to an
  // ensemble.
  if (wanted.length === 1 && (unknown.length === 0 || wanted[0].names.length > 1)) return chosen(wanted[0]);
  const areSeveral = wanted.length > 1;
  if (wanted.length === 0 && slug && !isOfOpenMeteo && unknown.length === 1) return chosen(unknown[0]);
  throw severalMeant(areSeveral ? wanted : groups, areSeveral ? slug : undefined, source);
}

function noValues(table: Table, roles: ColumnRoles, source?: string): DataError {
  const names = otherColumns(table, roles);
  return new DataError({
    source,
    problem: 'no column of values',
    // Texts may be stored in a dictionary, which does not matter to readers.
    received: listed(
      table.schema.fields.flatMap(({ name, type }) =>
        names.length < 1 || names.includes(name) ? `${name}: ${type.dictionary ?? type}` : [],
      ),
    ),
    allowed: `a column for each member, one of lists, one value, or ${mentionOption('columns', { value: 'NAME' })}`,
  });
}

function severalMeant(groups: readonly ValueGroup[], slug: string | undefined, source?: string): OptionError {
  const slugs = [...new Set(groups.flatMap(({ variable }) => variable?.slug ?? []))];
  return new OptionError({
    subject: subjectIn(source, 'value column'),
    problem: slug === undefined ? 'several columns may be meant' : `several columns are ${slug}`,
    received: groups
      .slice(0, 20)
      .map(({ names: [first, ...others] }) => (others.length === 0 ? first : `${first} and ${others.length} more`)),
    allowed:
      slugs.length > 1
        ? `one of them, by ${mentionOption('variable', ...slugs)}; or one column, by ${mentionOption('columns', { value: 'NAME' })}`
        : `one of them, by ${mentionOption('columns', { value: 'NAME' })}`,
  });
}

/**
 * The note on columns of numbers without a role that are neither values nor an index without a name; undefined if there
 * are none.
 */
function columnsLeftOut(table: Table, roles: ColumnRoles, values: readonly string[]): string | undefined {
  const taken = new Set([...Object.values(roles), ...values]);
  const left = table.schema.fields.flatMap(({ name, type }) => {
    if (taken.has(name) || name === '') return [];
    const vector = columnOf(table, name);
    const isOfNumbers = isListColumn(vector) || looksNumeric(vector);
    return isOfNumbers || DataType.isNull(type) || DataType.isBool(type) ? name : [];
  });
  if (left.length === 0) return undefined;
  return `${left.length === 1 ? 'column' : 'columns'} left out: ${inRuns(left)}`;
}

/** Names for people; names of neighbouring members become `tp_member01 to tp_member50 (50 columns)`. */
function inRuns(names: readonly string[]): string {
  const runs: { stem: string; names: string[] }[] = [];
  for (const name of names) {
    const stem = parseColumnName(name).stem.toLowerCase();
    const last = runs.at(-1);
    if (last?.stem === stem) last.names.push(name);
    else runs.push({ stem, names: [name] });
  }
  return runs
    .flatMap(({ names: run }) => (run.length > 3 ? `${run[0]} to ${run.at(-1)} (${run.length} columns)` : run))
    .map((text) => (text.trim() === '' ? JSON.stringify(text) : text))
    .join(', ');
}

/** The error for a table with columns of several models, if no model is named, or `received` is not one of them. */
export function severalModels(models: readonly string[], source?: string, received?: string): OptionError {
  return new OptionError({
    subject: subjectIn(source, 'model'),
    problem:
      received === undefined ? 'the columns are of several models, which are not one ensemble' : 'is not in the table',
    received: received ?? models.join(', '),
    allowed: received === undefined ? `one of them, by ${mentionOption('model', models[0])}` : models.join(', '),
  });
}
