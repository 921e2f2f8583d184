import { statedStart } from '../../climate/hindcast-runs.js';
import { assertConsistent } from '../../ensemble/assert-consistent.js';
import type { DailySource } from '../../ensemble/daily-source.js';
import { DataError } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import { statedCalendar } from '../../table/columns/day-column.js';

/** A run of a forecast: a real one, or a hindcast. */
export interface ForecastRun {
  readonly source: DailySource;
  /** The day on which it starts: the day of its init time, or else its first day. */
  readonly start: number;
  /** Its init time as it is stated, or else the date of its first day. */
  readonly name: string;
}

/** Runs in the order of their starts. */
export interface ForecastRuns {
  readonly runs: readonly ForecastRun[];
  readonly calendar: ModelCalendar | undefined;
  /** What may be wrong with them, for people. */
  readonly warnings: readonly string[];
}

/** Seasonal forecasts have at most thirteen months; what is longer may be several runs in a row. */
const LONG_DAYS = 400;

/** What a forecast comes from, as metadata state it. */
const MODEL_KEYS = ['model', 'source', 'institution', 'version', 'horizon'];

/**
 * The runs of forecasts in the order of their starts. Throws DataError where they differ in variable, units, calendar or zone
 * of their days, and where two have the same start.
 */
export function forecastRuns(sources: readonly DailySource[]): ForecastRuns {
  assertConsistent(sources.map((source) => ({ source: source.source, ensemble: source })));
  const [first] = sources;
  const calendar = statedCalendar(first.metadata, first.source);
  const runs = sources.map((source): ForecastRun => {
    const start = statedStart(source.metadata, calendar) ?? source.firstDay;
    return { source, start, name: source.metadata.get('init_time') ?? dateText(calendar, start) };
  });
  runs.sort((a, b) => a.start - b.start || (a.name < b.name ? -1 : 1));
  const twice = runs.find(({ name }, i) => name === runs[i - 1]?.name);
  if (twice !== undefined) {
    throw new DataError({
      source: twice.source.source,
      problem: 'starts when another run does: a case would count twice',
      received: twice.name,
      allowed: 'runs with starts of their own',
    });
  }
  return { runs, calendar, warnings: warningsOf(runs) };
}

function warningsOf(runs: readonly ForecastRun[]): string[] {
  const warnings: string[] = [];
  const unstated = runs.filter(({ source }) => !source.metadata.has('init_time'));
  if (unstated.length > 0) {
    const which = unstated.length === 1 ? 'the run' : `each of ${unstated.length} runs`;
    warnings.push(`no init time states when ${which} starts: taken for its first day, such as ${unstated[0].name}`);
    const longest = unstated.reduce((a, b) => (b.source.days > a.source.days ? b : a));
    if (longest.source.days > LONG_DAYS)
      warnings.push(
        `the run from ${longest.name} on has ${longest.source.days} days, and leads up to there: where these are several runs, a column init_time, or a file for each, keeps them apart`,
      );
  }
  for (const key of MODEL_KEYS) {
    const stated = [...new Set(runs.flatMap(({ source }) => source.metadata.get(key) ?? []))];
    if (stated.length > 1)
      warnings.push(
        `runs of several models or versions are scored together: ${key} is ${stated.slice(0, 3).join('; ')}${stated.length > 3 ? '; ...' : ''}`,
      );
  }
  return warnings;
}
