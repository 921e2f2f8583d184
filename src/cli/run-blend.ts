import type { Worker } from 'node:worker_threads';
import { keepPartsThread } from '../files/parts-thread.node.js';
import { blendCommand } from './blend-command.js';
import { program } from './program.js';
import { runProgram } from './run-program.js';

/** Runs a command line whose first argument is `blend`, as `run` of `run-files.ts` does. */
export function run(args: readonly string[], thread?: Worker): Promise<number> {
  keepPartsThread(thread);
  return runProgram(program([blendCommand()]), args);
}
