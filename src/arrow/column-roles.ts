import type { Table } from 'apache-arrow';
import { OptionError } from '../errors.js';

/** What a column may be, beside a member of its own. */
export type ColumnRole = 'date' | 'member' | 'value' | 'latitude' | 'longitude' | 'variable' | 'units';

/** Names of the columns that have a role, where they are not the usual ones. */
export type ColumnRoles = Partial<Record<ColumnRole, string>>;

/** The usual names, the more telling ones first: a table with `time` and `valid_time` is dated by the latter. */
const USUAL_NAMES: Record<ColumnRole, readonly string[]> = {
  date: ['valid_time', 'valid_date', 'datetime', 'date', 'time', 'day', 'timestamp'],
  member: [
    'member',
    'number',
    'realization',
    'realisation',
    'ensemble_member',
    'ensemble',
    'ens',
    'parameter',
    'perturbation',
  ],
  value: ['value', 'prediction'],
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lon', 'long', 'lng'],
  variable: ['variable', 'var'],
  units: ['units', 'unit'],
};

/** Columns that tell about a row and are no values of it. */
const BESIDE = new Set(
  [
    'step lead lead_time leadtime lead_days forecast_day horizon init_time reference_time reference_datetime',
    'forecast_reference_time time_origin elevation altitude height surface depth level id index site_id site',
    'station station_id location location_id year month doy week family mean median std sd stdev spread',
  ]
    .join(' ')
    .split(' '),
);

/** The roles that `columnRoles` knows. */
export const COLUMN_ROLES: readonly ColumnRole[] = /* @__PURE__ */ Object.freeze(
  Object.keys(USUAL_NAMES) as ColumnRole[],
);

/**
 * Which column has which role: by the names given, else by the usual ones, in any case. Throws OptionError where a given
 * name is not in the table, or a column is given two roles.
 */
export function columnRoles(table: Table, given: ColumnRoles = {}): ColumnRoles {
  const names = table.schema.fields.map((field) => field.name);
  const roles: ColumnRoles = {};
  for (const [role, name] of Object.entries(given) as [ColumnRole, string][]) {
    if (!(role in USUAL_NAMES)) {
      throw new OptionError({
        subject: 'columns',
        problem: 'unknown role',
        received: role,
        allowed: COLUMN_ROLES.join(', '),
      });
    }
    if (!names.includes(name)) {
      throw new OptionError({
        subject: `column for ${role}`,
        problem: 'not in the table',
        received: name,
        allowed: `one of ${names.join(', ')}`,
      });
    }
    const other = COLUMN_ROLES.find((taken) => roles[taken] === name);
    if (other !== undefined) {
      throw new OptionError({
        subject: `column ${name}`,
        problem: `given as ${other} and as ${role}`,
        allowed: 'one role for a column',
      });
    }
    roles[role] = name;
  }
  const free = names.filter((name) => !Object.values(roles).includes(name));
  for (const role of COLUMN_ROLES) {
    if (roles[role] !== undefined) continue;
    for (const usual of USUAL_NAMES[role]) {
      roles[role] ??= free.find((name) => name.trim().toLowerCase() === usual);
    }
  }
  return roles;
}

/** The columns without a role that may hold values. */
export function otherColumns(table: Table, roles: ColumnRoles): string[] {
  const taken = new Set(Object.values(roles));
  return table.schema.fields
    .map((field) => field.name)
    .filter((name) => !taken.has(name) && !BESIDE.has(name.trim().toLowerCase()));
}
