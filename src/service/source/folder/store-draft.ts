import { OptionError } from '../../../errors.js';
import { HORIZONS, type HorizonName } from '../../../variable/availability.js';
import {
  type ClimatologyEntry,
  type ForecastHeader,
  listFiles,
  type Manifest,
  type PartEntry,
  type PlacesEntry,
  type SeriesEntry,
} from './manifest.js';
import { isForecastPart, type StorePart } from './store-part.js';

interface DraftPart {
  readonly places: PlacesEntry;
  readonly variables: Map<string, SeriesEntry>;
}

/** The changes of an update to a manifest. */
export class StoreDraft {
  readonly #before: Manifest;
  readonly #revision: string;
  readonly #parts = new Map<StorePart, DraftPart>();
  #forecast?: ForecastHeader;
  #climatologies: readonly ClimatologyEntry[];
  #changes: Partial<Pick<Manifest, 'elevation' | 'preloaded' | 'attribution'>> = {};

  constructor(before: Manifest, revision: string) {
    this.#before = before;
    this.#revision = revision;
    this.#climatologies = before.climatologies;
  }

  setForecast(header: ForecastHeader): void {
    this.#forecast = header;
  }

  setClimatology(entry: ClimatologyEntry): void {
    const { of, granularity, slug } = entry;
    const others = this.#climatologies.filter(
      (each) => each.of !== of || each.granularity !== granularity || each.slug !== slug,
    );
    this.#climatologies = [...others, entry];
  }

  set(change: Partial<Pick<Manifest, 'elevation' | 'preloaded' | 'attribution'>>): void {
    this.#changes = { ...this.#changes, ...change };
  }

  /**
   * Throws OptionError where a variable cannot be written to a part: before its forecast is set, twice, or with other
   * places.
   */
  check(part: StorePart, slug: string, { count, digest }: PlacesEntry): void {
    const reject = (problem: string, allowed: string, received?: unknown) =>
      new OptionError({ subject: `${part} ${slug}`, problem, received, allowed });
    if (isForecastPart(part) && this.#forecast === undefined) {
      throw reject('belongs to no forecast', 'setForecast first: the parts of a forecast are written together');
    }
    if (isHorizon(part) && this.#forecast?.horizonInitTimes[part] === undefined) {
      throw reject('is of a horizon without an init time', 'horizons of the horizonInitTimes given to setForecast');
    }
    const draft = this.#parts.get(part);
    if (draft?.variables.has(slug)) throw reject('is written already', 'each variable of a part once in an update');
    if (draft !== undefined && draft.places.digest !== digest) {
      const allowed = `the same ${draft.places.count} places in the same order for all variables of a part`;
      throw reject('has other places than those written before', allowed, `${count} places`);
    }
  }

  /** Adds a variable that `check` has accepted. */
  add(part: StorePart, slug: string, places: PlacesEntry, series: SeriesEntry): void {
    const draft = this.#parts.get(part) ?? { places, variables: new Map() };
    this.#parts.set(part, draft);
    draft.variables.set(slug, series);
  }

  /**
   * Creates the manifest with all changes. Throws OptionError where a forecast has no timeline, or kept variables have
   * other places.
   */
  createManifest(): Manifest {
    const hasTimeline = this.#forecast === undefined || this.#parts.has('timeline');
    if (!hasTimeline) {
      throw new OptionError({ subject: 'forecast', problem: 'has no timeline', allowed: 'a part timeline' });
    }
    for (const [part, draft] of this.#parts) this.#assertSamePlaces(part, draft);
    return this.present();
  }

  /** The content with the changes so far, complete or not. */
  present(): Manifest {
    const { forecast, parts, previousFiles, ...rest } = this.#before;
    const kept = [...parts].filter(([part]) => this.#forecast === undefined || !isForecastPart(part));
    const written = [...this.#parts].map(([part, draft]) => [part, this.#mergePart(part, draft)] as const);
    const isRevised = 'elevation' in this.#changes || this.#climatologies !== this.#before.climatologies;
    return {
      ...rest,
      ...this.#changes,
      revision: isRevised ? this.#revision : this.#before.revision,
      climatologies: this.#climatologies,
      forecast: this.#forecast ?? forecast,
      parts: new Map([...kept, ...written]),
      previousFiles: listFiles(this.#before),
    };
  }

  #assertSamePlaces(part: StorePart, draft: DraftPart): void {
    const kept = this.#keptVariables(part, draft).map(([slug]) => slug);
    const { places } = this.#before.parts.get(part) ?? draft;
    if (kept.length === 0 || places.digest === draft.places.digest) return;
    throw new OptionError({
      subject: part,
      problem: 'gets other places than its variables have',
      received: `${draft.places.count} places`,
      allowed: `its ${places.count} places, or to write ${kept.join(', ')} with the new ones, too`,
    });
  }

  /** A part as written, with the other variables that a history had before. */
  #mergePart(part: StorePart, draft: DraftPart): PartEntry {
    const variables = new Map([...this.#keptVariables(part, draft), ...draft.variables]);
    return { revision: this.#revision, places: draft.places, variables };
  }

  #keptVariables(part: StorePart, { variables }: DraftPart): [string, SeriesEntry][] {
    const before = isForecastPart(part) ? undefined : this.#before.parts.get(part);
    return [...(before?.variables ?? [])].filter(([slug]) => !variables.has(slug));
  }
}

function isHorizon(part: StorePart): part is HorizonName {
  return (HORIZONS as readonly string[]).includes(part);
}
