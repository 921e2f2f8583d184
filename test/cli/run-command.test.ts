import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { folderWith, runScript } from './run-command.js';

const { folder, remove } = folderWith({
  'replacing.mjs': "globalThis.fetch = async () => 'nothing'; console.log(await fetch('http://localhost'));",
  'using.mjs': "console.log(await (await fetch('data:,text')).text());",
});
afterAll(remove);

it('what a script puts in the place of a global is not there for the next script', () => {
  expect(runScript(join(folder, 'replacing.mjs'), []).out).toBe('nothing\n');
  expect(runScript(join(folder, 'using.mjs'), []).out).toBe('text\n');
  expect(runScript(join(folder, 'using.mjs'), [], { cwd: folder })).toEqual({ code: 0, out: 'text\n', err: '' });
});
