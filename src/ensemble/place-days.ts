import { Digest } from '../check/digest.js';
import { isPlainObject } from '../check/option-checks.js';
import { mentionOption, OptionError, unusable } from '../errors.js';
import { checkTimeZone, type LocalDayOptions, type LocalDays, requestedDays } from './local-days.js';

/** The zones of places, where these are not of one zone. */
export interface PlaceZoneOptions {
  /**
   * The time zone of each place, in place of `timeZone`: the name of a column of zones, or zones by the ids of places,
   * `{ F001: 'Europe/Berlin', F002: '+05:30' }`. Only for values of time steps.
   */
  readonly timeZones?: string | Readonly<Record<string, string>>;
}

/** Days of zones that places have each by itself. */
export class PlaceDays {
  /** The column of zones, or the zones by the ids of places. */
  readonly given: string | Readonly<Record<string, string>>;
  readonly #part: LocalDayOptions;
  readonly #days = new Map<string, LocalDays>();

  constructor(given: string | Readonly<Record<string, string>>, part: LocalDayOptions) {
    this.given = given;
    this.#part = part;
  }

  /** The days of a zone. Throws OptionError for one that is not known; `subject` is where it is written. */
  of(zone: string, subject: string): LocalDays {
    const known = this.#days.get(zone);
    if (known !== undefined) return known;
    const { name: timeZone } = checkTimeZone(zone, subject);
    const days = this.#days.get(timeZone) ?? (requestedDays({ ...this.#part, timeZone }) as LocalDays);
    this.#days.set(zone, days).set(timeZone, days);
    return days;
  }

  /**
   * What metadata state of the days of places: their zone where it is one, else how many there are, and a digest by which
   * the same zones of the same places are known. `zones` are by the id of the place, or its coordinates.
   */
  texts(zones: ReadonlyMap<string, LocalDays>): ReadonlyMap<string, string> {
    const [first] = zones.values();
    const names = new Set(Array.from(zones.values(), ({ zone }) => zone.name));
    if (names.size < 2) return first?.texts ?? new Map();
    const pairs = Array.from(zones, ([place, { zone }]) => JSON.stringify([place, zone.name]));
    return new Map([
      ...first.texts,
      ['time_zone', `${names.size} zones by place (${new Digest().text(pairs.sort().join('\n'))})`],
    ]);
  }

  /** What metadata state where zones are by ids: of all of these, so that parts of a table state the same. */
  textsOfIds(ids: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
    return this.texts(new Map(Object.entries(ids).map(([id, zone]) => [id, this.of(zone, `timeZones.${id}`)])));
  }

  /** In words, before it is known which zones there are. */
  toString(): string {
    return 'days of zones by place';
  }
}

/** Whether metadata state days of zones by place in this way. */
export function areZonesByPlace(text: string): boolean {
  return /^\d+ zones by place \([0-9a-f]{16}\)$/.test(text);
}

/** The days that options ask for by place; undefined where they do not. Throws OptionError, as `requestedDays` does. */
export function requestedPlaceDays(options: LocalDayOptions & PlaceZoneOptions): PlaceDays | undefined {
  const { timeZones, timeZone, dayStart, hours, splitExtremes } = options;
  if (timeZones === undefined) return undefined;
  if (timeZone !== undefined) {
    const problem = `cannot be given together with ${mentionOption('timeZone')}`;
    throw new OptionError({ subject: 'timeZones', problem, allowed: 'one of the two' });
  }
  return new PlaceDays(timeZones, { dayStart, hours, splitExtremes });
}

/** Throws OptionError for what is neither the name of a column nor zones by the ids of places. */
export function checkTimeZones(given: unknown): void {
  if (typeof given === 'string' && given !== '') return;
  if (typeof given !== 'object' || !isPlainObject(given) || Object.keys(given).length === 0) {
    throw unusable('timeZones', given, "the name of a column, or zones by ids: { F001: 'Europe/Berlin' }");
  }
  for (const [id, zone] of Object.entries(given)) checkTimeZone(zone, `timeZones.${id}`);
}
