/** How long work goes on before it is worth talking about, in milliseconds. */
const PATIENCE = 1000;

/** Tells on standard error how far long work is; only on a terminal, and only once it has taken a second. */
export class Progress {
  readonly #started = Date.now();
  readonly #isQuiet: boolean;
  #shown = false;

  constructor(isQuiet = false) {
    this.#isQuiet = isQuiet;
  }

  report(text: string): void {
    if (this.#isQuiet || !process.stderr.isTTY || Date.now() - this.#started < PATIENCE) return;
    process.stderr.write(`\r\u001b[K${text}`);
    this.#shown = true;
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
