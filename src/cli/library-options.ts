import { type Command, Option } from 'commander';
import type { AnyRule } from '../check/option-checks.js';
import { plainNumber } from './option-values.js';

/*
 * Options of the library as flags of a command: what they are follows from the library's schemas, which have no texts
 * for people.
 */

/** How the help shows an option of the library. */
export interface OptionRow {
  /** The placeholder of its value; none for those that are on or off. */
  readonly value?: string;
  readonly text: string;
  /** One use of it, as on the page of options. */
  readonly example: string;
  /** Reads its value where the schema does not say how. `before` is what was read if it is given several times. */
  readonly read?: (text: string, before?: never) => unknown;
}

/** Rows for some options of an interface, in the order of the help. */
export type OptionRows<Options> = { readonly [Name in keyof Options]?: OptionRow };

/** Options whose flags are not their names in kebab-case: they are given one by one, or have another meaning. */
const RENAMED: Readonly<Record<string, string>> = {
  thresholds: 'threshold',
  conditions: 'condition',
  variables: 'variable',
  granularities: 'granularity',
  climatologies: 'climatology',
  nextInitTime: 'nextRun',
  initDate: 'date',
};

/** The name of the attribute in which commander keeps the value of an option of the library. */
export function attributeOf(name: string): string {
  return RENAMED[name] ?? name;
}

/** The flag of an option of the library: `--min-member-share`. */
export function flagOf(name: string): string {
  return `--${attributeOf(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Adds the options in `rows` to a command. */
export function addOptions(
  command: Command,
  schema: Readonly<Record<string, AnyRule>>,
  rows: Readonly<Record<string, OptionRow>>,
): Command {
  for (const [name, { value, text, read }] of Object.entries(rows)) {
    const { choices, type } = schema[name];
    const option = new Option(value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`, text);
    if (choices !== undefined) option.choices(choices);
    const reader = read ?? (type === 'share' ? plainNumber : undefined);
    if (reader !== undefined) option.argParser(reader as (text: string, before: unknown) => unknown);
    command.addOption(option);
  }
  return command;
}

/** Takes the options in `rows` that are given out of the values of a command's flags. */
export function takeOptions<Options>(rows: OptionRows<Options>, flags: object): Options {
  const values = flags as Readonly<Record<string, unknown>>;
  const given = Object.keys(rows).filter((name) => values[attributeOf(name)] !== undefined);
  return Object.fromEntries(given.map((name) => [name, values[attributeOf(name)]])) as Options;
}
