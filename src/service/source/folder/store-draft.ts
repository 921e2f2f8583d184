import { OptionError } from '../../../errors.js';
import type {
  ClimatologyEntry,
  ForecastHeader,
  IssuedEntry,
  Manifest,
  PartEntry,
  PlacesEntry,
  RecordedSeries,
  SeriesEntry,
  StoreRecord,
} from './manifest.js';
import { FORECAST_PARTS, type ForecastPart, horizonOf, isForecastPart, type StorePart } from './store-part.js';

interface DraftPart {
  readonly places: PlacesEntry;
  readonly variables: Map<string, SeriesEntry>;
}

type Change = Partial<Pick<Manifest, 'elevation' | 'preloaded' | 'attribution'>>;

/** The changes of an update to the contents of a store. */
export class StoreDraft {
  #before: Manifest;
  readonly #revision: string;
  readonly #parts = new Map<StorePart, DraftPart>();
  /** The variables of the forecast before that stay; all of a part that is undefined. */
  readonly #kept = new Map<ForecastPart, ReadonlySet<string> | undefined>();
  readonly #climatologies: ClimatologyEntry[] = [];
  readonly #issued: IssuedEntry[] = [];
  readonly #recorded = new Map<string, RecordedSeries>();
  #forecast?: ForecastHeader;
  #changes: Change = {};

  constructor(before: Manifest, revision: string) {
    this.#before = before;
    this.#revision = revision;
  }

  /** Whether anything was changed. */
  get isEmpty(): boolean {
    return this.touched.size === 0;
  }

  setForecast(header: ForecastHeader): void {
    this.#forecast = header;
  }

  keep(part: ForecastPart, slugs: readonly string[] | undefined): void {
    this.#kept.set(part, slugs && new Set(slugs));
  }

  setClimatology(entry: ClimatologyEntry): void {
    this.#climatologies.push(entry);
  }

  addIssued(entry: IssuedEntry): void {
    this.#issued.push(entry);
  }

  setRecorded(entry: RecordedSeries): void {
    this.#recorded.set(recordKey(entry), entry);
  }

  /** Whether the record of issued forecasts alone was changed. */
  get isOfRecord(): boolean {
    return this.#recorded.size > 0 && this.touched.size === this.#recorded.size;
  }

  set(change: Change): void {
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
    const horizon = horizonOf(part);
    if (horizon !== undefined && this.#forecast?.horizonInitTimes[horizon] === undefined) {
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
   * Moves the changes to other contents, which another update has made; returns false, and does nothing, where that
   * update changed what this one does.
   */
  rebase(before: Manifest): boolean {
    for (const key of this.touched) if (stateOf(this.#before, key) !== stateOf(before, key)) return false;
    this.#before = before;
    return true;
  }

  /** What the changes are to: other updates of the same come first or last, not at once. */
  get touched(): ReadonlySet<string> {
    const touched = new Set(Object.keys(this.#changes));
    if (this.#forecast !== undefined) touched.add(FORECAST);
    for (const part of this.#parts.keys()) if (!isForecastPart(part)) touched.add(part);
    for (const { of, granularity, slug } of this.#climatologies)
      touched.add(`climatology ${of} ${granularity} ${slug}`);
    if (this.#issued.length > 0) touched.add('issued');
    for (const key of this.#recorded.keys()) touched.add(key);
    return touched;
  }

  /**
   * Creates the contents with all changes. Throws OptionError where a forecast has no timeline, or kept variables have
   * other places.
   */
  createManifest(): Manifest {
    const manifest = this.present();
    if (this.#forecast !== undefined && !manifest.parts.has('timeline')) {
      throw new OptionError({ subject: 'forecast', problem: 'has no timeline', allowed: 'a part timeline' });
    }
    for (const [part, draft] of this.#parts) this.#assertSamePlaces(part, draft);
    return manifest;
  }

  /** The name of the generation, where the forecast has one. */
  get name(): string | undefined {
    return this.#forecast?.generation;
  }

  /** The content with the changes so far, complete or not. */
  present(): Manifest {
    const { generation, forecast, parts, climatologies, issued, record, ...rest } = this.#before;
    const merged = new Map<StorePart, PartEntry>();
    for (const [part, entry] of parts) {
      const kept = this.#keptVariables(part, entry);
      if (kept.size > 0) merged.set(part, kept.size === entry.variables.size ? entry : this.#revised(entry, kept));
    }
    for (const [part, { places, variables }] of this.#parts) {
      const others = merged.get(part)?.variables ?? [];
      merged.set(part, this.#revised({ places }, new Map([...others, ...variables])));
    }
    const isRevised = 'elevation' in this.#changes || this.#climatologies.length > 0;
    const isReplaced = (each: ClimatologyEntry) =>
      this.#climatologies.some(
        ({ of, granularity, slug }) => each.of === of && each.granularity === granularity && each.slug === slug,
      );
    const isIssued = ({ horizon, initTime }: IssuedEntry) =>
      this.#issued.some((each) => each.horizon === horizon && each.initTime === initTime);
    return {
      ...rest,
      ...this.#changes,
      generation: this.isEmpty ? generation : (this.#forecast?.generation ?? this.#revision),
      revision: isRevised ? this.#revision : this.#before.revision,
      climatologies: [...climatologies.filter((each) => !isReplaced(each)), ...this.#climatologies],
      forecast: this.#forecast ?? forecast,
      parts: merged,
      issued: [...issued.filter((each) => !isIssued(each)), ...this.#issued],
      record: this.#record(record),
    };
  }

  #record(before: StoreRecord | undefined): StoreRecord | undefined {
    if (this.#recorded.size === 0) return before;
    const others = (before?.series ?? []).filter((each) => !this.#recorded.has(recordKey(each)));
    const series = [...others, ...this.#recorded.values()];
    return { revision: this.#revision, updated: new Date().toISOString(), series };
  }

  #revised({ places }: Pick<PartEntry, 'places'>, variables: PartEntry['variables']): PartEntry {
    return { revision: this.#revision, places, variables };
  }

  #assertSamePlaces(part: StorePart, draft: DraftPart): void {
    const before = this.#before.parts.get(part);
    if (before === undefined || before.places.digest === draft.places.digest) return;
    const kept = [...this.#keptVariables(part, before).keys()].filter((slug) => !draft.variables.has(slug));
    if (kept.length === 0) return;
    throw new OptionError({
      subject: part,
      problem: 'gets other places than its variables have',
      received: `${draft.places.count} places`,
      allowed: `its ${before.places.count} places, or to write ${kept.join(', ')} with the new ones, too`,
    });
  }

  /** The variables of a part before that stay, but for those that are written anew. */
  #keptVariables(part: StorePart, { variables }: PartEntry): Map<string, SeriesEntry> {
    if (!isForecastPart(part) || this.#forecast === undefined) return new Map(variables);
    if (!this.#kept.has(part)) return new Map();
    const slugs = this.#kept.get(part);
    return new Map([...variables].filter(([slug]) => slugs === undefined || slugs.has(slug)));
  }
}

const FORECAST = 'forecast';

function recordKey({ horizon, granularity, slug }: RecordedSeries): string {
  return `record ${horizon} ${granularity} ${slug}`;
}

/** A text that changes with what an update may change. */
function stateOf(
  { forecast, parts, climatologies, issued, record, ...rest }: Manifest,
  key: string,
): string | undefined {
  if (key === FORECAST) {
    const revisions = FORECAST_PARTS.map((part) => parts.get(part)?.revision);
    return JSON.stringify([forecast?.generation, forecast?.horizonInitTimes, revisions]);
  }
  if (key === 'issued') return JSON.stringify(issued.map(({ revision }) => revision));
  if (key.startsWith('climatology ')) {
    const isIt = ({ of, granularity, slug }: ClimatologyEntry) => key === `climatology ${of} ${granularity} ${slug}`;
    return climatologies.find(isIt)?.file;
  }
  if (key.startsWith('record ')) return record?.series.find((each) => recordKey(each) === key)?.state.file;
  if (key === 'attribution') return rest.attribution;
  if (key === 'elevation' || key === 'preloaded') return rest[key]?.file;
  return parts.get(key as StorePart)?.revision;
}
