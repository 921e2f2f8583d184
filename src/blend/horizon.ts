import { assertField } from '../core/assert-field.js';
import type { EnsembleField } from '../core/field.js';
import { DataError, type DataPlace, OptionError, unusable } from '../errors.js';

/** One forecast ensemble: short-term, subseasonal, seasonal. */
export interface Horizon {
  /** Its name in reports. */
  readonly name: string;
  /** The name of its data in messages, such as a file's name. Default: its own name. */
  readonly source?: string;
  /** Its daily values: rows by location (the day fastest), the same cells and type of float as the other horizons'. */
  readonly field: EnsembleField;
}

/** What is known of a horizon before its values are read. */
export interface HorizonHead {
  readonly name: string;
  readonly source?: string;
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** The number of members. */
  readonly members: number;
}

/** Describes a horizon without its values. */
export function horizonHead({ name, source, field }: Horizon): HorizonHead {
  return { name, source, firstDay: field.firstDay, days: field.days, members: field.members.length };
}

/** The name of a horizon in messages. */
export function sourceOf({ name, source = name }: { readonly name: string; readonly source?: string }): string {
  return source;
}

/** The place in the input of a value of a horizon's member. */
export function placeInHorizon(horizon: Horizon, member: number, row: number): DataPlace {
  const { members, place } = horizon.field;
  return place?.(member, row) ?? { source: sourceOf(horizon), row: row + 1, column: members[member].name };
}

/**
 * Throws OptionError where there is no horizon, and DataError where one differs from the first in cells, order of rows
 * or float type; `count` is the number of cells of another variable.
 */
export function checkAlike(horizons: readonly Horizon[], count?: number): void {
  if (!Array.isArray(horizons)) throw unusable('horizons', horizons, 'a list, from the shortest on');
  if (horizons.length === 0) {
    throw new OptionError({ subject: 'horizons', problem: 'none', allowed: 'at least one, from the shortest on' });
  }
  for (const [h, horizon] of horizons.entries()) {
    if (typeof horizon?.field !== 'object' || horizon.field === null)
      throw unusable(`horizons[${h}]`, horizon, '{ name, field }');
  }
  const [first] = horizons;
  const { field } = first;
  const name = sourceOf(first);
  for (const other of horizons) {
    const fault = (problem: string, received: string | number, allowed: string) =>
      new DataError({ source: sourceOf(other), problem, received, allowed });
    const { order, cells, type } = other.field;
    if (order !== 'day-fastest' && cells > 1) throw fault('rows are not by location', order, 'day-fastest');
    const wanted = count ?? field.cells;
    if (cells !== wanted) throw fault('another number of locations', cells, `${wanted}, as ${name} has`);
    if (type !== field.type) throw fault('another type of float', type, `${field.type}, as ${name} has`);
    assertField(other.field, `field of ${sourceOf(other)}`);
  }
}
