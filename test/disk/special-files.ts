import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Makes a pipe with a name; false, with a line, where the system has none. */
function makePipe(path: string): boolean {
  try {
    execFileSync('mkfifo', [path], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: no pipes can be made here');
    return false;
  }
}

/** What stands where a file is expected, by the word that messages have for it. */
export const SPECIAL: Readonly<Record<string, (path: string) => boolean | Promise<boolean>>> = {
  'a folder': (path) => {
    mkdirSync(path);
    return true;
  },
  'a named pipe': makePipe,
  'a socket or a device': async (path) => {
    if (process.platform === 'win32') return false;
    const server = createServer();
    await new Promise<void>((ready) => server.listen(path, ready));
    onTestFinished(() => void server.close());
    return true;
  },
  'a device': (path) => {
    if (process.platform === 'win32') return false;
    symlinkSync('/dev/zero', path);
    return true;
  },
};
