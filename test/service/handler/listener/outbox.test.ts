import { Agent, createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Outbox } from '../../../../src/service/handler/listener/outbox.node.js';

const afterEvents = () => new Promise((resolve) => setImmediate(resolve));
const parts = (text: string) => ({ status: 200, headers: [], body: new TextEncoder().encode(text) });

/** Calls `use` with so many responses whose requests have arrived; returns the bodies that their clients get. */
async function withResponses(count: number, use: (responses: ServerResponse[]) => unknown): Promise<string[]> {
  const arrived: ServerResponse[] = [];
  const server = createServer((_, response) => {
    arrived.push(response);
    if (arrived.length === count) use(arrived);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const body = () =>
    new Promise<string>((resolve) => {
      get({ port, host: '127.0.0.1', agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => {
          text += piece;
        });
        response.on('end', () => resolve(text));
      }).on('error', () => resolve('gone'));
    });
  try {
    return await Promise.all(Array.from({ length: count }, body));
  } finally {
    agent.destroy();
    server.close();
  }
}

it('sends the responses of one turn of the event loop together, each to its client', async () => {
  const sent: boolean[] = [];
  const bodies = await withResponses(3, async (responses) => {
    const outbox = new Outbox();
    responses.forEach((response, i) => {
      outbox.add(parts(`answer ${i}`), false, response);
    });
    sent.push(...responses.map((response) => response.headersSent));
    await afterEvents();
    sent.push(...responses.map((response) => response.headersSent));
  });
  expect(sent).toEqual([false, false, false, true, true, true]);
  expect(bodies.sort()).toEqual(['answer 0', 'answer 1', 'answer 2']);
});

it('sends those that have waited for a millisecond before the turn ends', async () => {
  const sent: boolean[] = [];
  const bodies = await withResponses(3, (responses) => {
    const outbox = new Outbox();
    outbox.add(parts('first'), false, responses[0]);
    for (const until = performance.now() + 2; performance.now() < until; );
    outbox.add(parts('second'), false, responses[1]);
    outbox.add(parts('third'), false, responses[2]);
    sent.push(...responses.map((response) => response.headersSent));
  });
  expect(sent).toEqual([true, true, false]);
  expect(bodies.sort()).toEqual(['first', 'second', 'third']);
});

it('leaves out requests that others have answered meanwhile', async () => {
  const bodies = await withResponses(2, (responses) => {
    const outbox = new Outbox();
    for (const response of responses) outbox.add(parts('answer'), false, response);
    responses[0].writeHead(503).end('late');
  });
  expect(bodies.sort()).toEqual(['answer', 'late']);
});

it('leaves out clients that have gone meanwhile', async () => {
  const bodies = await withResponses(2, (responses) => {
    const outbox = new Outbox();
    for (const response of responses) outbox.add(parts('answer'), false, response);
    responses[0].destroy();
  });
  expect(bodies.sort()).toEqual(['answer', 'gone']);
});
