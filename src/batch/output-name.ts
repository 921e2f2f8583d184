import { OptionError } from '../errors.js';
import { endingOf, OUTPUT_FORMATS } from './output-format.js';

/** The values of the placeholders in a name. */
export interface NameParts {
  readonly input: string;
  readonly ending: string;
  readonly variable: string;
  readonly granularity: string;
}

const PLACEHOLDERS = ['input', 'ending', 'variable', 'granularity', 'year'] as const;
const YEAR = '{year}';

/**
 * Throws OptionError for a template with unknown placeholders, the ending of a format, or a path outside of the folder.
 */
export function checkTemplate(template: string): void {
  if (typeof template !== 'string')
    throw new OptionError({
      subject: 'name',
      problem: 'is not a text',
      received: template,
      allowed: 'a text, such as {input}',
    });
  const unknown = [...template.matchAll(/\{([^}]*)\}/g)].find(([, place]) => !isPlaceholder(place));
  if (unknown !== undefined) {
    const allowed = PLACEHOLDERS.map((place) => `{${place}}`).join(', ');
    throw new OptionError({ subject: 'name', problem: 'has an unknown placeholder', received: unknown[0], allowed });
  }
  const format = OUTPUT_FORMATS.find((each) => template.toLowerCase().endsWith(endingOf(each)));
  if (format !== undefined) {
    const allowed = `a name without an ending, which the format adds: ${template.slice(0, -endingOf(format).length)}`;
    throw new OptionError({ subject: 'name', problem: 'has the ending of a format', received: template, allowed });
  }
  const steps = template.split(/[\\/]/);
  if (template.trim() === '' || template.startsWith('.') || steps.some((step) => step === '' || step === '..'))
    throw new OptionError({
      subject: 'name',
      problem: 'is not a name within the folder of the outputs',
      received: template,
      allowed: 'such as {input}, or {variable}/{input}_{granularity}',
    });
  checkYears(template);
}

/** Throws OptionError where the files of years are not in a folder of their output alone. */
function checkYears(template: string): void {
  const { folder, files = '' } = namedSteps(template);
  const later = [...files.matchAll(/\{\w+\}/g)].find(([place]) => place !== YEAR);
  if (folder !== '' && later === undefined) return;
  throw new OptionError({
    subject: 'name',
    problem: later === undefined ? `has no folder before ${YEAR}` : `has ${later[0]} beside or after ${YEAR}`,
    received: template,
    allowed: `a folder of each output, and in it files of years, such as {variable}/{input}/year=${YEAR}/part`,
  });
}

/** The names that a template gives. */
export interface NamedSteps {
  /** An output: a file, or with `{year}` the folder of its files. */
  readonly folder: string;
  /** The files within the folder, by their year. */
  readonly files?: string;
}

/** Divides a template before its first step with `{year}`. */
export function namedSteps(template: string): NamedSteps {
  if (!template.includes(YEAR)) return { folder: template };
  const steps = template.split(/[\\/]/);
  const first = steps.findIndex((step) => step.includes(YEAR));
  return { folder: steps.slice(0, first).join('/'), files: steps.slice(first).join('/') };
}

/** Whether each output of a template has a single input. */
export function isByInput(template: string): boolean {
  return template.includes('{input}');
}

/** Creates the name of an output: a file without its ending, or with `{year}` a folder. */
export function outputName(template: string, parts: NameParts): string {
  const named = { ...parts, granularity: fileWords(parts.granularity) };
  return namedSteps(template).folder.replace(/\{(\w+)\}/g, (_, place: keyof NameParts) => named[place]);
}

/** Windows as a part of a name: `days-1-7_8-14`; of a list `list`. */
function fileWords(granularity: string): string {
  return granularity.startsWith('[') ? 'list' : granularity.replaceAll(' ', '-').replaceAll(',', '_');
}

function isPlaceholder(text: string): boolean {
  return (PLACEHOLDERS as readonly string[]).includes(text);
}
