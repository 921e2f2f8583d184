import { Command } from 'commander';
import { FILES } from '../files/formats.js';
import { portNumber } from './option-values.js';

/** `plumecast explore`: opens files in the explorer. */
export function exploreCommand(): Command {
  return (
    new Command('explore')
      .description('Open ensemble files in a page of the browser: plumes, quantiles and probabilities to play with.')
      .argument('[files...]', `${FILES}; a sample without files`)
      .option('--port <port>', 'port to listen on; 0 for any free port', portNumber, 0)
      .option('--no-open', 'only print the address')
      .addHelpText(
        'after',
        `
Examples:
  $ plumecast explore forecast.arrow
  $ plumecast explore short.nc sub.nc seasonal.nc        horizons are joined to one timeline
  $ plumecast explore rain.arrow weeks.arrow --no-open   with a climatology to compare with

Only programs of this machine that know the address, with its random part, can read the files. Ctrl-C stops it.`,
      )
      // Its modules are not needed by other commands.
      .action(async (files: string[], flags: { port: number; open: boolean }) =>
        (await import('./explore.js')).explore(files, flags),
      )
  );
}
