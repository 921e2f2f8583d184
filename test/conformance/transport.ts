import type { Handler } from '../../src/service/handler/index.js';
import { createListener } from '../../src/service/handler/listener/create-listener.node.js';
import { callListener } from '../service/handler/listener/call-listener.js';

/** Sends a request to a handler. */
type Transport = (
  handler: Handler,
  url: string,
  init: { readonly method: string; readonly headers: HeadersInit },
) => Promise<Response>;

export const throughFetch: Transport = (handler, url, init) => handler(new Request(url, init));

export const throughListener: Transport = (handler, url, { method, headers }) => {
  const { host, pathname, search } = new URL(url);
  const rawHeaders = ['Host', host];
  new Headers(headers).forEach((value, name) => {
    rawHeaders.push(name, value);
  });
  return callListener(createListener(handler), { method, url: pathname + search, rawHeaders });
};

let transport = throughFetch;

/** Sets how all requests of the suite are sent. */
export function sendThrough(other: Transport): void {
  transport = other;
}

export const send: Transport = (...request) => transport(...request);
