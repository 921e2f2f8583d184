import { fstatSync, readSync } from 'node:fs';

/** Bytes that one call reads: what a pipe holds at most, unless its writer has made it larger. */
const READ_BYTES = 65_536;
/** Memory for several pieces, which saves getting and clearing it for each. */
const BUFFER_BYTES = 1_048_576;
/** After so many pieces other events have their turn, such as signals. */
const PIECES_AT_ONCE = 64;

/**
 * The bytes of standard input as they arrive. What a pipe or a socket holds is read without a turn of the event loop for
 * each piece, which takes as long as to read it. Throws what reading throws.
 */
export async function* standardPieces(): AsyncGenerator<Uint8Array> {
  const { stdin } = process;
  if (!isPipe()) {
    yield* stdin;
    return;
  }
  const readNow = createReader();
  let failure: unknown;
  const onError = (error: unknown) => {
    failure = error;
  };
  stdin.on('error', onError);
  try {
    for (let pieces = 1; ; pieces++) {
      if (pieces % PIECES_AT_ONCE === 0) await new Promise(setImmediate);
      // What the stream has read by itself comes before what is in the pipe.
      const piece: Uint8Array | null = stdin.read() ?? readNow();
      if (piece === null) await arrival(stdin);
      else if (piece.length === 0) return;
      else yield piece;
      if (failure !== undefined) throw failure;
      if (stdin.readableEnded || stdin.destroyed) return;
    }
  } finally {
    // It would keep the process alive.
    stdin.destroy();
    stdin.off('error', onError);
  }
}

/** Whether standard input can be read so: not on Windows, where a read waits until something comes. */
function isPipe(): boolean {
  if (process.platform === 'win32') return false;
  const state = fstatSync(0);
  return state.isFIFO() || state.isSocket();
}

/** A function that reads what is there: null if nothing is, and no bytes at the end. */
function createReader(): () => Uint8Array | null {
  let buffer = Buffer.alloc(0);
  return () => {
    if (buffer.length < READ_BYTES) buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    try {
      const count = readSync(0, buffer, 0, buffer.length, null);
      const piece = buffer.subarray(0, count);
      buffer = buffer.subarray(count);
      return piece;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
      throw error;
    }
  };
}

/** Resolves when there is more, or nothing more comes. */
function arrival(stdin: NodeJS.ReadStream): Promise<void> {
  return new Promise((done) => {
    const events = ['readable', 'end', 'close', 'error'] as const;
    const settle = () => {
      for (const event of events) stdin.off(event, settle);
      done();
    };
    for (const event of events) stdin.once(event, settle);
  });
}
