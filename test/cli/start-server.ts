import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach } from 'vitest';
import { CLI } from './run-command.js';

/** A `plumecast serve` that runs in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly address: string;
  /** What it has printed so far. */
  out(): string;
  err(): string;
  /** Sends a signal and waits for the end of the process. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts `plumecast serve` on a free port, unless the arguments name one; resolves once it answers, and rejects with
 * what it printed where it does not.
 */
function startServer(args: readonly string[], node: string): Promise<ServerProcess> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const child = spawn(node, [CLI, 'serve', ...port, ...args], {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  const printed = { out: '', err: '' };
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.once('close', (code, signal) => done({ code, signal }));
  });
  return new Promise((started, failed) => {
    child.stderr.on('data', (text) => (printed.err += text));
    child.stdout.on('data', (text) => {
      printed.out += text;
      const [, address] = /^Serving .* at (http:\S+)\n\n.*\n/.exec(printed.out) ?? [];
      if (address === undefined) return;
      const end = (signal: NodeJS.Signals = 'SIGTERM') => {
        child.kill(signal);
        return ended;
      };
      started({ child, address, out: () => printed.out, err: () => printed.err, end });
    });
    ended.then(({ code }) => failed(new Error(`ended with exit code ${code}: ${printed.err}`)));
  });
}

/** Starts servers of a store, with this Node or another; those of a test are ended with it. */
export function serversOf(store: string, node = process.execPath): (...args: string[]) => Promise<ServerProcess> {
  const running: ServerProcess[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.end('SIGKILL')));
  });
  return async (...args) => {
    const server = await startServer(['--store', store, ...args], node);
    running.push(server);
    return server;
  };
}
