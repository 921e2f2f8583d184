import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { PartDescription, StoreDescription } from '../source/folder/describe-store.node.js';
import type { ForecastHeader, RunExtent } from '../source/folder/manifest.js';
import type { Shortfall } from '../source/source.js';
import type { GivenRun } from './assert-kept.js';
import type { ForecastInput, RejectedRun } from './forecast-input.js';
import { usableSpan } from './usable-days.js';

/** What the run of a horizon has: the members that all of its variables have, and the days that any has. */
function extentOfPart({ variables }: PartDescription): RunExtent {
  const axes = [...variables.values()].map(({ axis }) => axis);
  return {
    members: Math.min(...axes.map(({ members }) => members)),
    days: Math.max(...axes.map(({ days }) => days)),
    variables: [...variables.keys()],
  };
}

/** What files of a run have. */
function extentOfRun({ entries, horizon }: GivenRun): RunExtent {
  const all = [...entries.values()];
  const spans = all.map(({ axis, variable, initTime, file }) =>
    usableSpan(axis, { variable, horizon, initTime, source: file.source }),
  );
  return {
    members: Math.min(...all.map(({ axis }) => axis.members)),
    days: Math.max(...spans.map(({ firstDay, lastDay }) => lastDay - firstDay + 1)),
    variables: [...entries.keys()],
  };
}

/** What the last complete run of a horizon had: as the store states it, or else what its run has. */
function completeExtent({ forecast, parts }: StoreDescription, horizon: HorizonName): RunExtent | undefined {
  const part = parts.get(horizon);
  return forecast?.complete?.[horizon] ?? (part && extentOfPart(part));
}

/** Why the run of a horizon has too little to replace the one before; undefined where it has enough. */
export function rejectedRun(
  run: GivenRun,
  stored: StoreDescription,
  { minMembers, minDays }: Pick<ForecastInput, 'minMembers' | 'minDays'>,
): RejectedRun | undefined {
  const { members, days } = extentOfRun(run);
  const complete = completeExtent(stored, run.horizon);
  const least = {
    members: minMembers ?? Math.ceil((complete?.members ?? 0) / 2),
    days: minDays ?? Math.ceil((complete?.days ?? 0) / 2),
  };
  const reasons = [
    ...(members < least.members ? [`${members} members, and ${least.members} are needed`] : []),
    ...(days < least.days ? [`${days} days, and ${least.days} are needed`] : []),
  ];
  if (reasons.length === 0) return undefined;
  const { horizon, initTime } = run;
  return { horizon, initTime, reason: `it has ${reasons.join(', and ')}` };
}

/**
 * What the runs of a forecast lack, and what the last complete ones had. Runs of `accepted` horizons are
 * complete, whatever they have.
 */
export function compareExtents(
  before: StoreDescription,
  { forecast, parts }: StoreDescription,
  accepted: readonly HorizonName[],
): Pick<ForecastHeader, 'complete' | 'shortfalls'> {
  const complete: Partial<Record<HorizonName, RunExtent>> = {};
  const shortfalls: Shortfall[] = [];
  const hadFine = before.parts.has('fine-timeline');
  for (const horizon of HORIZONS) {
    const part = parts.get(horizon);
    if (part === undefined || forecast?.horizonInitTimes[horizon] === undefined) continue;
    const extent = extentOfPart(part);
    const expected = (accepted.includes(horizon) ? undefined : completeExtent(before, horizon)) ?? extent;
    const wasFine =
      before.parts.has(`fine-${horizon}`) ||
      before.forecast?.shortfalls?.some((each) => each.horizon === horizon && each.fine);
    const shortfall = {
      horizon,
      members: shortage(extent.members, expected.members),
      days: shortage(extent.days, expected.days),
      variables: missing(extent.variables, expected.variables),
      fine: hadFine || wasFine ? isWithoutFine(horizon, parts, wasFine === true, accepted) : undefined,
    };
    const isShort = shortfall.members ?? shortfall.days ?? shortfall.variables;
    complete[horizon] = isShort === undefined ? extent : expected;
    if (isShort !== undefined || shortfall.fine) shortfalls.push(shortfall);
  }
  return { complete, ...(shortfalls.length > 0 && { shortfalls }) };
}

function isWithoutFine(
  horizon: HorizonName,
  parts: StoreDescription['parts'],
  wasFine: boolean,
  accepted: readonly HorizonName[],
): true | undefined {
  return wasFine && !accepted.includes(horizon) && !parts.has(`fine-${horizon}`) ? true : undefined;
}

function shortage(received: number, expected: number): Shortfall['members'] {
  return received < expected ? { received, expected } : undefined;
}

function missing(received: readonly string[], expected: readonly string[]): readonly string[] | undefined {
  const slugs = expected.filter((slug) => !received.includes(slug));
  return slugs.length > 0 ? slugs : undefined;
}

/** Says what a run lacks. */
export function describeShortfall({ horizon, members, days, variables, fine }: Shortfall): string {
  const parts = [
    members && `${members.received} of ${members.expected} members`,
    days && `${days.received} of ${days.expected} days`,
    variables && `no ${variables.join(', ')}`,
    fine && 'no 1 km data yet',
  ].filter((part) => part !== undefined && part !== false);
  return `the ${horizon} run is incomplete: ${parts.join('; ')}`;
}
