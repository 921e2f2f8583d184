import { LAST_LEADS, OVERLAP_DAYS } from '../../blend/options.js';
import type { PairFieldsOptions } from '../../blend/pair-fields.js';
import type { HorizonName } from '../../variable/availability.js';

/** How the horizons of a service are joined, whichever there are: a gap between two of them stays a gap. */
export function seamOptions(horizons: readonly HorizonName[], pairBy: string): PairFieldsOptions {
  return {
    ...{ method: 'rank', pairBy, keepGaps: true },
    overlaps: horizons.slice(0, -1).map((horizon) => OVERLAP_DAYS[horizon as keyof typeof OVERLAP_DAYS]),
    lastLeads: horizons.map((horizon) => LAST_LEADS[horizon]),
  };
}
