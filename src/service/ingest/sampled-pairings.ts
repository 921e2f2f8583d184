import { LRUCache } from 'lru-cache';
import type { Horizon } from '../../blend/horizon.js';
import { divideIntoRegions, FieldPairer, valuesOnDay } from '../../blend/pairing/field-pairer.js';
import { planPairing } from '../../blend/pairing/pair-fields.js';
import type { Pairing } from '../../blend/pairing/pairing.js';
import { type Regions, regionsAround } from '../../blend/pairing/regions.js';
import type { DayRange } from '../../blend/pairing/seam-anomalies.js';
import type { Core } from '../../core/load.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Axis, Dataset } from '../source/dataset.js';
import { seamOptions } from './horizon-seams.js';
import { readCells } from './read-horizon.js';

/** So many pairings are kept: one for each set of neighbouring regions in which places lie. */
const MAX_PAIRINGS = 1000;
/** So often sampled places without values are replaced by others. */
const MAX_ROUNDS = 9;
/** The pairings of places: one for a field, and for the regions around a place in a large one, made when it is needed. */
export class SampledPairings {
  readonly #core: Core;
  readonly #names: readonly HorizonName[];
  readonly #datasets: readonly Dataset[];
  readonly #slugs: readonly string[];
  readonly #plan: Pairing;
  readonly #regions: Regions | undefined;
  /** Sampled cells that were looked at, and the ones without values. */
  readonly #seen = new Set<number>();
  readonly #empty = new Set<number>();
  readonly #pairings = new LRUCache<string, Promise<Pairing>>({ max: MAX_PAIRINGS });

  constructor(core: Core, names: readonly HorizonName[], datasets: readonly Dataset[], slugs: readonly string[]) {
    this.#core = core;
    this.#names = names;
    this.#datasets = datasets;
    this.#slugs = slugs;
    const heads = datasets.map(({ variables }, h) => ({ name: names[h], ...(variables.get(slugs[0]) as Axis) }));
    this.#plan = planPairing(heads, 1, seamOptions(names, slugs));
    this.#regions = divideIntoRegions(datasets[0].places);
  }

  /** The pairing at a place. Rejects with what a dataset throws; then it is tried again by the next request. */
  at(cell: number): Promise<Pairing> {
    const { latitude, longitude } = this.#datasets[0].places;
    const only = this.#regions && regionsAround(this.#regions, latitude[cell], longitude[cell]);
    const key = only?.join() ?? '';
    const known = this.#pairings.get(key) ?? this.#pair(only);
    this.#pairings.set(key, known);
    known.catch(() => this.#pairings.delete(key));
    return known;
  }

  /** The pairing at all places. */
  everywhere(): Promise<Pairing> {
    return this.#pair();
  }

  async #pair(only?: readonly number[]): Promise<Pairing> {
    const { places } = this.#datasets[0];
    const sampled = () => {
      const hasValues = (cell: number) => !this.#empty.has(cell);
      return new FieldPairer(this.#plan, places, places.latitude.length, { hasValues, only });
    };
    let pairer = sampled();
    // A single horizon is not joined: its values are not needed.
    if (this.#datasets.length === 1) return pairer.end(this.#core);
    // Places without values, such as the sea, are replaced by the next ones, some times.
    for (let round = 0; round < MAX_ROUNDS && (await this.#findEmpty(pairer.cells)); round++) pairer = sampled();
    const inOrder = Int32Array.from(pairer.cells.keys());
    for (const slug of this.#slugs) {
      const horizons: Horizon[] = [];
      for (const h of this.#datasets.keys()) {
        horizons.push(await this.#sample(h, slug, pairer.cells, pairer.daysOf(h)));
      }
      pairer.add(horizons, inOrder);
    }
    return pairer.end(this.#core);
  }

  /** Looks for places without values among some; returns whether there are new ones. */
  async #findEmpty(cells: Int32Array): Promise<boolean> {
    const some = cells.filter((cell) => !this.#seen.has(cell));
    if (some.length === 0) return false;
    const day = FieldPairer.comparedDay(this.#plan);
    if (day === undefined) return false;
    const { field } = await this.#sample(0, this.#slugs[0], some, { from: day, to: day + 1 });
    const hasValues = valuesOnDay({ name: this.#names[0], field }, day);
    some.forEach((cell, c) => {
      this.#seen.add(cell);
      if (!hasValues(c)) this.#empty.add(cell);
    });
    return some.some((cell) => this.#empty.has(cell));
  }

  async #sample(h: number, slug: string, cells: Int32Array, days: DayRange): Promise<Horizon> {
    const [first, dataset] = [this.#datasets[0], this.#datasets[h]];
    return (await readCells(dataset, this.#names[h], slug, first, cells, days)) as Horizon;
  }
}
