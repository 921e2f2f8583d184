import { Command } from 'commander';
import { unwritable } from '../disk/file-fault.js';
import { assertLocalPath } from '../disk/local-path.js';
import { standardPieces } from '../disk/standard-pieces.node.js';
import { codeOfParts, EXIT_CODES } from './exit-codes.js';
import { STANDARD_OUTPUT } from './write-output.js';

/** Values of flags. */
interface WorkerFlags {
  socket?: string;
}

/** `plumecast worker`: answers requests of another program. */
export function workerCommand(): Command {
  return new Command('worker')
    .description('Answer requests of another program: ensembles as Arrow streams in, statistics as Arrow streams out.')
    .option('--socket <path>', 'Unix socket to listen on (default: one client, on standard input and output)')
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast worker --socket /run/user/1000/plumecast.sock
  $ plumecast worker < requests > answers

A request has the options of stats, or a plan as of batch, and data that end with their number of rows; docs/worker.md
specifies every byte. On standard input and output, exit code 3 says that some requests failed, and 1 that all did or
that the input was cut off.`,
    )
    .action(worker);
}

async function worker({ socket }: WorkerFlags): Promise<void> {
  // A command starts sooner without the modules of others.
  const { serveConnection, serveSocket } = await import('../worker/index.js');
  if (socket === undefined) {
    // A client that is gone before its answer is complete is a failure.
    process.exitCode = EXIT_CODES.failed.code;
    const write = (bytes: Uint8Array) =>
      new Promise<void>((done, failed) => {
        process.stdout.write(bytes, (error) => (error ? failed(unwritable(STANDARD_OUTPUT, error)) : done()));
      });
    const count = { answered: 0, failed: 0, closed: 0 };
    await serveConnection({ bytes: standardPieces(), write, onAnswer: (outcome) => count[outcome]++ });
    const { answered, failed, closed } = count;
    process.exitCode = closed > 0 ? EXIT_CODES.failed.code : codeOfParts({ done: answered, failed });
    return;
  }
  assertLocalPath(socket);
  // Before it listens: a signal may come as soon as it does.
  const stopped = new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
  const server = await serveSocket(socket, (error) => {
    process.stderr.write(`error: ${error instanceof Error ? error.stack : String(error)}\n`);
  });
  await stopped;
  server.stop();
  process.exit(EXIT_CODES.done.code);
}
