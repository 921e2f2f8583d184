import { FIRST_DAY, LAST_DAY } from '../../src/period/day.js';

/** `count` day numbers drawn evenly from the whole calendar by a fixed seed (mulberry32), and the days at its ends. */
export function randomDays(count: number): number[] {
  const days = [FIRST_DAY, FIRST_DAY + 1, LAST_DAY - 1, LAST_DAY];
  let state = 20261121;
  while (days.length < count) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    const uniform = ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    days.push(FIRST_DAY + Math.floor(uniform * (LAST_DAY - FIRST_DAY + 1)));
  }
  return days;
}
