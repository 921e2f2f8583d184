/** Runs the command in a folder of its own, and records what it leaves there and prints. */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sha256 } from './digest.mjs';

/** Fields of JSON outputs that are sentences. */
const WORDS = [
  'message',
  'problem',
  'problems',
  'conversions',
  'notes',
  'warnings',
  'command',
  'note',
  'reason',
  'hint',
];

/**
 * Runs a case `{ steps, copies, stdin, stdout }`: the arguments of one command or of several, one after the other;
 * folders of the inputs that are copied into the working folder first; a file to read from standard input; and what
 * kind of text standard output is (see `stdoutFacts`). The working folder has `in`, the inputs, and `ref`, the
 * reference data, so that no path in a result is that of this machine.
 */
export async function runCommandCase(cli, folders, { steps, copies = [], stdin, stdout = 'data' }) {
  const cwd = await mkdtemp(join(tmpdir(), 'plumecast-record-'));
  try {
    await symlink(folders.inputs, join(cwd, 'in'));
    if (folders.reference !== undefined) await symlink(folders.reference, join(cwd, 'ref'));
    for (const name of copies) await cp(join(folders.inputs, name), join(cwd, name), COPY);
    const facts = {};
    const words = [];
    for (const [index, args] of steps.entries()) {
      const done = await runCommand(cli, args, { cwd, stdin });
      const label = steps.length > 1 ? `step ${index + 1}, ` : '';
      facts[`${label}exit code`] = done.code;
      if (done.stderr !== '') words.push(done.stderr.replaceAll(/^Key [0-9a-f]{12} /gm, 'Key ID '));
      Object.assign(facts, stdoutFacts(stdout, label, done.stdout, words));
    }
    await addFiles(cwd, '', facts, words);
    if (words.length > 0) facts.words = words.join('\n');
    return facts;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const COPY = { recursive: true, preserveTimestamps: true };

/** Runs the command once. */
export async function runCommand(cli, args, { cwd, stdin } = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: tmpdir(),
    TZ: 'UTC',
    NO_COLOR: '1',
    LC_ALL: 'C.UTF-8',
  };
  const child = spawn(process.execPath, [cli, ...args], { cwd, env });
  const output = Promise.all([collect(child.stdout), collect(child.stderr)]);
  child.stdin.on('error', () => {}); // A command that fails early does not read it.
  if (stdin === undefined) child.stdin.end();
  else createReadStream(join(cwd, stdin)).pipe(child.stdin);
  const code = await new Promise((resolve) => child.once('close', (status, signal) => resolve(status ?? signal)));
  const [stdout, stderr] = await output;
  const words = stderr
    .toString('utf8')
    .replaceAll(cwd ?? process.cwd(), '.')
    .replaceAll(/in \d+:\d\d/g, 'in 0:00');
  return { code, stdout, stderr: words };
}

async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** `data` are compared to the byte; `words` are for people; `json` and `events`, an object a line, have both. */
function stdoutFacts(kind, label, bytes, words) {
  if (bytes.length === 0) return {};
  if (kind === 'data') return { [`${label}stdout`]: `${sha256(bytes)}, ${bytes.length} bytes: ${firstLine(bytes)}` };
  const text = bytes.toString('utf8');
  if (kind === 'words') {
    words.push(text.replaceAll(/^pc_\S+$/gm, 'KEY').replaceAll(/^Key [0-9a-f]{12} /gm, 'Key ID '));
    return {};
  }
  const values = kind === 'json' ? JSON.parse(text) : eventsOf(text);
  return { [`${label}stdout`]: sha256(JSON.stringify(withoutWords(values, words))) };
}

/** Events of threads come in any order, and how often there is progress depends on the clock. */
function eventsOf(text) {
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return events
    .filter(({ event }) => event !== 'progress')
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function firstLine(bytes) {
  const line = bytes.subarray(0, 60).toString('utf8').split('\n')[0];
  return /^[\x20-\x7e]*$/.test(line) ? line : 'binary';
}

/** JSON without the fields that are sentences, which are added to `words`. */
export function withoutWords(value, words, names = WORDS) {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each, words, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = {};
  for (const [name, field] of Object.entries(value)) {
    if (names.includes(name)) words.push(`${name}: ${JSON.stringify(field)}`);
    else kept[name] = withoutWords(field, words, names);
  }
  return kept;
}

async function addFiles(folder, inside, facts, words) {
  const entries = await readdir(join(folder, inside), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(inside, entry.name);
    if (entry.isDirectory()) await addFiles(folder, path, facts, words);
    else if (entry.isFile()) {
      const content = settled(path, await readFile(join(folder, path)), words);
      const name = `file ${settledText(path)}`;
      // Files whose names differ in random letters alone are one fact, in any order.
      const known = facts[name]?.split('; ') ?? [];
      facts[name] = [...known, `${sha256(content)}, ${content.length} bytes`].sort().join('; ');
    }
  }
}

/** A file without what differs from run to run or is words. */
function settled(path, bytes, words) {
  const name = basename(path);
  if (name === 'manifest.json' || name === 'journal.jsonl') {
    const text = bytes.toString('utf8');
    const values = name === 'manifest.json' ? JSON.parse(text) : eventsOf(text);
    return JSON.stringify(withoutWords(values, words), undefined, 1);
  }
  if (name === 'store.json') {
    // Its digests are of names and times.
    const text = bytes.toString('utf8').replaceAll(/"(published|sha256|checksum)": ?"[^"]*"/g, '"$1":"..."');
    return settledText(text);
  }
  if (path.includes('generations')) return settledText(bytes.toString('utf8'));
  if (name === 'keys.json') return bytes.toString('utf8').replaceAll(/"(keyHash|id|created)": ?"[^"]*"/g, '"$1":"..."');
  return bytes;
}

/** Names of updates have their time and random letters; files of stores and, by default, generations of forecasts have random letters. */
function settledText(text) {
  return text
    .replaceAll(/\d{8}T\d{6}-[0-9a-f]{8}/g, 'UPDATE')
    .replaceAll(/(\d\dZ)-[0-9a-f]{8}/g, '$1-RANDOM')
    .replaceAll(/-[0-9a-f]{8}(?=\.(?:arrow|blocks|json)\b)/g, '-RANDOM');
}
