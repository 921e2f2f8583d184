import { batchCommand } from './batch-command.js';
import { mergeCommand } from './merge-command.js';
import { program } from './program.js';
import { runProgram } from './run-program.js';

/** Runs a command line whose first argument is `batch` or `merge`: what computes outputs is loaded by their threads alone. */
export function run(args: readonly string[]): Promise<number> {
  return runProgram(program([batchCommand(), mergeCommand()]), args);
}
