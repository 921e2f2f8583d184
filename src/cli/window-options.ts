import { type Command, Option } from 'commander';
import { DataError, OptionError } from '../errors.js';
import { readTable } from '../files/read-table.node.js';
import { windowsOf } from '../period/windows.js';
import { daysThat, excess, firstDayThat, longestSpell, spells } from '../statistics/window-measure.js';
import { windowList } from '../table/columns/window-list.js';
import { isWindowFile } from './command-words.js';
import { plainNumber, threshold } from './option-values.js';

/** Flags of windows, and of what windows hold. */
export interface WindowFlags extends MeasureFlags {
  windows?: string;
  yearStart?: number;
}

/** Flags of what windows hold by a condition on days. */
export interface MeasureFlags {
  days?: string;
  spell?: string;
  spellDays?: number;
  firstDay?: string;
  excess?: string;
}

/** A condition such as `>20`, checked. */
function condition(text: string): string {
  threshold(text);
  return text;
}

/** Adds the flags of windows; `several` is whether `--windows` may be given several times. */
export function addWindowOptions(command: Command, several = false): Command {
  const ofDays = (flags: string, text: string) => command.addOption(new Option(flags, text).argParser(condition));
  const windows = new Option(
    '--windows <which>',
    `other windows: seasons, years, dekads, all, "DJF,MAM", "days 1-7,8-14" of the data, "rolling 7", or a file with the columns name,start,end${several ? '; may be repeated' : ''}`,
  );
  if (several) windows.argParser((text: string, before: readonly string[] = []) => [...before, text]);
  command
    .addOption(windows)
    .addOption(
      new Option('--year-start <month>', 'the month in which years begin, 1 to 12, with --windows years').argParser(
        plainNumber,
      ),
    );
  ofDays('--days <condition>', 'windows hold the number of their days with, say, ">20"');
  ofDays('--spell <condition>', 'windows hold the longest run of days with, say, "<1"');
  command.addOption(
    new Option(
      '--spell-days <days>',
      'with --spell, windows hold the number of runs of at least so many days',
    ).argParser(plainNumber),
  );
  ofDays('--first-day <condition>', 'windows hold the first day with, say, ">20", counted from 1');
  return ofDays('--excess <condition>', 'windows hold the sum of what lies beyond a limit, ">18" or "<18"');
}

/** Options of windows with what their flags say, as texts. Ends the command for flags that contradict each other. */
export async function takeWindows<Options extends { granularity?: string; window?: string }>(
  options: Options,
  flags: WindowFlags,
  command: Command,
): Promise<Options> {
  if (flags.windows !== undefined && options.granularity !== undefined)
    command.error('error: --windows and --granularity cannot be given together');
  const [granularity] = await windowTexts(flags.windows === undefined ? [] : [flags.windows], flags, command);
  return { ...takeMeasure(options, flags, command), ...(granularity !== undefined && { granularity }) };
}

/** In place of windows: the periods of the values as they are stored. */
export const NATIVE = 'native';

/** Options with what the flags say that windows hold, as text. Ends the command for several. */
export function takeMeasure<Options extends { window?: string }>(
  options: Options,
  { days, spell, spellDays, firstDay: first, excess: beyond }: MeasureFlags,
  command: Command,
): Options {
  if (spellDays !== undefined && spell === undefined) command.error('error: --spell-days needs --spell CONDITION');
  const measures = [
    ...(days === undefined ? [] : [daysThat(days)]),
    ...(spell === undefined ? [] : [spellDays === undefined ? longestSpell(spell) : spells(spell, spellDays)]),
    ...(first === undefined ? [] : [firstDayThat(first)]),
    ...(beyond === undefined ? [] : [excess(beyond)]),
  ];
  if (measures.length + (options.window === undefined ? 0 : 1) > 1)
    command.error('error: only one of --window, --days, --spell, --first-day and --excess can be given');
  return { ...options, ...(measures.length > 0 && { window: measures[0].name }) };
}

/** The texts of windows: a file becomes a list. Ends the command for a beginning of years that has no effect. */
export async function windowTexts(
  given: readonly string[],
  { yearStart }: Pick<WindowFlags, 'yearStart'>,
  command: Command,
): Promise<string[]> {
  const areYears = (windows: string) => windows.trim() === 'years';
  if (yearStart !== undefined && !given.some(areYears)) command.error('error: --year-start is for --windows years');
  const ofYears = (windows: string) => yearStart !== undefined && areYears(windows);
  return Promise.all(
    given.map((windows) => (ofYears(windows) ? windowsOf(`years from ${yearStart}`).text : windowText(windows))),
  );
}

async function windowText(windows: string): Promise<string> {
  if (!isWindowFile(windows)) return windowsOf(windows).text;
  const list = windowList(await readTable(windows), windows);
  try {
    return windowsOf(list).text;
  } catch (cause) {
    // What is wrong with the windows of a file is told of the file.
    if (!(cause instanceof OptionError)) throw cause;
    const { problem, received } = cause;
    const allowed = 'a table of windows: name, start, end; each name and each span of days once';
    throw new DataError({ source: windows, problem, received, allowed, cause });
  }
}
