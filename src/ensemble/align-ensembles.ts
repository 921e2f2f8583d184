import { copyCells } from '../core/copy-cells.js';
import type { EnsembleField } from '../core/field.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatType, floatArray } from '../core/number-arrays.js';
import { DataError, type DataPlace } from '../errors.js';
import type { Ensemble, EnsemblePart } from './ensemble.js';
import { placesOf } from './nearest-cell.js';
import { type Places, wrapLongitude } from './nearest-place.js';
import { idsOf } from './place-labels.js';

/** An ensemble, and its name in messages. */
export interface NamedEnsemble {
  readonly ensemble: Ensemble;
  readonly source: string;
}

/** Places, and the name of what they belong to. */
export interface NamedPlaces extends Places {
  readonly source: string;
}

/** Coordinates that differ by less are the same: float32 makes them differ by a tenth of this. */
const SAME = 1e-4;
const STEPS_AROUND = Math.round(360 / SAME);

/**
 * Turns each ensemble into one part, so that all have the same cells in the same order, values with the day fastest and
 * one type of float. Each ensemble keeps its days and members; days that a cell does not have are missing. Values that
 * need no change are shared, not copied. The order of cells is that of `like`, by default of the first ensemble. A
 * single cell without coordinates is taken for the cell of the others. Throws DataError where locations differ.
 */
export function alignEnsembles(inputs: readonly NamedEnsemble[], like?: NamedPlaces): EnsemblePart[] {
  const joined = inputs.map(({ ensemble }) => joinParts(ensemble));
  const type = joined.every(({ field }) => field.type === 'float32') ? 'float32' : 'float64';
  const named = joined.map((part, i) => ({ ...part, source: inputs[i].source }));
  const known = [...(like === undefined ? [] : [like]), ...named];
  const first = leadingPlaces(known);
  const { latitude, longitude, labels } = first;
  return named.map((part) => {
    const cells = matchingCells(first, part);
    return { field: rearranged(part.field, type, cells), latitude, longitude, labels };
  });
}

/** The places whose order the others follow: the first that have coordinates. */
export function leadingPlaces<Some extends Places>(known: readonly Some[]): Some {
  return known.find(({ latitude, labels }) => !Number.isNaN(latitude[0]) || labels?.hasId) ?? known[0];
}

/** Joins the parts of an ensemble to one, on the days from the first to the last that any of them has. */
function joinParts({ parts }: Ensemble): EnsemblePart {
  if (parts.length === 1) return parts[0];
  const fields = parts.map(({ field }) => field);
  const firstDay = Math.min(...fields.map((field) => field.firstDay));
  const days = Math.max(...fields.map((field) => field.firstDay + field.days)) - firstDay;
  const cells = fields.reduce((sum, field) => sum + field.cells, 0);
  const { type } = fields[0];
  const members = fields[0].members.map(({ name }, m) => {
    const values = floatArray(type, cells * days).fill(Number.NaN);
    let at = 0;
    for (const field of fields) {
      for (let cell = 0; cell < field.cells; cell++, at += days) {
        field.members[m].copyTo(values, at + field.firstDay - firstDay, cell * field.days, (cell + 1) * field.days);
      }
    }
    return new MemberColumn(name, [{ values }]);
  });
  return {
    field: {
      type,
      order: 'day-fastest',
      firstDay,
      days,
      cells,
      members,
      place: (m, row) => placeIn(fields, m, row, firstDay, days),
    },
    ...placesOf(parts),
  };
}

/** Where in its input a row of joined fields is. */
function placeIn(
  fields: readonly EnsembleField[],
  member: number,
  row: number,
  firstDay: number,
  days: number,
): DataPlace {
  let cell = Math.floor(row / days);
  const day = firstDay + (row % days);
  for (const field of fields) {
    if (cell < field.cells) {
      const own = cell * field.days + day - field.firstDay;
      return field.place?.(member, own) ?? { row: own + 1 };
    }
    cell -= field.cells;
  }
  return {};
}

/**
 * For each place of `first`, the cell of `other` at it; undefined if both have the same order, or are single cells of
 * which one has no coordinates. Throws DataError where locations differ.
 */
export function matchingCells(first: NamedPlaces, other: NamedPlaces): Int32Array | undefined {
  const cells = first.latitude.length;
  const reject = (which: string) =>
    new DataError({
      source: other.source,
      problem: `other locations: ${which}`,
      allowed: `the ${cells} of ${first.source}, in any order`,
    });
  if (other.latitude.length !== cells) throw reject(`${other.latitude.length} of them`);
  const ids = sharedIds(first, other);
  const isUnplaced = Number.isNaN(first.latitude[0]) || Number.isNaN(other.latitude[0]);
  if (cells === 1 && isUnplaced && ids === undefined) return undefined;
  const found = cellsAtPlaces(first, other);
  const missing = found.indexOf(-1);
  if (missing >= 0) {
    const id = ids === undefined ? '' : ` with id ${ids[0][missing]}`;
    throw reject(`none at ${first.latitude[missing]}, ${first.longitude[missing]}${id}`);
  }
  if (found.every((cell, place) => cell === place)) return undefined;
  if (new Set(found).size < cells) {
    const known = new Set<number>();
    const twice = found.findIndex((cell) => known.size === known.add(cell).size);
    throw reject(`several at ${first.latitude[twice]}, ${first.longitude[twice]}, which ids of both would tell apart`);
  }
  return found;
}

/** The ids of the places of both, where both have some. */
function sharedIds(first: Places, other: Places): readonly [string[], string[]] | undefined {
  const [own, others] = [idsOf(first.labels), idsOf(other.labels)];
  return own && others && [own, others];
}

/**
 * For each place, the cell of `other` at it, with the same id where both have ids; -1 where there is none. Places in the
 * same order cost a comparison each. Where one side has ids without coordinates, ids are enough.
 */
export function cellsAtPlaces(places: Places, other: Places): Int32Array {
  const { latitude, longitude } = places;
  const [ids, otherIds] = sharedIds(places, other) ?? [];
  const isNear = (place: number, cell: number) =>
    samePlace(latitude[place], longitude[place], other.latitude[cell], other.longitude[cell]) ||
    (ids !== undefined && Number.isNaN(latitude[place] + other.latitude[cell]));
  const isAt = (place: number, cell: number) => ids?.[place] === otherIds?.[cell] && isNear(place, cell);
  const cellAt = new Map<string, number>();
  return Int32Array.from({ length: latitude.length }, (_, place) => {
    if (isAt(place, place)) return place;
    if (cellAt.size === 0) {
      for (const [cell, north] of other.latitude.entries()) {
        const at = placeKey(north, other.longitude[cell]);
        cellAt.set(otherIds === undefined ? at : `${at} ${otherIds[cell]}`, cell);
        if (otherIds !== undefined && !cellAt.has(`id ${otherIds[cell]}`)) cellAt.set(`id ${otherIds[cell]}`, cell);
      }
    }
    const around = keysAround(latitude[place], longitude[place]);
    const keys = ids === undefined ? around : [...around.map((at) => `${at} ${ids[place]}`), `id ${ids[place]}`];
    for (const key of keys) {
      const cell = cellAt.get(key);
      if (cell !== undefined && isAt(place, cell)) return cell;
    }
    return -1;
  });
}

function samePlace(north: number, east: number, otherNorth: number, otherEast: number): boolean {
  return Math.abs(north - otherNorth) < SAME && Math.abs(wrapLongitude(east - otherEast)) < SAME;
}

/** The keys that a place may have, as its coordinates may be rounded: the nearest one first. */
function keysAround(latitude: number, longitude: number): string[] {
  const steps = [0, -SAME, SAME];
  return steps.flatMap((up) => steps.map((along) => placeKey(latitude + up, longitude + along)));
}

function placeKey(latitude: number, longitude: number): string {
  return `${Math.round(latitude / SAME)} ${Math.round((wrapLongitude(longitude) + 180) / SAME) % STEPS_AROUND}`;
}

/** The field by location, its cells chosen by `cells`, with values of `type`. */
function rearranged(field: EnsembleField, type: FloatType, cells?: Int32Array): EnsembleField {
  const isByLocation = field.order === 'day-fastest' || field.cells === 1;
  const byLocation: EnsembleField = { ...field, type, order: 'day-fastest' };
  if (isByLocation && cells === undefined && field.type === type) return byLocation;
  const { days, place } = field;
  const members = field.members.map((member) => floatArray(type, member.length));
  copyCells(field, { from: cells }, members);
  const rowOf = (row: number) => {
    const day = row % days;
    const cell = cells?.[(row - day) / days] ?? (row - day) / days;
    return isByLocation ? cell * days + day : day * field.cells + cell;
  };
  const columns = field.members.map(({ name }, m) => new MemberColumn(name, [{ values: members[m] }]));
  return { ...byLocation, members: columns, ...(place && { place: (m, row) => place(m, rowOf(row)) }) };
}
