import type { Command } from 'commander';
import { batchCommand } from './batch-command.js';
import { blendCommand } from './blend-command.js';
import { databaseCommand } from './database-command.js';
import { demoCommand } from './demo-command.js';
import { exploreCommand } from './explore-command.js';
import { fetchCommand } from './fetch/fetch-command.js';
import { fileCommands } from './file-commands.js';
import { ingestCommand } from './ingest/ingest-command.js';
import { keyCommand } from './key-command.js';
import { locationCommand } from './location-command.js';
import { mergeCommand } from './merge-command.js';
import { plotCommand } from './plot-command.js';
import { preloadCommand } from './preload-command.js';
import { program } from './program.js';
import { runProgram } from './run-program.js';
import { serveCommand } from './serve-command.js';
import { statsCommand } from './stats-command.js';
import { storeCommand } from './store-command.js';
import { workerCommand } from './worker-command.js';

/** Runs the command line `args` and returns its exit code; errors go to standard error. */
export function run(args: readonly string[]): Promise<number> {
  return runProgram(program(allCommands()), args);
}

export function allCommands(): Command[] {
  return [
    ...[statsCommand(), batchCommand(), mergeCommand(), blendCommand()],
    ...fileCommands(),
    ...[plotCommand(), exploreCommand(), demoCommand(), workerCommand(), fetchCommand()],
    ...[
      ingestCommand(),
      preloadCommand(),
      locationCommand(),
      keyCommand(),
      databaseCommand(),
      storeCommand(),
      serveCommand(),
    ],
  ];
}
