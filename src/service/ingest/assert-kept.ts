import type { Climatology } from '../../climate/climatology.js';
import { cellsAtPlaces } from '../../ensemble/align-ensembles.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { mentionOption, OptionError } from '../../errors.js';
import { formatDate } from '../../period/day.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Axis, Dataset } from '../source/dataset.js';
import type { Elevations } from '../source/folder/coordinate-table.js';
import type { ForecastPart, HistoryPart } from '../source/folder/store-part.js';
import type { CatalogEntry } from './forecast-catalog.js';
import type { ReplaceOptions, StoreWriter } from './store-writer.js';
import { usableSpan } from './usable-days.js';

/** Consecutive days, both inclusive. */
interface Days {
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The run of a horizon on one grid that would be written to a store. */
export interface GivenRun {
  readonly part: ForecastPart;
  readonly horizon: HorizonName;
  readonly initTime: string;
  /** That of the store; undefined where it has none. */
  readonly initTimeBefore: string | undefined;
  /** Its files, by variable. */
  readonly entries: ReadonlyMap<string, CatalogEntry>;
  readonly places: Places;
}

/**
 * Throws OptionError where the run of a horizon is older than the store's, or the store would lose places, or days and
 * members of the same run, unless the options allow it. For values: `LostValues`.
 */
export async function assertHorizonKept(
  writer: StoreWriter,
  { part, horizon, initTime, initTimeBefore, entries, places }: GivenRun,
  { replace, allowOlder }: ReplaceOptions,
): Promise<void> {
  if (initTimeBefore === undefined) return;
  if (!allowOlder) assertNotOlder(horizon, initTimeBefore, initTime);
  const described = writer.before.parts.get(part);
  if (replace || described === undefined) return;
  const isSameRun = initTimeBefore === initTime;
  const cells = cellsAtPlaces((await writer.storedBefore(part))?.places as Places, places);
  const isRegion = isSameRun && isPartOf(cells, places);
  const lost = isRegion ? [] : lostCells(cells, part.startsWith('fine-') ? ' at 1 km' : '');
  for (const [slug, entry] of isSameRun ? entries : []) {
    const axis = described.variables.get(slug)?.axis;
    if (axis !== undefined) lost.push(...lostOfRun(`${slug} of ${part}`, axis, horizon, entry));
  }
  assertNothingLost('forecast', lost);
}

/** Whether places are some of those before: `cells` says where each of these is among them, below 0 for nowhere. */
export function isPartOf(cells: Int32Array, { latitude }: Places): boolean {
  const found = cells.filter((cell) => cell >= 0).length;
  return found === latitude.length && found < cells.length;
}

/** Looks which values of a variable of a run new ones do not have, some places at a time. */
export class LostValues {
  readonly #before: Dataset;
  readonly #slug: string;
  readonly #axis: Axis;
  #lost = 0;
  #all = 0;
  #days: Days | undefined;

  private constructor(before: Dataset, slug: string, axis: Axis) {
    this.#before = before;
    this.#slug = slug;
    this.#axis = axis;
  }

  /** Undefined where the part before does not have the variable. */
  static of(before: Dataset | undefined, slug: string): LostValues | undefined {
    const axis = before?.variables.get(slug);
    return before && axis && new LostValues(before, slug, axis);
  }

  /** Adds the new values of some places: of each place the days of each member. */
  async add(values: Float32Array, { firstDay: first, days: count, members: all }: Axis, places: Places): Promise<void> {
    const { members, days, firstDay } = this.#axis;
    const held = new Float32Array(members * days);
    const isGiven = (cell: number, m: number, day: number) => {
      if (m >= all || day < first || day >= first + count) return false;
      return !Number.isNaN(values[(cell * all + m) * count + day - first]);
    };
    for (const [place, cell] of cellsAtPlaces(this.#before.places, places).entries()) {
      if (cell < 0) continue;
      await this.#before.read(this.#slug, place, held);
      for (let i = 0; i < held.length; i++) {
        if (Number.isNaN(held[i])) continue;
        this.#all++;
        const day = firstDay + (i % days);
        if (isGiven(cell, Math.floor(i / days), day)) continue;
        this.#lost++;
        const known = this.#days ?? { firstDay: day, lastDay: day };
        this.#days = { firstDay: Math.min(day, known.firstDay), lastDay: Math.max(day, known.lastDay) };
      }
    }
  }

  /** Throws OptionError, which names the part, where there are any. */
  assertNone(part: string): void {
    if (this.#days === undefined) return;
    assertNothingLost(part, [`${this.#lost} of ${this.#all} values of ${this.#slug}, ${describeDays(this.#days)}`]);
  }
}

/** Throws OptionError where a history has places that new days of it do not have all or some of. */
export function assertHistoryPlaces(part: HistoryPart, cells: Int32Array, places: Places): void {
  if (!isPartOf(cells, places)) assertNothingLost(part, lostCells(cells));
}

/** Throws OptionError where a climatology would lose places or periods, unless the options allow it. */
export function assertClimatologyKept(
  subject: string,
  before: Climatology,
  after: Climatology,
  { replace }: ReplaceOptions,
): void {
  if (replace) return;
  const isPlaceless = [before, after].every(({ latitude }) => latitude.length === 1 && Number.isNaN(latitude[0]));
  const cells = isPlaceless ? Int32Array.of(0) : cellsAtPlaces(before, after);
  const lost = lostCells(cells);
  if (lost.length === 0) {
    const keyOf = before.keys.map((key) => after.keys.indexOf(key));
    const has = ({ samples, keys }: Climatology, place: number, key: number) => samples[place * keys.length + key] > 0;
    let [count, all] = [0, 0];
    for (const [place, cell] of cells.entries()) {
      for (const [key, other] of keyOf.entries()) {
        if (!has(before, place, key)) continue;
        all++;
        if (other < 0 || !has(after, cell, other)) count++;
      }
    }
    if (count > 0) lost.push(`${count} of ${all} normal values`);
  }
  assertNothingLost(subject, lost);
}

/** Throws OptionError where elevations would lose places, unless the options allow it. */
export function assertElevationKept(
  before: Elevations | undefined,
  after: Elevations,
  { replace }: ReplaceOptions,
): void {
  if (replace || before === undefined) return;
  const cells = cellsAtPlaces(before, after);
  const isKnown = (metres: number | undefined) => metres !== undefined && !Number.isNaN(metres);
  const kept = cells.map((cell, place) => (isKnown(before.metres[place]) && !isKnown(after.metres[cell]) ? -1 : 0));
  assertNothingLost('elevation', lostCells(kept));
}

function assertNotOlder(horizon: HorizonName, before: string, after: string): void {
  if (!(Date.parse(after) < Date.parse(before))) return;
  throw new OptionError({
    subject: 'forecast',
    problem: 'is an older run than the store has',
    received: `${horizon} ${after}`,
    allowed: `${horizon} ${before} or later; ${mentionOption('allowOlder', true)} replaces a run by an older one`,
  });
}

function assertNothingLost(subject: string, lost: readonly string[]): void {
  if (lost.length === 0) return;
  throw new OptionError({
    subject,
    problem: `the store would lose ${lost.join('; ')}`,
    allowed: `files with all that the store has; ${mentionOption('replace', true)} deletes the rest`,
  });
}

/** What a run loses that is read again, perhaps from files that are not complete. */
function lostOfRun(what: string, before: Axis, horizon: HorizonName, entry: CatalogEntry): string[] {
  const lost = lostDays(what, daysOf(before), horizon, entry);
  const members = before.members - entry.axis.members;
  return members > 0 ? [...lost, `${what}, ${members} of ${before.members} members`] : lost;
}

function lostDays(what: string, before: Days, horizon: HorizonName, entry: CatalogEntry): string[] {
  const { axis, variable, initTime, file } = entry;
  const days = usableSpan(axis, { variable, horizon, initTime, source: file.source });
  return daysWithout(before, [days]).map((range) => `${what}, ${describeDays(range)}`);
}

function lostCells(cells: Int32Array, where = ''): string[] {
  const lost = cells.filter((cell) => cell < 0).length;
  return lost > 0 ? [`${lost} of ${cells.length} places${where}`] : [];
}

function daysOf({ firstDay, days }: Axis): Days {
  return { firstDay, lastDay: firstDay + days - 1 };
}

/** The days that none of `others` has, from the first to the last. */
function daysWithout(days: Days, others: readonly Days[]): Days[] {
  let left = [days];
  for (const other of others) {
    left = left.flatMap(({ firstDay, lastDay }) =>
      [
        { firstDay, lastDay: Math.min(lastDay, other.firstDay - 1) },
        { firstDay: Math.max(firstDay, other.lastDay + 1), lastDay },
      ].filter((range) => range.firstDay <= range.lastDay),
    );
  }
  return left;
}

function describeDays({ firstDay, lastDay }: Days): string {
  return firstDay === lastDay ? formatDate(firstDay) : `${formatDate(firstDay)} to ${formatDate(lastDay)}`;
}
