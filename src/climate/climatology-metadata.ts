import { commonMetadata } from '../ensemble/common-metadata.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import type { ChosenRuns } from './hindcast-runs.js';
import { type CheckedClimatologyOptions, hasDays } from './options.js';
import { yearRanges } from './reference-years.js';

/** Keys that a climatology states in its own fields, and those that only concern the members of the input. */
const OWN_KEYS = ['variable', 'units', 'granularity', 'window', 'reference', 'categories', 'member_names'];

/** The metadata of a schema that a climatology does not state in its own fields. */
export function otherMetadata(metadata: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...metadata].filter(([key]) => !OWN_KEYS.includes(key)));
}

/** Creates the metadata of a climatology: what is the same in all ensembles, and how it is computed from them. */
export function createMetadata(
  ensembles: readonly Ensemble[],
  {
    granularity,
    halfWidth,
    quantileType,
    minSampleShare,
    mixLeads,
  }: CheckedClimatologyOptions & { readonly halfWidth: number },
  missing: readonly number[],
  runs?: ChosenRuns,
): Map<string, string> {
  const result = otherMetadata(commonMetadata(ensembles));
  if (hasDays(granularity)) result.set('half_width', String(halfWidth));
  result.set('quantile_type', String(quantileType)).set('min_sample_share', String(minSampleShare));
  const { start, places = [] } = runs ?? {};
  if (start !== undefined) {
    result.set('run_start', start.date).set('run_start_days', String(start.days)).set('runs', String(places.length));
  }
  if (mixLeads === true) result.set('mixed_leads', 'true');
  if (missing.length > 0) result.set('lacking_years', yearRanges(missing).join(', '));
  return result;
}
