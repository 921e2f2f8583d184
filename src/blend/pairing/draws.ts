/**
 * Random numbers from 0 to 1 (exclusive) that belong to a run: the same for the same first day, seam and purpose, so
 * that they know neither values nor requests. Mulberry32, seeded by an FNV-1a hash of the text.
 */
export function drawsOfRun(firstDay: number, seam: number, purpose: 'members' | 'days'): () => number {
  let state = 0x811c9dc5;
  for (const letter of `${firstDay} ${seam} ${purpose}`) {
    state = Math.imul(state ^ (letter.codePointAt(0) as number), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Chooses `wanted` of some members by systematic sampling of their ranks: each is chosen with the same probability, so
 * that mean, variance and tails have no bias; of fewer members than wanted each is repeated about as often as another.
 * `keys` ranks members, ties by index, missing ones last; `start` is a random number from 0 to 1.
 */
export function chooseMembers(keys: Float64Array, wanted: number, start: number): Int32Array {
  const all = Int32Array.from(keys.keys());
  if (keys.length === wanted) return all;
  const key = (member: number) => (Number.isNaN(keys[member]) ? Number.POSITIVE_INFINITY : keys[member]);
  const ranked = all.sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
  return Int32Array.from({ length: wanted }, (_, k) => ranked[Math.floor(((k + start) * keys.length) / wanted)]);
}

/**
 * The day of an overlap on which each trajectory switches: 0 for its first day, `overlapDays` for the day after its
 * last. `round(members * d / (overlapDays + 1))` have switched by day `d`, counted from 1, in random order.
 */
export function drawSwitchSteps(members: number, overlapDays: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: members }, (_, t) => t);
  for (let last = members - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  const steps = new Int32Array(members);
  let step = 0;
  order.forEach((trajectory, place) => {
    while (place >= Math.round((members * (step + 1)) / (overlapDays + 1))) step++;
    steps[trajectory] = step;
  });
  return steps;
}
