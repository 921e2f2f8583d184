import type { Table } from 'apache-arrow';
import { createTable, dates, numbers } from '../../../src/table/build/create-table.js';

/** The places of a table. */
const PLACES: Record<'grid' | 'places', (place: number) => readonly [number, number]> = {
  grid: (place) => [50 - 0.25 * Math.floor(place / 4), 6 + 0.25 * (place % 4)],
  places: (place) => [50 - 0.1 * place, 6 + 0.2 * place],
};

/** The value of a member on a day at a place; one day of one member is missing. */
export function valueAt(member: number, place: number, day: number): number {
  return member === 1 && place === 2 && day === 9
    ? Number.NaN
    : Math.fround(((place * 31 + day * 7 + member * 3) % 97) / 3);
}

/** Twelve places, three members, 21 days from Monday 2024-10-07, a row for each place and day. */
export function ensembleTable(kind: 'grid' | 'places', order: 'by place' | 'by day' = 'by place'): Table {
  const [places, days] = [12, 21];
  const rows = Array.from({ length: places * days }, (_, row) =>
    order === 'by place' ? [Math.floor(row / days), row % days] : [row % places, Math.floor(row / places)],
  );
  return createTable(
    [
      dates(
        'date',
        Int32Array.from(rows, ([, day]) => 20_003 + day),
      ),
      numbers(
        'latitude',
        Float64Array.from(rows, ([place]) => PLACES[kind](place)[0]),
      ),
      numbers(
        'longitude',
        Float64Array.from(rows, ([place]) => PLACES[kind](place)[1]),
      ),
      ...[0, 1, 2].map((member) =>
        numbers(
          `member_0${member}`,
          Float32Array.from(rows, ([place, day]) => valueAt(member, place, day)),
        ),
      ),
    ],
    new Map([
      ['variable', 'precipitation'],
      ['institution', 'Bureau météo'],
    ]),
  );
}
