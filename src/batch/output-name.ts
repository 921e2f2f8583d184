import { OptionError } from '../errors.js';
import { ENDINGS, OUTPUT_FORMATS } from './output-format.js';

/** What the name of an output can tell. */
export interface NameParts {
  readonly input: string;
  readonly variable: string;
  readonly granularity: string;
}

const PLACES = ['input', 'variable', 'granularity'] as const;

/** Throws OptionError for a template of names that has unknown places, leads out of the folder, or ends as files of a format do. */
export function checkTemplate(template: string): void {
  if (typeof template !== 'string')
    throw new OptionError({ subject: 'name', problem: 'is no text', received: template });
  const unknown = [...template.matchAll(/\{([^}]*)\}/g)].find(([, place]) => !isPlace(place));
  if (unknown !== undefined) {
    const allowed = PLACES.map((place) => `{${place}}`).join(', ');
    throw new OptionError({ subject: 'name', problem: 'has an unknown place', received: unknown[0], allowed });
  }
  const format = OUTPUT_FORMATS.find((each) => template.toLowerCase().endsWith(ENDINGS[each]));
  if (format !== undefined) {
    const allowed = `a name without an ending, which the format adds: ${template.slice(0, -ENDINGS[format].length)}`;
    throw new OptionError({ subject: 'name', problem: 'has the ending of a format', received: template, allowed });
  }
  const steps = template.split(/[\\/]/);
  if (template.trim() !== '' && !template.startsWith('.') && steps.every((step) => step !== '' && step !== '..'))
    return;
  throw new OptionError({
    subject: 'name',
    problem: 'is no name within the folder of the outputs',
    received: template,
    allowed: 'such as {input}, or {variable}/{input}_{granularity}',
  });
}

/** Whether outputs of a template are of one input each. */
export function isByInput(template: string): boolean {
  return template.includes('{input}');
}

/** The name of an output, without its ending. */
export function outputName(template: string, parts: NameParts): string {
  return template.replace(/\{(\w+)\}/g, (_, place: keyof NameParts) => parts[place]);
}

function isPlace(text: string): boolean {
  return (PLACES as readonly string[]).includes(text);
}
