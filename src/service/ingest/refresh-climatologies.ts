import { assertKnownKeys, assertOneOf, assertShape } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../../check/work.js';
import type { Climatology } from '../../climate/climatology.js';
import { climatologyTable } from '../../climate/climatology-table.js';
import { climatologyOfEnsembles } from '../../climate/compute-climatology.js';
import { type ClimatologyOptions, checkClimatologyOptions } from '../../climate/options.js';
import { readClimatology } from '../../climate/read-climatology.js';
import { formatReference } from '../../climate/reference-years.js';
import { assertCore } from '../../core/assert-core.js';
import { memberColumns } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import { floatArray } from '../../core/number-arrays.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { OptionError } from '../../errors.js';
import { GRANULARITIES, type Granularity } from '../../period/period.js';
import { resolveVariable } from '../../variable/find-variable.js';
import type { Axis, Dataset } from '../source/dataset.js';
import { historyOf } from './history-of.js';
import { assertWriter, type StoreWriter } from './store-writer.js';

/** Which climatologies to compute anew. `onProgress` counts the values of the history that are read. */
export interface RefreshOptions extends WorkOptions {
  /** Slugs of variables of the history. Default: all with a climatology of observations. */
  readonly variables?: readonly string[];
  /** Default: all that the store has of a variable. */
  readonly granularities?: readonly string[];
  /** Called before each. */
  readonly onVariable?: (slug: string, granularity: Granularity) => void;
}

/** About so many values of the history are in memory at a time. */
const BLOCK_VALUES = 4_194_304;

/**
 * Computes climatologies of observations anew from the history of a store, some places at a time: those that it has, with
 * the same reference years and quantiles, or others with the usual ones. Throws OptionError where there is no history, or
 * nothing to compute, DataError where it does not have the reference years, and the reason of `signal`.
 */
export async function refreshClimatologies(
  core: Core,
  writer: StoreWriter,
  options: RefreshOptions = {},
): Promise<void> {
  assertCore(core);
  assertWriter(writer, 'setClimatology', 'storedPart');
  const { work, others } = beginWork(options, 'values');
  assertKnownKeys(others, ['variables', 'granularities', 'onVariable', ...WORK_KEYS]);
  assertShape('options', others, { variables: 'texts?', granularities: 'texts?', onVariable: 'function?' });
  const { variables, granularities, onVariable } = others;
  for (const each of granularities ?? []) assertOneOf('granularity', each, GRANULARITIES);
  const history = await historyOf(writer);
  const known = writer.stored.climatologies.filter(({ of }) => of === 'observations');
  const slugs = variables ?? [...new Set(known.map(({ slug }) => slug))];
  const wanted = slugs.flatMap((slug) => {
    const own = known.filter((each) => each.slug === slug).map(({ granularity }) => granularity);
    return (granularities ?? own).map((granularity) => ({ slug, granularity: granularity as Granularity }));
  });
  if (wanted.length === 0) {
    const problem = 'has no climatology of observations';
    throw new OptionError({ subject: 'store', problem, allowed: 'one, or variables and granularities to compute' });
  }
  const places = history.places.latitude.length;
  work.expect(wanted.reduce((sum, { slug }) => sum + places * (history.variables.get(slug)?.days ?? 0), 0));
  for (const { slug, granularity } of wanted) {
    onVariable?.(slug, granularity);
    const before = await writer.storedClimatology('observations', granularity, slug);
    const usual = before === undefined ? { granularity } : optionsOf(readClimatology(before));
    const made = await computeClimatology(core, history, slug, usual, work);
    await writer.setClimatology('observations', granularity, slug, climatologyTable(made));
  }
}

/** The options by which a climatology was computed. */
function optionsOf(before: Climatology): ClimatologyOptions {
  const { granularity, reference, quantiles, categories, thresholds, metadata } = before;
  const number = (name: string) => {
    const text = metadata.get(name);
    return text === undefined ? undefined : Number(text);
  };
  const halfWidth = granularity === 'daily' ? number('half_width') : undefined;
  return {
    ...{ granularity, quantiles, categories, thresholds },
    ...(reference !== undefined && { reference: formatReference(reference) }),
    ...(halfWidth !== undefined && { halfWidth }),
    ...(metadata.has('quantile_type') && { quantileType: number('quantile_type') as 7 }),
    ...(metadata.has('min_sample_share') && { minSampleShare: number('min_sample_share') }),
    fewerYears: metadata.has('lacking_years'),
  };
}

async function computeClimatology(
  core: Core,
  history: Dataset,
  slug: string,
  options: ClimatologyOptions,
  work: Work,
): Promise<Climatology> {
  const axis = history.variables.get(slug);
  if (axis === undefined) {
    const allowed = [...history.variables.keys()].join(', ');
    throw new OptionError({ subject: 'variable', problem: 'is not in the history', received: slug, allowed });
  }
  const checked = checkClimatologyOptions({ ...options, source: `${slug} of the store's history` });
  const count = history.places.latitude.length;
  const most = Math.max(1, Math.floor(BLOCK_VALUES / axis.days));
  const blocks: Climatology[] = [];
  for (let from = 0; from < count; from += most) {
    const ensemble = await readCells(history, slug, axis, from, Math.min(count, from + most), work);
    blocks.push(climatologyOfEnsembles(core, [{ ensemble, source: slug }], checked));
  }
  return joinClimatologies(blocks);
}

async function readCells(
  history: Dataset,
  slug: string,
  axis: Axis,
  from: number,
  end: number,
  work: Work,
): Promise<Ensemble> {
  const { days, firstDay } = axis;
  const cells = end - from;
  const values = new Float32Array(cells * days);
  for (let cell = 0; cell < cells; cell++) {
    await history.read(slug, from + cell, values.subarray(cell * days, (cell + 1) * days));
    work.advance(days);
    await work.pause();
  }
  const { latitude, longitude } = history.places;
  const { variable } = resolveVariable(slug);
  const members = memberColumns(values, cells * days);
  const field = { type: 'float32', order: 'day-fastest', firstDay, days, cells, members } as const;
  const parts = [{ field, latitude: latitude.slice(from, end), longitude: longitude.slice(from, end) }];
  return { parts, variable, units: variable.units, metadata: new Map() };
}

/** Joins the climatologies of some places each to one. */
function joinClimatologies(blocks: readonly Climatology[]): Climatology {
  const [first] = blocks;
  const joined = (values: (block: Climatology) => Climatology['mean']) => {
    const length = blocks.reduce((sum, block) => sum + values(block).length, 0);
    const made = floatArray(first.mean instanceof Float32Array ? 'float32' : 'float64', length);
    let at = 0;
    for (const block of blocks) {
      made.set(values(block), at);
      at += values(block).length;
    }
    return made;
  };
  const each = (lists: readonly unknown[], of: (block: Climatology) => readonly Climatology['mean'][]) =>
    lists.map((_, i) => joined((block) => of(block)[i]));
  return {
    ...first,
    latitude: Float64Array.from(blocks.flatMap(({ latitude }) => [...latitude])),
    longitude: Float64Array.from(blocks.flatMap(({ longitude }) => [...longitude])),
    samples: Int32Array.from(blocks.flatMap(({ samples }) => [...samples])),
    mean: joined(({ mean }) => mean),
    quantileValues: each(first.quantileValues, ({ quantileValues }) => quantileValues),
    limits: each(first.limits, ({ limits }) => limits),
    probabilities: each(first.probabilities, ({ probabilities }) => probabilities),
  };
}
