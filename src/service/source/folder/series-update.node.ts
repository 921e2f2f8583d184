import { assertOneOf, assertShape, isIterable } from '../../../check/option-checks.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import { OptionError, unusable } from '../../../errors.js';
import { HORIZONS, type HorizonName } from '../../../variable/availability.js';
import type { Series } from '../../store/write-blocks.node.js';
import { type Axis, assertPrecision, coarsestPrecision } from '../dataset.js';
import { checkPlaces, checkSeries } from './check-series.js';
import { axisOfSegments, mergedSeries, mergeSegments, onlySegments } from './history-segments.js';
import type { PlacesEntry, SeriesEntry } from './manifest.js';
import { placesDigest } from './places-digest.node.js';
import { keyOfSeries, writeSeries } from './series-entry.node.js';
import { blocksAt, coveringCells, placesOf } from './some-places.js';
import type { StoreDraft } from './store-draft.js';
import type { StoreFiles } from './store-files.node.js';
import {
  FORECAST_PARTS,
  type ForecastPart,
  type HistoryPart,
  isForecastPart,
  STORE_PARTS,
  type StorePart,
} from './store-part.js';
import type { WrittenSeries } from './thread-update.node.js';
import type { UpdateObjects } from './update-objects.node.js';

/** The values of variables that an update writes: see the methods of `StoreUpdate`. */
export class SeriesUpdate {
  readonly #id: string;
  readonly #draft: StoreDraft;
  readonly #objects: UpdateObjects;
  readonly #files: StoreFiles;

  constructor(id: string, draft: StoreDraft, objects: UpdateObjects, files: StoreFiles) {
    this.#id = id;
    this.#draft = draft;
    this.#objects = objects;
    this.#files = files;
  }

  async write(part: StorePart, series: Series): Promise<void> {
    const places = await this.#checkSeries(part, series);
    this.#draft.add(part, series.slug, places, await writeSeries(this.#objects, part, series, places.digest));
  }

  async adopt({ part, slug, places, entry }: WrittenSeries): Promise<void> {
    const own = { count: places.latitude.length, digest: placesDigest(places) };
    this.#draft.check(part, slug, own);
    this.#draft.add(part, slug, await this.#objects.places(places), entry);
  }

  share(part: 'timeline' | 'fine-timeline', slug: string, axis: Axis, horizon: ForecastPart): boolean {
    assertOneOf('part', part, ['timeline', 'fine-timeline']);
    assertOneOf('horizon', horizon, FORECAST_PARTS);
    const entry = this.#draft.present().parts.get(horizon);
    const series = entry?.variables.get(slug);
    if (entry === undefined || series === undefined) throw unusable('slug', slug, `a variable of ${horizon}`);
    const own = series.axis;
    if (own.firstDay !== axis.firstDay || own.days !== axis.days || own.members !== axis.members) {
      throw unusable('axis', axis, `the days and members of ${horizon}`);
    }
    if (series.segments.some(({ sha256 }) => sha256 === undefined)) return false;
    this.#draft.check(part, slug, entry.places);
    this.#draft.add(part, slug, entry.places, { ...series, axis });
    return true;
  }

  async append(part: HistoryPart, series: Series): Promise<void> {
    const places = await this.#checkSeries(part, series);
    if (isForecastPart(part)) throw unusable('part', part, 'a part of the history');
    const before = this.#draft.present().parts.get(part);
    const known = before?.variables.get(series.slug);
    if (known === undefined) return this.write(part, series);
    if (before?.places.digest !== places.digest) {
      throw new OptionError({
        subject: `${part} ${series.slug}`,
        problem: 'has other places than the history',
        received: `${places.count} places`,
        allowed: `its ${before?.places.count} places, in the same order`,
      });
    }
    const { segments, merged, written } = mergeSegments(known.segments, series.axis);
    const given =
      merged.length === 0
        ? series
        : mergedSeries(series, written, await this.#files.dataset(onlySegments(before, series, merged)));
    // Values that are kept to the bit stay so.
    const isRounded = merged.every(({ precision }) => precision === series.precision);
    const precision = isRounded ? series.precision : undefined;
    const key = keyOfSeries(part, { ...series, precision }, places.digest, merged);
    const segment = await this.#objects.segment(part, { ...given, precision, key });
    const all = [...segments, segment];
    const axis = { ...axisOfSegments(all), precision: coarsestPrecision([known.axis, series]) };
    this.#draft.add(part, series.slug, places, { units: series.units, axis, segments: all });
  }

  async keepIssued(horizon: HorizonName, at?: Places): Promise<void> {
    assertOneOf('horizon', horizon, HORIZONS);
    if (at !== undefined) checkPlaces('at', at);
    const { forecast, parts } = this.#draft.present();
    const [part, initTime] = [parts.get(horizon), forecast?.horizonInitTimes[horizon]];
    if (part === undefined || initTime === undefined) return;
    if (at === undefined) {
      this.#draft.addIssued({ ...part, horizon, initTime });
      return;
    }
    const dataset = await this.#files.dataset(part);
    const cells = coveringCells(dataset.places, at);
    if (cells.length === 0) return;
    const places = placesOf(dataset.places, cells);
    const entry = await this.#objects.places(places);
    const variables = new Map<string, SeriesEntry>();
    for (const [slug, { units, axis }] of part.variables) {
      const series = { slug, units, axis, places, blocks: blocksAt(dataset, slug, axis, cells) };
      const segment = await this.#objects.segment(`issued-${horizon}`, series);
      variables.set(slug, { units, axis, segments: [segment] });
    }
    this.#draft.addIssued({ revision: this.#id, places: entry, variables, horizon, initTime });
  }

  async #checkSeries(part: StorePart, series: Series): Promise<PlacesEntry> {
    assertOneOf('part', part, STORE_PARTS);
    assertShape('series', series, { axis: 'object', places: 'object', ...SERIES_OPTIONS });
    assertPrecision('series.precision', series.precision);
    assertPrecision('series.axis.precision', series.axis.precision);
    assertBlocks(series.blocks);
    checkSeries(part, series);
    const { slug, places } = series;
    checkPlaces(slug, places);
    const known = { count: places.latitude.length, digest: placesDigest(places) };
    this.#draft.check(part, slug, known);
    return this.#objects.places(places);
  }
}

const SERIES_OPTIONS = { sample: 'function?', key: 'text?', onNotice: 'function?' } as const;

function assertBlocks(blocks: unknown): void {
  if (!isIterable(blocks)) throw unusable('series.blocks', blocks, 'an iterable of Float32Arrays');
}
