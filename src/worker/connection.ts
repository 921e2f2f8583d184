import { version } from '../../package.json';
import { type Core, loadCore } from '../core/load.js';
import type { Pieces } from '../files/byte-source.js';
import { computeRequest, type Results } from './compute-request.js';
import { errorRecord } from './error-record.js';
import { endFrame, FrameReader, frameHead, jsonFrame, KINDS, PROTOCOL_VERSION } from './frames.js';
import { checkWorkerRequest, parseRequest, UnreadableRequestError } from './worker-request.js';

/** The two directions of a connection. */
export interface Channel {
  readonly bytes: Pieces;
  /** Resolves when more may be written. Rejects if the client is gone. */
  write(bytes: Uint8Array): Promise<void>;
  /** Receives a function that says whether the client owes nothing: it has not begun a request. */
  begin?(isBetween: () => boolean): void;
  /** Called after each request: `closed` if no request can be read after it. */
  onAnswer?(outcome: 'answered' | 'failed' | 'closed'): void;
}

/** A core whose memory has grown beyond this is replaced after a request. */
const MAX_KEPT_BYTES = 268_435_456;

/**
 * Answers the requests of one client, one after the other, until it is done or a request cannot be read. Returns
 * whether all of them succeeded. Rejects if the client is gone.
 */
export async function serveConnection({ bytes, write, begin, onAnswer }: Channel): Promise<boolean> {
  const frames = new FrameReader(bytes);
  begin?.(() => frames.isBetween);
  const connection = new Connection(frames, write);
  try {
    await write(jsonFrame(KINDS.hello, { version: PROTOCOL_VERSION, plumecast: version }));
    let isGood = true;
    for (;;) {
      const outcome = await connection.answerNext();
      if (outcome === 'done') return isGood;
      onAnswer?.(outcome);
      if (outcome === 'closed') return false;
      isGood &&= outcome === 'answered';
    }
  } finally {
    await frames.close();
  }
}

/** The answers to the requests of one client. */
class Connection {
  readonly #frames: FrameReader;
  readonly #write: Channel['write'];
  #core: Core | undefined;

  constructor(frames: FrameReader, write: Channel['write']) {
    this.#frames = frames;
    this.#write = write;
  }

  /** Answers the next request with results or an error; `closed` if no request can be read after it. */
  async answerNext(): Promise<'answered' | 'failed' | 'done' | 'closed'> {
    let results: Results | undefined;
    try {
      const text = await this.#frames.request();
      if (text === undefined) return 'done';
      results = await this.#results(text);
    } catch (error) {
      return this.#fail(error);
    }
    await this.#send(results);
    return 'answered';
  }

  async #results(text: Uint8Array): Promise<Results> {
    const request = await checkWorkerRequest(parseRequest(text));
    this.#core ??= await loadCore();
    try {
      return await computeRequest(this.#core, request, this.#frames);
    } finally {
      if (this.#core.memory.wasm.buffer.byteLength > MAX_KEPT_BYTES) this.#core = undefined;
    }
  }

  async #send({ bytes, rows, notices }: Results): Promise<void> {
    try {
      for (const notice of notices) await this.#write(jsonFrame(KINDS.notice, notice));
      for (const block of bytes.blocks()) {
        await this.#write(frameHead(KINDS.result, block.length));
        await this.#write(block);
      }
      await this.#write(endFrame(rows));
    } finally {
      bytes.close();
    }
  }

  /** Sends an error, and reads the rest of its request, so that the next one can be read. */
  async #fail(error: unknown): Promise<'failed' | 'closed'> {
    const closes = this.#frames.fault !== undefined || error instanceof UnreadableRequestError;
    await this.#write(jsonFrame(KINDS.error, errorRecord(this.#frames.fault ?? error, closes)));
    if (closes) return 'closed';
    try {
      await this.#frames.end();
      return 'failed';
    } catch (fault) {
      // The request was answered; a client that goes away within it does not need another answer.
      if (fault === this.#frames.fault) return 'closed';
      throw fault;
    }
  }
}
