import { DataError, OptionError } from '../../errors.js';
import { DAY_MILLISECONDS } from '../../period/day.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { ForecastHeader } from '../source/folder/manifest.js';
import type { FileContent, ForecastFile } from './data-file.js';
import type { ForecastNames } from './forecast-input.js';

/** Collects what the files of a forecast state about their runs. */
export class HeaderReader {
  readonly #names: ForecastNames;
  readonly #initTimes = new Map<HorizonName, { time: string; source: string }>();
  #version: string | undefined;

  /** Throws OptionError for an invalid time. */
  constructor(names: ForecastNames) {
    const { initTime, nextInitTime } = names;
    this.#names = {
      ...names,
      initTime: initTime === undefined ? undefined : parseGivenTime('initTime', initTime),
      nextInitTime: nextInitTime === undefined ? undefined : parseGivenTime('nextInitTime', nextInitTime),
    };
  }

  /**
   * Reads when the run of a file was issued. Throws DataError where another file of its horizon states another time.
   */
  readInitTime({ horizon, source }: ForecastFile, { metadata, firstDay }: FileContent, isFirst: boolean): string {
    const stated = metadata.get('init_time');
    const midnight = secondsOnly(new Date(firstDay * DAY_MILLISECONDS));
    const given = isFirst ? this.#names.initTime : undefined;
    const time = given ?? (stated === undefined ? midnight : parseStatedTime(stated, source));
    const before = this.#initTimes.get(horizon);
    if (before !== undefined && before.time !== time) {
      throw new DataError({
        source,
        problem: `is of another run than ${before.source}`,
        received: time,
        allowed: `files of one ${horizon} run, ${before.time}`,
      });
    }
    this.#initTimes.set(horizon, before ?? { time, source });
    this.#version ??= metadata.get('version');
    return time;
  }

  /** When the runs of the horizons that were read were issued. */
  get initTimes(): ForecastHeader['horizonInitTimes'] {
    return Object.fromEntries([...this.#initTimes].map(([horizon, { time }]) => [horizon, time]));
  }

  /**
   * The header of a forecast of some horizons that were read, and others of the forecast before, whose names it has where
   * its first horizon is of that one.
   */
  header(read: readonly HorizonName[], before?: ForecastHeader): ForecastHeader {
    const times: Partial<Record<HorizonName, string>> = {};
    for (const horizon of HORIZONS) {
      const time = read.includes(horizon) ? this.#initTimes.get(horizon)?.time : before?.horizonInitTimes[horizon];
      if (time !== undefined) times[horizon] = time;
    }
    const first = HORIZONS.find((horizon) => times[horizon] !== undefined) as HorizonName;
    const initTime = times[first] as string;
    const isOfBefore = before !== undefined && !read.includes(first);
    const next = secondsOnly(new Date(Date.parse(initTime) + DAY_MILLISECONDS));
    const { version, generation, nextInitTime } = this.#names;
    return {
      initTime,
      version: version ?? (isOfBefore ? before.version : (this.#version ?? 'unknown')),
      generation: generation ?? newGeneration(initTime),
      nextInitTime: nextInitTime ?? (isOfBefore ? before.nextInitTime : next),
      horizonInitTimes: times,
    };
  }
}

/** Makes the name of a forecast from its time of issue and random letters. */
export function newGeneration(initTime: string): string {
  return `${initTime}-${crypto.randomUUID().slice(0, 8)}`;
}

/** A date, or a date and a time with or without seconds and zone. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;
const EXPECTED = 'ISO 8601, such as 2026-03-02T00:00:00Z';

/** Parses a time that a file states: ISO 8601 in UTC, ending in Z. Throws DataError for an invalid time. */
export function parseStatedTime(stated: string, source: string): string {
  const time = toUtc(stated);
  if (time !== undefined) return time;
  throw new DataError({ source, problem: 'init_time is not a time', received: stated, allowed: EXPECTED });
}

function parseGivenTime(subject: string, given: string): string {
  const time = toUtc(given);
  if (time !== undefined) return time;
  throw new OptionError({ subject, problem: 'is not a time', received: given, allowed: EXPECTED });
}

/** Converts a time, in UTC unless it names its zone, to ISO 8601 in UTC, ending in Z; undefined for an invalid time. */
function toUtc(text: string): string | undefined {
  const [, date, time = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  const midnight = Date.parse(`${date}T00:00Z`);
  const moment = Date.parse(`${date}T${time}${zone}`);
  // Engines take 30 February for 2 March.
  const exists = !Number.isNaN(midnight + moment) && new Date(midnight).toISOString().startsWith(date);
  return exists ? secondsOnly(new Date(moment)) : undefined;
}

function secondsOnly(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
