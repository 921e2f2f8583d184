import { drawNormal } from './distributions.js';
import { generateEnsemble, type MemberOptions } from './generate-ensemble.js';
import type { MemberWeather } from './member-weather.js';
import { createRandomStream, type RandomStream } from './random.js';
import { sharedVariance } from './residuals.js';

/** One member's weather in a region: that of the region's centre, and its gradients. */
export interface RegionalWeather {
  readonly centre: MemberWeather;
  /** Towards the north, per degree: standard normal numbers, one a day. */
  readonly northward: Float64Array;
  /** Towards the east, likewise. */
  readonly eastward: Float64Array;
}

/** The lag-1 correlation of the gradients: fronts cross a region within days. */
const PERSISTENCE = 0.6;

/** Separates the gradients' random numbers from those of the weather. */
const GRADIENT_STREAM = 0x67726164;

/**
 * Makes the weather of a region for each of `members` members: one sequence at its centre, by `generateEnsemble`, and
 * gradients across it that change from day to day and, like the weather, are nearly the same in all members at first.
 */
export function regionalWeather(options: MemberOptions & { members: number }): RegionalWeather[] {
  const { seed = 1, initDate, days, members } = options;
  const ensemble = generateEnsemble(options);
  const slugs = Object.keys(ensemble) as (keyof MemberWeather)[];
  const open = (stream: number) => createRandomStream([GRADIENT_STREAM, seed, initDate, stream]);
  const common = [open(0), open(1)].map((random) => Float64Array.from({ length: days + 1 }, () => drawNormal(random)));
  return Array.from({ length: members }, (_, member) => {
    const random = open(2 + member);
    const [northward, eastward] = common.map((shared) => gradients(shared, random));
    const centre = Object.fromEntries(slugs.map((slug) => [slug, ensemble[slug][member]])) as MemberWeather;
    return { centre, northward, eastward };
  });
}

/** A first-order autoregressive series of variance 1, from the day before lead 0 on, which all members share. */
function gradients([analysed, ...shared]: Float64Array, random: RandomStream): Float64Array {
  let gradient = analysed;
  return Float64Array.from(shared, (common, lead) => {
    const share = sharedVariance(lead);
    const innovation = Math.sqrt(share) * common + Math.sqrt(1 - share) * drawNormal(random);
    gradient = PERSISTENCE * gradient + Math.sqrt(1 - PERSISTENCE ** 2) * innovation;
    return gradient;
  });
}
