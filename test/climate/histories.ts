import type { Table } from 'apache-arrow';
import { dayNumber } from '../../src/period/day.js';
import { wideTable } from '../../src/table/build/wide-table.js';
import type { TwinSeries } from '../reference/climatology.js';
import { seeded } from '../reference/fields.js';

/** Daily values of some members at some places. */
export interface History {
  readonly firstDay: number;
  readonly days: number;
  readonly places: number;
  readonly single: boolean;
  /** By member, then by place and day, the day fastest; NaN where missing. */
  readonly members: readonly (readonly number[])[];
}

export interface HistoryOptions {
  /** First and last day, `[year, month, day]`. */
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly places?: number;
  readonly members?: number;
  readonly single?: boolean;
  readonly seed?: number;
  /** Share of values that are missing. */
  readonly missing?: number;
}

/** A seeded history with ties, zeros of both signs and a season. */
export function seededHistory(options: HistoryOptions): History {
  const { from, to, places = 1, members = 1, single = false, seed = 1, missing = 0 } = options;
  const random = seeded(seed);
  const firstDay = dayNumber(...from);
  const days = dayNumber(...to) - firstDay + 1;
  const value = (day: number) => {
    if (random() < missing) return Number.NaN;
    if (random() < 0.3) return random() < 0.5 ? 0 : -0;
    const x = random() < 0.3 ? Math.round(random() * 10) / 10 : 10 * Math.cos(day / 58.1) + 6 * random();
    return single ? Math.fround(x) : x;
  };
  return {
    ...{ firstDay, days, places, single },
    members: Array.from({ length: members }, () =>
      Array.from({ length: places * days }, (_, row) => value(firstDay + (row % days))),
    ),
  };
}

/** The history as a table, place after place or day after day; `order` says which places they are, from the south. */
export function tableOf(
  history: History,
  byDay = false,
  metadata = new Map<string, string>(),
  order?: readonly number[],
): Table {
  const { firstDay, days, places, single, members } = history;
  const rows = Array.from({ length: places * days }, (_, i) =>
    byDay ? (i % places) * days + Math.floor(i / places) : i,
  );
  const column = (pick: (row: number) => number) => Float64Array.from(rows, pick);
  return wideTable(
    {
      latitude: column((row) => 50 + (order?.[Math.floor(row / days)] ?? Math.floor(row / days))),
      longitude: column(() => -9.5),
      date: Int32Array.from(rows, (row) => firstDay + (row % days)),
      members: members.map((values) => {
        const column = rows.map((row) => values[row]);
        return single ? Float32Array.from(column) : Float64Array.from(column);
      }),
    },
    metadata,
  );
}

/** The series of all members of some histories at a place, for the twin. */
export function seriesAt(histories: readonly History[], place: number): TwinSeries[] {
  return histories.flatMap(({ firstDay, days, members }) =>
    members.map((values) => ({ firstDay, values: values.slice(place * days, (place + 1) * days) })),
  );
}
