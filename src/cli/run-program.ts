import { type Command, CommanderError } from 'commander';
import { tooManyFiles, unwritable } from '../disk/file-fault.js';
import { isPlumecastError, type PlumecastError } from '../errors.js';
import { EXIT_CODES } from './exit-codes.js';
import { groupHelp, requestedAll } from './help-groups.js';
import { endReports, Reporter } from './reporter.js';
import { programArguments } from './strict-options.js';
import { STANDARD_OUTPUT } from './write-output.js';

/** Runs the command line `given` of a program and returns its exit code; errors go to standard error. */
export async function runProgram(command: Command, given: readonly string[]): Promise<number> {
  const { isAll, args } = requestedAll(given);
  groupHelp(command, isAll);
  let running = command;
  command.hook('preAction', (_, action) => {
    running = action;
  });
  const reportError = (error: PlumecastError) => new Reporter(running).error(error);
  process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
    // A program may stop reading our output: `plumecast stats FILE | head` is not a failure.
    if (cause.code === 'EPIPE') process.exit(process.exitCode ?? EXIT_CODES.done.code);
    reportError(unwritable(STANDARD_OUTPUT, cause) as PlumecastError);
    process.exit(EXIT_CODES.failed.code);
  });
  try {
    if (isConfigured(args))
      await (await import('./config/configured-options.js')).configure(command, args, process.env);
    await command.parseAsync(programArguments(command, args), { from: 'user' });
    endReports(running);
    return Number(process.exitCode ?? EXIT_CODES.done.code);
  } catch (error) {
    endReports(running);
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done.code : EXIT_CODES.usage.code;
    const known = tooManyFiles(error);
    if (!isPlumecastError(known)) throw error;
    // Errors of standard output are reported above.
    if (known.subject !== STANDARD_OUTPUT || !isPlumecastError(known, 'file')) reportError(known);
    return EXIT_CODES.failed.code;
  }
}

/** Whether options may come from elsewhere than flags. */
function isConfigured([name]: readonly string[]): boolean {
  return name === 'serve' || name === 'ingest' || process.env.PLUMECAST_STORE !== undefined;
}
