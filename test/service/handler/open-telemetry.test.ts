import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, type SpanOptions, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTelemetry } from '../../../src/service/handler/open-telemetry.node.js';
import { ProblemError } from '../../../src/service/problem-error.js';
import type { TracedOutcome, TracedRequest } from '../../../src/service/tracing.js';

/** A span that keeps what is set. */
class KeptSpan {
  readonly attributes: Record<string, unknown>;
  readonly kind: SpanKind;
  readonly parent: unknown;
  status = 0;
  hasEnded = false;

  constructor(
    public name: string,
    { kind = SpanKind.INTERNAL, attributes = {} }: SpanOptions = {},
    parent: Context = context.active(),
  ) {
    this.kind = kind;
    this.attributes = { ...attributes };
    this.parent = trace.getSpan(parent);
  }

  spanContext = () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 });
  setAttributes = (more: object) => void Object.assign(this.attributes, more);
  setStatus = ({ code }: { code: number }) => void (this.status = code);
  updateName = (name: string) => void (this.name = name);
  end = () => void (this.hasEnded = true);
}

const spans: KeptSpan[] = [];
const storage = new AsyncLocalStorage<Context>();

function startSpan(...given: ConstructorParameters<typeof KeptSpan>): Span {
  const span = new KeptSpan(...given);
  spans.push(span);
  return span as unknown as Span;
}

beforeAll(() => {
  const manager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    // biome-ignore lint/suspicious/noExplicitAny: the interface of the package
    with: (active: Context, work: any, self: unknown, ...args: any[]) =>
      storage.run(active, () => work.apply(self, args)),
    bind: <T>(_: Context, target: T) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  // biome-ignore lint/suspicious/noExplicitAny: only what is used of a tracer
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as any });
});
afterAll(() => {
  context.disable();
  trace.disable();
});
beforeEach(() => void spans.splice(0));

const REQUEST: TracedRequest = { method: 'GET', path: '/health', header: () => null };
const OUTCOME: TracedOutcome = {
  ...{ status: 200, route: '/health', requestId: 'a', keyId: undefined, bytes: 2, cached: false, errorId: undefined },
};

async function tracing() {
  const opened = await openTelemetry();
  spans.splice(0);
  return opened;
}

describe('openTelemetry', () => {
  it('knows that there is an SDK', async () => {
    expect((await openTelemetry()).hasSdk).toBe(true);
  });

  it('gives the span of an instrumentation the route, once, and begins others itself', async () => {
    const { request } = await tracing();
    const server = startSpan('GET', { kind: SpanKind.SERVER });
    context.with(trace.setSpan(ROOT_CONTEXT, server), () => {
      request(REQUEST, (span) => span.end(OUTCOME));
      expect(spans).toHaveLength(1);
      expect(spans[0]).toMatchObject({ name: 'GET /health', hasEnded: false });
      expect(spans[0].attributes).toMatchObject({ 'http.route': '/health', 'http.response.status_code': 200 });
      request(REQUEST, (span) => span.end(OUTCOME));
    });
    expect(spans).toHaveLength(2);
    expect(spans[1]).toMatchObject({ name: 'GET /health', kind: SpanKind.SERVER, hasEnded: true, parent: undefined });
  });

  it('begins a span below one that is no server', async () => {
    const { request } = await tracing();
    const own = startSpan('a job of the program');
    context.with(trace.setSpan(ROOT_CONTEXT, own), () => request(REQUEST, (span) => span.end(OUTCOME)));
    expect(spans[1]).toMatchObject({ name: 'GET /health', kind: SpanKind.INTERNAL, hasEnded: true, parent: own });
    expect(spans[0].name).toBe('a job of the program');
  });

  it('marks answers from 500 on as errors, and unusual methods as others', async () => {
    const { request } = await tracing();
    for (const status of [404, 503])
      request({ ...REQUEST, method: 'BREW' }, (span) => span.end({ ...OUTCOME, status }));
    expect(spans.map(({ status }) => status)).toEqual([0, 2]);
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([undefined, '503']);
    expect(spans[0].name).toBe('HTTP /health');
    expect(spans[0].attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'BREW',
    });
  });

  it('ends parts with what they return, reject with or throw, which are errors unless the request is wrong', async () => {
    const { request, part } = await tracing();
    const problem = new ProblemError(401, 'key-unknown', 'The key is not known.');
    const fault = new Error('broken');
    await request(REQUEST, async () => {
      expect(part('key', () => 1)).toBe(1);
      const later = part('limits', () => Promise.resolve(2));
      expect(spans[2].hasEnded).toBe(false);
      expect(await later).toBe(2);
      for (const error of [problem, fault]) {
        const fail = () => {
          throw error;
        };
        expect(() => part('store', fail)).toThrow(error);
        await expect(part('answer', async () => fail())).rejects.toBe(error);
      }
    });
    const [, ...parts] = spans;
    expect(parts.map(({ name, status, hasEnded }) => [name, status, hasEnded])).toEqual([
      ['plumecast key', 0, true],
      ['plumecast limits', 0, true],
      ['plumecast store', 0, true],
      ['plumecast answer', 0, true],
      ['plumecast store', 2, true],
      ['plumecast answer', 2, true],
    ]);
  });

  it('has no span for a part of no request', async () => {
    const { part } = await tracing();
    expect(part('read', () => 1)).toBe(1);
    expect(spans).toEqual([]);
  });
});
