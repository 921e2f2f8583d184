import { DataError } from '../errors.js';
import { unitsAgree } from '../variable/units-agree.js';
import type { Ensemble } from './ensemble.js';

/** What an ensemble says of itself, and what it is called in messages. */
interface NamedTexts {
  readonly source: string;
  readonly ensemble: Pick<Ensemble, 'variable' | 'units' | 'metadata'>;
}

/**
 * Throws DataError where ensembles that belong together differ in variable, units or calendar. One that does not tell agrees with
 * all; or, where they are to be `known` alike, only with those that do not tell either.
 */
export function assertConsistent(inputs: readonly NamedTexts[], known = false): void {
  const unknown = known ? NOT_KNOWN : undefined;
  assertMatches(inputs, 'variable', ({ variable }) => variable?.slug ?? unknown);
  assertMatches(inputs, 'unit', ({ units }) => units ?? unknown, unitsAgree);
  assertMatches(inputs, 'calendar', calendarOf);
}

const NOT_KNOWN = 'none that is known';

/** Throws where one of the inputs that tell `what` tells another than the first of them. */
function assertMatches(
  inputs: readonly NamedTexts[],
  what: string,
  report: (ensemble: NamedTexts['ensemble']) => string | undefined,
  agree = (a: string, b: string) => a === b,
): void {
  const [first, ...others] = inputs.flatMap(({ ensemble, source }) => {
    const reported = report(ensemble);
    return reported === undefined ? [] : [{ reported, source }];
  });
  for (const { reported, source } of others) {
    if (agree(first.reported, reported)) continue;
    const remedy = [first.reported, reported].includes(NOT_KNOWN) ? '; or the variable named for all' : '';
    const allowed = `${first.reported}, as in ${first.source}${remedy}`;
    throw new DataError({ source, problem: `another ${what}`, received: reported, allowed });
  }
}

/** Names of the calendar that today's dates are of, by the CF conventions. */
const STANDARD_CALENDARS = ['standard', 'gregorian', 'proleptic_gregorian'];

/** The calendar of the metadata, as the CF conventions name it. */
function calendarOf({ metadata }: Pick<Ensemble, 'metadata'>): string {
  const calendar = metadata.get('calendar')?.toLowerCase() ?? 'standard';
  return STANDARD_CALENDARS.includes(calendar) ? 'standard' : calendar;
}
