import { type Command, Option } from 'commander';
import type { ValueOptions } from '../batch/run/input-statistics.js';
import { ACCUMULATIONS } from '../ensemble/accumulation.js';
import type { Stamps } from '../ensemble/daily-steps.js';
import { CALENDARS } from '../period/calendar.js';
import { coordinateList, missingNumbers } from './option-values.js';

const STAMPS: readonly Stamps[] = ['start', 'end'];

/** Adds to a command the options that tell what files do not, or tell wrongly. */
export function withValueOptions(command: Command): Command {
  const units = 'units of the values of tables that do not state them: K, "kg m-2 s-1"';
  const model = 'the model whose members are meant, where a table has columns of several: icon_seamless_eps';
  const stamps =
    'what times within the day mark of their step (default: start; end where amounts grow, or the file says so)';
  const accumulation =
    'what amounts count: each step, all since the run began, or since resets (default: as the file tells)';
  const calendar = 'calendar of the dates where the data do not state it (default: the real one)';
  return command
    .option('--units <units>', units)
    .option('--model <name>', model)
    .addOption(new Option('--stamps <which>', stamps).choices(STAMPS))
    .addOption(new Option('--accumulation <how>', accumulation).choices(ACCUMULATIONS))
    .option('--missing <numbers>', 'numbers that stand for missing values: -9999; may be repeated', missingNumbers)
    .option('--sort', 'tables whose rows are in any order: sort them by place, member and day')
    .addOption(new Option('--decimal <mark>', 'the decimal mark of CSV, where that is not plain').choices(['.', ',']))
    .addOption(new Option('--calendar <name>', calendar).choices(CALENDARS))
    .option('--array <name>', 'the array of a gridded file, where several may be meant')
    .option(
      '--coordinates <names>',
      'arrays that hold latitude and longitude in degrees: latitude=y,longitude=x',
      coordinateList,
    )
    .option('--init <time>', 'the run of a gridded file that holds several: 2026-03-02 or 2026-03-02T12:00:00Z');
}

/** Parts what files do not tell from the other options of a command. */
export function splitValueOptions<Options extends ValueOptions>({
  units,
  model,
  stamps,
  accumulation,
  calendar,
  array,
  init,
  coordinates,
  missing,
  sort,
  decimal,
  ...others
}: Options): { values: ValueOptions; others: Omit<Options, keyof ValueOptions> } {
  const values = { units, model, stamps, accumulation, calendar, array, init, coordinates, missing, sort, decimal };
  return { values, others };
}
