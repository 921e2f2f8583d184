import type { Work } from '../check/work.js';
import { endsEarly } from './array/random-access.js';
import { readPieces } from './byte-source.js';
import type { PartReply, PartsListener, PartsThread, PartsThreads } from './parts-in-threads.js';
import type { PartsFile } from './parts-of-file.js';

/** A Blob, of which any bytes can be read; a file in a browser is one. Its methods throw what the Blob does. */
export class BlobFile implements PartsFile {
  readonly source: string;
  readonly size: number;
  readonly #blob: Blob;
  readonly #work: Work | undefined;

  /** `source` is its name in messages, and `work` pauses before it reads. */
  constructor(blob: Blob, source: string, work?: Work) {
    this.source = source;
    this.size = blob.size;
    this.#blob = blob;
    this.#work = work;
  }

  get byteLength(): number {
    return this.size;
  }

  async slice(start: number, end?: number): Promise<ArrayBuffer> {
    await this.#work?.pause();
    const bytes = await this.#blob.slice(start, end).arrayBuffer();
    this.#work?.advance(bytes.byteLength);
    return bytes;
  }

  async read(at: number, into: Uint8Array): Promise<void> {
    if (at + into.length > this.size) throw endsEarly(this.source, this.size, at + into.length);
    into.set(new Uint8Array(await this.slice(at, at + into.length)));
  }

  pieces(from: number): AsyncIterable<Uint8Array> {
    return readPieces(this.#blob.slice(from), this.#work);
  }

  async checkUnchanged(): Promise<void> {}

  async close(): Promise<void> {}
}

/**
 * Web Workers that read parts of a Blob: each gets the Blob, whose bytes are not copied, and reads slices of it itself.
 * No memory is shared, so pages need not be isolated. Undefined where there are no workers.
 */
export function blobThreads(blob: Blob): PartsThreads | undefined {
  return typeof Worker === 'undefined' ? undefined : { file: blob, start };
}

function start(listener: PartsListener): PartsThread {
  const worker = startWorker();
  if (worker === undefined) queueMicrotask(() => listener.lost());
  else {
    worker.onmessage = ({ data }: { data: PartReply }) => listener.reply(data);
    worker.onmessageerror = () => listener.lost();
    worker.onerror = (event) => {
      // The calling thread reads the parts: nothing is wrong that the page should hear of.
      event.preventDefault();
      listener.lost();
    };
  }
  return {
    post: (message, transfer) => worker?.postMessage(message, transfer),
    end: async () => worker?.terminate(),
  };
}

/** Some browsers throw where the policy of the page forbids the worker, others report an error of it. */
function startWorker(): Worker | undefined {
  try {
    // Written so that bundlers find the script, which imports nothing.
    return new Worker(new URL('./parts-worker.js', import.meta.url), { type: 'module' });
  } catch {
    return undefined;
  }
}
