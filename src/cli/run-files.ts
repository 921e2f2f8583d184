import type { Worker } from 'node:worker_threads';
import { keepPartsThread } from '../files/parts-thread.node.js';
import { fileCommands } from './file-commands.js';
import { program } from './program.js';
import { runProgram } from './run-program.js';

/**
 * Runs a command line whose first argument is a command that only works on files, as `run` of `run-all.ts` does.
 * `thread` is one that may read parts of a file.
 */
export function run(args: readonly string[], thread?: Worker): Promise<number> {
  keepPartsThread(thread);
  return runProgram(program(fileCommands()), args);
}
