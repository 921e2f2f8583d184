import type { Skill } from './load-skill.js';
import { readRankKey } from './tally.js';

/** How observations rank among the members of ensembles of one size. */
export interface RankHistogram {
  readonly members: number;
  /** The weight of the cases. */
  readonly cases: number;
  /**
   * Cases by rank, from below all members to above all: one entry more than there are members. An observation that equals
   * t members is shared equally by the t + 1 ranks that it may have.
   */
  readonly counts: readonly number[];
  /** Pearson's test of equal counts, for cases that are independent of each other. */
  readonly chiSquare: number;
  readonly degrees: number;
  readonly pValue: number;
  /** Its parts that are a slope, as of a bias, and a U or a dome, as of too little or too much spread; each has one degree of freedom (Jolliffe and Primo 2008). */
  readonly slope: number;
  readonly slopePValue: number;
  readonly convexity: number;
  readonly convexityPValue: number;
}

/** The histograms of ranks (see `rankKey`), one for each number of members, ascending. */
export function rankHistograms(
  skill: Skill,
  ranks: readonly (readonly [key: number, cases: number])[],
): RankHistogram[] {
  const byMembers = new Map<number, number[]>();
  for (const [key, weight] of ranks) {
    const { members, below, equal } = readRankKey(key);
    let counts = byMembers.get(members);
    if (counts === undefined) {
      counts = new Array<number>(members + 1).fill(0);
      byMembers.set(members, counts);
    }
    for (let rank = below; rank <= below + equal; rank++) counts[rank] += weight / (equal + 1);
  }
  return [...byMembers].sort(([a], [b]) => a - b).map(([members, counts]) => histogram(skill, members, counts));
}

function histogram({ tools: { kernels } }: Skill, members: number, counts: readonly number[]): RankHistogram {
  const cases = counts.reduce((sum, count) => sum + count, 0);
  const expected = cases / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2, 0) / expected;
  const centred = counts.map((_, rank) => rank - members / 2);
  const meanSquare = centred.reduce((sum, u) => sum + u * u, 0) / counts.length;
  const part = (shape: readonly number[]) => {
    const square = shape.reduce((sum, u) => sum + u * u, 0);
    const product = shape.reduce((sum, u, rank) => sum + u * counts[rank], 0);
    return square === 0 ? Number.NaN : product ** 2 / square / expected;
  };
  const slope = part(centred);
  const convexity = part(centred.map((u) => (members < 2 ? 0 : u * u - meanSquare)));
  return {
    ...{ members, cases, counts, chiSquare, degrees: members, slope, convexity },
    pValue: kernels.chiSquareTail(chiSquare, members),
    slopePValue: kernels.chiSquareTail(slope, 1),
    convexityPValue: kernels.chiSquareTail(convexity, 1),
  };
}
