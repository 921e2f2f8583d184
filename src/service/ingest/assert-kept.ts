import { mentionOption, OptionError } from '../../errors.js';
import { formatDate } from '../../period/day.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { Axis } from '../source/dataset.js';
import type { PartDescription, StoreDescription } from '../source/folder/describe-store.node.js';
import type { ForecastHeader } from '../source/folder/manifest.js';
import type { HistoryPart } from '../source/folder/store-part.js';
import type { CatalogEntry, ForecastCatalog, GridFiles } from './forecast-catalog.js';
import type { ReplaceOptions } from './replace-options.js';
import { usableSpan } from './usable-days.js';

/** Consecutive days, both inclusive. */
interface Days {
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * Throws OptionError where a forecast is older than the store's, or the store would lose horizons, variables,
 * places, or members and days of the same run, unless the options allow it.
 */
export function assertForecastKept(
  stored: StoreDescription | undefined,
  { header, coarse, fine }: ForecastCatalog,
  { replace, allowOlder }: ReplaceOptions,
): void {
  if (stored?.forecast === undefined) return;
  const before = stored.forecast.horizonInitTimes;
  const after = header.horizonInitTimes;
  if (!allowOlder) assertNotOlder(before, after);
  if (replace) return;
  const lost: string[] = [];
  for (const name of HORIZONS) {
    const part = stored.parts.get(name);
    if (before[name] === undefined || part === undefined) continue;
    if (after[name] === undefined) lost.push(`its ${name} run of ${before[name]}`);
    else lost.push(...lostOfHorizon(name, part, coarse, before[name] === after[name]));
  }
  lost.push(...lostPlaces(stored.parts.get('timeline'), coarse.places.latitude.length));
  const fineBefore = stored.parts.get('fine-timeline');
  if (fineBefore !== undefined) lost.push(...lostOfFineGrid(fineBefore, fine));
  assertNothingLost('forecast', lost);
}

/** Throws OptionError where a history would lose days of a variable, or places, unless the options allow it. */
export function assertHistoryKept(
  stored: StoreDescription | undefined,
  part: HistoryPart,
  { slug, axis, places }: { readonly slug: string; readonly axis: Axis; readonly places: number },
  { replace }: ReplaceOptions,
): void {
  const before = stored?.parts.get(part);
  const held = before?.variables.get(slug)?.axis;
  if (replace || held === undefined) return;
  // Days of an analysis that the reanalysis has are not lost: it comes first.
  const reanalysis = stored?.parts.get(part.replace('analysis', 'reanalysis') as HistoryPart)?.variables.get(slug);
  const kept = [axis, ...(part.endsWith('reanalysis') || !reanalysis ? [] : [reanalysis.axis])];
  const days = daysWithout(daysOf(held), kept.map(daysOf));
  const lost = days.map((range) => `${slug} of ${describeDays(range)}`);
  assertNothingLost(part, [...lost, ...lostPlaces(before, places)]);
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
  const { axis, variable, initTime, file } = entry;
  const days = usableSpan(axis, { variable, horizon, initTime, source: file.source });
  const lost = daysWithout(daysOf(before), [days]).map((range) => `${what}, ${describeDays(range)}`);
  const members = before.members - axis.members;
  return members > 0 ? [...lost, `${what}, ${members} of ${before.members} members`] : lost;
}

function lostOfFineGrid({ places, variables }: PartDescription, fine: GridFiles | undefined): string[] {
  if (fine === undefined) return ['its 1 km timeline'];
  const lost = [...variables.keys()].filter((slug) => !fine.variables.has(slug));
  const ofGrid = lost.map((slug) => `${slug} at 1 km`);
  return [...ofGrid, ...lostPlaces({ places }, fine.places.latitude.length, ' at 1 km')];
}

function lostPlaces(before: Pick<PartDescription, 'places'> | undefined, count: number, where = ''): string[] {
  const lost = (before?.places ?? 0) - count;
  return lost > 0 ? [`${lost} of ${before?.places} places${where}`] : [];
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
