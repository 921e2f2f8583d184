import type { KeyRecord } from '../access/key-store.js';
import { whenReady } from '../point/pause.js';
import { ProblemError } from '../problem-error.js';
import type { HandlerOptions } from './handler-options.js';
import type { Mcp, McpAnswer } from './mcp/mcp.js';
import { type Admit, createRequestContext, type RequestContext } from './request-context.js';
import type { RequestHead } from './request-head.js';
import { type ResponseParts, toResponse } from './response-parts.js';
import type { SourceErrorLog } from './source-fault.js';
import { clientGone } from './work-queue.js';

/** The path of messages of assistants, after the base path. */
export const MCP_PATH = '/mcp';

/** The methods of the path. */
export const MCP_METHODS = 'POST, OPTIONS';

/** Messages are short: the name of a tool and its arguments. */
const MAX_MESSAGE_BYTES = 65_536;

/** How a request for data is answered, and what becomes of its errors. */
interface Answering {
  replyTo(context: RequestContext): ResponseParts | Promise<ResponseParts>;
  failure(error: unknown, context: RequestContext): ResponseParts;
}

/** Replies to messages of assistants; throws, or rejects with, ProblemError. */
export type McpReplies = (context: RequestContext) => ResponseParts | Promise<ResponseParts>;

/**
 * Replies to `POST /mcp`. A message is a request of its key, as any other: it is counted and logged once, and costs what the data
 * cost that it asks for.
 */
export function createMcpReplies(
  mcp: Mcp,
  options: HandlerOptions,
  { sourceErrors, admit }: { readonly sourceErrors: SourceErrorLog; readonly admit: Admit },
  answering: Answering,
): McpReplies {
  return (context) =>
    whenReady(admit(context), async (key): Promise<ResponseParts> => {
      const { head } = context;
      const body = await readMessage(head);
      const reply = await mcp.answer({
        body,
        header: (name) => head.header(name),
        ask: (path, query) => ask(context, key, `${options.basePath ?? ''}${path}`, `${query}`),
        hasRecord: async () =>
          (await sourceErrors.guard('source', () => options.source.snapshot())).record !== undefined,
      });
      const headers = ['cache-control', 'no-store'];
      if (reply.body !== undefined) headers.push('content-type', 'application/json');
      return { status: reply.status, headers, body: reply.body };
    });

  /** Answers as a GET of the same client would be answered that is admitted already. */
  async function ask(outer: RequestContext, key: KeyRecord, path: string, query: string): Promise<McpAnswer> {
    const { head, requestId } = outer;
    const inner: RequestHead = {
      ...{ method: 'GET', path, query, client: head.client, signal: head.signal },
      header: (name) => (INHERITED.has(name) ? head.header(name) : null),
    };
    const context = createRequestContext(inner, requestId);
    context.key = key;
    let parts: ResponseParts;
    try {
      parts = await answering.replyTo(context);
    } catch (error) {
      parts = answering.failure(error, context);
    }
    const body = await toResponse(parts, 'GET').json();
    outer.cost += context.cost;
    outer.cached = context.cached;
    outer.errorId = context.errorId;
    return { status: parts.status, body };
  }
}

/** The headers of a message that belong to its request for data, too. */
const INHERITED: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...['x-api-key', 'x-request-id', 'traceparent', 'tracestate', 'user-agent'],
]);

async function readMessage(head: RequestHead): Promise<Uint8Array> {
  let body: Uint8Array | undefined;
  try {
    body = await head.body?.(MAX_MESSAGE_BYTES);
  } catch {
    throw clientGone();
  }
  if (body !== undefined) return body;
  const detail = `A message has at most ${MAX_MESSAGE_BYTES} bytes.`;
  throw new ProblemError(413, 'message-too-long', detail, { headers: { connection: 'close' } });
}
