import type { HandlerOptions } from './handler-options.js';
import type { RequestContext } from './request-context.js';
import { shortened } from './shortened.js';

/** The figures of a response. */
interface Observed {
  readonly status: number;
  readonly milliseconds: number;
  /** The size of its body, without regard to HEAD. */
  readonly bytes: number;
}

/** Tells the hooks of a handler about a request whose response is there, or sent where it is a long one. */
export function observe({ onRequest, onMetric }: HandlerOptions, exchange: RequestContext, observed: Observed): void {
  if (onRequest === undefined && onMetric === undefined) return;
  const { request, path, endpoint, key, cached, errorId } = exchange;
  const { status, milliseconds } = observed;
  const bytes = request.method === 'HEAD' ? 0 : observed.bytes;
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
