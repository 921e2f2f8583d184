import type { Exchange } from './exchange.js';
import type { HandlerOptions } from './handler-options.js';
import { shortened } from './shortened.js';

/** Tells the hooks of a handler about a request whose response is there. */
export function observe(
  { onRequest, onMetric }: HandlerOptions,
  exchange: Exchange,
  started: number,
  response: Response,
): void {
  if (onRequest === undefined && onMetric === undefined) return;
  const { request, path, endpoint, key, cached, errorId } = exchange;
  const { status } = response;
  const milliseconds = performance.now() - started;
  const bytes = request.method === 'HEAD' ? 0 : Number(response.headers.get('content-length') ?? 0);
  guarded(() => onMetric?.({ endpoint, status, milliseconds, bytes, cached }));
  guarded(() =>
    onRequest?.({
      method: request.method,
      path: shortened(path),
      status,
      milliseconds,
      keyId: key?.id,
      owner: key?.owner,
      bytes,
      errorId,
    }),
  );
}

/** Calls a hook. What it throws, or rejects with, is lost: neither a response nor the process depends on who listens. */
export function guarded(hook: () => unknown): void {
  try {
    Promise.resolve(hook()).catch(() => undefined);
  } catch {}
}
