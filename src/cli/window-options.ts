import { type Command, Option } from 'commander';
import { readTable } from '../files/read-table.node.js';
import { windowsOf } from '../period/windows.js';
import { daysThat, excess, firstDayThat, longestSpell, spells } from '../statistics/window-measure.js';
import { windowList } from '../table/columns/window-list.js';
import { plainNumber, threshold } from './option-values.js';

/** Flags of windows, and of what windows hold by a condition on days. */
export interface WindowFlags {
  windows?: string;
  yearStart?: number;
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

/** Adds the flags of windows. */
export function addWindowOptions(command: Command): Command {
  const ofDays = (flags: string, text: string) => command.addOption(new Option(flags, text).argParser(condition));
  command
    .option(
      '--windows <which>',
      'other windows: seasons, years, dekads, all, "DJF,MAM", "days 1-7,8-14" of the data, "rolling 7", or a file with the columns name,start,end',
    )
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
  const { windows, yearStart, days, spell, spellDays, firstDay: first, excess: beyond } = flags;
  if (windows !== undefined && options.granularity !== undefined)
    command.error('error: --windows and --granularity cannot be given together');
  if (yearStart !== undefined && windows?.trim() !== 'years')
    command.error('error: --year-start is for --windows years');
  if (spellDays !== undefined && spell === undefined) command.error('error: --spell-days needs --spell CONDITION');
  const measures = [
    ...(days === undefined ? [] : [daysThat(days)]),
    ...(spell === undefined ? [] : [spellDays === undefined ? longestSpell(spell) : spells(spell, spellDays)]),
    ...(first === undefined ? [] : [firstDayThat(first)]),
    ...(beyond === undefined ? [] : [excess(beyond)]),
  ];
  if (measures.length + (options.window === undefined ? 0 : 1) > 1)
    command.error('error: only one of --window, --days, --spell, --first-day and --excess can be given');
  return {
    ...options,
    ...(windows !== undefined && { granularity: await windowText(windows, yearStart) }),
    ...(measures.length > 0 && { window: measures[0].name }),
  };
}

/** The text of windows: the windows of a file become a list. */
async function windowText(windows: string, yearStart: number | undefined): Promise<string> {
  if (yearStart !== undefined) return windowsOf(`years from ${yearStart}`).text;
  // Neither months nor other words have a dot, and lists begin with a bracket.
  if (!windows.includes('.') || windows.trim().startsWith('[')) return windowsOf(windows).text;
  return windowsOf(windowList(await readTable(windows), windows)).text;
}
