import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import { dateText } from '../../period/calendar.js';
import type { WindowTable } from '../../period/period.js';
import type { EarlierRun, QuantileLine } from '../../plot/panel-data.js';
import { placeText } from '../../plot/panel-texts.js';
import { unitsAgree } from '../../variable/unit-conversion.js';
import type { Shown } from '../view/units.js';
import type { WindowChoice } from '../view/window-choice.js';
import { SeriesStatistics } from './series-statistics.js';
import { inOrder, inUnit, orderOf } from './window-order.js';

/** A run that another is compared with, at the place that is shown. */
interface EarlierRequest {
  readonly core: Core;
  readonly table: Table;
  readonly choice: WindowChoice;
  /** Ascending, with the median. */
  readonly quantiles: readonly number[];
  readonly shown: Shown;
  /** The place, units and windows of the run that is shown, and the days of its chart. */
  readonly place: Point;
  readonly units: string | undefined;
  readonly windows: WindowTable;
  readonly firstDay: number;
  readonly lastDay: number;
}

const known = new WeakMap<Table, { readonly choice: WindowChoice; readonly statistics: SeriesStatistics }>();

/** Cells of two grids that are nearest to one place are not further apart than this, in degrees. */
const SAME_PLACE = 1;

/**
 * The windows of an earlier run that lie within the days of the chart; undefined where there are none. Throws what statistics throw, and
 * DataError for a run of another place, other units or another calendar, and for a later one.
 */
export function earlierRun(request: EarlierRequest): EarlierRun | undefined {
  const { core, table, choice, quantiles, shown, firstDay, lastDay } = request;
  const before = known.get(table);
  const statistics =
    before?.choice === choice ? before.statistics : new SeriesStatistics(core, table, choice, undefined);
  known.set(table, { choice, statistics });
  const ends = [quantiles[0], 0.5, quantiles[quantiles.length - 1]];
  const { columns, windows } = statistics.compute({ quantiles: ends });
  assertEarlier({ units: table.schema.metadata.get('units'), windows, place: statistics.place }, request);
  const order = orderOf(windows).filter((w) => windows.start[w] >= firstDay && windows.end[w] <= lastDay);
  if (order.length === 0) return undefined;
  const line = (probability: number): QuantileLine => {
    const place = [...new Set(ends)].indexOf(probability);
    return { probability, values: inUnit(inOrder(columns.quantiles[place], order), shown) };
  };
  const days = (all: Int32Array) => Int32Array.from(order, (w) => all[w]);
  return {
    ...{ granularity: windows.granularity, start: days(windows.start), end: days(windows.end) },
    quantiles: [line(ends[0]), line(ends[1]), line(ends[2])],
  };
}

function assertEarlier(own: Pick<EarlierRequest, 'units' | 'windows' | 'place'>, shown: EarlierRequest): void {
  const fault = (problem: string, received: string, allowed: string) =>
    new DataError({ source: 'earlier run', problem, received, allowed });
  const apart = (['latitude', 'longitude'] as const).map((name) => Math.abs(own.place[name] - shown.place[name]));
  if (apart[0] > SAME_PLACE || (apart[1] > SAME_PLACE && apart[1] < 360 - SAME_PLACE)) {
    throw fault('is of another place', placeText(own.place) ?? '', placeText(shown.place) ?? '');
  }
  const [ownUnits = 'none', units = 'none'] = [own.units, shown.units];
  if (!unitsAgree(ownUnits, units)) throw fault('has other units', ownUnits, units);
  const [ownCalendar = 'standard', calendar = 'standard'] = [own, shown].map(({ windows }) => windows.calendar);
  if (ownCalendar !== calendar) throw fault('has another calendar', ownCalendar, calendar);
  if (own.windows.firstDay <= shown.windows.firstDay) return;
  const [first, limit] = [own, shown].map(({ windows }) => dateText(windows.calendar, windows.firstDay));
  throw fault('begins after the run that is shown', first, `a run that begins on ${limit} or before`);
}
