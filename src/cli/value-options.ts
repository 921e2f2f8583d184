import { type Command, Option } from 'commander';
import type { ValueOptions } from '../input/input-statistics.js';
import { ACCUMULATIONS } from '../period/accumulation.js';
import type { Stamps } from '../period/daily-steps.js';
import { coordinateList } from './option-values.js';

const STAMPS: readonly Stamps[] = ['start', 'end'];

/** Adds to a command the options that tell what files do not, or tell wrongly. */
export function withValueOptions(command: Command): Command {
  const units = 'units of the values of tables that do not state them: K, "kg m-2 s-1"';
  const model = 'the model whose members are meant, where a table has columns of several: icon_seamless_eps';
  const stamps =
    'what times within the day mark of their step (default: start; end where amounts grow, or the file says so)';
  const accumulation =
    'what amounts count: each step, all since the run began, or since resets (default: as the file tells)';
  return command
    .option('--units <units>', units)
    .option('--model <name>', model)
    .addOption(new Option('--stamps <which>', stamps).choices(STAMPS))
    .addOption(new Option('--accumulation <how>', accumulation).choices(ACCUMULATIONS))
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
  array,
  init,
  coordinates,
  ...others
}: Options): { values: ValueOptions; others: Omit<Options, keyof ValueOptions> } {
  return { values: { units, model, stamps, accumulation, array, init, coordinates }, others };
}
