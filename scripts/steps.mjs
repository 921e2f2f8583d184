import { spawn } from 'node:child_process';

/**
 * Runs a command in a shell, without input. Resolves to whether it passed, its seconds, and what it printed, which is shown
 * at once where `isShown`. A command that takes longer than `limitSeconds` is ended, with all that it started, and fails.
 */
export function runStep(command, { isShown = false, limitSeconds = Number.POSITIVE_INFINITY } = {}) {
  const from = performance.now();
  const hasGroups = process.platform !== 'win32';
  const child = spawn(command, { stdio: ['ignore', 'pipe', 'pipe'], shell: true, detached: hasGroups });
  const pieces = [];
  const keep = (target) => (piece) => {
    pieces.push(piece);
    if (isShown) target.write(piece);
  };
  child.stdout.on('data', keep(process.stdout));
  child.stderr.on('data', keep(process.stderr));
  const end = (signal) => {
    try {
      if (hasGroups) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has ended.
    }
  };
  // A group of its own does not get the signals of the terminal.
  const interrupted = (signal) => {
    end(signal);
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
  const overdue = () => {
    keep(process.stderr)(Buffer.from(`ended after ${limitSeconds} s\n`));
    end('SIGKILL');
  };
  const timer = Number.isFinite(limitSeconds) ? setTimeout(overdue, limitSeconds * 1000) : undefined;
  return new Promise((resolve) => {
    child.once('error', (error) => pieces.push(Buffer.from(`${error}\n`)));
    child.once('close', (status) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, interrupted);
      const seconds = (performance.now() - from) / 1000;
      resolve({ passed: status === 0, seconds, output: String(Buffer.concat(pieces)) });
    });
  });
}

/** What a step left out, by its lines that begin with `skipped: `. */
export function skippedLines(output) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals begin with one.
  const lines = output.replace(/\x1b\[[0-9;]*m/g, '').split('\n');
  return [...new Set(lines.filter((line) => line.startsWith('skipped: ')))];
}

/** Prints a line for each step by its name, with what it left out; exits with 1, at the end, where one failed. */
export function summarize(results) {
  console.log();
  for (const [name, { passed, seconds, output }] of results) {
    const skipped = skippedLines(output);
    const isAllSkipped = passed && skipped.length > 0 && output.trim().split('\n').length === skipped.length;
    const word = passed ? (isAllSkipped ? 'skipped' : 'ok     ') : 'FAILED ';
    console.log(`${word} ${name} (${seconds.toFixed(1)} s)`);
    for (const line of skipped) console.log(`        ${line}`);
  }
  process.exitCode = [...results].every(([, { passed }]) => passed) ? 0 : 1;
}
