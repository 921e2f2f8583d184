/**
 * The range that the share of successes among `count` independent trials lies in with at least probability `level`: the two
 * quantiles with (1 - level) / 2 on each side, divided by `count`. Made of products and sums alone, so that it is the same in
 * all runtimes.
 */
export function binomialRange(count: number, probability: number, level: number): readonly [low: number, high: number] {
  const trials = Math.round(count);
  if (trials < 1 || !(probability > 0 && probability < 1)) return [probability, probability];
  const odds = probability / (1 - probability);
  const mode = Math.min(trials, Math.floor((trials + 1) * probability));
  // Weights of numbers of successes relative to the most likely one, up to where they add nothing.
  const above = weightsFrom(trials - mode, (i) => ((trials - mode - i) / (mode + i + 1)) * odds);
  const below = weightsFrom(mode, (i) => (mode - i) / (trials - mode + i + 1) / odds);
  const weights = [...below.reverse(), 1, ...above];
  const first = mode - below.length;
  const tail = ((1 - level) / 2) * weights.reduce((sum, weight) => sum + weight, 0);
  return [
    (first + countTo(weights, tail)) / trials,
    (first + weights.length - 1 - countTo(weights.reverse(), tail)) / trials,
  ];
}

/** A weight that is not more is left out, relative to the greatest. */
const LEAST_WEIGHT = 1e-15;

function weightsFrom(most: number, ratio: (step: number) => number): number[] {
  const weights: number[] = [];
  let weight = 1;
  for (let i = 0; i < most; i++) {
    weight *= ratio(i);
    if (weight <= LEAST_WEIGHT) break;
    weights.push(weight);
  }
  return weights;
}

/** How many of the first weights together are not more than `most`. */
function countTo(weights: readonly number[], most: number): number {
  let sum = 0;
  let count = 0;
  for (const weight of weights) {
    sum += weight;
    if (sum > most) break;
    count++;
  }
  return count;
}
