import { Command } from 'commander';
import { mergeShards } from '../batch/shards/merge-shards.js';
import { codeOfParts } from './exit-codes.js';
import { Reporter } from './reporter.js';
import { quietOption } from './shared-options.js';

interface MergeFlags {
  overwrite?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** `plumecast merge`: the outputs of all shards of a batch as those of one batch. */
export function mergeCommand(): Command {
  return new Command('merge')
    .description('Merge the shards of a batch: check them, move their results into place, write manifest.json.')
    .argument('<folder>', 'the folder of the results, the --out of the shards')
    .addOption(quietOption())
    .option('--overwrite', 'also replace files that no batch made')
    .option('--json', 'print what was merged as JSON on standard output')
    .addHelpText(
      'after',
      `
All shards must have ended, and be of the same options, inputs and version. The folder then has the same bytes as after
a batch without --shard. A merge that was killed can be run again; one that is complete does nothing. Run it in the
same folder as the shards, so that it finds the inputs of large grids that they divided. Where shards could not read
some inputs, it merges all else, names them, and ends with exit code 3.

Examples:
  $ plumecast batch runs/ --variable precipitation --out results --shard 1/2
  $ plumecast batch runs/ --variable precipitation --out results --shard 2/2
  $ plumecast merge results`,
    )
    .action(merge);
}

async function merge(folder: string, { overwrite, json, quiet }: MergeFlags, command: Command): Promise<void> {
  const reporter = new Reporter(command);
  const report = await mergeShards(folder, { overwrite });
  if (json) process.stdout.write(`${JSON.stringify({ event: 'merged', ...report })}\n`);
  for (const { output, error } of json ? [] : report.failed)
    process.stderr.write(`error: ${output === undefined ? '' : `${output}: `}${reporter.translate(error)}\n`);
  if (!json && !quiet)
    process.stderr.write(
      `${folder}: ${report.alreadyMerged ? 'merged already: ' : ''}${report.outputs} outputs of all shards, ${report.failed.length} failed\n`,
    );
  process.exitCode = codeOfParts({ done: report.outputs, failed: report.failed.length });
}
