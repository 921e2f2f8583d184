import { spawnSync } from 'node:child_process';

/** The Python that tests ask: `python3`, or that of PLUMECAST_PYTHON. */
const PYTHON = process.env.PLUMECAST_PYTHON ?? 'python3';

/** Exits with 0 where all modules are installed. It does not import them, which takes a second or more. */
const FIND_MODULES =
  'import sys; from importlib.util import find_spec; sys.exit(not all(find_spec(name) for name in sys.argv[1:]))';

/** Whether Python and these modules are installed; prints a line where they are not. */
export function hasPython(...modules: string[]): boolean {
  return isThere(`Python with ${modules.join(', ')}`, PYTHON, ['-c', FIND_MODULES, ...modules]);
}

/** Whether a program is there; prints a line where it is not. */
export function hasProgram(name: string, ...args: string[]): boolean {
  return isThere(name, name, args);
}

/** Runs Python with warnings as errors; returns what it prints, and throws what it complains of. */
export function python(code: string, { args = [], input }: { args?: string[]; input?: string } = {}): string {
  return said(PYTHON, ['-W', 'error', '-c', code, ...args], input);
}

/** Runs a script in Python; returns what it prints, and throws where it fails. */
export function pythonFile(path: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(PYTHON, [path, ...args], { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${path} exited with ${status}: ${stderr}`);
  return stdout;
}

/** Runs a program; returns what it prints, and throws what it complains of, warnings included. */
export function said(program: string, args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e8, input });
  if (status !== 0 || stderr !== '') throw new Error(`${program} exited with ${status}: ${stderr}`);
  return stdout;
}

/** What is there, as far as it was asked: to find out starts a process. */
const known = new Map<string, boolean>();

function isThere(what: string, program: string, args: string[]): boolean {
  const found = known.get(what) ?? spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  known.set(what, found);
  if (!found) console.log(`skipped: ${what} is not there`);
  return found;
}
