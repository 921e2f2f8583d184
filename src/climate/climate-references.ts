import type { Ensemble } from '../ensemble/ensemble.js';
import { windowedParts } from '../statistics/windowed-part.js';
import type { CheckedAgainstOptions } from './against-options.js';
import { isDegenerate } from './category-limits.js';
import { type ClimatePlace, climatePlace } from './climate-place.js';
import { ClimateReference, cellsOf } from './climate-reference.js';
import type { Climatology } from './climatology.js';

/**
 * A climatology as the reference of ensembles of one file that come one after the other, each of some of its places: as if there were
 * one ensemble of all places.
 */
export class ClimateReferences {
  readonly #climatology: Climatology;
  readonly #options: CheckedAgainstOptions;
  readonly #place: ClimatePlace;
  /** Places of the ensembles so far. */
  #cells = 0;

  constructor(climatology: Climatology, options: CheckedAgainstOptions) {
    this.#climatology = climatology;
    this.#options = options;
    this.#place = climatePlace(climatology, () => this.#cells === 1, options.source);
  }

  /** Whether the climatology has limits that coincide. */
  get hasDegenerate(): boolean {
    return this.#climatology.mean.some((_, entry) => isDegenerate(this.#climatology, entry));
  }

  /**
   * The reference of the next ensemble; `degenerate` are the periods that its metadata tell, by their first days, by default those of
   * this ensemble. Throws as `ClimateReference` does.
   */
  of(ensemble: Ensemble, degenerate?: readonly number[]): ClimateReference {
    this.#cells += cellsOf(ensemble);
    return new ClimateReference(this.#climatology, ensemble, this.#options, { place: this.#place, degenerate });
  }

  /**
   * The first days of the periods in which limits coincide at some place of the ensembles, which are only gone through where there
   * are such limits at all. Throws as `of` does.
   */
  async degenerate(ensembles: () => AsyncIterable<Ensemble>): Promise<readonly number[]> {
    if (!this.hasDegenerate) return [];
    const starts = new Set<number>();
    for await (const ensemble of ensembles()) {
      const found = this.of(ensemble, []).degenerate(windowedParts(ensemble, this.#options));
      for (const start of found) starts.add(start);
    }
    this.#cells = 0;
    return [...starts].sort((a, b) => a - b);
  }
}
