import type { PairingRecord } from '../../../blend/pairing/pairing-record.js';
import { JsonFields } from '../../../check/json-fields.js';
import { FormatError, isPlumecastError } from '../../../errors.js';
import { checkDay, formatDate, parseDate } from '../../../period/day.js';
import { GRANULARITIES } from '../../../period/period.js';
import type { HorizonRange } from '../../../respond/answer-data.js';
import { HORIZONS } from '../../../variable/availability.js';
import { checkHorizons } from '../check-horizons.js';
import type { Axis } from '../dataset.js';
import { checkForecastHeader, checkSlug } from './check-series.js';
import {
  type ClimatologyEntry,
  type ForecastHeader,
  MANIFEST_VERSION,
  type Manifest,
  type PartEntry,
  type SeriesEntry,
} from './manifest.js';
import { STORE_PARTS } from './store-part.js';

const KIND = 'plumecast store';

/** Writes a manifest as JSON. */
export function formatManifest({ forecast, parts, ...rest }: Manifest): string {
  const written = { kind: KIND, version: MANIFEST_VERSION, forecast, parts: mapped(parts, writtenPart), ...rest };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

/**
 * Reads a manifest from JSON. Throws FormatError, with `file` as its subject, where it is not a manifest, or of a newer
 * version.
 */
export function parseManifest(text: string, file: string): Manifest {
  const fields = JsonFields.parse(text, file, 'the manifest of a store');
  fields.word('kind', [KIND]);
  const version = fields.count('version');
  if (version > MANIFEST_VERSION) {
    const allowed = `up to ${MANIFEST_VERSION}, or a newer release of plumecast`;
    throw new FormatError({ subject: file, problem: 'is a store of a newer version', received: version, allowed });
  }
  return {
    forecast: fields.has('forecast') ? forecastHeader(fields.object('forecast')) : undefined,
    parts: entries(fields, 'parts', STORE_PARTS, partEntry),
    climatologies: fields.objects('climatologies').map(climatologyEntry),
    elevation: fields.has('elevation') ? fields.path('elevation') : undefined,
    preloaded: fields.has('preloaded') ? preloadedEntry(fields.object('preloaded')) : undefined,
    attribution: fields.optionalText('attribution'),
    revision: fields.optionalText('revision'),
    previousFiles: fields.paths('previousFiles'),
  };
}

function writtenPart({ variables, ...part }: PartEntry) {
  return { ...part, variables: mapped(variables, writtenSeries) };
}

function writtenSeries({ axis: { firstDay, horizons, ...axis }, ...series }: SeriesEntry) {
  return { ...series, firstDate: formatDate(firstDay), ...axis, horizons: horizons?.map(writtenRange) };
}

function writtenRange({ horizon, firstDay, lastDay }: HorizonRange) {
  return { horizon, firstDate: formatDate(firstDay), lastDate: formatDate(lastDay) };
}

function mapped<T, U>(map: ReadonlyMap<string, T>, written: (value: T) => U): Record<string, U> {
  return Object.fromEntries([...map].map(([key, value]) => [key, written(value)]));
}

function entries<K extends string, V>(
  fields: JsonFields,
  field: string,
  keys: readonly K[] | undefined,
  entry: (fields: JsonFields) => V,
): Map<K, V> {
  const object = fields.object(field);
  const unknown = object.names.find((name) => keys !== undefined && !(keys as readonly string[]).includes(name));
  if (unknown !== undefined) throw fields.fault(field, unknown, (keys as readonly string[]).join(', '));
  return new Map(object.names.map((name) => [name as K, entry(object.object(name))]));
}

function forecastHeader(fields: JsonFields): ForecastHeader {
  const header = readHeader(fields);
  assertUsable(fields, '', () => checkForecastHeader(header));
  return header;
}

/** Runs a check of an update's arguments. Throws FormatError that names the field. */
function assertUsable(fields: JsonFields, field: string, check: () => void): void {
  try {
    check();
  } catch (cause) {
    if (!isPlumecastError(cause)) throw cause;
    throw fields.fault(field, cause.received, `${cause.allowed}, for ${cause.subject}`, cause);
  }
}

function readHeader(fields: JsonFields): ForecastHeader {
  const times = fields.object('horizonInitTimes');
  const given = HORIZONS.filter((horizon) => times.has(horizon));
  return {
    initTime: fields.text('initTime'),
    version: fields.text('version'),
    generation: fields.text('generation'),
    nextInitTime: fields.optionalText('nextInitTime'),
    horizonInitTimes: Object.fromEntries(given.map((horizon) => [horizon, times.text(horizon)])),
    pairing: fields.has('pairing') ? (fields.value('pairing') as PairingRecord) : undefined,
  };
}

function partEntry(fields: JsonFields): PartEntry {
  const places = fields.object('places');
  if (fields.object('variables').names.length === 0) throw fields.fault('variables', {}, 'at least one');
  const variables = entries<string, SeriesEntry>(fields, 'variables', undefined, seriesEntry);
  for (const slug of variables.keys()) assertUsable(fields, 'variables', () => checkSlug(slug));
  return {
    revision: fields.text('revision'),
    places: { count: places.count('count'), digest: places.text('digest') },
    variables,
  };
}

function seriesEntry(fields: JsonFields): SeriesEntry {
  const axis: Axis = {
    ...{ firstDay: day(fields, 'firstDate'), days: fields.count('days'), members: fields.count('members') },
    ...(fields.has('horizons') && { horizons: fields.objects('horizons').map(horizonRange) }),
  };
  assertUsable(fields, 'days', () => checkDay('last day', axis.firstDay + axis.days - 1));
  assertUsable(fields, 'horizons', () => checkHorizons('series', axis));
  return { file: fields.path('file'), units: fields.text('units'), axis };
}

function horizonRange(fields: JsonFields): HorizonRange {
  return {
    horizon: fields.word('horizon', HORIZONS),
    firstDay: day(fields, 'firstDate'),
    lastDay: day(fields, 'lastDate'),
  };
}

function day(fields: JsonFields, field: string): number {
  const date = fields.text(field);
  try {
    return parseDate(date);
  } catch (cause) {
    throw fields.fault(field, date, 'a date as YYYY-MM-DD', cause);
  }
}

function climatologyEntry(fields: JsonFields): ClimatologyEntry {
  return {
    of: fields.word('of', ['observations', ...HORIZONS]),
    granularity: fields.word('granularity', GRANULARITIES),
    slug: fields.text('slug'),
    file: fields.path('file'),
  };
}

function preloadedEntry(fields: JsonFields) {
  return { file: fields.path('file'), count: fields.count('count') };
}
