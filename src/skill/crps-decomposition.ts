import { assertCases, type Cases } from './cases.js';
import type { CrpsBins } from './crps-bins.js';
import { assertSkill, type Skill } from './load-skill.js';
import { Verification } from './verification.js';

/** Parts of the mean CRPS: `crps = reliability + potential` (Hersbach 2000, equations 35 to 37). */
export interface CrpsDecomposition {
  readonly crps: number;
  /** How far the shares of observations below each member are from those of a reliable ensemble; 0 is best. */
  readonly reliability: number;
  /** The CRPS that the ensemble would have if it were reliable. */
  readonly potential: number;
}

/** Parts of the mean CRPS: `crps = reliability - resolution + uncertainty`. */
export interface FullCrpsDecomposition extends CrpsDecomposition {
  /** How much better the potential CRPS is than the uncertainty. */
  readonly resolution: number;
  /** The CRPS of the distribution of all observations, given as the forecast of each case. */
  readonly uncertainty: number;
}

/** Decomposes the CRPS of ensembles of any sizes, each size by itself, ascending: the mean over cases. */
export function decomposeCrps(bins: readonly CrpsBins[]): CrpsDecomposition {
  let [reliability, potential, weights] = [0, 0, 0];
  for (const own of bins) {
    const { members, weight, below, above } = own;
    if (weight === 0) continue;
    weights += weight;
    for (let i = 0; i <= members; i++) {
      const [alpha, beta] = [own.alpha(i) / weight, own.beta(i) / weight];
      // The width of the bin, and how often the observation is below its upper end, or below its middle.
      let width = alpha + beta;
      let observed = beta / width;
      if (i === 0 || i === members) {
        const outside = (i === 0 ? below : above) / weight;
        if (outside === 0) continue;
        width = (i === 0 ? beta : alpha) / outside;
        observed = i === 0 ? outside : 1 - outside;
      }
      if (width === 0) continue;
      const share = i / members;
      reliability += weight * width * (observed - share) ** 2;
      potential += weight * width * observed * (1 - observed);
    }
  }
  return {
    crps: (reliability + potential) / weights,
    reliability: reliability / weights,
    potential: potential / weights,
  };
}

/**
 * Decomposes the mean CRPS of cases with an observation and at least one member. Throws as `Verification` does.
 */
export function crpsDecomposition(skill: Skill, cases: Cases): FullCrpsDecomposition {
  assertSkill(skill);
  assertCases(cases);
  const { members, observations } = cases;
  const verification = new Verification(skill, { decomposition: true, minMemberShare: 0 });
  verification.add({ members, observations });
  const [{ sums }] = verification.groups;
  const { crps, reliability, potential } = decomposeCrps(sums.forecast.bins());
  const used = observations.filter((y, i) => !Number.isNaN(y) && members.some((values) => !Number.isNaN(values[i])));
  const sorted = Float64Array.from(used).sort();
  let distances = 0;
  for (let i = 0; 2 * i < sorted.length; i++) {
    const j = sorted.length - 1 - i;
    distances += (sorted.length - 1 - 2 * i) * (sorted[j] - sorted[i]);
  }
  const uncertainty = distances / sorted.length ** 2;
  return { crps, reliability, potential, resolution: uncertainty - potential, uncertainty };
}
