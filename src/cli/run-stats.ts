import type { Worker } from 'node:worker_threads';
import { keepPartsThread } from '../files/parts-thread.node.js';
import { program } from './program.js';
import { runProgram } from './run-program.js';
import { statsCommand } from './stats-command.js';

/** Runs a command line whose first argument is `stats`, as `run` of `run-files.ts` does. */
export function run(args: readonly string[], thread?: Worker): Promise<number> {
  keepPartsThread(thread);
  return runProgram(program([statsCommand()]), args);
}
