import { pathWord, shellWord } from '../../check/shell-word.js';
import type { ReferenceYears } from '../../climate/climatology.js';
import { DEFAULT_REFERENCE, formatReference, yearsWithin } from '../../climate/reference-years.js';
import { DAILY_GROWTH_WARNING } from '../../ensemble/accumulation.js';
import { mentionOption } from '../../errors.js';
import { parseDate } from '../../period/day.js';
import { variables } from '../../variable/built-in.js';
import { STANDARD, sourceName } from '../input-file.js';
import type { InspectedDays, InspectedVariable, InspectRequest } from './inspection.js';

/** The array of a variable, where it must be named; or the name of columns that mean no known variable. */
interface ChosenName {
  readonly array?: string | undefined;
  /** Whether values are of weeks or months, which are taken as they are stored. */
  readonly isStored?: boolean;
  /** Whether others may be meant without it. */
  readonly own?: { readonly name: string; readonly isNeeded: boolean };
}

/** A single series of at least so many days counts as a history. */
const HISTORY_DAYS = 3650;
/**
 * Suggests a command for a variable of a file: weekly statistics if there are complete weeks, or a climatology for a
 * history. It has the options that the file was inspected with, an option that a warning suggests, and the array if
 * that is needed, or the own name of columns that mean no known variable. An unknown variable has no rule to combine its
 * days: the command with means of days is part of what is needed then.
 */
export function commandFor(
  source: string,
  { variable, members, days, windows, values, warnings = [] }: InspectedVariable,
  { options, columns }: InspectRequest,
  { array, own, isStored = false }: ChosenName = {},
): Pick<InspectedVariable, 'command' | 'needed'> {
  const granularity = isStored ? 'native' : (windows?.weekly ?? 0) > 0 ? 'weekly' : 'daily';
  const years =
    variable !== undefined && members?.count === 1 && days !== undefined && days.whole >= HISTORY_DAYS
      ? chooseYears(days)
      : undefined;
  const isComplete = days?.missing === 0 && values?.missing === 0;
  // A name that means no known variable is taken with a rule for windows alone.
  const needsRule = variable === undefined && (granularity !== 'daily' || own?.isNeeded === true);
  const given: Record<string, unknown> = {
    variable: variable ?? (needsRule ? own?.name : undefined),
    ...(needsRule && { window: 'mean' }),
    ...(warnings.includes(DAILY_GROWTH_WARNING) && { accumulation: 'since-start' }),
    ...options,
    ...(array !== undefined && { array }),
    ...(columns !== undefined && { columns }),
    granularity: needsRule ? 'weekly' : granularity,
    ...(needsRule && granularity === 'daily' && { partial: true }),
    ...(years && years !== DEFAULT_REFERENCE && { reference: formatReference(years) }),
    ...(years && !isComplete && { fewerYears: true }),
  };
  const words = Object.entries(given).flatMap(([name, value]) => optionWords(name, value));
  const command = ['plumecast', years ? 'climatology' : 'stats', fileWord(source), ...words].map(shellWord).join(' ');
  if (!needsRule) return { command };
  const slugs = variables.map(({ slug }) => slug).join(', ');
  const rule = `${mentionOption('window')}, which says how days are combined, because the file names no known variable`;
  return { needed: `${rule}: ${command}; or ${mentionOption('variable')}, where it is one of ${slugs}` };
}

/** The reference years for a history: the default ones if it covers them, else all years that it covers far enough. */
function chooseYears({ first, last }: InspectedDays): ReferenceYears {
  const years = yearsWithin(parseDate(first), parseDate(last));
  const { firstYear, lastYear } = DEFAULT_REFERENCE;
  return years.firstYear <= firstYear && years.lastYear >= lastYear ? DEFAULT_REFERENCE : years;
}

/**
 * The words of an option on a command line, with its name in kebab-case: `--columns member=run,value=mm`, `--sort`;
 * none without a value.
 */
function optionWords(name: string, value: unknown): string[] {
  if (value === undefined || value === false) return [];
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === true ? [flag] : [flag, valueWord(value)];
}

function valueWord(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(valueWord).join(',');
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const isPoint = fields.every(([, field]) => typeof field === 'number');
  return fields.map(([key, field]) => (isPoint ? valueWord(field) : `${key}=${valueWord(field)}`)).join(',');
}

/** A file as an argument of a command. */
function fileWord(source: string): string {
  return source === sourceName(STANDARD) ? STANDARD : pathWord(source);
}
