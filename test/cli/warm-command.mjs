/**
 * Runs the built command again and again in this process, one after the other: to start a process for each takes three times as long. The
 * parent sends what to run and gets what was printed. Each run evaluates the script of the command anew, and its modules once, in the folder and with the standard input that it
 * would have had, and with the listeners that it would have called at its end.
 */
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import './warm-threads.mjs';

const STREAMS = ['stdout', 'stderr'];
let runs = 0;

process.on('message', async ({ command, args, cwd, input }) => {
  process.send(await outcome(command, args, cwd, Buffer.from(input)));
});

async function outcome(command, args, cwd, input) {
  const before = new Set(process.rawListeners('exit'));
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const written = { stdout: [], stderr: [] };
  const write = STREAMS.map((name) => process[name].write);
  for (const name of STREAMS) process[name].write = into(written[name]);
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input.length > 0 ? [input] : []),
    configurable: true,
  });
  process.chdir(cwd);
  process.argv = [process.execPath, command, ...args];
  process.exitCode = undefined;
  try {
    await import(`${pathToFileURL(command)}?${runs++}`);
    for (const listener of process.rawListeners('exit'))
      if (!before.has(listener)) listener.call(process, process.exitCode);
  } catch (error) {
    written.stderr.push(Buffer.from(`${error.stack}\n`));
    process.exitCode = 1;
  } finally {
    STREAMS.forEach((name, i) => {
      process[name].write = write[i];
      process[name].removeAllListeners('error');
    });
    // What a script puts in the place of a global such as `fetch` is not there for the next one.
    for (const [name, property] of Object.entries(globals))
      if (property.configurable) Object.defineProperty(globalThis, name, property);
    for (const event of ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP']) {
      for (const listener of process.rawListeners(event))
        if (!before.has(listener)) process.removeListener(event, listener);
    }
  }
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { code, out: String(Buffer.concat(written.stdout)), err: String(Buffer.concat(written.stderr)) };
}

/** A `write` that keeps what is written. */
function into(pieces) {
  return (piece, encoding, done = encoding) => {
    pieces.push(Buffer.from(piece));
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
}
