import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A server in a process of its own. */
export interface ServerProcess {
  /** Without a path. */
  readonly address: string;
  /** Stops it, if it still runs, and returns how it ended: an exit code or a signal. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts a program in the project's folder with PORT=0; resolves when it says where it listens. `readPort` finds the
 * port in what it prints to standard output.
 */
export function startServer(
  [program, ...args]: readonly [string, ...string[]],
  readPort = /http:\/\/127\.0\.0\.1:(\d+)/,
): Promise<ServerProcess> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, PORT: '0' } });
  let out = '';
  let err = '';
  const ended = new Promise<number | NodeJS.Signals | null>((done) => {
    child.once('close', (code, signal) => done(code ?? signal));
  });
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return new Promise((started, failed) => {
    child.stderr.on('data', (text) => (err += text));
    child.stdout.on('data', (text) => {
      out += text;
      const port = readPort.exec(out)?.[1];
      if (port !== undefined) started({ address: `http://127.0.0.1:${port}`, end });
    });
    ended.then((how) => failed(new Error(`${program} ${args.join(' ')} ended (${how}): ${err}`)));
    child.once('error', failed);
  });
}

/** Sends the beginning of a request, waits for `meanwhile`, and sends the rest; resolves to all that came back. */
export async function beginRequest(address: string, text: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (part) => (answer += part));
  const closed = new Promise<void>((done, failed) => {
    socket.once('close', () => done());
    socket.once('error', failed);
  });
  await new Promise<void>((written) => socket.write(`${text}\r\n`, () => written()));
  await meanwhile();
  socket.write('Connection: close\r\n\r\n');
  await closed;
  return answer;
}

/** Resolves when a server takes no more connections. */
export async function closing(address: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const isTaken = () =>
    new Promise<boolean>((done) => {
      const socket = connect(Number(port), hostname, () => done(socket.destroy() !== undefined));
      socket.once('error', () => done(false));
    });
  while (await isTaken()) await setTimeout(10);
}
