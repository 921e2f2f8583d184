import { LRUCache } from 'lru-cache';
import { blendFields, pairFields, timelineDays } from '../../blend/blend-fields.js';
import type { Horizon } from '../../blend/horizon.js';
import type { Pairing } from '../../blend/pairing.js';
import { planTimeline } from '../../blend/plan-timeline.js';
import { assertShape } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import { OptionError } from '../../errors.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { VariableSlug } from '../../variable/slug.js';
import { type Axis, assertDataset, type Dataset } from '../source/dataset.js';
import { fillMissingHorizons, horizonRanges, seamOptions } from './horizon-seams.js';

export interface BlendedDatasetOptions {
  /** The variable whose ranks join members: one that all horizons have. Default `temp_mean`. */
  readonly pairBy?: VariableSlug;
}

/** So many pairings of places are kept: one takes half a kilobyte. */
const MAX_KEPT = 10_000;

/**
 * A timeline blended from horizons, place by place when it is read: for sources that have horizons but no timeline.
 * Members are trajectories; a place is always paired in the same way. The places are those of the shortest horizon;
 * other horizons are read at their nearest places. Throws OptionError where there is no horizon, or one does not have
 * the variable to pair by, and DataError where horizons do not follow each other.
 */
export function blendedDataset(
  core: Core,
  horizons: Readonly<Partial<Record<HorizonName, Dataset>>>,
  options: BlendedDatasetOptions = {},
): Dataset {
  assertCore(core);
  assertShape('horizons', horizons, {});
  assertShape('options', options, { pairBy: 'text?' });
  const { pairBy = 'temp_mean' } = options;
  const names = HORIZONS.filter((name) => horizons[name] !== undefined);
  const datasets = names.map((name) => horizons[name] as Dataset);
  for (const [h, dataset] of datasets.entries()) assertDataset(`horizons.${names[h]}`, dataset);
  assertHasVariable(pairBy, names, datasets);
  const [first] = datasets;
  const seams = seamOptions(names, pairBy);
  const pairings = new LRUCache<number, Promise<Pairing>>({ max: MAX_KEPT });

  const readHorizons = (slug: string, cell: number) => {
    const last = datasets.findLastIndex(({ variables }) => variables.has(slug));
    return Promise.all(
      datasets.slice(0, last + 1).map((dataset, h) => readHorizon(dataset, names[h], slug, first, cell)),
    );
  };
  const paired = async (cell: number) => {
    // A single horizon is not joined: its values are not needed.
    const fields = datasets.length === 1 ? [emptyHorizon(first, names[0], pairBy)] : await readHorizons(pairBy, cell);
    return pairFields(core, fields as Horizon[], seams);
  };
  const pairingOf = (cell: number) => {
    const known = pairings.get(cell) ?? paired(cell);
    pairings.set(cell, known);
    // A failed pairing is tried again.
    known.catch(() => pairings.delete(cell));
    return known;
  };
  const variables = blendedAxes(names, datasets, pairBy);
  return {
    revision: datasets.map(({ revision }) => revision).join('+'),
    places: first.places,
    variables,
    async read(slug, cell, into) {
      const [pairing, fields] = await Promise.all([pairingOf(cell), readHorizons(slug, cell)]);
      const { field } = blendFields(core, fillMissingHorizons(fields, pairing), pairing);
      const { days } = variables.get(slug) as Axis;
      field.members.forEach((member, m) => {
        member.copyTo(into, m * days, 0, days);
      });
    },
  };
}

async function readHorizon(
  dataset: Dataset,
  name: string,
  slug: string,
  first: Dataset,
  cell: number,
): Promise<Horizon | undefined> {
  const axis = dataset.variables.get(slug);
  if (axis === undefined) return undefined;
  const values = new Float32Array(axis.days * axis.members);
  const { latitude, longitude } = first.places;
  const own =
    dataset === first ? cell : dataset.places.covering({ latitude: latitude[cell], longitude: longitude[cell] });
  if (own === undefined) values.fill(Number.NaN);
  else await dataset.read(slug, own, values);
  return { name, field: fieldOf(axis, values) };
}

function emptyHorizon({ variables }: Dataset, name: string, slug: string): Horizon {
  const axis = variables.get(slug) as Axis;
  return { name, field: fieldOf(axis, new Float32Array(axis.days * axis.members)) };
}

function fieldOf({ firstDay, days }: Axis, values: Float32Array): EnsembleField {
  return { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members: memberColumns(values, days) };
}

/** The days of each variable's timeline, the trajectories, and the horizons that the days come from. */
function blendedAxes(names: readonly HorizonName[], datasets: readonly Dataset[], pairBy: string): Map<string, Axis> {
  const axesOf = (slug: string) => datasets.map(({ variables }) => variables.get(slug));
  const leading = axesOf(pairBy) as Axis[];
  const spans = leading.map(({ firstDay, days }, h) => ({ name: names[h], firstDay, lastDay: firstDay + days - 1 }));
  const plan = planTimeline(spans, seamOptions(names, pairBy));
  const { members } = leading[0];
  const slugs = new Set(datasets.flatMap(({ variables }) => [...variables.keys()]));
  return new Map(
    [...slugs].map((slug) => {
      const known = axesOf(slug);
      const days = timelineDays(known, plan);
      return [slug, { firstDay: plan.firstDay, days, members, horizons: horizonRanges(known, plan, days) }];
    }),
  );
}

function assertHasVariable(pairBy: string, names: readonly HorizonName[], datasets: readonly Dataset[]): void {
  if (datasets.length === 0) {
    throw new OptionError({
      subject: 'horizons',
      problem: 'is empty',
      allowed: `a dataset for any of ${HORIZONS.join(', ')}`,
    });
  }
  const missing = names.filter((_, h) => !datasets[h].variables.has(pairBy));
  if (missing.length === 0) return;
  throw new OptionError({
    subject: 'pairBy',
    problem: `is not a variable of ${missing.join(', ')}`,
    received: pairBy,
    allowed: 'a variable that all horizons have',
  });
}
