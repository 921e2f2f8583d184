import { DataError } from '../errors.js';
import { daysInWords } from '../period/stated-days.js';
import { unitsAgree } from '../variable/unit-conversion.js';
import type { Ensemble } from './ensemble.js';

/** What an ensemble states about itself, and its name in messages. */
interface NamedTexts {
  readonly source: string;
  readonly ensemble: Pick<Ensemble, 'variable' | 'units' | 'metadata'>;
}

/** The metadata of an ensemble or its results, and their name in messages. */
interface NamedMetadata {
  readonly source: string;
  readonly ensemble: Pick<Ensemble, 'metadata'>;
}

/**
 * Throws DataError where ensembles that belong together differ in variable, units, calendar or zone of their days. One that states no
 * variable or units agrees with all others; with `strict`, only with others that state none.
 */
export function assertConsistent(inputs: readonly NamedTexts[], strict = false): void {
  const unknown = strict ? NOT_KNOWN : undefined;
  assertMatches(inputs, 'variable', ({ variable }) => variable?.slug ?? unknown);
  assertMatches(inputs, 'unit', ({ units }) => units ?? unknown, unitsAgree);
  assertMatches(inputs, 'calendar', calendarOf);
  assertSameDays(inputs);
}

/** Throws DataError where ensembles, or their results, have days of different zones. */
export function assertSameDays(inputs: readonly NamedMetadata[]): void {
  assertMatches(inputs, 'zone of its days', ({ metadata }) => daysInWords(metadata) ?? 'days of UTC');
}

const NOT_KNOWN = 'none that is known';

/** Throws for the first input that states another `what` than the first input that states one. */
function assertMatches<Stated>(
  inputs: readonly { readonly source: string; readonly ensemble: Stated }[],
  what: string,
  read: (ensemble: Stated) => string | undefined,
  agree = (a: string, b: string) => a === b,
): void {
  const [first, ...others] = inputs.flatMap(({ ensemble, source }) => {
    const stated = read(ensemble);
    return stated === undefined ? [] : [{ stated, source }];
  });
  for (const { stated, source } of others) {
    if (agree(first.stated, stated)) continue;
    const remedy = [first.stated, stated].includes(NOT_KNOWN) ? '; or the variable named for all' : '';
    const allowed = `${first.stated}, as in ${first.source}${remedy}`;
    throw new DataError({ source, problem: `another ${what}`, received: stated, allowed });
  }
}

/** Names of the real calendar in the CF conventions. */
const STANDARD_CALENDARS = ['standard', 'gregorian', 'proleptic_gregorian'];

/** The calendar of the metadata, as the CF conventions name it. */
function calendarOf({ metadata }: Pick<Ensemble, 'metadata'>): string {
  const calendar = metadata.get('calendar')?.toLowerCase() ?? 'standard';
  return STANDARD_CALENDARS.includes(calendar) ? 'standard' : calendar;
}
