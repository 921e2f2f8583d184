import type { ServerResponse } from 'node:http';
import type { ResponseParts } from '../response-parts.js';
import { sendParts } from './send-parts.node.js';

/** A response waits at most about so long for others, in milliseconds. */
const MAX_WAIT = 1;

interface Ready {
  readonly parts: ResponseParts;
  readonly isHead: boolean;
  readonly response: ServerResponse;
}

/**
 * Sends responses together: those of all requests that the event loop has read at once. To write to a socket wakes the
 * process that reads from it where that is on the same machine, as a proxy is, which takes as long as many requests
 * do; it is still awake for the responses that follow at once.
 */
export class Outbox {
  #ready: Ready[] = [];
  #since = 0;
  readonly #flush = () => this.#send();

  add(parts: ResponseParts, isHead: boolean, response: ServerResponse): void {
    const now = performance.now();
    if (this.#ready.length === 0) {
      this.#since = now;
      setImmediate(this.#flush);
    }
    this.#ready.push({ parts, isHead, response });
    // What follows the last request of a connection makes node:http destroy it, also while responses wait here.
    if (!response.shouldKeepAlive || now - this.#since >= MAX_WAIT) this.#send();
  }

  #send(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const { parts, isHead, response } of ready) sendParts(parts, isHead, response);
  }
}
