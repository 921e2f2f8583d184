import { fileCommands } from './file-commands.js';
import { program } from './program.js';
import { runProgram } from './run-program.js';

/** Runs a command line whose first argument is a command that only works on files, as `run` of `run-all.ts` does. */
export function run(args: readonly string[]): Promise<number> {
  return runProgram(program(fileCommands()), args);
}
