/** Loaded before a command: kills its process at the step that KILL_AT_STEP counts of those that change files. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

let left = Number(process.env.KILL_AT_STEP);

for (const name of isMainThread ? ['appendFile', 'mkdir', 'rename', 'rm', 'rmdir', 'writeFile'] : []) {
  const original = fs.promises[name];
  fs.promises[name] = async (...args) => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
}
syncBuiltinESMExports();
