/** Seeded numbers of [0, 1): mulberry32. */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number of the standard normal distribution, by the sum of twelve of the uniform one. */
export function normal(random) {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random();
  return sum;
}
