import { type Command, CommanderError } from 'commander';
import { tooManyFiles, unwritable } from '../disk/file-fault.js';
import { isPlumecastError, type PlumecastError } from '../errors.js';
import { Reporter } from './reporter.js';
import { programArguments } from './strict-options.js';
import { STANDARD_OUTPUT } from './write-output.js';

/** Exit codes of the command. */
const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** Runs the command line `args` of a program and returns its exit code; errors go to standard error. */
export async function runProgram(command: Command, args: readonly string[]): Promise<number> {
  let running = command;
  command.hook('preAction', (_, action) => {
    running = action;
  });
  const reportError = (error: PlumecastError) => new Reporter(running).error(error);
  process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
    // A program may stop reading our output: `plumecast stats FILE | head` is not a failure.
    if (cause.code === 'EPIPE') process.exit(process.exitCode ?? DONE);
    reportError(unwritable(STANDARD_OUTPUT, cause) as PlumecastError);
    process.exit(FAILED);
  });
  try {
    await command.parseAsync(programArguments(command, args), { from: 'user' });
    return process.exitCode === FAILED ? FAILED : DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : USAGE;
    const known = tooManyFiles(error);
    if (!isPlumecastError(known)) throw error;
    // Errors of standard output are reported above.
    if (known.subject !== STANDARD_OUTPUT || !isPlumecastError(known, 'file')) reportError(known);
    return FAILED;
  }
}
