import { spawnSync } from 'node:child_process';
import { PYTHON } from '../../reference/foreign-programs.js';

/** A Python with icechunk, and the versions of the format that it writes. */
export interface IcechunkPython {
  readonly program: string;
  readonly version: string;
  readonly formats: readonly number[];
}

/** Pythons that may have icechunk: 1 writes format 1, 2 needs Python 3.12 or later and writes both. */
const PROGRAMS = [PYTHON, process.env.PLUMECAST_PYTHON_ICECHUNK ?? 'python3.13'];

/** The Pythons with icechunk that are there; prints a line for each that is not. */
export function icechunkPythons(...modules: string[]): IcechunkPython[] {
  const needed = ['icechunk', 'zarr', ...modules];
  return [...new Set(PROGRAMS)].flatMap((program) => {
    const code = `import ${needed.join(', ')}; print(icechunk.__version__)`;
    const { status, stdout } = spawnSync(program, ['-W', 'ignore', '-c', code], { encoding: 'utf8', timeout: 60_000 });
    if (status === 0) {
      const version = stdout.trim();
      return [{ program, version, formats: version.startsWith('1.') ? [1] : [1, 2] }];
    }
    console.log(`skipped: ${program} with ${needed.join(', ')} is not there (PLUMECAST_PYTHON_ICECHUNK names another)`);
    return [];
  });
}

/** Runs a script, and returns the JSON that it prints last: Icechunk may log on either output before it. */
export function jsonOfScript<Value>(program: string, path: string, args: readonly string[]): Value {
  return JSON.parse(runScript(program, path, args).trimEnd().split('\n').at(-1) as string);
}

/** Runs a script; returns what it prints, and throws where it fails. */
export function runScript(program: string, path: string, args: readonly string[]): string {
  const env = { ...process.env, ICECHUNK_LOG: 'off' };
  const options = { encoding: 'utf8', timeout: 110_000, maxBuffer: 1e8, env } as const;
  const { status, stdout, stderr } = spawnSync(program, ['-W', 'ignore', path, ...args], options);
  if (status !== 0) throw new Error(`${path} exited with ${status}: ${stderr}`);
  return stdout;
}

/** Each format that each Python with icechunk writes. */
export function icechunkFormats() {
  return icechunkPythons().flatMap(({ program, version, formats }) =>
    formats.map((format) => ({ program, version, format })),
  );
}
