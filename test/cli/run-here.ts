import { run } from '../../src/cli/run-all.js';
import type { Outcome } from './run-command.js';

/** Runs a command in this process, which takes far less time than to start another one; paths are to be absolute. */
export async function plumecastHere(...args: string[]): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []];
  const [stdout, stderr] = [process.stdout.write, process.stderr.write];
  const into = (texts: string[]) =>
    ((piece: string | Uint8Array, done?: unknown) => {
      texts.push(typeof piece === 'string' ? piece : Buffer.from(piece).toString());
      if (typeof done === 'function') done();
      return true;
    }) as typeof process.stdout.write;
  const before = process.exitCode;
  const terminals = [process.stdout.isTTY, process.stderr.isTTY];
  process.exitCode = undefined;
  process.stdout.write = into(out);
  process.stderr.write = into(err);
  // Those that run tests may say that there is a terminal.
  process.stdout.isTTY = process.stderr.isTTY = false;
  try {
    const code = await run(args);
    return { code, out: out.join(''), err: err.join('') };
  } finally {
    process.exitCode = before;
    process.stdout.write = stdout;
    process.stderr.write = stderr;
    [process.stdout.isTTY, process.stderr.isTTY] = terminals;
    process.stdout.removeAllListeners('error');
  }
}
