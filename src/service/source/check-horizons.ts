import { assertOneOf } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import { HORIZONS } from '../../variable/availability.js';
import type { Axis } from './dataset.js';

/**
 * Checks the horizons of an axis: each once, from the shortest, with days of the axis, the later ones beginning and
 * ending later. Throws OptionError.
 */
export function checkHorizons(subject: string, { firstDay, days, horizons }: Axis): void {
  if (horizons === undefined) return;
  const reject = (problem: string, received: unknown, allowed: string) =>
    new OptionError({ subject: `${subject} horizons`, problem, received, allowed });
  if (!Array.isArray(horizons)) throw reject('are not a list', horizons, 'a list of { horizon, firstDay, lastDay }');
  const lastDay = firstDay + days - 1;
  horizons.forEach((range, h) => {
    const { horizon, firstDay: first, lastDay: last } = Object(range);
    assertOneOf(`${subject} horizons`, horizon, HORIZONS);
    const isWithin = [first, last].every(Number.isInteger) && first >= firstDay && first <= last && last <= lastDay;
    if (!isWithin) {
      throw reject(`have wrong days of ${horizon}`, `${first} to ${last}`, `days from ${firstDay} to ${lastDay}`);
    }
    const before = horizons[h - 1];
    const isLater =
      before === undefined ||
      (HORIZONS.indexOf(before.horizon) < HORIZONS.indexOf(horizon) &&
        before.firstDay <= first &&
        before.lastDay <= last);
    if (!isLater) throw reject('are not in order', horizon, 'each once, from the shortest, with later days');
  });
}
