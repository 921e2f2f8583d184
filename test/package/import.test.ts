import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const names = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [path.replace('.', manifest.name)],
);

/** Runs a module in a new Node process, in which every way to create a WebAssembly module or instance throws. */
async function withoutWebAssembly(code: string): Promise<string> {
  const guard = `
    // It loads undici, which leaves symbols, and makes a module of its own.
    await import('node:http');
    const fail = (name, made = WebAssembly[name]) => function (...args) {
      const error = new Error('WebAssembly.' + name + ' was called');
      if (error.stack.includes('node:internal/deps/undici')) return made.apply(WebAssembly, args);
      throw error;
    };
    for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming', 'validate', 'Module', 'Instance', 'Memory']) {
      WebAssembly[name] = fail(name);
    }`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `${guard}\n${code}`], {
    cwd: new URL('../../', import.meta.url),
  });
  return (await run).stdout;
}

it('loadCore makes them', async () => {
  const code = `
    const { loadCore } = await import('plumecast');
    await loadCore().catch((error) => console.log(error.message));`;
  expect(await withoutWebAssembly(code)).toContain('WebAssembly.');
});

it('importing any entry point makes no WebAssembly module, instance or memory, and leaves globals and prototypes as they were', async () => {
  const code = `
    const seen = () => [globalThis, Object.prototype, Array.prototype, Float32Array.prototype, Float64Array.prototype]
      .map((holder) => Reflect.ownKeys(holder).map(String).sort().join());
    await import('apache-arrow');
    for (const name of ${JSON.stringify(names)}) {
      const before = seen();
      await import(name);
      const after = seen();
      console.log(name, before.every((keys, i) => keys === after[i]));
    }`;
  expect(await withoutWebAssembly(code)).toBe(names.map((name) => `${name} true\n`).join(''));
});

it.each(['arrays', 'calendar', 'fao56', 'threads', 'client'])(
  'plumecast/%s works without apache-arrow',
  async (door) => {
    // As if it were not installed.
    const code = `
    const { register } = await import('node:module');
    const hooks = 'export const resolve = (name, context, next) => { if (name === "apache-arrow") throw new Error("no " + name); return next(name, context); };';
    register('data:text/javascript,' + encodeURIComponent(hooks));
    const exported = await import('plumecast/${door}');
    console.log(Object.keys(exported).length > 0);
    console.log(await import('plumecast').then(() => 'arrow', (error) => error.message));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
      ...{ cwd: new URL('../../', import.meta.url), timeout: 60_000 },
    });
    expect(stdout).toBe('true\nno apache-arrow\n');
  },
);
