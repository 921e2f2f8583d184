import { Command } from 'commander';
import { FILES } from '../files/formats.js';
import type { ExploreOptions } from './explore.js';
import { portNumber } from './option-values.js';

/** `plumecast explore`: opens files in the explorer. */
export function exploreCommand(): Command {
  return (
    new Command('explore')
      .description('Open ensemble files in a page of the browser: plumes, quantiles and probabilities to play with.')
      .argument('[files...]', `${FILES}; a sample without files`)
      .option('--earlier <files...>', 'files of an earlier run, to be compared with')
      .option('--port <port>', 'port to listen on; 0 for any free port', portNumber, 0)
      .option('--no-open', 'only print the address')
      .addHelpText(
        'after',
        `
Examples:
  $ plumecast explore forecast.arrow
  $ plumecast explore short.nc sub.nc seasonal.nc        horizons are joined to one timeline
  $ plumecast explore rain.arrow weeks.arrow --no-open   with a climatology to compare with
  $ plumecast explore today.arrow --earlier yesterday.arrow

Only programs of this machine that know the address, with its random part, can read the files. Ctrl-C stops it.`,
      )
      // Its modules are not needed by other commands.
      .action(async (files: string[], flags: ExploreOptions) => (await import('./explore.js')).explore(files, flags))
  );
}
