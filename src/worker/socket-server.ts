import { lstat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { unwritable } from '../disk/file-fault.js';
import { FormatError, OptionError } from '../errors.js';
import { serveConnection } from './connection.js';
import { errorRecord } from './error-record.js';
import { jsonFrame, KINDS } from './frames.js';

/** Connections at once; further ones get an error. */
const MAX_CONNECTIONS = 64;
/** The longest time in which a client within a request neither sends nor takes a byte. */
const MAX_STALL_SECONDS = 600;
/** What the address of a Unix socket can hold. */
const MAX_PATH_BYTES = 103;

/** A socket that is served. */
export interface SocketServer {
  /** Cuts all connections off, and removes the socket, as `close` of a server does. */
  stop(): void;
}

/**
 * Serves connections on a Unix socket, which only this user can open; resolves once it listens. `onFault` receives what
 * ends a connection that is no fault of the client. A client that stalls within a request gets an error after
 * `stallSeconds` and is cut off; between requests it may wait for ever. A socket that no process serves any more is replaced. Throws
 * OptionError if another one is served there, or the path is too long or that of a file, and FileError.
 */
export async function serveSocket(
  path: string,
  onFault: (error: unknown) => void,
  stallSeconds = MAX_STALL_SECONDS,
): Promise<SocketServer> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    const problem = 'is too long for the path of a socket';
    throw new OptionError({ subject: 'socket', problem, received: path, allowed: `${MAX_PATH_BYTES} bytes at most` });
  }
  await removeUnserved(path);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    if (sockets.size >= MAX_CONNECTIONS) return rejectConnection(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void serveClient(socket, stallSeconds).catch(onFault);
  });
  await listen(server, path);
  return {
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function serveClient(socket: Socket, stallSeconds: number): Promise<void> {
  const waits = new ClientWaits();
  const write = (bytes: Uint8Array) =>
    waits.during(
      new Promise<void>((done, failed) => {
        socket.write(bytes, (error) => (error ? failed(error) : done()));
      }),
    );
  let isBetween = () => true;
  const begin = (ask: () => boolean) => {
    isBetween = ask;
  };
  socket.setTimeout(stallSeconds * 1000, () => {
    const isOurTurn = !waits.any || isBetween();
    // Without a byte from the client it would not be called again.
    if (isOurTurn) socket.setTimeout(stallSeconds * 1000);
    else cutOff(socket, stallSeconds);
  });
  try {
    await serveConnection({ bytes: piecesOf(socket, waits), write, begin });
    socket.end();
  } catch (error) {
    const isGone = socket.destroyed;
    socket.destroy();
    if (!isGone) throw error;
  }
}

/** Counts what waits for a client: the next bytes, or that it takes some. */
class ClientWaits {
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  async during<T>(wait: Promise<T>): Promise<T> {
    this.#count++;
    return wait.finally(() => this.#count--);
  }
}

async function* piecesOf(socket: Socket, waits: ClientWaits): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = socket[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await waits.during(pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}

/** Ends the connection of a client that stalls; it may still read what it was sent, and why it ends. */
function cutOff(socket: Socket, seconds: number): void {
  const error = new FormatError({
    subject: 'request',
    problem: 'stalls: its client neither sends nor reads',
    received: `nothing for ${seconds} s`,
    allowed: 'requests and answers without such a pause',
  });
  socket.write(jsonFrame(KINDS.error, errorRecord(error, true)));
  socket.destroySoon();
  socket.setTimeout(1000, () => socket.destroy());
}

function rejectConnection(socket: Socket): void {
  const problem = 'has too many connections';
  const error = new OptionError({ subject: 'worker', problem, allowed: `${MAX_CONNECTIONS} at once` });
  socket.end(jsonFrame(KINDS.error, errorRecord(error, true)));
  socket.resume();
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((listening, failed) => {
    server.once('error', (cause) => failed(unwritable(path, cause)));
    // The socket is made within this call: at no moment can others open it.
    const mask = process.umask(0o177);
    try {
      server.listen(path, listening);
    } finally {
      process.umask(mask);
    }
  });
}

/** Removes the socket of a process that has ended. */
async function removeUnserved(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  const isServed = found.isSocket() && (await acceptsConnections(path));
  if (found.isSocket() && !isServed) return unlink(path);
  throw new OptionError({
    subject: 'socket',
    problem: isServed ? 'is served by another process' : 'is the path of a file or folder',
    received: path,
    allowed: 'a path where nothing is',
  });
}

function acceptsConnections(path: string): Promise<boolean> {
  return new Promise((result) => {
    const socket = connect(path, () => {
      socket.destroy();
      result(true);
    });
    socket.once('error', () => result(false));
  });
}
