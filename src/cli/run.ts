import { CommanderError } from 'commander';
import { isPlumecastError } from '../errors.js';
import { program } from './program.js';
import { tellError } from './tell-error.js';

/** Exit codes of the command. */
const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** Runs the command line `args` and returns its exit code; what went wrong is told on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  // Whoever reads our output may stop reading: `plumecast stats FILE | head` is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? DONE);
    throw error;
  });
  try {
    await program().parseAsync(args, { from: 'user' });
    return process.exitCode === FAILED ? FAILED : DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : USAGE;
    if (!isPlumecastError(error)) throw error;
    tellError(error);
    return FAILED;
  }
}
