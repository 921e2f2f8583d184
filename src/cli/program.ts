import { Command } from 'commander';
import { version } from '../../package.json';
import { blendCommand } from './blend-command.js';
import { climatologyCommand } from './climatology-command.js';
import { demoCommand } from './demo-command.js';
import { statsCommand } from './stats-command.js';

/** The command line of `plumecast`, all commands. Throws CommanderError where it is not understood. */
export function program(): Command {
  const command = new Command('plumecast')
    .description('Ensemble weather data in, probabilistic weather out.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast demo                                       write sample files and show their statistics
  $ plumecast stats rain.arrow --granularity weekly      weekly statistics of an ensemble file
  $ plumecast stats --help                               all that stats can do
  $ plumecast blend short.csv sub.csv seasonal.csv       one timeline of three horizons
  $ plumecast climatology era5.csv --granularity weekly  what is normal, for each week of the year

Exit codes: 0 done, 1 failed, 2 the command line was not understood.`,
    );
  for (const sub of [statsCommand(), blendCommand(), climatologyCommand(), demoCommand()]) {
    command.addCommand(sub.copyInheritedSettings(command).exitOverride());
  }
  return command.exitOverride();
}
