import type { QuantileLine } from './panel-data.js';

/** Pairs of quantiles that lie symmetrically, from the outermost in. */
export function pairsOf(quantiles: readonly QuantileLine[]): [QuantileLine, QuantileLine][] {
  return quantiles.flatMap((low): [QuantileLine, QuantileLine][] => {
    const high = quantiles.find(({ probability }) => Math.abs(probability - (1 - low.probability)) < 1e-9);
    return low.probability < 0.5 && high !== undefined ? [[low, high]] : [];
  });
}
