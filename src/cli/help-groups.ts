import type { EventEmitter } from 'node:events';
import type { Command, Option } from 'commander';
import { flagOf } from './library-options.js';
import { PLACES, VALUES } from './value-rows.js';

/*
 * Help that is read: `--help` of a command with many options shows the usual ones in groups, `--help all` shows all.
 */

/** Descriptions with choices are at most so long. */
const MAX_TEXT = 48;

/** The most lines of `--help` where nothing has to be wrapped twice. */
const MAX_LINES = 45;

type Groups = readonly (readonly [title: string, ...flags: string[]])[];

const FORMS: Groups[number] = ['Output', '--format', '--out'];

/** The usual options of commands that have more than `--help` shows. */
export const USUAL: Readonly<Record<string, Groups>> = {
  stats: [
    [
      'What to compute',
      '--variable',
      '--granularity',
      '--quantiles',
      '--threshold',
      '--bands',
      '--window',
      '--climatology',
    ],
    ['Which days and places', '--start-date', '--end-date', '--point'],
    FORMS,
  ],
  batch: [
    ['What to compute', '--variable', '--granularity', '--quantiles', '--threshold', '--climatology', '--plan'],
    ['Output', '--out', '--format', '--name'],
    ['How it runs', '--workers', '--memory', '--resume', '--on-error', '--dry-run'],
  ],
  inspect: [['Usual options', '--json', '--no-values', '--columns', '--join', '--quiet']],
  plot: [
    ['What to draw', '--variable', '--granularity', '--quantiles', '--threshold', '--climatology', '--point'],
    ['Maps', '--map', '--statistic', '--period'],
    ['Output', '--title', '--format', '--out'],
  ],
  convert: [
    ['What to convert', '--variable', '--columns', '--bbox'],
    ['Output', '--to', '--compression', '--quiet'],
  ],
  blend: [['How to blend', '--variable', '--names', '--overlaps', '--last-leads', '--pair-by', '--report'], FORMS],
  climatology: [
    ['What to compute', '--variable', '--granularity', '--reference', '--quantiles', '--categories', '--threshold'],
    ['Hindcasts', '--start', '--start-days'],
    FORMS,
  ],
  verify: [
    [
      'What to verify',
      '--observed',
      '--store',
      '--rescore',
      '--variable',
      '--granularity',
      '--windows',
      '--by',
      '--against',
    ],
    ['Scores', '--condition', '--categories', '--quantiles', '--confidence', '--block', '--table'],
    ['Output', '--figure', '--format', '--out', '--state'],
  ],
  ingest: [
    ['Files', '--store', '--short-term', '--subseasonal', '--seasonal', '--history', '--elevation', '--climatology'],
    ['What is in them', '--variable', '--at', '--init-time'],
    ['The store', '--next-run', '--replace', '--dry-run'],
  ],
  fetch: [
    ['What to fetch', '--variable', '--run', '--runs', '--lead-hours'],
    ['Where to', '--out', '--to', '--store', '--horizon'],
    ['How', '--watch', '--every', '--cache', '--quiet'],
  ],
  serve: [
    ['What to serve', '--store', '--host', '--port', '--base-path'],
    ['How it runs', '--workers', '--rate-limit', '--metrics-port', '--log'],
  ],
};

const OF_VALUES = new Set(Object.keys(VALUES).map(flagOf));
const OF_PLACES = new Set(Object.keys(PLACES).map(flagOf));

/** Whether arguments ask for all options, and the arguments without that. */
export function requestedAll(args: readonly string[]): { readonly isAll: boolean; readonly args: readonly string[] } {
  const at = args.findIndex((arg, i) => arg === 'all' && ['--help', '-h'].includes(args[i - 1]));
  if (at > 0) return { isAll: true, args: args.filter((_, i) => i !== at) };
  const isHelp = args[0] === 'help' && args.at(-1) === 'all';
  return { isAll: isHelp, args: isHelp ? args.slice(0, -1) : args };
}

/** Makes the help of all commands show the usual options alone, or all of them, in groups. */
export function groupHelp(program: Command, isAll: boolean): void {
  if (!isAll) shorten(program);
  for (const command of program.commands) {
    const usual = USUAL[command.name()];
    if (usual === undefined) continue;
    const groups = isAll ? allGroups(command, usual) : usual;
    const known = new Map(groups.flatMap(([title, ...flags]) => flags.map((flag) => [flag, `${title}:`] as const)));
    command.configureHelp({
      visibleOptions: ({ options }) => options.filter((option) => isAll || known.has(flagIn(option))),
      groupItems: <Item extends Command | Option>(_: Item[], visible: Item[], titleOf: (item: Item) => string) => {
        const found = new Map<string, Item[]>(groups.map(([title]) => [`${title}:`, []]));
        for (const item of visible) {
          const title = ('long' in item ? known.get(flagIn(item as Option)) : undefined) ?? titleOf(item);
          found.set(title, [...(found.get(title) ?? []), item]);
        }
        return found;
      },
      ...(!isAll && { optionDescription: shortDescription }),
    });
    if (!isAll) shorten(command);
  }
}

/** The usual groups, and then all other options. */
function allGroups({ options }: Command, usual: Groups): Groups {
  const known = new Set(usual.flatMap(([, ...flags]) => flags));
  const others = options.map(flagIn).filter((flag) => !known.has(flag));
  return [
    ...usual,
    ['More', ...others.filter((flag) => !OF_VALUES.has(flag) && !OF_PLACES.has(flag))],
    ['Points of gridded files', ...others.filter((flag) => OF_PLACES.has(flag))],
    ['What the files do not state about their values', ...others.filter((flag) => OF_VALUES.has(flag))],
  ];
}

/** Makes what follows the options as short as the lines allow, with a last line that says where all of it is. */
function shorten(command: Command): void {
  const after = textAfter(command);
  const name = command.parent === null ? '' : ` ${command.name()}`;
  if (command.parent === null) {
    command.configureHelp({
      subcommandTerm: (sub) => `${sub.name()} ${sub.usage().replace('[options]', '').trim()}`.trim(),
      subcommandDescription: (sub) => firstClause(sub.description()),
    });
  }
  eventsOf(command).removeAllListeners('afterHelp');
  command.addHelpText('after', () => {
    const left = MAX_LINES - command.helpInformation().trimEnd().split('\n').length - 3;
    const lines = after.trimEnd().split('\n').slice(0, left);
    return `${lines.join('\n').trimEnd()}\n\nAll options and examples: plumecast${name} --help all`;
  });
}

/** The text that a command shows after its options. */
function textAfter(command: Command): string {
  let text = '';
  const context = { error: false, command, write: (more: string) => void (text += more) };
  for (const listener of eventsOf(command).listeners('afterHelp')) listener(context);
  return text;
}

/** Commander's commands emit events, which their types do not have. */
function eventsOf(command: Command): EventEmitter {
  return command as unknown as EventEmitter;
}

function flagIn({ long }: Option): string {
  return long ?? '';
}

/** The first statement of an option's description, with its choices where they are few. */
function shortDescription({ description, argChoices = [] }: Option): string {
  const text = firstClause(description);
  const choices = argChoices.length > 0 ? ` (${argChoices.join(', ')})` : '';
  return text.length + choices.length <= MAX_TEXT ? text + choices : text;
}

/** The first statement of a description. */
function firstClause(description: string): string {
  return description.split(/; |: | \(default|, (?:a result|of which|one result)/)[0];
}
