import { DAILY_GROWTH_WARNING, MIN_GROWING_DAYS } from '../../ensemble/accumulation.js';
import { AccumulationEvidence } from '../../ensemble/accumulation-evidence.js';
import { readPlanFor } from './array-plan.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { sampleSeries } from './sample-series.js';

/**
 * What is to be warned of: daily amounts that were taken to be those of their day, but never fall in a sample of members and places.
 * Undefined where they do, and for all other values.
 */
export async function growthWarning(ensemble: GridEnsemble): Promise<string | undefined> {
  const plan = readPlanFor(ensemble);
  if (plan?.smallest === undefined || ensemble.accumulation !== undefined || ensemble.days < MIN_GROWING_DAYS)
    return undefined;
  const { layout, steps, coding, smallest } = plan;
  const edges = { starts: layout.times.seconds, ends: layout.times.seconds.map((time, i) => time + steps.seconds[i]) };
  const evidence = new AccumulationEvidence(edges, { smallest });
  for await (const { series, firstStep } of sampleSeries(layout, coding)) {
    evidence.add(series, firstStep);
    if (evidence.hasFalls) return undefined;
  }
  return evidence.neverFalls ? DAILY_GROWTH_WARNING : undefined;
}
