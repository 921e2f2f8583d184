import { DataType, type Table } from 'apache-arrow';
import type { FloatArray } from '../core/number-arrays.js';
import { DataError } from '../errors.js';
import { parseDate } from '../period/day.js';
import type { CheckedStatisticsOptions } from '../statistics/options.js';
import { eachResult, type WindowedPart } from '../statistics/windowed-part.js';
import {
  createTable,
  type NewColumn,
  numbers,
  type TextDictionary,
  textDictionary,
  texts,
} from '../table/build/create-table.js';
import { TRAJECTORIES } from './further-members.js';

/** What an ensemble is called that is of no single horizon. */
const BLENDED = 'blended';

/** A horizon of a timeline with all members, and the days on which all trajectories come from it: day numbers. */
interface HorizonAlone {
  readonly name: string;
  /** The number of values that a day has: all members of the horizon, or the trajectories where it has fewer. */
  readonly members: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** How statistics are requested, as far as their windows and members go. */
type Requested = Pick<CheckedStatisticsOptions, 'minMemberShare' | 'startDate' | 'endDate'>;

/** Which members of a timeline with all members a window uses. */
export class MemberUse {
  readonly #trajectories: number;
  readonly #horizons: readonly HorizonAlone[];
  /** The first and the last day of the timeline. */
  readonly #span: readonly [number, number];
  /** The names in results, and their dictionary. */
  readonly #names: readonly string[];
  readonly #dictionary: TextDictionary;

  private constructor(trajectories: number, horizons: readonly HorizonAlone[], span: readonly [number, number]) {
    this.#trajectories = trajectories;
    this.#horizons = horizons;
    this.#span = span;
    this.#names = [...horizons.map(({ name }) => name), BLENDED];
    this.#dictionary = textDictionary(this.#names);
  }

  /** By the metadata of a timeline; undefined where it does not have all members. Throws DataError for broken ones. */
  static of(metadata: ReadonlyMap<string, string>): MemberUse | undefined {
    const stated = metadata.get(TRAJECTORIES);
    if (stated === undefined) return undefined;
    try {
      const listed: readonly Stated[] = JSON.parse(metadata.get('horizons') ?? '');
      const trajectories = Number(stated);
      const days = listed.map((one) => {
        const [firstDay, lastDay] = [one.hand_over ?? one.start, one.end].map((date) => parseDate(date));
        return { name: one.name, members: Math.max(trajectories, one.members), firstDay, lastDay };
      });
      const alone = days.map((one, h) => ({
        ...one,
        firstDay: Math.max(one.firstDay, (days[h - 1]?.lastDay ?? one.firstDay) + (h > 0 ? 1 : 0)),
        lastDay: Math.min(one.lastDay, (days[h + 1]?.firstDay ?? one.lastDay + 1) - 1),
      }));
      const counts = [trajectories, ...days.map(({ members }) => members)];
      if (days.length > 0 && counts.every((count) => Number.isInteger(count) && count > 0)) {
        return new MemberUse(trajectories, alone, [days[0].firstDay, days[days.length - 1].lastDay]);
      }
    } catch {
      // Told below, as what is stated wrongly.
    }
    throw new DataError({
      subject: 'metadata',
      problem: 'do not state the horizons of a timeline with all members',
      received: `${TRAJECTORIES} ${stated}, horizons ${metadata.get('horizons')}`,
      allowed: 'what blend writes, unchanged',
    });
  }

  /** The horizon of the members that a window of these days has, and how many they are. */
  ensembleOf(firstDay: number, lastDay: number): { readonly name: string; readonly members: number } {
    const found = this.#horizons.find((one) => firstDay >= one.firstDay && lastDay <= one.lastDay);
    return found ?? { name: BLENDED, members: this.#trajectories };
  }

  /**
   * Completes a table of statistics that was computed for any number of valid members: `horizon` behind `n_members`, and
   * nulls where of the members that a window has fewer are valid than requested. All tables share a dictionary.
   */
  complete(table: Table, requested: Requested): Table {
    const { schema, numRows } = table;
    const [start, end, valid] = ['start', 'end', 'n_members'].map((name) => table.getChild(name)?.data[0].values);
    const places = new Int32Array(numRows);
    const missing: number[] = [];
    for (let row = 0; row < numRows; row++) {
      const { name, members } = this.ensembleOf(...this.#usedDays(start[row], end[row], requested));
      places[row] = this.#names.indexOf(name);
      if (isTooFew(valid[row], members, requested)) missing.push(row);
    }
    const columns = schema.fields.flatMap((field, i): NewColumn[] => {
      const { name, metadata } = field;
      const data = table.getChildAt(i)?.data[0];
      if (data === undefined) return [];
      const column = { ...withNulls({ name, data }, missing), metadata };
      return name === 'n_members' ? [column, texts('horizon', places, this.#dictionary)] : [column];
    });
    return createTable(columns, schema.metadata);
  }

  /** The same for the columns of a part of a grid, without the one of horizons. */
  completeColumns(columns: readonly NewColumn[], part: WindowedPart, requested: Requested): readonly NewColumn[] {
    const valid = columns.find(({ name }) => name === 'n_members')?.data.values;
    const { firstDay, first, days } = part.windows;
    const missing: number[] = [];
    let row = 0;
    eachResult(part, (_, w) => {
      const from = firstDay + first[w];
      const { members } = this.ensembleOf(from, from + days[w] - 1);
      if (isTooFew(valid[row], members, requested)) missing.push(row);
      row++;
    });
    return columns.map((column) => withNulls(column, missing));
  }

  /** The days of a window that are there: partial windows begin or end with the data, or with requested dates. */
  #usedDays(start: number, end: number, { startDate, endDate }: Requested): [number, number] {
    const [first, last] = this.#span;
    return [
      Math.max(start, first, startDate === undefined ? first : parseDate(startDate)),
      Math.min(end, last, endDate === undefined ? last : parseDate(endDate)),
    ];
  }
}

/** A horizon as the metadata of a timeline state it. */
interface Stated {
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly members: number;
  readonly hand_over?: string;
}

/** Whether fewer members are valid than the share that is requested of those that a window has, as kernels decide it. */
function isTooFew(valid: number, members: number, { minMemberShare }: Requested): boolean {
  return valid < Math.max(1, Math.ceil(minMemberShare * members - 1e-9));
}

/** A column of statistics with nulls in some rows; another column, or one without such rows, as it is. */
function withNulls(column: NewColumn, rows: readonly number[]): NewColumn {
  const { name, data, metadata } = column;
  if (!DataType.isFloat(data.type) || rows.length === 0 || name === 'latitude' || name === 'longitude') return column;
  const values: FloatArray = data.values.slice();
  for (const row of rows) values[row] = Number.NaN;
  return { ...numbers(name, values), metadata };
}
