/** One line on the terminal, which the next one replaces; a line of its own where there is no terminal. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

const from = performance.now();

/** A line that stays, with the seconds since the start. */
export function announce(text: string): void {
  const clear = process.stderr.isTTY ? '\r\x1b[K' : '';
  process.stderr.write(`${clear}${((performance.now() - from) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}
