/** Lets a thread wait for commands of `warm-command.mjs`: passes on what is to run, and wakes the thread when the outcome is there. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';

const { port, flag } = workerData;
let child;

port.on('message', (request) => {
  if (child === undefined) start();
  const current = child;
  const done = (outcome) => {
    current.removeListener('message', done);
    current.removeListener('exit', died);
    port.postMessage(outcome);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  const died = (code, signal) => {
    done({ code, out: '', err: `the process of the command ended: ${code ?? signal}\n` });
  };
  current.once('message', done);
  current.once('exit', died);
  current.send(request);
});

function start() {
  const started = fork(fileURLToPath(new URL('warm-command.mjs', import.meta.url)), {
    serialization: 'advanced',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // It may also end between two commands.
  started.once('exit', () => {
    if (child === started) child = undefined;
  });
  child = started;
}
