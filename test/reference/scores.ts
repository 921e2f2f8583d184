/** Slow twins of scores: each by its definition, over lists of numbers. NaN is missing. */

const valid = (members: readonly number[]) => members.filter((x) => !Number.isNaN(x));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** The mean distance to the observation minus half of the mean distance between members. */
export function crps(given: readonly number[], y: number, fair = false): number {
  const members = valid(given);
  const n = members.length;
  const pairs = sum(members.flatMap((a) => members.map((b) => Math.abs(a - b))));
  return mean(members.map((x) => Math.abs(x - y))) - pairs / (2 * n * (fair ? n - 1 : n));
}

/** The integral of the square of the distribution function minus that of the observation. */
export function crpsByIntegral(given: readonly number[], y: number): number {
  const members = valid(given);
  const points = [...members, y].sort((a, b) => a - b);
  let area = 0;
  for (let i = 1; i < points.length; i++) {
    const share = members.filter((x) => x <= points[i - 1]).length / members.length;
    area += (points[i] - points[i - 1]) * (share - Number(y <= points[i - 1])) ** 2;
  }
  return area;
}

export function moments(given: readonly number[], y: number): { mean: number; error: number; variance: number } {
  const members = valid(given);
  const centre = mean(members);
  const squares = sum(members.map((x) => (x - centre) ** 2));
  const variance = members.length < 2 ? Number.NaN : squares / (members.length - 1);
  return { mean: centre, error: centre - y, variance };
}

export function rank(given: readonly number[], y: number): { below: number; equal: number } {
  return { below: given.filter((x) => x < y).length, equal: given.filter((x) => x === y).length };
}

/** The parts of Hersbach (2000), equations 26 to 37, of complete ensembles. */
export function crpsParts(
  cases: readonly (readonly number[])[],
  observations: readonly number[],
): { reliability: number; potential: number } {
  const n = cases[0].length;
  let [reliability, potential] = [0, 0];
  for (let i = 0; i <= n; i++) {
    const bins = cases.map((members, k) => {
      const [low, high] = [
        [-Infinity, ...members.toSorted((a, b) => a - b)][i],
        [...members.toSorted((a, b) => a - b), Infinity][i],
      ];
      const y = observations[k];
      const alpha = i === 0 ? 0 : y > high ? high - low : y > low ? y - low : 0;
      const beta = i === n ? 0 : y < low ? high - low : y < high ? high - y : 0;
      return { alpha, beta, outside: i === 0 ? Number(y < high) : Number(y > low) };
    });
    const alpha = mean(bins.map((bin) => bin.alpha));
    const beta = mean(bins.map((bin) => bin.beta));
    const outside = mean(bins.map((bin) => bin.outside));
    let [width, observed] = [alpha + beta, beta / (alpha + beta)];
    if (i === 0) [width, observed] = [beta / outside, outside];
    if (i === n) [width, observed] = [alpha / outside, 1 - outside];
    if (!(width > 0)) continue;
    reliability += width * (observed - i / n) ** 2;
    potential += width * observed * (1 - observed);
  }
  return { reliability, potential };
}
