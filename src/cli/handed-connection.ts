import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { setTimeout } from 'node:timers/promises';

/** A connection, as `node:cluster` hands it to a worker: this process has a copy until the worker answers. */
interface Connection {
  close(): void;
}

/** What `node:cluster` and a worker say to each other about a connection. */
interface ClusterMessage {
  readonly cmd?: string;
  /** The number of a message that is answered. */
  readonly seq?: number;
  /** The number of the message that this one answers. */
  readonly ack?: number;
}

/** How often, and how many times, to look whether all that a worker said before its end has been read. */
const LOOK_MILLISECONDS = 5;
const LOOKS = 200;

/**
 * Does what `node:cluster` leaves undone where a worker does not take the connection that it is handed; it hands one
 * at a time. A worker that ends does not answer: the copy of the connection here would keep its client waiting, and
 * the worker itself would stay one of those that listen, so that without others the port would be open and clients
 * would wait. One that has too many open files gets the message without the connection: it would get no other.
 */
export function keepNoneWaiting(worker: Worker): void {
  const child = worker.process;
  let handed: { connection: Connection; seq: number | undefined } | undefined;
  onSend(child, (message, connection) => {
    handed = { connection, seq: message.seq };
  });
  child.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    const seq = handed?.seq;
    if (seq === undefined) return;
    if (cmd === 'NODE_CLUSTER' && ack === seq) handed = undefined;
    // An answer in the place of the worker: that the connection is done with.
    if (cmd === 'NODE_HANDLE_NACK') child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: true });
  });
  worker.once('exit', async () => {
    for (let look = 0; child.connected && look < LOOKS; look++) await setTimeout(LOOK_MILLISECONDS);
    handed?.connection.close();
    if (cluster.workers?.[worker.id] !== undefined) worker.disconnect();
  });
}

/** Has `see` look at each message that a child is sent with a connection. */
function onSend(child: ChildProcess, see: (message: ClusterMessage, connection: Connection) => void): void {
  const send = child.send.bind(child) as (...message: unknown[]) => boolean;
  child.send = (message: unknown, connection?: unknown, ...more: unknown[]) => {
    if (typeof (connection as Connection | undefined)?.close === 'function') {
      see(message as ClusterMessage, connection as Connection);
    }
    return send(message, connection, ...more);
  };
}
