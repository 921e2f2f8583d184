import type { ReferenceYears } from '../../climate/climatology.js';
import { DEFAULT_REFERENCE, formatReference, yearsWithin } from '../../climate/reference-years.js';
import { DAILY_GROWTH_WARNING } from '../../ensemble/accumulation.js';
import { mentionOption } from '../../errors.js';
import { parseDate } from '../../period/day.js';
import { variables } from '../../variable/built-in.js';
import { STANDARD, sourceName } from '../run/read-input.js';
import type { InspectRequest } from './inspect-request.js';
import type { InspectedDays, InspectedVariable } from './inspection.js';

/** From so many days on, a single series is taken for a history. */
const HISTORY_DAYS = 3650;
/**
 * A command that computes something of a variable of a file: weekly statistics where there are whole weeks, or what is normal where it
 * is a history. It has the options that the file was looked at with, that which a warning asks for, and the array where that is needed. Nothing can be computed of an
 * unknown variable, as nothing tells how its days are combined: then that is what is needed.
 */
export function commandFor(
  source: string,
  { variable, members, days, windows, values, warnings = [] }: InspectedVariable,
  { options, columns }: InspectRequest,
  array?: string,
): Pick<InspectedVariable, 'command' | 'needed'> {
  if (variable === undefined) {
    const beside = array === undefined ? '' : ` beside ${mentionOption('array', array)}`;
    const slugs = variables.map(({ slug }) => slug).join(', ');
    return { needed: `${mentionOption('variable')}${beside}, as nothing in the file names it: one of ${slugs}` };
  }
  const granularity = (windows?.weekly ?? 0) > 0 ? 'weekly' : 'daily';
  const years = members?.count === 1 && days !== undefined && days.whole >= HISTORY_DAYS ? yearsOf(days) : undefined;
  const isComplete = days?.missing === 0 && values?.missing === 0;
  const given: Record<string, unknown> = {
    variable,
    ...(warnings.includes(DAILY_GROWTH_WARNING) && { accumulation: 'since-start' }),
    ...options,
    ...(array !== undefined && { array }),
    ...(columns !== undefined && { columns }),
    granularity,
    ...(years && years !== DEFAULT_REFERENCE && { reference: formatReference(years) }),
    ...(years && !isComplete && { fewerYears: true }),
  };
  const words = Object.entries(given).flatMap(([name, value]) => optionWords(name, value));
  const command = ['plumecast', years ? 'climatology' : 'stats', fileWord(source), ...words].map(quoted).join(' ');
  return { command };
}

/** The years of a history that a climatology is of: those that are usual, else all that its days reach far enough into. */
function yearsOf({ first, last }: InspectedDays): ReferenceYears {
  const years = yearsWithin(parseDate(first), parseDate(last));
  const { firstYear, lastYear } = DEFAULT_REFERENCE;
  return years.firstYear <= firstYear && years.lastYear >= lastYear ? DEFAULT_REFERENCE : years;
}

/** An option as a command line has it, its name in kebab-case: `--columns member=run,value=mm`, `--sort`, none where it is not given. */
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

/** A file as a command takes it: a name that begins with a hyphen would be an option. */
function fileWord(source: string): string {
  if (source === sourceName(STANDARD)) return STANDARD;
  return source.startsWith('-') ? `./${source}` : source;
}

/** A word as a shell takes it for one. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
