import type { Table } from 'apache-arrow';
import { LRUCache } from 'lru-cache';
import { climateOfFields } from '../../climate/climate-of-fields.js';
import { type Climatology, climateKeyIndex } from '../../climate/climatology.js';
import { isOfStart, referenceName } from '../../climate/hindcast-runs.js';
import { DEFAULT_REFERENCE, formatReference } from '../../climate/reference-years.js';
import type { Core } from '../../core/load.js';
import type { FloatArray } from '../../core/number-arrays.js';
import { PlaceIndex } from '../../ensemble/place-index.js';
import { isPlumecastError } from '../../errors.js';
import type { Granularity, WindowTable } from '../../period/period.js';
import type { Location } from '../../respond/answer-data.js';
import type { Categories } from '../../statistics/categories.js';
import { DEFAULT_QUANTILES } from '../../statistics/options.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { Dataset } from '../source/dataset.js';
import type { Snapshot } from '../source/source.js';
import { unavailableReason } from './available-variables.js';
import { readVariable } from './series.js';
import { elevationAt, placeAt } from './snapshot-parts.js';

/** The climatology of one place: an entry for each period of the year, NaN where there were too few samples. */
export interface PointClimatology {
  readonly keys: readonly string[];
  /** The limits between terciles. */
  readonly limits: readonly FloatArray[];
  /** The quantiles 0.05, 0.25, 0.5, 0.75, 0.95; undefined where the source's climatology has others. */
  readonly quantileValues: readonly FloatArray[] | undefined;
  /** The values of any quantile that it has; undefined of others. */
  quantileAt(probability: number): FloatArray | undefined;
  /** The quantiles that it has. */
  readonly quantiles: readonly number[];
  /** `observations`, or the name that a climatology of the source states. */
  readonly name: string;
  /** Its years, such as `1993-2022`. */
  readonly reference: string;
}

/** Whether there is a climatology with two limits: one that is supplied may have others. */
export function hasTerciles(climatology: PointClimatology | undefined): climatology is PointClimatology {
  return climatology?.limits.length === 2;
}

/**
 * The terciles of each window's period of the year, as categories in which members are counted: a member on a limit is
 * normal. Undefined where there is no climatology, and where it has other limits.
 */
export function tercileCategories(
  windows: WindowTable,
  climatology: PointClimatology | undefined,
): Categories | undefined {
  if (!hasTerciles(climatology)) return undefined;
  const keys = Array.from(windows.start, (day) => climateKeyIndex(windows.granularity as Granularity, day));
  const limits = climatology.limits.map((values) => Float64Array.from(keys, (key) => values[key]));
  return { limits, lower: 1 };
}

/** Climatologies that are kept: one of days takes about 10 kB. */
const MAX_KEPT = 2_000;

/**
 * Climatologies of places: those that the source supplies, or else those of the observations, which are computed from
 * the history when they are first needed, and then kept.
 */
export class PointClimatologies {
  readonly #core: Core;
  readonly #kept = new LRUCache<string, Promise<PointClimatology | undefined>>({ max: MAX_KEPT });
  /** The source's own climatologies, by the table that they are read from. */
  readonly #supplied = new WeakMap<Table, Promise<SuppliedClimatology>>();

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * The climatology of a horizon's model where the source has one of runs that start when its forecast does, else that
   * of the observations; undefined where there is neither.
   */
  async ofHorizon(
    data: Snapshot,
    horizon: HorizonName,
    granularity: Granularity,
    variable: Variable,
    point: Location,
  ): Promise<PointClimatology | undefined> {
    const model = await this.#ofSource(data, horizon, granularity, variable, point);
    return model ?? this.ofObservations(data, granularity, variable, point);
  }

  /**
   * The climatology of the observations; undefined where the history is too short. `more` are quantiles besides the
   * usual ones, which one that is supplied may not have.
   */
  async ofObservations(
    data: Snapshot,
    granularity: Granularity,
    variable: Variable,
    point: Location,
    more: readonly number[] = [],
  ): Promise<PointClimatology | undefined> {
    const supplied = await this.#ofSource(data, 'observations', granularity, variable, point);
    if (supplied !== undefined) return supplied;
    const history = data.history?.data;
    const place = history && placeAt(history, point);
    if (history === undefined || place === undefined) return undefined;
    // Evapotranspiration changes with the elevation.
    const quantiles = [...new Set([...DEFAULT_QUANTILES, ...more])];
    const key = `${history.revision} ${data.revision} ${granularity} ${variable.slug} ${place.cell} ${quantiles}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = this.#compute(data, history, granularity, variable, place, quantiles);
    this.#kept.set(key, made);
    // A failed computation is tried again.
    made.catch(() => this.#kept.delete(key));
    return made;
  }

  async #compute(
    data: Snapshot,
    history: Dataset,
    granularity: Granularity,
    variable: Variable,
    place: { readonly cell: number; readonly location: Location },
    quantiles: readonly number[],
  ): Promise<PointClimatology | undefined> {
    const metres = elevationAt(data, history, place.cell);
    if (unavailableReason(history, variable, metres) !== undefined) return undefined;
    const { field } = await readVariable({ coarse: history, place, metres }, variable);
    try {
      const entries = climateOfFields(this.#core, [field], {
        ...{ granularity, window: variable.window, quantiles, quantileType: 7, categories: 3 },
        ...{ reference: DEFAULT_REFERENCE, halfWidth: granularity === 'daily' ? 7 : 0, fewerYears: false },
        ...{ thresholds: [], minSampleShare: 0.8 },
      });
      const { keys, limits, quantileValues } = entries;
      return {
        ...{ keys, limits, quantiles },
        quantileValues: quantileValues.slice(0, DEFAULT_QUANTILES.length),
        quantileAt: (probability) => quantileValues[quantiles.indexOf(probability)],
        ...{ name: 'observations', reference: formatReference(DEFAULT_REFERENCE) },
      };
    } catch (error) {
      // The history does not have all reference years.
      if (isPlumecastError(error, 'data')) return undefined;
      throw error;
    }
  }

  async #ofSource(
    data: Snapshot,
    of: 'observations' | HorizonName,
    granularity: Granularity,
    variable: Variable,
    point: Location,
  ): Promise<PointClimatology | undefined> {
    const table = await data.climatology?.(of, granularity, variable.slug);
    if (table === undefined) return undefined;
    let reading = this.#supplied.get(table);
    if (reading === undefined) {
      reading = readSupplied(table, variable);
      this.#supplied.set(table, reading);
    }
    const supplied = await reading;
    if (of !== 'observations' && !isOfStart(supplied.climatology.metadata, data.forecast?.horizons[of]?.initTime))
      return undefined;
    return atPoint(supplied, of, point);
  }
}

/** A climatology of the source, and the index of its places. */
interface SuppliedClimatology {
  readonly climatology: Climatology;
  readonly places: PlaceIndex;
}

async function readSupplied(table: Table, variable: Variable): Promise<SuppliedClimatology> {
  // Only supplied climatologies are tables: services without them need not load Arrow.
  const { readClimatology } = await import('../../climate/read-climatology.js');
  const climatology = readClimatology(table, { variables: [variable] });
  return { climatology, places: new PlaceIndex(climatology) };
}

function atPoint(
  { climatology, places }: SuppliedClimatology,
  of: 'observations' | HorizonName,
  point: Location,
): PointClimatology | undefined {
  const place = places.covering(point);
  if (place === undefined) return undefined;
  const { keys, limits, quantiles, quantileValues, reference, metadata } = climatology;
  const ofPlace = (values: FloatArray) => values.subarray(place * keys.length, (place + 1) * keys.length);
  const known = DEFAULT_QUANTILES.map((p) => quantileValues[quantiles.indexOf(p)]);
  return {
    keys,
    limits: limits.map(ofPlace),
    quantiles,
    quantileAt(probability) {
      const values = quantileValues[quantiles.indexOf(probability)];
      return values && ofPlace(values);
    },
    quantileValues: known.includes(undefined as never) ? undefined : known.map(ofPlace),
    name: referenceName(metadata) ?? (of === 'observations' ? of : `${of} model`),
    reference: reference === undefined ? 'unknown' : formatReference(reference),
  };
}
