import type { Climatology } from '../../climate/climatology.js';
import type { EnsembleField } from '../../core/field.js';
import { cellsAtPlaces } from '../../ensemble/align-ensembles.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { mentionOption, OptionError } from '../../errors.js';
import { formatDate } from '../../period/day.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import { type Axis, axisOf, type Dataset } from '../source/dataset.js';
import type { PartDescription } from '../source/folder/describe-store.node.js';
import type { ForecastHeader } from '../source/folder/manifest.js';
import type { HistoryPart, StorePart } from '../source/folder/store-part.js';
import type { Elevations } from '../source/folder/store-update.node.js';
import type { CatalogEntry, ForecastCatalog, GridFiles } from './forecast-catalog.js';
import type { ReplaceOptions, StoreWriter } from './store-writer.js';
import { usableSpan } from './usable-days.js';

/** Consecutive days, both inclusive. */
interface Days {
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * Throws OptionError where a forecast is older than the store's, or the store would lose horizons, variables,
 * places, or members and days of the same run, unless the options allow it. For values: `assertRunKept`.
 */
export async function assertForecastKept(
  writer: StoreWriter,
  { header, coarse, fine }: ForecastCatalog,
  { replace, allowOlder }: ReplaceOptions,
): Promise<void> {
  const { stored } = writer;
  if (stored?.forecast === undefined) return;
  const before = stored.forecast.horizonInitTimes;
  const after = header.horizonInitTimes;
  if (!allowOlder) assertNotOlder(before, after);
  if (replace) return;
  const isSameRun = (name: HorizonName) => before[name] === after[name];
  const lost: string[] = [];
  for (const name of HORIZONS) {
    const part = stored.parts.get(name);
    if (before[name] === undefined || part === undefined) continue;
    if (after[name] === undefined) lost.push(`its ${name} run of ${before[name]}`);
    else lost.push(...lostOfHorizon(name, part, coarse, isSameRun(name)));
  }
  lost.push(...lostPlaces(await writer.storedPart?.('timeline'), coarse.places));
  const fineBefore = stored.parts.get('fine-timeline');
  if (fineBefore !== undefined) {
    if (fine === undefined) lost.push('its 1 km timeline');
    else {
      lost.push(...lostOfFineGrid(fineBefore, fine, isSameRun));
      lost.push(...lostPlaces(await writer.storedPart?.('fine-timeline'), fine.places, ' at 1 km'));
    }
  }
  assertNothingLost('forecast', lost);
}

/** Values of a variable that would be written, rows by location. */
interface NewValues {
  readonly slug: string;
  readonly field: EnsembleField;
  readonly places: Places;
}

/** The horizons of a store whose run is given once more: their values must not be lost, unless the options allow it. */
export async function runsToKeep(
  writer: StoreWriter,
  { header }: ForecastCatalog,
  { replace }: ReplaceOptions,
): Promise<ReadonlyMap<string, Dataset>> {
  const before = writer.stored?.forecast?.horizonInitTimes ?? {};
  const kept = new Map<string, Dataset>();
  for (const name of replace ? [] : HORIZONS) {
    const isSameRun = before[name] !== undefined && before[name] === header.horizonInitTimes[name];
    const part = isSameRun ? await writer.storedPart?.(name) : undefined;
    if (part !== undefined) kept.set(name, part);
  }
  return kept;
}

/** Throws OptionError where a horizon of a run has values of a variable that new ones do not have. */
export async function assertRunKept(horizon: string, before: Dataset | undefined, values: NewValues): Promise<void> {
  assertNothingLost(horizon, await lostValues(before, values));
}

/** Throws OptionError where a history would lose days of a variable, values or places, unless the options allow it. */
export async function assertHistoryKept(
  writer: StoreWriter,
  part: HistoryPart,
  values: NewValues,
  { replace }: ReplaceOptions,
): Promise<void> {
  const { slug, field, places } = values;
  const held = writer.stored?.parts.get(part)?.variables.get(slug)?.axis;
  if (replace || held === undefined) return;
  // Days of an analysis that the reanalysis has are not lost: it comes first.
  const first = part.replace('analysis', 'reanalysis') as StorePart;
  const reanalysis = part.endsWith('reanalysis') ? undefined : writer.stored?.parts.get(first)?.variables.get(slug);
  const kept = reanalysis === undefined ? [] : [daysOf(reanalysis.axis)];
  const days = daysWithout(daysOf(held), [daysOf(axisOf(field)), ...kept]);
  const lost = days.map((range) => `${slug} of ${describeDays(range)}`);
  const before = await writer.storedPart?.(part);
  lost.push(...lostPlaces(before, places));
  if (lost.length === 0) lost.push(...(await lostValues(before, values, kept)));
  assertNothingLost(part, lost);
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

type InitTimes = ForecastHeader['horizonInitTimes'];

function assertNotOlder(before: InitTimes, after: InitTimes): void {
  const older = HORIZONS.filter((name) => Date.parse(after[name] ?? '') < Date.parse(before[name] ?? ''));
  if (older.length === 0) return;
  const runs = (times: InitTimes) => older.map((name) => `${name} ${times[name]}`).join(', ');
  throw new OptionError({
    subject: 'forecast',
    problem: 'is an older run than the store has',
    received: runs(after),
    allowed: `${runs(before)} or later; ${mentionOption('allowOlder', true)} replaces a run by an older one`,
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

function lostOfHorizon(
  horizon: HorizonName,
  { variables }: PartDescription,
  grid: GridFiles,
  isSameRun: boolean,
): string[] {
  const lost: string[] = [];
  for (const [slug, { axis }] of variables) {
    const entry = grid.variables.get(slug)?.get(horizon);
    if (entry === undefined) lost.push(`${slug} of ${horizon}`);
    else if (isSameRun) lost.push(...lostOfRun(`${slug} of ${horizon}`, axis, horizon, entry));
  }
  return lost;
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

function lostOfFineGrid(
  { variables }: PartDescription,
  fine: GridFiles,
  isSameRun: (name: HorizonName) => boolean,
): string[] {
  const lost: string[] = [];
  for (const [slug, { axis }] of variables) {
    const entries = fine.variables.get(slug);
    if (entries === undefined) {
      lost.push(`${slug} at 1 km`);
      continue;
    }
    for (const { horizon, ...range } of axis.horizons ?? []) {
      const what = `${slug} of ${horizon} at 1 km`;
      const entry = entries.get(horizon);
      if (entry === undefined) lost.push(what);
      else if (isSameRun(horizon)) lost.push(...lostDays(what, range, horizon, entry));
    }
  }
  return lost;
}

function lostPlaces(before: Dataset | undefined, after: Places, where = ''): string[] {
  return before === undefined ? [] : lostCells(cellsAtPlaces(before.places, after), where);
}

function lostCells(cells: Int32Array, where = ''): string[] {
  const lost = cells.filter((cell) => cell < 0).length;
  return lost > 0 ? [`${lost} of ${cells.length} places${where}`] : [];
}

/** How many valid values of a variable are missing in new ones; days of `kept` do not count. */
async function lostValues(
  before: Dataset | undefined,
  { slug, field, places }: NewValues,
  kept: readonly Days[] = [],
): Promise<string[]> {
  const axis = before?.variables.get(slug);
  if (before === undefined || axis === undefined) return [];
  const held = new Float32Array(axis.members * axis.days);
  const given = new Float32Array(field.days);
  const isCompared = Array.from({ length: axis.days }, (_, d) => {
    const day = axis.firstDay + d;
    return !kept.some(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
  });
  let [lost, all] = [0, 0];
  let days: Days | undefined;
  for (const [place, cell] of cellsAtPlaces(before.places, places).entries()) {
    if (cell < 0) continue;
    await before.read(slug, place, held);
    for (let m = 0; m < axis.members; m++) {
      const member = field.members[m];
      if (member === undefined) given.fill(Number.NaN);
      else member.copyTo(given, 0, cell * field.days, (cell + 1) * field.days);
      for (let d = 0; d < axis.days; d++) {
        if (!isCompared[d] || Number.isNaN(held[m * axis.days + d])) continue;
        all++;
        const day = axis.firstDay + d;
        if (!Number.isNaN(given[day - field.firstDay] ?? Number.NaN)) continue;
        lost++;
        days = { firstDay: Math.min(day, days?.firstDay ?? day), lastDay: Math.max(day, days?.lastDay ?? day) };
      }
    }
  }
  return days === undefined ? [] : [`${lost} of ${all} values of ${slug}, ${describeDays(days)}`];
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
