import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built command. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** What a command printed, and its exit code. */
export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the built command in `cwd` with `input` on standard input. */
export function plumecast(
  args: readonly string[],
  { cwd, input = '' }: { cwd?: string; input?: string | Uint8Array } = {},
): Outcome {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd,
    input,
    env,
    maxBuffer: 2 ** 28,
  });
  return { code: status, out: stdout.toString(), err: stderr.toString() };
}

/** A folder of its own for a test file, with the given files in it. */
export function folderWith(files: Record<string, string | Uint8Array>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-test-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** A CSV of `days` days from Monday 2024-01-01 on for three members: member k has k on every day. */
export function threeMembers(days: number, header = 'date,m01,m02,m03'): string {
  const rows = Array.from(
    { length: days },
    (_, d) => `${new Date(Date.UTC(2024, 0, 1 + d)).toISOString().slice(0, 10)},1,2,3`,
  );
  return `${[header, ...rows].join('\n')}\n`;
}
