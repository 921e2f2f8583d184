import type { Pairing } from '../../blend/pairing/pairing.js';
import { membersAtPlaces } from '../../blend/pairing/regions.js';
import type { Places } from '../../ensemble/nearest-place.js';
import type { Axis } from '../source/dataset.js';

/** A variable of a horizon at some places: of each place a row of days for each member. */
export interface PlacedHorizon {
  readonly axis: Axis;
  readonly values: Float32Array;
}

/** The days of a timeline, counted from its first, that a trajectory may take from a horizon, and where they are there. */
interface UsedDays {
  /** The days that the horizon has: the others are missing. */
  readonly start: number;
  readonly end: number;
  /** What a day of the timeline is in the horizon. */
  readonly shift: number;
}

/**
 * Returns a function that joins a variable's timeline of `days` days at some places, as a pairing says: it fills `into`
 * with the values of its horizons, from the shortest, as stores keep them; undefined is a horizon without the variable. It
 * gives the values that `blendFields` gives, without columns for each member.
 */
export function placeBlender(pairing: Pairing, days: number) {
  const { members: trajectories, firstDay, seams, regions } = pairing;
  const membersAt = regions && membersAtPlaces(regions);
  const ofField = seams.map(({ member }) => member);
  return (horizons: readonly (PlacedHorizon | undefined)[], { latitude, longitude }: Places, into: Float32Array) => {
    const used = horizons.map((horizon, h) => horizon && usedDays(horizon.axis, firstDay, pairing.horizons[h].lastDay));
    for (let place = 0; place < latitude.length; place++) {
      const members = membersAt?.(latitude[place], longitude[place]) ?? ofField;
      for (let t = 0; t < trajectories; t++) {
        const row = (place * trajectories + t) * days;
        for (let h = 0; h < horizons.length; h++) {
          const from = h === 0 ? 0 : seams[h - 1].switchDay[t];
          // A variable that is missing in later horizons stays with its last one.
          const to = h === horizons.length - 1 ? days : Math.min(days, seams[h].switchDay[t]);
          const own = used[h];
          const horizon = horizons[h];
          if (own === undefined || horizon === undefined) {
            fillMissing(into, row + from, row + to);
            continue;
          }
          const start = Math.min(Math.max(from, own.start), to);
          const end = Math.max(start, Math.min(to, own.end));
          const { values, axis } = horizon;
          const member = h === 0 ? t : members[h - 1][t];
          let source = (place * axis.members + member) * axis.days + start + own.shift;
          fillMissing(into, row + from, row + start);
          for (let at = row + start; at < row + end; at++, source++) into[at] = values[source];
          fillMissing(into, row + end, row + to);
        }
      }
    }
  };
}

function usedDays(axis: Axis, firstDay: number, lastDay: number): UsedDays {
  const shift = firstDay - axis.firstDay;
  return { shift, start: -shift, end: Math.min(axis.days, lastDay + 1 - axis.firstDay) - shift };
}

function fillMissing(values: Float32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) values[at] = Number.NaN;
}
