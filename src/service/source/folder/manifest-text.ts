import type { PairingRecord } from '../../../blend/pairing/pairing-record.js';
import { JsonFields } from '../../../check/json-fields.js';
import { FormatError, isPlumecastError } from '../../../errors.js';
import { checkDay, formatDate, parseDate } from '../../../period/day.js';
import { GRANULARITIES } from '../../../period/period.js';
import type { HorizonRange } from '../../../respond/answer-data.js';
import { HORIZONS } from '../../../variable/availability.js';
import type { ObjectEntry } from '../../store/write-blocks.node.js';
import { checkHorizons } from '../check-horizons.js';
import { type Axis, coarsestPrecision } from '../dataset.js';
import type { Shortfall } from '../source.js';
import { checkForecastHeader, checkSlug } from './check-series.js';
import {
  type ClimatologyEntry,
  type ForecastHeader,
  type IssuedEntry,
  MANIFEST_VERSION,
  type Manifest,
  type PartEntry,
  type PlacesEntry,
  type RecordedLead,
  type RunExtent,
  type SegmentEntry,
  type SeriesEntry,
  type StoreRecord,
} from './manifest.js';
import { STORE_PARTS } from './store-part.js';
import type { GenerationEntry, KeepPolicy, StoreRoot } from './store-root.js';

const KIND = 'plumecast store';
const GENERATION_KIND = 'plumecast generation';

/** Writes the contents of a generation as JSON. */
export function formatManifest({ forecast, parts, issued, record, ...rest }: Manifest): string {
  const written = {
    kind: GENERATION_KIND,
    version: MANIFEST_VERSION,
    forecast,
    parts: mapped(parts, writtenPart),
    ...rest,
  };
  const all = { ...written, issued: issued.map(writtenPart), record: record && writtenRecord(record) };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

/**
 * Reads the contents of a generation, or the manifest of a store of version 1, from JSON. Throws FormatError, with `file`
 * as its subject, where it is neither, or of a newer version.
 */
export function parseManifest(text: string, file: string): Manifest {
  const fields = JsonFields.parse(text, file, 'the contents of a store');
  const isGeneration = fields.word('kind', [KIND, GENERATION_KIND]) === GENERATION_KIND;
  const version = checkVersion(fields, file);
  if (isGeneration !== version > 1) throw fields.fault('version', version, isGeneration ? '2' : '1');
  const forecast = fields.has('forecast') ? forecastHeader(fields.object('forecast')) : undefined;
  return {
    generation: isGeneration ? fields.optionalText('generation') : forecast?.generation,
    forecast,
    parts: entries(fields, 'parts', STORE_PARTS, partEntry),
    climatologies: fields.objects('climatologies').map(climatologyEntry),
    elevation: fields.has('elevation') ? elevationEntry(fields) : undefined,
    preloaded: fields.has('preloaded') ? preloadedEntry(fields.object('preloaded')) : undefined,
    attribution: fields.optionalText('attribution'),
    revision: fields.optionalText('revision'),
    issued: fields.has('issued') ? fields.objects('issued').map(issuedEntry) : [],
    record: fields.has('record') ? storeRecord(fields.object('record')) : undefined,
  };
}

/** Writes a root as JSON, with a checksum of all before it. */
export function formatRoot(root: StoreRoot): string {
  const content = JSON.stringify({ kind: KIND, version: MANIFEST_VERSION, ...root }, undefined, 2);
  return `${content.slice(0, -2)},\n  "checksum": "${checksumOf(content)}"\n}\n`;
}

/**
 * Reads a root from JSON; undefined for the manifest of a store of version 1. Throws FormatError, with `file` as its
 * subject, where it is neither, damaged, or of a newer version.
 */
export function parseRoot(text: string, file: string): StoreRoot | undefined {
  const fields = JsonFields.parse(text, file, 'the manifest of a store');
  fields.word('kind', [KIND]);
  if (checkVersion(fields, file) === 1) return undefined;
  const root: StoreRoot = {
    current: fields.text('current'),
    keep: keepPolicy(fields.object('keep')),
    generations: fields.objects('generations').map(generationEntry),
  };
  const received = fields.text('checksum');
  if (formatRoot(root) !== text) {
    const allowed = `the manifest as it was written, with the checksum ${received}`;
    throw new FormatError({ subject: file, problem: 'is damaged: its checksum differs', allowed });
  }
  if (root.generations.some(({ id }) => id === root.current)) return root;
  throw fields.fault('current', root.current, root.generations.map(({ id }) => id).join(', ') || 'a generation');
}

/** A short checksum: the root is small, and its text is compared, too. */
function checksumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

function checkVersion(fields: JsonFields, file: string): number {
  const version = fields.count('version');
  if (version <= MANIFEST_VERSION) return version;
  const allowed = `up to ${MANIFEST_VERSION}, or a newer release of plumecast`;
  throw new FormatError({ subject: file, problem: 'is a store of a newer version', received: version, allowed });
}

function keepPolicy(fields: JsonFields): KeepPolicy {
  return { count: fields.count('count'), days: fields.has('days') ? fields.count('days') : undefined };
}

function generationEntry(fields: JsonFields): GenerationEntry {
  return {
    id: fields.text('id'),
    generation: fields.text('generation'),
    published: fields.text('published'),
    ...objectEntry(fields),
  };
}

function writtenPart<P extends PartEntry>({ variables, ...part }: P) {
  return { ...part, variables: mapped(variables, writtenSeries) };
}

function writtenSeries({ axis: { firstDay, horizons, ...axis }, segments, ...series }: SeriesEntry) {
  return {
    ...{ ...series, firstDate: formatDate(firstDay), ...axis, horizons: horizons?.map(writtenRange) },
    segments: segments.map(({ firstDay: first, ...segment }) => ({ ...segment, firstDate: formatDate(first) })),
  };
}

function writtenRange({ horizon, firstDay, lastDay }: HorizonRange) {
  return { horizon, firstDate: formatDate(firstDay), lastDate: formatDate(lastDay) };
}

function writtenRecord({ series, ...record }: StoreRecord) {
  return { ...record, series: series.map(({ values, ...each }) => ({ ...each, values: writtenSeries(values) })) };
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
    complete: fields.has('complete') ? runExtents(fields.object('complete')) : undefined,
    shortfalls: fields.has('shortfalls') ? fields.objects('shortfalls').map(shortfall) : undefined,
  };
}

function runExtents(fields: JsonFields): ForecastHeader['complete'] {
  const given = HORIZONS.filter((horizon) => fields.has(horizon));
  return Object.fromEntries(given.map((horizon) => [horizon, runExtent(fields.object(horizon))]));
}

function runExtent(fields: JsonFields): RunExtent {
  return { members: fields.count('members'), days: fields.count('days'), variables: fields.texts('variables') };
}

function shortfall(fields: JsonFields): Shortfall {
  const shortage = (field: 'members' | 'days') => {
    if (!fields.has(field)) return undefined;
    const counts = fields.object(field);
    return { received: counts.count('received'), expected: counts.count('expected') };
  };
  return {
    horizon: fields.word('horizon', HORIZONS),
    members: shortage('members'),
    days: shortage('days'),
    variables: fields.has('variables') ? fields.texts('variables') : undefined,
    fine: fields.has('fine') ? true : undefined,
  };
}

function placesEntry(fields: JsonFields): PlacesEntry {
  const places = fields.object('places');
  const object = places.has('object') ? objectEntry(places.object('object')) : undefined;
  return { count: places.count('count'), digest: places.text('digest'), object };
}

function partEntry(fields: JsonFields): PartEntry {
  if (fields.object('variables').names.length === 0) throw fields.fault('variables', {}, 'at least one');
  const variables = entries<string, SeriesEntry>(fields, 'variables', undefined, seriesEntry);
  for (const slug of variables.keys()) assertUsable(fields, 'variables', () => checkSlug(slug));
  return { revision: fields.text('revision'), places: placesEntry(fields), variables };
}

function storeRecord(fields: JsonFields): StoreRecord {
  return {
    revision: fields.text('revision'),
    updated: fields.text('updated'),
    series: fields.objects('series').map((each) => ({
      horizon: each.word('horizon', HORIZONS),
      granularity: each.word('granularity', GRANULARITIES),
      slug: each.text('slug'),
      places: placesEntry(each),
      values: seriesEntry(each.object('values')),
      state: objectEntry(each.object('state')),
      leads: each.objects('leads').map(recordedLead),
    })),
  };
}

function recordedLead(fields: JsonFields): RecordedLead {
  const skill = (name: string) => (fields.has(name) ? Number(fields.value(name)) : undefined);
  const [lead, cases] = [fields.count('lead', 0), fields.count('cases', 0)];
  return { lead, cases, crpsSkill: skill('crpsSkill'), rpsSkill: skill('rpsSkill') };
}

function issuedEntry(fields: JsonFields): IssuedEntry {
  return { horizon: fields.word('horizon', HORIZONS), initTime: fields.text('initTime'), ...partEntry(fields) };
}

function objectEntry(fields: JsonFields): ObjectEntry {
  return {
    file: fields.path('file'),
    bytes: fields.has('bytes') ? fields.count('bytes', 0) : undefined,
    sha256: fields.optionalText('sha256'),
  };
}

function seriesEntry(fields: JsonFields): SeriesEntry {
  const axis: Axis = {
    ...{ firstDay: day(fields, 'firstDate'), days: fields.count('days'), members: fields.count('members') },
    ...(fields.has('horizons') && { horizons: fields.objects('horizons').map(horizonRange) }),
  };
  assertUsable(fields, 'days', () => checkDay('last day', axis.firstDay + axis.days - 1));
  assertUsable(fields, 'horizons', () => checkHorizons('series', axis));
  const { firstDay, days } = axis;
  const segments: SegmentEntry[] = fields.has('segments')
    ? fields.objects('segments').map(segmentEntry)
    : [{ file: fields.path('file'), format: 'arrow', firstDay, days }];
  const lie = segments.every((each) => each.firstDay >= firstDay && each.firstDay + each.days <= firstDay + days);
  if (segments.length === 0 || !lie) throw fields.fault('segments', segments, 'files of days of the variable');
  const precision = fields.optionalPositive('precision') ?? coarsestPrecision(segments);
  return { units: fields.text('units'), axis: { ...axis, precision }, segments };
}

function segmentEntry(fields: JsonFields): SegmentEntry {
  return {
    ...objectEntry(fields),
    format: fields.word('format', ['blocks', 'arrow']),
    firstDay: day(fields, 'firstDate'),
    days: fields.count('days'),
    precision: fields.optionalPositive('precision'),
  };
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
    ...objectEntry(fields),
  };
}

/** Version 1 states the name alone. */
function elevationEntry(fields: JsonFields): ObjectEntry {
  return typeof fields.value('elevation') === 'string'
    ? { file: fields.path('elevation') }
    : objectEntry(fields.object('elevation'));
}

function preloadedEntry(fields: JsonFields) {
  return { ...objectEntry(fields), count: fields.count('count') };
}
