/** How long a request may take, and what aborts it. */
export interface Limits {
  /** 0 means no limit. */
  readonly timeoutMs: number;
  /** The caller's own signal. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` with a signal. Rejects with the reason of the caller's signal when that is aborted, and with a
 * DOMException named TimeoutError when the time is over, even if the work ignores its signal.
 */
export function withinTime<T>({ timeoutMs, signal }: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  // Not AbortSignal.any and AbortSignal.timeout: Node 20 may garbage-collect these while they are still needed.
  const controller = new AbortController();
  return new Promise<T>((done, failed) => {
    const end = (reason: unknown) => {
      failed(reason);
      controller.abort(reason);
    };
    const abort = () => end(signal?.reason);
    const expire = () => end(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
    signal?.addEventListener('abort', abort);
    const timer = timeoutMs > 0 ? setTimeout(expire, timeoutMs) : undefined;
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    work(controller.signal).then(done, failed).finally(release);
  });
}
