import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/*
 * Says which files of tests do not end, and what runs meanwhile: what blocks its process (a program that is waited for, a loop), or waits
 * while tests are collected, is ended by no limit of Vitest, and the run waits for it for ever without a word.
 */

/** The slowest files take a minute, and in `check:full` ten. */
const PATIENCE_MS = process.env.PLUMECAST_FULL_CHECK === undefined ? 300_000 : 1_500_000;

export default class HungFiles implements Reporter {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  onTestModuleQueued({ moduleId }: TestModule): void {
    const timer = setTimeout(() => {
      const name = relative(process.cwd(), moduleId);
      console.error(`${name}: has not ended after ${PATIENCE_MS / 1000} s; these programs run:\n${programs()}`);
    }, PATIENCE_MS);
    this.#timers.set(moduleId, timer.unref());
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    clearTimeout(this.#timers.get(moduleId));
  }
}

/** A line for each process: its number, its parent's, and its command. */
function programs(): string {
  if (process.platform !== 'linux') return '(not known on this system)';
  const lines = readdirSync('/proc').flatMap((id) => {
    if (!/^\d+$/.test(id)) return [];
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200);
      const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
      // Threads of the kernel have no command.
      return command === '' ? [] : [`  ${id} of ${parent}: ${command}`];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
  return lines.join('\n');
}
