import { Command } from 'commander';
import { version } from '../../package.json';
import { batchCommand } from './batch-command.js';
import { blendCommand } from './blend-command.js';
import { climatologyCommand } from './climatology-command.js';
import { convertCommand } from './convert-command.js';
import { demoCommand } from './demo-command.js';
import { ingestCommand } from './ingest-command.js';
import { inspectCommand } from './inspect-command.js';
import { keyCommand } from './key-command.js';
import { locationCommand } from './location-command.js';
import { preloadCommand } from './preload-command.js';
import { serveCommand } from './serve-command.js';
import { statsCommand } from './stats-command.js';
import { makeStrict } from './strict-options.js';

/** The command line of `plumecast`, all commands. Throws CommanderError where it is not understood. */
export function program(): Command {
  const command = new Command('plumecast')
    .description('Ensemble weather data in, probabilistic weather out.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    // What stands behind a command is the command's own, --version too.
    .enablePositionalOptions()
    .hook('preAction', (_, command) => {
      if (command.args.includes('')) command.error(`error: an argument of '${command.name()}' is empty`);
    })
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast demo                                       write sample files and a store; show statistics
  $ plumecast stats rain.arrow --granularity weekly      weekly statistics of an ensemble file
  $ plumecast stats --help                               all that stats can do
  $ plumecast batch runs/ --variable precipitation --out results  of many files, to a file for each
  $ plumecast blend short.csv sub.csv seasonal.csv       one timeline of three horizons
  $ plumecast climatology era5.csv --granularity weekly  what is normal, for each week of the year
  $ plumecast inspect gefs.nc                            what a file holds, and what to do with it
  $ plumecast convert gefs.nc rain.parquet --variable precipitation  another format
  $ plumecast ingest --store data --short-term *.arrow   put forecasts into a store
  $ plumecast key create --store data --owner "My Farm"  make an API key for it
  $ plumecast serve --store data                         answer requests from it

Exit codes: 0 done, 1 failed, 2 the command line was not understood.`,
    );
  const files = [
    statsCommand(),
    batchCommand(),
    blendCommand(),
    climatologyCommand(),
    convertCommand(),
    inspectCommand(),
    demoCommand(),
  ];
  const service = [ingestCommand(), preloadCommand(), locationCommand(), keyCommand(), serveCommand()];
  for (const sub of [...files, ...service]) command.addCommand(sub);
  inheritSettings(command);
  return command;
}

/** Letters for options that are typed often, the same in every command that has them. */
const LETTERS: Readonly<Record<string, string>> = { '--variable': '-v', '--out': '-o', '--quiet': '-q' };

/** Gives a command's settings to all below it: faults of usage are thrown, wherever they are met. */
function inheritSettings(command: Command): void {
  for (const option of command.options) {
    option.short ??= LETTERS[option.long ?? ''];
    if (option.short !== undefined && !option.flags.startsWith(option.short))
      option.flags = `${option.short}, ${option.flags}`;
  }
  command.exitOverride();
  makeStrict(command);
  for (const sub of command.commands) inheritSettings(sub.copyInheritedSettings(command));
}
