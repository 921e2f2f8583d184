/**
 * The largest difference of numbers that stand for the same: absolute, and relative to the other's where that is above 1. A
 * number where the other has none differs infinitely.
 */
export function worstDifference(ours, theirs) {
  if (ours.length !== theirs.length || ours.length === 0) {
    throw new Error(`there are ${ours.length} numbers of the library, and ${theirs.length} of the other program`);
  }
  let difference = 0;
  for (let i = 0; i < ours.length; i++) {
    const [a, b] = [Number(ours[i]), theirs[i] === null ? Number.NaN : Number(theirs[i])];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const apart = Math.abs(a - b) / Math.max(1, Math.abs(b));
    difference = Number.isNaN(apart) ? Number.POSITIVE_INFINITY : Math.max(difference, apart);
  }
  return { difference, numbers: ours.length };
}

/** Whether all numbers of a comparison agree. */
export function isWithin({ difference, bound }) {
  return difference <= bound;
}

/** What a name of test/statistics/windows_of_others.py says: windows, what is computed of them, and the variable. */
export function readWindowName(name) {
  const form = /^(seasons|years from 10|years|weekly|dekads|rolling \d+) (.*) (precipitation|temp_mean)$/;
  const [, windows, window, variable] = form.exec(name) ?? [];
  if (windows === undefined) throw new Error(`windows of others: the name ${name} is of no known windows`);
  return { windows, window, variable };
}
