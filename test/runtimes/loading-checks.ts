import { type Core, CoreError, type CoreSource, loadCore } from 'plumecast';
import { seededField } from '../reference/fields.js';
import type { Check, Runtime } from './core-suite.js';
import { equalsTwin } from './equals-twin.js';

/** The smallest valid module: it exports nothing. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

export const loadingChecks: readonly Check[] = [
  {
    name: 'the packaged module loads without configuration',
    run: async () => computes(await loadCore()),
  },
  {
    name: 'a given compiled module loads',
    run: async ({ module }) => computes(await loadCore(module)),
  },
  {
    name: 'bytes load, or are a CoreError where the runtime cannot compile',
    run: (runtime) => loadsWhereCompiled(runtime, runtime.bytes),
  },
  {
    name: 'an ArrayBuffer loads, or is a CoreError where the runtime cannot compile',
    run: (runtime) => loadsWhereCompiled(runtime, runtime.bytes.slice().buffer),
  },
  {
    name: 'a response loads, or is a CoreError where the runtime cannot compile',
    run: (runtime) => loadsWhereCompiled(runtime, new Response(runtime.bytes)),
  },
  {
    name: 'the promise of a response loads, or is a CoreError where the runtime cannot compile',
    run: (runtime) => loadsWhereCompiled(runtime, Promise.resolve(new Response(runtime.bytes))),
  },
  {
    name: 'bytes that are not a module are a CoreError',
    run: async () => void (await expectCoreError(loadCore(new TextEncoder().encode('no module')))),
  },
  {
    name: 'a truncated module is a CoreError',
    run: async ({ bytes }) => void (await expectCoreError(loadCore(bytes.slice(0, bytes.length >> 1)))),
  },
  {
    name: 'a module of another kind is a CoreError',
    run: async () => void (await expectCoreError(loadCore(EMPTY_MODULE))),
  },
  {
    name: 'a response that is an error is a CoreError that states its status',
    run: async () => {
      const { message } = await expectCoreError(loadCore(new Response('gone', { status: 404 })));
      if (!message.includes('status 404')) throw new Error(`the message is ${message}`);
    },
  },
  {
    name: 'a failed source does not keep the packaged module from loading',
    run: async () => {
      await expectCoreError(loadCore(new Uint8Array(8)));
      computes(await loadCore());
    },
  },
  {
    name: 'two loads are two instances with separate memories',
    run: async () => {
      const [one, other] = await Promise.all([loadCore(), loadCore()]);
      if (one.memory.wasm.buffer === other.memory.wasm.buffer) throw new Error('the memories are the same');
      const address = one.memory.allocate(64);
      if (other.memory.allocate(64) !== address) throw new Error('the allocations of one move those of the other');
      one.memory.bytes(address, 64).fill(1);
      other.memory.bytes(address, 64).fill(2);
      if (one.memory.bytes(address, 64).some((byte) => byte !== 1)) throw new Error('one writes into the other');
      computes(one);
      computes(other);
    },
  },
];

function computes(core: Core): void {
  equalsTwin(core, seededField({ days: 21, members: 5, missing: 0.05 }), 'weekly', { spread: true });
}

async function loadsWhereCompiled({ compiles }: Runtime, source: CoreSource): Promise<void> {
  if (compiles) computes(await loadCore(source));
  else await expectCoreError(loadCore(source));
}

async function expectCoreError(loading: Promise<Core>): Promise<CoreError> {
  const outcome = await loading.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
  if (outcome instanceof CoreError) return outcome;
  throw new Error(`expected a CoreError: ${outcome}`);
}
