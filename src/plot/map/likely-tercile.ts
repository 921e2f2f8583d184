/** What a map of the most likely tercile is called among statistics. */
export const TERCILE = 'tercile';

/** The categories of terciles, from the lowest. */
export const TERCILES = ['below', 'normal', 'above'] as const;

/** The most likely category of each cell, and its share of the members. */
export interface LikelyTerciles {
  /** The greatest share, from 0 to 1; NaN where a share is missing. */
  readonly values: Float64Array;
  /** The index in `TERCILES` of the category with this share; -1 where two have it, or where a share is missing. */
  readonly categories: Float64Array;
}

/** Finds the most likely tercile of each cell, by the shares of members in each category of `TERCILES`. */
export function likelyTerciles(shares: readonly ArrayLike<number>[]): LikelyTerciles {
  const cells = shares[0].length;
  const [values, categories] = [new Float64Array(cells).fill(Number.NaN), new Float64Array(cells).fill(-1)];
  for (let cell = 0; cell < cells; cell++) {
    const own = shares.map((share) => share[cell]);
    const most = Math.max(...own);
    if (Number.isNaN(most)) continue;
    values[cell] = most;
    const found = own.indexOf(most);
    categories[cell] = found === own.lastIndexOf(most) ? found : -1;
  }
  return { values, categories };
}
