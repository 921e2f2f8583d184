/** The arithmetic mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The sample variance, with n - 1. */
export function variance(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
}

/**
 * Spearman's rank correlation of pairs; equal values share the mean of their ranks. Pairs with a missing value are
 * ignored. NaN where fewer than two are left, or all values on one side are equal.
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const pairs = [...a.keys()].filter((i) => !Number.isNaN(a[i]) && !Number.isNaN(b[i]));
  const [x, y] = [a, b].map((values) => sharedRanks(pairs.map((i) => values[i])));
  const [meanX, meanY] = [mean(x), mean(y)];
  const covariance = mean(x.map((rank, i) => (rank - meanX) * (y[i] - meanY)));
  const [varianceX, varianceY] = [x, y].map((ranks) => mean(ranks.map((rank) => (rank - meanX) ** 2)));
  return covariance / Math.sqrt(varianceX * varianceY);
}

/** Ranks from 0; equal values share the mean of theirs. */
function sharedRanks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((i, j) => values[i] - values[j]);
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let place = from; place < to; place++) ranks[order[place]] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}
