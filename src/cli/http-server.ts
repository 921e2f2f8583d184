import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { OptionError } from '../errors.js';

/** Where a server listens. */
export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** A server that listens. */
export interface RunningServer {
  /** What a client on this machine reaches it at, without a slash at the end. */
  readonly address: string;
  /**
   * Stops it: it accepts no more connections, those that wait for nothing are closed at once, and requests in flight have
   * `graceSeconds` to finish. Resolves to the number of requests that were cut off.
   */
  stop(graceSeconds: number): Promise<number>;
}

/**
 * What is under way on a connection. A set of all answers would be written to with each request, and what sets leave behind
 * when they are written to stays in memory for a while.
 */
interface Connection {
  answer?: ServerResponse;
}

/** Starts a server; resolves once it listens. Rejects with OptionError where it cannot listen there. */
export async function listen(listener: RequestListener, { host, port }: ListenOptions): Promise<RunningServer> {
  const server = createServer(listener);
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket) => {
    connections.set(socket, {});
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, answer) => {
    const connection = connections.get(socket) ?? {};
    connection.answer = answer;
    // A connection that is kept alive would outlive a server that stops.
    if (!server.listening) answer.shouldKeepAlive = false;
    answer.once('close', () => {
      if (connection.answer === answer) connection.answer = undefined;
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (cause: NodeJS.ErrnoException) => failed(cannotListen(cause, host, port)));
    server.listen({ host, port }, listening);
  });

  const stop = async (graceSeconds: number) => {
    const closed = new Promise((done) => server.close(done));
    for (const [socket, { answer }] of connections) {
      if (answer !== undefined) answer.shouldKeepAlive = false;
      // Node takes a connection that has asked for nothing yet for one that is about to.
      if (socket.bytesRead === 0) socket.destroy();
    }
    let cutOff = 0;
    const cut = setTimeout(() => {
      cutOff = [...connections.values()].filter(({ answer }) => answer !== undefined).length;
      server.closeAllConnections();
    }, graceSeconds * 1000);
    await closed;
    clearTimeout(cut);
    return cutOff;
  };
  return { address: addressOf(server), stop };
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

const ADDRESSES = 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them';

const PROBLEMS: Record<string, { subject: '--host' | '--port'; problem: string; allowed: string }> = {
  EADDRINUSE: { subject: '--port', problem: 'is in use by another server', allowed: 'a free port, or 0 for any' },
  EACCES: { subject: '--port', problem: 'may not be used by this user', allowed: 'a port from 1024 on' },
  EADDRNOTAVAIL: { subject: '--host', problem: 'is no address of this machine', allowed: ADDRESSES },
  ENOTFOUND: { subject: '--host', problem: 'is not known', allowed: ADDRESSES },
  EAI_AGAIN: { subject: '--host', problem: 'is not known', allowed: ADDRESSES },
  EINVAL: { subject: '--host', problem: 'is no address of this machine', allowed: ADDRESSES },
};

function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): unknown {
  const known = PROBLEMS[cause.code ?? ''];
  if (known === undefined) return cause;
  return new OptionError({ ...known, received: known.subject === '--port' ? port : host, cause });
}
