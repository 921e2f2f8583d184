import { assertShape } from '../../check/option-checks.js';
import { OptionError, unusable } from '../../errors.js';
import { icechunkAddress } from '../icechunk/icechunk-address.js';
import known from './known-archives.json' with { type: 'json' };

/** What archives state of themselves. */
interface Described {
  readonly title: string;
  readonly institution: string;
  readonly license: string;
  /** The words by which the licence, or courtesy, asks to name who made the data. */
  readonly attribution: string;
  /** Where the layout is described. */
  readonly references: string;
}

/** A field of an archive: how its index files name it, and the steps that have it, in hours. */
export interface ArchiveField {
  readonly param: string;
  /** The level as wgrib2 writes it: `2 m above ground`. */
  readonly level?: string;
  /** The kind of level of MARS: `sfc`. */
  readonly levtype?: string;
  /** Steps after this one have it; by default all. */
  readonly after?: number;
  /** Steps up to this one have it; by default all. */
  readonly until?: number;
  /** What {field} stands for in paths of files with all steps of one field. */
  readonly file?: string;
}

/**
 * Files of a product: one for each step, or with {field} in the path for each field with all its steps; and for each member
 * where `names` are given.
 */
export interface ArchiveFiles {
  /** Runs from this one on, or before it, have these files. */
  readonly from?: string;
  readonly before?: string;
  /** The path below the mirror, with {year}, {date}, {hour}, {step}, {step:3}, {field} and {member}. */
  readonly path: string;
  /** The path of its index file. */
  readonly index: string;
  /** The numbers of the members: `0-30`. */
  readonly members: string;
  /** What {member} stands for: the control, member 0, and others. */
  readonly names?: { readonly control: string; readonly others: string };
  /** Whether messages do not state the member: there is only one. */
  readonly memberOfPath?: boolean;
}

/** Fields that have the same grid and steps. */
export interface ArchiveProduct {
  readonly name: string;
  /** The hours at which runs begin, and their steps in hours: `0-144/3,150-360/6`. */
  readonly runs: readonly { readonly hours: readonly number[]; readonly steps: string }[];
  readonly files: readonly ArchiveFiles[];
}

/** An archive of GRIB files beside which index files stand. */
export interface GribArchive extends Described {
  readonly kind: 'grib';
  readonly name: string;
  /** The roots of its copies, the first by default. */
  readonly mirrors: readonly string[];
  /** What writes its index files. */
  readonly index: 'ecmwf' | 'wgrib2';
  /** How many runs make one lagged ensemble; by default one is an ensemble. */
  readonly lagged?: number;
  /** The days of the first and the last run, of an archive that does not grow: a run has to be named. */
  readonly between?: readonly [string, string];
  /** Of several, the first whose steps reach far enough is read. */
  readonly products: readonly ArchiveProduct[];
  /** By the short names of ecCodes, or by others that the variables of plumecast know. */
  readonly fields: Readonly<Record<string, ArchiveField>>;
}

/** An archive that is one store of arrays. */
export interface StoreArchive extends Described {
  readonly kind: 'store';
  readonly name: string;
  /** The addresses of its copies, the first by default. */
  readonly mirrors: readonly string[];
}

export type Archive = GribArchive | StoreArchive;

/** Archives by their names. Throws OptionError where a text is not JSON of archives; `source` names it. */
export function parseArchives(text: string, source: string): ReadonlyMap<string, Archive> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new OptionError({
      subject: source,
      problem: 'is not JSON',
      allowed: 'an object of archives by their names',
      cause,
    });
  }
  return archivesOf(given, source);
}

/** The archives that the package knows. */
export function knownArchives(): ReadonlyMap<string, Archive> {
  return archivesOf(known, 'known-archives.json');
}

const NAME = /^[a-z][a-z0-9-]+:[a-z0-9][a-z0-9.-]*$/;

/** Whether a text has the form of an archive's name: `noaa:gefs`. */
function isArchiveName(text: string): boolean {
  return NAME.test(text);
}

function archivesOf(given: unknown, source: string): ReadonlyMap<string, Archive> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw unusable(source, given, 'an object of archives by their names');
  return new Map(
    Object.entries(given).map(([name, archive]) => {
      const subject = `${source}, ${name}`;
      if (!isArchiveName(name)) throw unusable(`${source}, name`, name, 'two words with a colon, such as noaa:gefs');
      assertShape(subject, archive, { kind: 'text', title: 'text', license: 'text', mirrors: 'texts' });
      const own = { institution: '', attribution: '', references: '', ...archive, name };
      for (const mirror of own.mirrors) assertRoot(mirror, `${subject}, mirrors`);
      if (own.kind === 'grib') assertGrib(own, subject);
      else if (own.kind !== 'store') throw unusable(`${subject}, kind`, own.kind, 'grib or store');
      return [name, own as Archive];
    }),
  );
}

const TEMPLATE = /\{(?!year\}|date\}|hour\}|step(:\d)?\}|field\}|member\})[^}]*\}?/;

function assertGrib(archive: Record<string, unknown>, subject: string): void {
  assertShape(subject, archive, { index: 'text', products: 'list', fields: 'object' });
  if (!['ecmwf', 'wgrib2'].includes(String(archive.index)))
    throw unusable(`${subject}, index`, archive.index, 'ecmwf or wgrib2');
  for (const [i, product] of (archive.products as Record<string, unknown>[]).entries()) {
    const at = `${subject}, products[${i}]`;
    assertShape(at, product, { name: 'text', runs: 'list', files: 'list' });
    for (const run of product.runs as Record<string, unknown>[]) {
      assertShape(`${at}, runs`, run, { hours: 'list', steps: 'text' });
      parseNumbers(String(run.steps), `${at}, steps`);
    }
    for (const file of product.files as Record<string, unknown>[]) {
      assertShape(`${at}, files`, file, { path: 'text', index: 'text', members: 'text' });
      parseNumbers(String(file.members), `${at}, members`);
      for (const path of [file.path, file.index]) {
        const [unknown] = TEMPLATE.exec(String(path)) ?? [];
        if (unknown !== undefined)
          throw unusable(`${at}, path`, path, '{year}, {date}, {hour}, {step}, {step:3}, {field} and {member}');
      }
    }
  }
  for (const [name, field] of Object.entries(archive.fields as Record<string, unknown>))
    assertShape(`${subject}, fields, ${name}`, field, {
      param: 'text',
      level: 'text?',
      levtype: 'text?',
      file: 'text?',
    });
}

/** Throws OptionError for a mirror that is no address of HTTP or of a bucket, also of a repository of Icechunk. */
export function assertRoot(mirror: string, subject: string): void {
  const { address = mirror } = icechunkAddress(mirror) ?? {};
  if (/^(https?|s3|gs|az):\/\/[^/]/.test(address) && URL.canParse(address)) return;
  throw unusable(subject, mirror, 'an address, such as https://example.org/ecmwf or s3://bucket');
}

const RANGE = /^(\d{1,4})(?:-(\d{1,4})(?:\/(\d{1,3}))?)?$/;

/** Ascending numbers as a text: `0-144/3,150-360/6`. Throws OptionError. */
export function parseNumbers(text: string, subject: string): number[] {
  const numbers = text.split(',').flatMap((part) => {
    const [, first, last = first, by = '1'] = RANGE.exec(part.trim()) ?? [];
    if (first === undefined || Number(last) < Number(first) || Number(by) === 0)
      throw unusable(subject, text, 'numbers and ranges, such as 0-144/3,150-360/6');
    const count = Math.floor((Number(last) - Number(first)) / Number(by)) + 1;
    return Array.from({ length: count }, (_, i) => Number(first) + i * Number(by));
  });
  if (numbers.every((number, i) => i === 0 || number > numbers[i - 1])) return numbers;
  throw new OptionError({
    subject,
    problem: 'are not ascending',
    received: text,
    allowed: 'each number once, in order',
  });
}

/** Whether a name is one of an archive, by its form and the known ones or a file of others that is given. */
export function namesArchive(name: string, { archives }: { readonly archives?: string }): boolean {
  if (!isArchiveName(name) || icechunkAddress(name) !== undefined) return false;
  return archives !== undefined || knownArchives().has(name) || isOfKnownMaker(name);
}

function isOfKnownMaker(name: string): boolean {
  const [maker] = name.split(':');
  return [...knownArchives().keys()].some((known) => known.startsWith(`${maker}:`));
}
