import type { MemberColumn } from '../core/member-column.js';
import { type FloatType, floatArray } from '../core/number-arrays.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { hasValue } from '../ensemble/has-values.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';
import { DAY_SECONDS } from '../period/day.js';
import { originalNames } from '../table/columns/column-name.js';
import type { Report } from './notice.js';

/** The most members, and runs of days, that a message names. */
const MAX_NAMED = 3;

/** The names of members as the input has them. */
export function namesOfMembers(
  { metadata }: Pick<Ensemble, 'metadata'>,
  { field: { members } }: EnsemblePart,
): readonly string[] {
  return originalNames(
    metadata,
    members.map(({ name }) => name),
  );
}

/** A grid whose values are watched as they are read. */
export function watchedGrid(grid: GridEnsemble, coverage: ValueCoverage): GridEnsemble {
  return {
    ...grid,
    async read(...args) {
      const part = await grid.read(...args);
      coverage.see(part, grid.members);
      return part;
    },
  };
}

/** Watches daily values as they are read: which members have no value, and on which days no member has one. */
export class ValueCoverage {
  /** Whether each member has a value, by its name. */
  readonly #members = new Map<string, boolean>();
  /** The first day of all, and whether some member has a value on it and those that follow. */
  #firstDay = 0;
  #hasDay = new Uint8Array(0);

  get hasValues(): boolean {
    return [...this.#members.values()].includes(true);
  }

  /** Whether a member has no value, or a day. */
  get hasGaps(): boolean {
    return [...this.#members.values()].includes(false) || this.#hasDay.includes(0);
  }

  /** Adds values of all members at some places and days. */
  see({ field }: Pick<EnsemblePart, 'field'>, names?: readonly string[]): void {
    const { members, days, order, type } = field;
    for (const [m, member] of members.entries()) {
      const name = names?.[m] ?? member.name;
      if (this.#members.get(name) !== true) this.#members.set(name, hasValue(member, type));
    }
    const shift = this.#coverDays(field.firstDay, days);
    const own = this.#hasDay.subarray(shift, shift + days);
    let open = own.reduce((sum, has) => sum - has, days);
    if (open === 0) return;
    for (const member of members) {
      open -= order === 'day-fastest' ? seeCells(member, type, own) : seeMaps(member, type, own);
      if (open === 0) return;
    }
  }

  /** Makes room for some days; returns where the first of them is. */
  #coverDays(firstDay: number, days: number): number {
    const known = this.#hasDay;
    const from = known.length === 0 ? firstDay : Math.min(firstDay, this.#firstDay);
    const to = Math.max(firstDay + days, known.length === 0 ? firstDay : this.#firstDay + known.length);
    if (from !== this.#firstDay || to - from !== known.length) {
      this.#hasDay = new Uint8Array(to - from);
      if (known.length > 0) this.#hasDay.set(known, this.#firstDay - from);
      this.#firstDay = from;
    }
    return firstDay - from;
  }

  /** Reports what has no value, where something has; `filesWithin` names the files whose times are within days. */
  report(report: Report, source: string, calendar?: ModelCalendar, filesWithin?: ArrayFile['filesWithin']): void {
    if (!this.hasValues) return;
    const without = [...this.#members].flatMap(([name, has]) => (has ? [] : [name]));
    if (without.length > 0) report({ kind: 'warning', source, text: this.#describeMembers(without) });
    const days = this.#describeDays(calendar, filesWithin);
    if (days !== undefined) report({ kind: 'note', source, text: days });
  }

  #describeMembers(without: readonly string[]): string {
    const all = this.#members.size;
    const named = without.slice(0, MAX_NAMED).join(', ') + (without.length > MAX_NAMED ? ', ...' : '');
    const members = without.length === 1 ? `member ${named} has` : `${without.length} members (${named}) have`;
    return `${members} no value on any day: results are of the other ${all - without.length} of ${all} members`;
  }

  /** The days between the first and the last one with values that have none. */
  #describeDays(calendar: ModelCalendar | undefined, filesWithin: ArrayFile['filesWithin']): string | undefined {
    const [first, last] = [this.#hasDay.indexOf(1), this.#hasDay.lastIndexOf(1)];
    const runs: string[] = [];
    const files: string[] = [];
    let count = 0;
    for (let day = first + 1; day < last; day++) {
      if (this.#hasDay[day] === 1) continue;
      const from = day;
      while (this.#hasDay[day + 1] !== 1) day++;
      count += day - from + 1;
      const [start, end] = [from, day].map((each) => dateText(calendar, this.#firstDay + each));
      const [since, until] = [from, day + 1].map((each) => (this.#firstDay + each) * DAY_SECONDS);
      files.push(...(filesWithin?.(since, until) ?? []));
      runs.push(from === day ? start : `${start} to ${end}`);
    }
    if (count === 0) return undefined;
    const some = (names: readonly string[]) =>
      names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ', ...' : '');
    const ofFiles = files.length === 0 ? '' : `: no whole day with values is in ${some(files)}`;
    return `no member has a value on ${count} of ${this.#hasDay.length} days (${some(runs)})${ofFiles}`;
  }
}

/** Marks the days on which some cell of a member has a value, of cells whose days follow each other; returns how many it marked. */
function seeCells(member: MemberColumn, type: FloatType, hasDay: Uint8Array): number {
  const run = floatArray(type, hasDay.length);
  let open = hasDay.reduce((sum, has) => sum - has, hasDay.length);
  const before = open;
  for (let from = 0; from < member.length && open > 0; from += run.length) {
    member.copyTo(run, 0, from, from + run.length);
    for (let day = 0; day < run.length; day++) {
      if (hasDay[day] === 1 || Number.isNaN(run[day])) continue;
      hasDay[day] = 1;
      open--;
    }
  }
  return before - open;
}

/** The same of days whose cells follow each other: the first values of a day mostly tell. */
function seeMaps(member: MemberColumn, type: FloatType, hasDay: Uint8Array): number {
  const cells = member.length / hasDay.length;
  let found = 0;
  for (let day = 0; day < hasDay.length; day++) {
    if (hasDay[day] === 1 || !hasValue(member, type, day * cells, (day + 1) * cells)) continue;
    hasDay[day] = 1;
    found++;
  }
  return found;
}
