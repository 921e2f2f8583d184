/** Numbers from 0 to 1 that are the same at every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Rain of hours: dry, but for spells of some hours. */
export function hourlyRain(random: () => number, hours: number): Float64Array {
  const amounts = new Float64Array(hours);
  let [left, level] = [0, 0];
  for (let hour = 0; hour < hours; hour++) {
    if (left === 0 && random() < 0.03) {
      left = 1 + Math.floor(-Math.log(random() + 1e-9) * 10);
      level = 0.2 + 2 * random();
    }
    if (left === 0) continue;
    left--;
    amounts[hour] = level *= Math.exp(random() - 0.5);
  }
  return amounts;
}

/** Radiation of hours, in MJ m-2, of a place whose noon is `noon` o'clock UTC: clouds come and go. */
export function hourlySun(random: () => number, hours: number, noon: number): Float64Array {
  return Float64Array.from({ length: hours }, (_, hour) => {
    const height = Math.cos(((hour + 0.5 - noon) / 12) * Math.PI) + 0.1;
    return Math.max(0, height) * (1 + 2 * random());
  });
}

/**
 * Amounts of hours as a model gives them: of steps of `step` hours, counted from a reset at every `reset` hours on;
 * from the start on with Infinity.
 */
export function counted(hourly: Float64Array, step: number, reset: number): Float64Array {
  let total = 0;
  return Float64Array.from({ length: hourly.length / step }, (_, i) => {
    if (reset <= step || (i * step) % reset === 0) total = 0;
    for (let hour = i * step; hour < (i + 1) * step; hour++) total += hourly[hour];
    return total;
  });
}
