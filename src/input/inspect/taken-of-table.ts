import type { Table, Vector } from 'apache-arrow';
import { isPlumecastError } from '../../errors.js';
import type { TakenFacts } from '../../files/cf/grid-ensemble.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { tableUnits } from '../../table/columns/table-variable.js';
import { startColumn, startOf } from '../../table/daily/runs-of-table.js';
import type { StepTable } from '../../table/daily/step-table.js';

/** What is known of the columns of a table. */
interface KnownColumns {
  readonly roles: ColumnRoles;
  /** Undefined where values are not understood without a variable. */
  readonly plan: StepTable | undefined;
  /** The names that the caller gives, and units. */
  readonly given: ColumnRoles | undefined;
  readonly units: string | undefined;
}

/** How dates, units, members, places and the run of values in some columns of a table are taken, and by what. */
export function takenOfTable(table: Table, names: readonly string[], known: KnownColumns): TakenFacts {
  const { roles, plan, given = {} } = known;
  const by = (role: keyof ColumnRoles) =>
    `column ${roles[role]}${given[role] === undefined ? '' : ', as the caller says'}`;
  const { labels } = plan?.values ?? {};
  const isPlaced = roles.latitude !== undefined && roles.longitude !== undefined;
  const id = labels?.hasId === true ? labels.names[0] : undefined;
  return {
    units: unitsText(table, names, known),
    ...(roles.date !== undefined && { dates: by('date') }),
    members: membersText(names, known, by('member')),
    ...(isPlaced && { places: `by columns ${roles.latitude} and ${roles.longitude}` }),
    ...(!isPlaced && id !== undefined && { places: `by column ${id}` }),
    run: runFacts(table, roles),
  };
}

function unitsText(table: Table, names: readonly string[], { roles, plan, units }: KnownColumns): string {
  if (units !== undefined) return `${units}, by the caller`;
  if (roles.units !== undefined) return `${plan?.units ?? 'as each row says'}, by column ${roles.units}`;
  const [first] = names;
  const ofColumn = table.schema.fields.find(({ name }) => name === first)?.metadata.get('units');
  if (ofColumn !== undefined) return `${ofColumn}, by the metadata of column ${first}`;
  const ofTable = table.schema.metadata.get('units');
  if (ofTable !== undefined) return `${ofTable}, by the metadata of the table`;
  const ofName = plan?.units ?? unitsOfName(table, names);
  return ofName === undefined ? 'not stated' : `${ofName}, by the name of column ${first}`;
}

/** Undefined where the columns have other units each, which reading them reports. */
function unitsOfName(table: Table, names: readonly string[]): string | undefined {
  try {
    return tableUnits(table, {}, { named: names[0], names }, undefined, undefined);
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return undefined;
  }
}

function membersText(names: readonly string[], { roles, plan }: KnownColumns, byMember: string): string {
  if (roles.member !== undefined) return `by ${byMember}`;
  if (plan?.values.form === 'list') return `as lists in column ${names[0]}`;
  return names.length > 1 ? 'by the names of their columns' : `one series in column ${names[0]}`;
}

/** When the run starts, as the metadata or a column of starts say. */
function runFacts(table: Table, roles: ColumnRoles): TakenFacts['run'] {
  const stated = table.schema.metadata.get('init_time');
  if (stated !== undefined) return { start: `${stated}, by the metadata of the table` };
  const at = startColumn(table);
  const column = at === undefined ? undefined : table.schema.fields[at].name;
  if (column === undefined || Object.values(roles).includes(column)) return {};
  const starts = table.getChild(column) as Vector;
  const [first, last] = [starts.get(0), starts.get(starts.length - 1)].map((start) => startOf(start) ?? `${start}`);
  return { start: `${first === last ? first : `${first} to ${last}`}, by column ${column}` };
}
