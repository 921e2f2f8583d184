import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { checkPlan } from '../../src/batch/check-plan.js';
import type { OutputTask, Reply } from '../../src/batch/task.js';
import { CLI, folderWith } from '../cli/run-command.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const at = (name: string) => join(folder, name);

it('A thread of a batch sends the notices of a short input with the outcome, in one message', async () => {
  const days = Array.from({ length: 14 }, (_, day) => `2026-03-${String(day + 2).padStart(2, '0')},1,2\n`);
  writeFileSync(at('rain.csv'), `date,tp_member01,tp_member02\n${days.join('')}`);
  const plan = checkPlan({ inputs: [at('rain.csv')], out: at('out'), granularities: ['weekly'], workers: 1 });
  const workerData = { plan, bytes: 1e8, bytesAlone: 1e8 };
  const worker = new Worker(join(CLI, '..', 'batch-worker.js'), { workerData });
  const messagesOf = (granularity: string) =>
    new Promise<string[][]>((resolve, reject) => {
      const messages: string[][] = [];
      worker.removeAllListeners().on('error', reject);
      worker.on('message', (replies: readonly Reply[]) => {
        messages.push(replies.map((reply) => (reply.kind === 'failed' ? reply.fault.message : reply.kind)));
        if (replies.some(({ kind }) => kind === 'done' || kind === 'failed')) resolve(messages);
      });
      worker.postMessage({
        ...{
          kind: 'output',
          temporary: at(`${granularity}.part`),
          results: at('0.results'),
          computed: false,
          share: false,
        },
        parts: [{ input: at('rain.csv'), variable: undefined, granularity }],
      } satisfies OutputTask);
    });
  // The first task loads the modules, which may take longer than notices wait.
  await messagesOf('daily');
  expect(await messagesOf('weekly')).toEqual([['notice', 'done']]);
  await worker.terminate();
});
