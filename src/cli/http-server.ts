import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, isIPv4, Server as NetServer, type Socket } from 'node:net';
import { tooManyFiles } from '../disk/file-fault.js';
import { OptionError } from '../errors.js';
import { Connection } from './connection.js';

/** Where a server listens. */
export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A running server. */
export interface RunningServer {
  /** The address for clients on this machine, without a slash at the end. */
  readonly address: string;
  /** From now on responses have `Connection: close`; everything is still served, also on new connections. */
  drain(): void;
  /**
   * Stops the server: it accepts no more connections, closes idle ones at once, and gives requests in flight
   * `graceSeconds` to finish. Resolves to the number of requests that were cut off.
   */
  stop(graceSeconds: number): Promise<number>;
}

/** A request has to arrive within so long, its head sooner, in milliseconds; Node looks every so often. */
const ARRIVAL = { requestTimeout: 30_000, headersTimeout: 20_000, connectionsCheckingInterval: 5000 };

/** How long a connection may take nothing of what is sent to it, in milliseconds. */
const STALLED_MILLISECONDS = 60_000;

/**
 * Starts a server; resolves once it listens. Rejects with OptionError if it cannot listen there. Later errors, such as
 * that there are too many open files to accept a connection, are for `onFault`.
 */
export async function listen(
  listener: RequestListener,
  { host, port }: ListenOptions,
  onFault: (error: unknown) => void = () => {},
): Promise<RunningServer> {
  const connections = new Map<Socket, Connection>();
  let isDraining = false;
  const server = createServer(ARRIVAL, (request, response) => {
    const connection = connections.get(request.socket);
    if (connection?.begin(request, response, isDraining) === false) return;
    listener(request, response);
  });
  server.on('connection', (socket) => {
    connections.set(socket, new Connection(socket));
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error, socket) => connections.get(socket as Socket)?.fail(error));
  server.setTimeout(STALLED_MILLISECONDS, (socket) => connections.get(socket)?.endStalled());
  await new Promise<void>((listening, failed) => {
    server.once('error', (cause: NodeJS.ErrnoException) => failed(cannotListen(cause, host, port)));
    server.listen({ host, port }, listening);
  });
  server.on('error', (error) => onFault(tooManyFiles(error)));

  const drain = () => {
    isDraining = true;
    for (const connection of connections.values()) connection.markLast();
  };
  const stop = async (graceSeconds: number) => {
    isDraining = true;
    // The close of node:http would destroy connections whose last response is written, but not sent yet.
    const closed = new Promise((done) => NetServer.prototype.close.call(server, done));
    for (const connection of connections.values()) connection.stop();
    let interrupted = 0;
    const cut = setTimeout(() => {
      for (const connection of connections.values()) interrupted += connection.unfinished;
      server.closeAllConnections();
    }, graceSeconds * 1000);
    await closed;
    clearTimeout(cut);
    return interrupted;
  };
  return { address: localAddress(server), drain, stop };
}

function localAddress(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

const ADDRESSES = 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them';

const PROBLEMS: Record<string, { subject: '--host' | '--port'; problem: string; allowed: string }> = {
  EADDRINUSE: { subject: '--port', problem: 'is in use by another server', allowed: 'a free port, or 0 for any' },
  EACCES: { subject: '--port', problem: 'may not be used by this user', allowed: 'a port from 1024 on' },
  EADDRNOTAVAIL: { subject: '--host', problem: 'is not an address of this machine', allowed: ADDRESSES },
  ENOTFOUND: { subject: '--host', problem: 'is not known', allowed: ADDRESSES },
  EAI_AGAIN: { subject: '--host', problem: 'is not known', allowed: ADDRESSES },
  EINVAL: { subject: '--host', problem: 'is not an address of this machine', allowed: ADDRESSES },
};

function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): unknown {
  const known = PROBLEMS[cause.code ?? ''];
  if (known === undefined) return cause;
  return new OptionError({ ...known, received: known.subject === '--port' ? port : host, cause });
}

/** Whether a server that listens on `host` can be reached from this machine only: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}
