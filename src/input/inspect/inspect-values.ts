import type { EnsembleField } from '../../core/field.js';
import { type FloatArray, floatArray } from '../../core/number-arrays.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import type { Variable } from '../../variable/variable.js';
import type { InspectedValue, InspectedValues } from './inspection.js';

/** How many values are copied and scanned at a time. */
const RUN = 65_536;

/**
 * Scans the daily values of an ensemble: how many are missing, infinite, or outside of the bounds of their variable.
 */
export class ValueScan {
  readonly #bounds: readonly [number, number] | undefined;
  /** The names of members in results, if their columns have other names. */
  readonly #members: readonly string[] | undefined;
  readonly #calendar: ModelCalendar | undefined;
  #count = 0;
  #missing = 0;
  #infinite = 0;
  #below = 0;
  #above = 0;
  #lowest: FoundValue = { value: Number.POSITIVE_INFINITY };
  #highest: FoundValue = { value: Number.NEGATIVE_INFINITY };

  constructor(variable: Variable | undefined, members?: readonly string[], calendar?: ModelCalendar) {
    this.#calendar = calendar;
    this.#bounds = variable?.bounds;
    this.#members = members;
  }

  /** Scans a part; `absentDays` of its days are missing for all places, and do not count as missing values. */
  add(part: EnsemblePart, absentDays: number): void {
    const { field } = part;
    const rows = field.cells * field.days;
    const run = floatArray(field.type, Math.min(RUN, rows));
    field.members.forEach((member, m) => {
      for (let from = 0; from < rows; from += RUN) {
        const to = Math.min(rows, from + RUN);
        member.copyTo(run, 0, from, to);
        this.#scan(run, to - from, (i) => placeOf(part, from + i, this.#members?.[m] ?? member.name, this.#calendar));
      }
    });
    const absent = absentDays * field.cells * field.members.length;
    this.#count -= absent;
    this.#missing -= absent;
  }

  end(): InspectedValues {
    return {
      count: this.#count,
      missing: this.#missing,
      infinite: this.#infinite,
      ...(this.#lowest.place !== undefined && { lowest: { value: this.#lowest.value, ...this.#lowest.place } }),
      ...(this.#highest.place !== undefined && { highest: { value: this.#highest.value, ...this.#highest.place } }),
      ...(this.#bounds !== undefined && { bounds: this.#bounds, below: this.#below, above: this.#above }),
    };
  }

  #scan(values: FloatArray, count: number, place: (index: number) => Place): void {
    const [least, most] = this.#bounds ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [lowest, highest] = [this.#lowest.value, this.#highest.value];
    let [lowestAt, highestAt] = [-1, -1];
    for (let i = 0; i < count; i++) {
      const value = values[i];
      if (Number.isNaN(value)) this.#missing++;
      else if (!Number.isFinite(value)) this.#infinite++;
      else {
        if (value < least) this.#below++;
        else if (value > most) this.#above++;
        if (value < lowest) [lowest, lowestAt] = [value, i];
        if (value > highest) [highest, highestAt] = [value, i];
      }
    }
    this.#count += count;
    if (lowestAt >= 0) this.#lowest = { value: lowest, place: place(lowestAt) };
    if (highestAt >= 0) this.#highest = { value: highest, place: place(highestAt) };
  }
}

type Place = Omit<InspectedValue, 'value'>;

interface FoundValue {
  readonly value: number;
  readonly place?: Place;
}

function placeOf(
  { field, latitude, longitude }: EnsemblePart,
  row: number,
  member: string,
  calendar: ModelCalendar | undefined,
): Place {
  const [day, cell] = dayAndCell(field, row);
  const isKnown = !Number.isNaN(latitude[cell]) && !Number.isNaN(longitude[cell]);
  return {
    date: dateText(calendar, field.firstDay + day),
    member,
    ...(isKnown && { latitude: latitude[cell], longitude: longitude[cell] }),
  };
}

function dayAndCell({ order, days, cells }: EnsembleField, row: number): [number, number] {
  return order === 'day-fastest' ? [row % days, Math.floor(row / days)] : [Math.floor(row / cells), row % cells];
}
