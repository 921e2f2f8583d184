import { commonMetadata } from '../ensemble/common-metadata.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import type { CheckedClimatologyOptions } from './options.js';
import { yearRanges } from './reference-years.js';

/** What a climatology says of itself, and what only concerns the members of the input. */
const NOT_BESIDE = ['variable', 'units', 'granularity', 'window', 'reference', 'categories', 'member_names'];

/** What a schema says beside that which a climatology itself says. */
export function metadataBeside(metadata: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...metadata].filter(([key]) => !NOT_BESIDE.includes(key)));
}

/** What all ensembles say, and how the climatology is computed from them. */
export function climatologyMetadata(
  ensembles: readonly Ensemble[],
  { granularity, halfWidth, quantileType, minSampleShare }: CheckedClimatologyOptions,
  missing: readonly number[],
): Map<string, string> {
  const result = metadataBeside(commonMetadata(ensembles));
  if (granularity === 'daily') result.set('half_width', String(halfWidth));
  result.set('quantile_type', String(quantileType)).set('min_sample_share', String(minSampleShare));
  if (missing.length > 0) result.set('lacking_years', yearRanges(missing).join(', '));
  return result;
}
