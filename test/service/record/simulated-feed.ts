import type { Places } from '../../../src/ensemble/nearest-place.js';
import { formatDate } from '../../../src/period/day.js';
import { beginUpdate, type StoreUpdate } from '../../../src/service/source/folder/index.node.js';
import { normal, randomValues } from '../../skill/random-cases.js';

/** How a feed of forecasts is simulated. */
export interface FeedOptions {
  readonly places: number;
  readonly members: number;
  /** The days of a run. */
  readonly days: number;
  /** The first day of a run, and the days of history before it. */
  readonly firstDay: number;
  readonly historyDays: number;
  readonly seed?: number;
}

/** The share of the variance of a day that a run knows at a lead. */
export function knownShare(lead: number): number {
  return 0.9 * Math.exp(-lead / 5);
}

/**
 * A feed of a weather without memory, of which runs know a share, so that their skill is known: days are normal, with mean
 * 10 and standard deviation 3; a run has a signal, and members around it, of which observations could be one.
 */
export class SimulatedFeed {
  readonly options: FeedOptions;
  readonly places: Places;
  readonly #random: () => number;
  readonly #observed = new Map<number, Float32Array>();

  constructor(options: FeedOptions) {
    this.options = options;
    this.#random = randomValues(options.seed ?? 1);
    const side = Math.ceil(Math.sqrt(options.places));
    this.places = {
      latitude: Float64Array.from({ length: options.places }, (_, p) => 30 + Math.floor(p / side)),
      longitude: Float64Array.from({ length: options.places }, (_, p) => p % side),
    };
  }

  /** The observations of a day, by place. */
  observed(day: number): Float32Array {
    const known = this.#observed.get(day);
    if (known !== undefined) return known;
    const values = Float32Array.from(this.places.latitude, () => 10 + 3 * normal(this.#random));
    this.#observed.set(day, values);
    return values;
  }

  /** A run by place: its days for each member. */
  run(firstDay: number): Float32Array[] {
    const { days, members } = this.options;
    const all = Array.from(this.places.latitude, () => new Float32Array(days * members));
    for (let lead = 0; lead < days; lead++) {
      const share = knownShare(lead);
      const observed = this.observed(firstDay + lead);
      for (const [place, values] of all.entries()) {
        const y = (observed[place] - 10) / 3;
        const signal = share * y + Math.sqrt(share * (1 - share)) * normal(this.#random);
        for (let m = 0; m < members; m++)
          values[m * days + lead] = 10 + 3 * (signal + Math.sqrt(1 - share) * normal(this.#random));
      }
    }
    return all;
  }

  /** Puts the history before the first run to a store. */
  async begin(dir: string): Promise<void> {
    const { firstDay, historyDays } = this.options;
    await this.#change(dir, (update) => this.#history(update, firstDay - historyDays, historyDays));
  }

  /** Puts a run of a day to a store, which keeps it, at all places or some, and the observations of the day before. */
  async advance(dir: string, day: number, kept?: Places): Promise<void> {
    const { days, members } = this.options;
    const blocks = this.run(day);
    await this.#change(dir, async (update) => {
      const initTime = `${formatDate(day)}T00:00:00Z`;
      update.setForecast({
        initTime,
        version: 'v1',
        generation: initTime,
        horizonInitTimes: { 'short-term': initTime },
      });
      const axis = { firstDay: day, days, members };
      for (const part of ['short-term', 'timeline'] as const) {
        const horizons = part === 'timeline' && [
          { horizon: 'short-term' as const, firstDay: day, lastDay: day + days - 1 },
        ];
        await update.write(part, {
          ...{ slug: 'temp_mean', units: 'degC', places: this.places, blocks },
          axis: { ...axis, ...(horizons && { horizons }) },
        });
      }
      await update.keepIssued('short-term', kept);
      await this.#history(update, day - 1, 1);
    });
  }

  /** Replaces the observations of a day in a store. */
  async correct(dir: string, day: number, values: Float32Array): Promise<void> {
    this.#observed.set(day, values);
    await this.#change(dir, (update) => this.#history(update, day, 1));
  }

  async #history(update: StoreUpdate, firstDay: number, days: number): Promise<void> {
    const blocks = Array.from(this.places.latitude, (_, place) =>
      Float32Array.from({ length: days }, (_, d) => this.observed(firstDay + d)[place]),
    );
    const axis = { firstDay, days, members: 1 };
    await update.append('reanalysis', { slug: 'temp_mean', units: 'degC', axis, places: this.places, blocks });
  }

  async #change(dir: string, change: (update: StoreUpdate) => Promise<void>): Promise<void> {
    const update = await beginUpdate(dir);
    try {
      await change(update);
      await update.commit();
    } finally {
      await update.abandon();
    }
  }
}
