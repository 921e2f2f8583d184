import { Command } from 'commander';
import { version } from '../../package.json';
import { exitCodeTable } from './exit-codes.js';
import { makeStrict } from './strict-options.js';

/** Creates the command line of `plumecast` with these commands. Parsing throws CommanderError for usage errors. */
export function program(commands: readonly Command[]): Command {
  const command = new Command('plumecast')
    .description('Ensemble weather data in, probabilistic weather out.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    // Options after a command belong to it, also --version.
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
  $ plumecast stats --help                               the usual options of stats; --help all: all of them
  $ plumecast batch runs/ --variable precipitation --out results  many files, a result for each
  $ plumecast merge results                              results of a batch in shards, from several processes
  $ plumecast blend short.csv sub.csv seasonal.csv       one timeline of three horizons
  $ plumecast climatology era5.csv --granularity weekly  normal values for each week of the year
  $ plumecast inspect gefs.nc                            what a file holds, and what to do with it
  $ plumecast convert gefs.nc rain.parquet --variable precipitation  another format
  $ plumecast plot temp_mean.arrow --out forecast.svg    a picture: members, quantiles, boxes
  $ plumecast explore temp_mean.arrow                    a page in the browser to play with it
  $ plumecast ingest --store data --short-term *.arrow   put forecasts into a store
  $ plumecast store list --store data                    the generations of the store
  $ plumecast key create --store data --owner "My Farm"  create an API key for it
  $ plumecast serve --store data                         answer requests with it

${exitCodeTable()}`,
    );
  for (const sub of commands) command.addCommand(sub);
  inheritSettings(command);
  return command;
}

/** Letters for frequent options, the same in every command that has them. */
const LETTERS: Readonly<Record<string, string>> = { '--variable': '-v', '--out': '-o', '--quiet': '-q' };

/** Gives a command's settings to all its subcommands: usage errors are thrown everywhere. */
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
