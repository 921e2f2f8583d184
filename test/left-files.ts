import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect } from 'vitest';

/*
 * Temporary files that a file of tests leaves behind fail it: the library removes what it copies, and the next files of the same process
 * would find them.
 */

/** The temporary files of this process that are there. */
const filesOfProcess = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`.plumecast.${process.pid}-`));
const before = filesOfProcess();

afterAll(async () => {
  const left = () => filesOfProcess().filter((name) => !before.includes(name));
  // What is still copied when another input has failed goes when it has come.
  for (const end = Date.now() + 10_000; left().length > 0 && Date.now() < end; )
    await new Promise((done) => setTimeout(done, 50));
  expect(left()).toEqual([]);
});
