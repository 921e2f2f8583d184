import type { Float32 } from 'apache-arrow';
import { formatDate, parseDate } from '../../src/period/day.js';
import { table, typed } from '../table/tables.js';

/** The day of lead 0. */
export const today = parseDate('2026-03-02');

/** Degrees north and east. */
export type Place = readonly [latitude: number, longitude: number];

interface HorizonTable {
  /** First and last lead. */
  readonly leads: readonly [number, number];
  readonly members: number;
  readonly places?: readonly Place[];
  readonly value?: (member: number, lead: number, place: number) => number | null;
  readonly metadata?: Record<string, string>;
  readonly type?: Float32;
}

/** A wide table: by default the value of member `m` at lead `d` is `100 m + d`. */
export function horizon({ leads: [first, last], members, places, type, metadata = {}, ...more }: HorizonTable) {
  const { value = (m, lead) => 100 * m + lead } = more;
  const rows = (places ?? [[Number.NaN, Number.NaN]]).flatMap(([latitude, longitude], place) =>
    Array.from({ length: last - first + 1 }, (_, i) => ({ latitude, longitude, place, lead: first + i })),
  );
  const columns = Array.from({ length: members }, (_, m): [string, ReturnType<typeof typed> | (number | null)[]] => {
    const values = rows.map(({ lead, place }) => value(m, lead, place));
    return [`run_${m}`, type === undefined ? values : typed(type, values)];
  });
  const coordinates = { latitude: rows.map((row) => row.latitude), longitude: rows.map((row) => row.longitude) };
  const date = rows.map(({ lead }) => formatDate(today + lead));
  return table({ ...(places && coordinates), date, ...Object.fromEntries(columns) }, metadata);
}

/** Leads 0 to 4. */
export const short = horizon({ leads: [0, 4], members: 4 });
/** Leads 2 to 9 of the same members. */
export const long = horizon({ leads: [2, 9], members: 4, value: (m, lead) => 1000 + 100 * m + lead });
export const roanoke: Place = [37.3, -79.84];
export const cairns: Place = [-16.92, 145.77];
