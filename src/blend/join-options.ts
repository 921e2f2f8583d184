import { type Choice, checkOptions, type OptionSchema } from '../check/option-checks.js';
import type { Places } from '../ensemble/nearest-place.js';
import { OptionError } from '../errors.js';
import { HORIZONS, type HorizonName } from '../variable/availability.js';
import type { VariableSlug } from '../variable/slug.js';
import { assertPairing, assertPlaces, type BlendMethod, METHODS, type Pairing } from './pairing/pairing.js';

/** How horizons are joined, whatever they are read from. */
export interface JoinOptions {
  /**
   * The horizons' names, in order. Default: those in their metadata, where they differ; else short-term, subseasonal,
   * seasonal for three horizons.
   */
  names?: readonly string[];
  /** The names of the tables in messages, such as their files' names. Default: the horizons' names. */
  sources?: readonly string[];
  /**
   * `field`: members are paired as fields, and handed over one after the other. `cell`: the same by rank, each location
   * by itself, so that neighbours are lost. `splice`: by index, at once. Default `field`.
   */
  method?: Choice<BlendMethod>;
  /** The last days of each horizon but the last, in which its members hand over to the next. Default 3 and then 7. */
  overlaps?: readonly number[];
  /**
   * The last day used of each horizon, counted from the timeline's first (0); `null` for all its days. Default 14, 41,
   * 214 for three horizons, else all days of each.
   */
  lastLeads?: readonly (number | null)[];
  /**
   * Whether there may be days between two horizons that neither has: these are missing then. Default false: they are an
   * error.
   */
  keepGaps?: boolean;
}

/** The options that say how horizons are joined. */
export const JOIN_OPTIONS = /* @__PURE__ */ (() =>
  ({
    names: { type: 'together' },
    sources: { type: 'together' },
    method: { choices: METHODS, default: 'field' },
    overlaps: { type: 'together' },
    lastLeads: { type: 'together' },
    keepGaps: { type: 'flag', default: false },
  }) satisfies OptionSchema<JoinOptions>)();

/** How arrays of consecutive horizons become one timeline. */
export interface ArrayBlendOptions extends JoinOptions {
  /**
   * The coordinates of each place, the last dimension fastest: of a field of more than 1,900 km regions are paired.
   * Default: one pairing for the field, made from a sample by index.
   */
  places?: Places;
  /** The pairing of another variable of the same forecasts, which decides how members are joined. Default: one is made. */
  pairing?: Pairing;
}

const ARRAY_OPTIONS = /* @__PURE__ */ (() =>
  ({
    ...JOIN_OPTIONS,
    places: { check: (places: Places) => assertPlaces(places) },
    pairing: { check: assertPairing },
  }) satisfies OptionSchema<ArrayBlendOptions>)();

/** The variables by which members are paired, where every horizon has them. */
export const PAIR_BY: readonly VariableSlug[] = /* @__PURE__ */ Object.freeze(['temp_mean', 'precipitation']);

/** The last day that a timeline of all three horizons uses of each, counted from the timeline's first (0). */
export const LAST_LEADS: Readonly<Record<HorizonName, number>> = /* @__PURE__ */ Object.freeze({
  'short-term': 14,
  subseasonal: 41,
  seasonal: 214,
});
/** The last days of a horizon in which its members hand over to the next. */
export const OVERLAP_DAYS: Readonly<Record<Exclude<HorizonName, 'seasonal'>, number>> = /* @__PURE__ */ Object.freeze({
  'short-term': 3,
  subseasonal: 7,
});

/** Checks the options of `blend` of arrays for `count` horizons, and fills in defaults. Throws OptionError. */
export function checkArrayBlendOptions(options: ArrayBlendOptions, count: number) {
  const checked = checkOptions<ArrayBlendOptions, typeof ARRAY_OPTIONS>(options, ARRAY_OPTIONS);
  return { ...checked, ...checkDays(checked, count, 'an array') };
}

/** Checks the lists with an entry for each horizon or seam, and returns the lists of days. Throws OptionError. */
export function checkDays({ names, sources, ...checked }: JoinOptions, count: number, what: string) {
  if (count === 0) {
    throw new OptionError({ subject: 'horizons', problem: 'none', allowed: `${what} for each, from the shortest on` });
  }
  const seams = count - 1;
  const { overlaps = usualOverlaps(seams), lastLeads = usualLastLeads(count) } = checked;
  oneForEach('horizon', 'names', names, count);
  oneForEach('horizon', 'sources', sources, count);
  oneForEach('seam between two horizons', 'overlaps', overlaps, seams);
  oneForEach('horizon', 'lastLeads', lastLeads, count);
  for (const days of overlaps) wholeDays('overlaps', days, 1, 'whole numbers from 1');
  for (const lead of lastLeads)
    if (lead !== null) wholeDays('lastLeads', lead, 0, 'whole numbers from 0, or null for all');
  return { overlaps, lastLeads: lastLeads.map((lead) => lead ?? undefined) };
}

function usualOverlaps(seams: number): number[] {
  return Array.from({ length: seams }, (_, s) => OVERLAP_DAYS[s === 0 ? 'short-term' : 'subseasonal']);
}

function usualLastLeads(count: number): (number | null)[] {
  return count === HORIZONS.length ? HORIZONS.map((horizon) => LAST_LEADS[horizon]) : new Array<null>(count).fill(null);
}

function oneForEach(what: string, subject: string, received: readonly unknown[] | undefined, count: number): void {
  if (received === undefined) return;
  const isText = subject === 'names' || subject === 'sources';
  const areRight = Array.isArray(received) && received.every((item) => !isText || typeof item === 'string');
  if (areRight && received.length === count) return;
  throw new OptionError({
    subject,
    problem: `not one for each ${what}`,
    received,
    allowed: `a list of ${count}`,
  });
}

function wholeDays(subject: string, received: number, least: number, allowed: string): void {
  if (Number.isInteger(received) && received >= least) return;
  throw new OptionError({ subject, problem: 'not a number of days', received, allowed });
}
