import type { Command, Option } from 'commander';
import { nearestName } from '../variable/nearest-name.js';

/** Options that may be repeated, because their values add up; and those whose value may be empty. */
const REPEATABLE = ['threshold', 'condition', 'observed', 'columns', 'observed-columns', 'points', 'missing'];
export const MAY_BE_EMPTY = ['attribution', 'base-path'];

/**
 * Makes a command reject what commander accepts: an option whose value is empty, or is the next option (`--out --format
 * csv`), and an option with two different values, of which the last would win. For an unknown option the message
 * suggests the nearest one.
 */
export function makeStrict(command: Command): void {
  for (const option of command.options) if (option.required) checkValues(command, option);
  command.configureOutput({ outputError: (text, write) => write(withNearest(text, command)) });
}

function checkValues(command: Command, option: Option): void {
  const name = option.name();
  // Only a batch has results for several kinds of windows.
  const isOfSeveral = name === 'windows' && command.name() === 'batch';
  const isSingle = !option.variadic && !isOfSeveral && !REPEATABLE.includes(name);
  let before: string | undefined;
  const fail = (problem: string) => command.error(`error: option '${option.flags}' ${problem}`);
  command.on(`option:${name}`, (value: string) => {
    if (value.trim() === '' && !MAY_BE_EMPTY.includes(name)) fail('argument is empty');
    if (isOption(command, value)) fail(`argument missing, as '${value}' is an option`);
    if (isSingle && name !== 'database' && before !== undefined && before !== value)
      fail(`is given twice, as '${before}' and '${value}'`);
    before = value;
  });
}

/** Whether a text is an option, or looks like a mistyped one. */
function isOption(command: Command, text: string): boolean {
  return text.startsWith('--') || isKnown(command, text);
}

/**
 * The arguments, or only the first one if it is an unknown option or command, because commander would look for others
 * after it.
 */
export function programArguments(program: Command, args: readonly string[]): readonly string[] {
  const first = args.find((arg) => !isKnown(program, arg));
  if (first?.startsWith('-') && first !== '--') return [first];
  // Commander would print help for `nothing --help`, `help nothing` and `key nothing --help`.
  const [named, after] = first === 'help' ? args.slice(args.indexOf(first) + 1) : args.slice(args.indexOf(first ?? ''));
  if (named === undefined || named.startsWith('-') || named === '') return args;
  const command = findCommand(program, named);
  if (command === undefined) return [named];
  const isGroup = command.commands.length > 0 && after !== undefined && !['', 'help'].includes(after);
  return isGroup && !after.startsWith('-') && findCommand(command, after) === undefined ? [named, after] : args;
}

function findCommand({ commands }: Command, name: string): Command | undefined {
  return commands.find((command) => command.name() === name || command.aliases().includes(name));
}

function isKnown({ options }: Command, arg: string): boolean {
  return ['-h', '--help'].includes(arg) || options.some(({ short, long }) => arg === short || arg === long);
}

/** Options that are about statistics, and why commands that make daily values do not take them. */
const OF_STATISTICS = ['window', 'windows', 'granularity', 'days', 'spell', 'spell-days', 'first-day', 'excess'];
const MAKES_DAYS: Readonly<Record<string, string>> = {
  blend: 'blend makes daily values, and windows are for statistics of these: plumecast stats TIMELINE',
  ingest: 'a store has daily values, and windows are for statistics: of files with plumecast stats FILE',
};

/**
 * Commander suggests options and commands that differ by a letter or two; this also suggests options that begin or end
 * alike, and lists the commands where none is near. It names the command that takes an option of statistics.
 */
function withNearest(text: string, command: Command): string {
  if (/^error: unknown command '[^']*'\n$/.test(text)) {
    return `${text.trimEnd()}; allowed: ${command.commands.map((each) => each.name()).join(', ')}\n`;
  }
  const [, flag] = /^error: unknown option '(--[^'=]+)[^']*'\n$/.exec(text) ?? [];
  if (flag === undefined) return text;
  const why = OF_STATISTICS.includes(flag.slice(2)) ? MAKES_DAYS[command.name()] : undefined;
  if (why !== undefined) return `${text}(${why} ${flag})\n`;
  const known = command.options.flatMap(({ long }) => long ?? []);
  const isAlike = (name: string) => name.endsWith(flag.slice(1)) || name.startsWith(`${flag}-`);
  const nearest = nearestName(flag, known) ?? known.find(isAlike);
  return nearest === undefined ? text : `${text}(Did you mean ${nearest}?)\n`;
}
