import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join, resolve, sep } from 'node:path';
import { unreadable } from '../disk/file-fault.js';
import { openWithStatus, type RegularFile } from '../disk/regular-file.node.js';
import { FileError, OptionError } from '../errors.js';
import { readHead } from '../files/disk-file.node.js';
import { isReadAtOnce, MAX_PAGE_BYTES, tooLongForPage } from '../files/page-length.js';
import { openFolderStore } from '../files/zarr/open-zarr-folder.node.js';
import { listen } from './http-server.js';
import { EXPLORER_POLICY } from './pages/explorer-files.js';
import { type PageFile, readPageFolder } from './pages/page-files.js';
import { stopSignal } from './stop-signal.js';

/** How files are explored. */
export interface ExploreOptions {
  readonly port: number;
  /** Files of an earlier run to compare with. */
  readonly earlier?: readonly string[];
  /** Whether to open a browser. */
  readonly open: boolean;
}

/** A file, or the folder of a Zarr store, that the page may read. */
interface SharedFile {
  readonly path: string;
  /** The paths of the arrays of a store: a page cannot list them. */
  readonly arrays?: readonly string[];
}

/** Bytes of the random part of the address. */
const TOKEN_BYTES = 18;
/** How long responses may take after Ctrl-C, in seconds. */
const GRACE_SECONDS = 1;

/** Serves the explorer with some files to this machine until the process gets a signal. */
export async function explore(paths: readonly string[], options: ExploreOptions): Promise<void> {
  const { port, open: opens, earlier = [] } = options;
  if (earlier.length > 0 && paths.length === 0) {
    const [problem, allowed] = ['has no run to be compared with', 'the files of the later run as arguments'];
    throw new OptionError({ subject: '--earlier', problem, received: earlier.join(' '), allowed });
  }
  const files = await Promise.all([...paths, ...earlier].map(checkFile));
  const page = await readPageFolder('explorer');
  if (page === undefined) {
    throw new FileError({ subject: 'explorer', problem: 'its page is missing', allowed: 'a complete package' });
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const stopped = stopSignal();
  const server = await listen(
    (request, response) => answer(request, response, { token, page, files, shown: paths.length }),
    {
      ...{ host: '127.0.0.1', port },
    },
  );
  const address = `${server.address}/${token}/`;
  const what = paths.length === 0 ? 'the sample' : paths.join(', ');
  process.stdout.write(`Exploring ${what} at ${address}\n\nCtrl-C stops it.\n`);
  if (opens) openBrowser(address);
  await stopped;
  await server.stop(GRACE_SECONDS);
}

/** Throws FileError for what is neither a readable file nor a Zarr store, and for files that are too long for the page. */
async function checkFile(path: string): Promise<SharedFile> {
  const status = await stat(path).catch((cause) => Promise.reject(unreadable(path, cause, 'a readable file')));
  if (status.isFile()) {
    if (status.size > MAX_PAGE_BYTES && isReadAtOnce(await readHead(path))) throw tooLongForPage(path, status.size);
    return { path };
  }
  if (status.isDirectory()) return { path, arrays: [...(await openFolderStore(path)).arrays.keys()] };
  const allowed = 'files, or the folder of a Zarr store';
  throw new FileError({ subject: path, problem: 'is not a file that a page can open', allowed });
}

interface Served {
  readonly token: string;
  readonly page: ReadonlyMap<string, PageFile>;
  readonly files: readonly SharedFile[];
  /** How many of them are shown; the others are an earlier run. */
  readonly shown: number;
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': EXPLORER_POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Answers a request: only under the address of this machine, and below the random part of the path. */
function answer(request: IncomingMessage, response: ServerResponse, { token, page, files, shown }: Served): void {
  const send = (status: number, type: string, bytes: Uint8Array | string) => {
    response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  };
  const reject = (status: number, text: string) => send(status, 'text/plain', `${text}\n`);
  const { method = '', url = '' } = request;
  const [path] = url.split('?', 1);
  const isBelow = path.startsWith(`/${token}/`);
  const rest = path.slice(token.length + 2);
  const [, number = -1, below = ''] = /^files\/(\d+)\/[^/]*\/?(.*)$/.exec(rest) ?? [];
  const shared = files[Number(number)];
  const file = page.get(rest === '' ? 'index.html' : rest);
  // A page of another site may have its name resolved to this machine.
  if (!isOwnHost(request)) reject(403, 'This address is for this machine only.');
  else if (method !== 'GET' && method !== 'HEAD') reject(405, 'GET and HEAD are answered.');
  else if (!isBelow) reject(404, 'There is nothing here.');
  else if (rest === 'explorer.json') send(200, 'application/json', configBytes(files, shown));
  else if (shared !== undefined) void sendFile(openShared(shared, below), request, response);
  else if (file !== undefined) send(200, file.type, file.bytes);
  else reject(404, 'There is nothing here.');
}

/** Whether a request names this machine by its loopback address. */
function isOwnHost({ headers, socket }: IncomingMessage): boolean {
  return [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`].includes(headers.host ?? '');
}

/** What the page is for: files, and their paths as commands name them. */
function configBytes(files: readonly SharedFile[], shown: number): Uint8Array {
  const file = files.map(
    ({ path, arrays }, i) =>
      `files/${i}/${encodeURIComponent(basename(resolve(path)))}${arrays === undefined ? '' : '/'}`,
  );
  const paths = files.map(({ path }) => path);
  const arrays = files.map((shared) => shared.arrays ?? null);
  const own = { file: file.slice(0, shown), paths: paths.slice(0, shown), arrays: arrays.slice(0, shown) };
  const earlier = {
    ...{ earlier: file.slice(shown), earlierPaths: paths.slice(shown), earlierArrays: arrays.slice(shown) },
  };
  const config = { server: null, key: null, ...own, ...(files.length > shown && earlier) };
  return new TextEncoder().encode(JSON.stringify(config));
}

/** The path of a file, or of what is below the folder of a store; undefined for what leads out of it. */
function pathOf({ path, arrays }: SharedFile, below: string): string | undefined {
  if (arrays === undefined) return below === '' ? path : undefined;
  try {
    const names = below.split('/').map(decodeURIComponent);
    return names.some((name) => /^\.{0,2}$|[\\/\0]/.test(name)) ? undefined : join(path, ...names);
  } catch {
    return undefined;
  }
}

/** Opens a file for the page; the code of the error where that fails, undefined where the page may not name it. */
async function openShared(shared: SharedFile, below: string): Promise<RegularFile | string | undefined> {
  const path = pathOf(shared, below);
  if (path === undefined) return undefined;
  const opened = async () => ((await leadsOut(shared, path)) ? 'ELOOP' : openWithStatus(path));
  return opened().catch(codeOf);
}

/** Whether a link leads out of the folder of a store. */
async function leadsOut({ path: root, arrays }: SharedFile, path: string): Promise<boolean> {
  if (arrays === undefined) return false;
  const [folder, file] = await Promise.all([realpath(root), realpath(path)]);
  return !file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function sendFile(
  found: Promise<RegularFile | string | undefined>,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = await found;
  if (file === undefined || typeof file === 'string') {
    // A reader of Zarr takes 404 for a chunk that was never written.
    response.writeHead(file === undefined || file === 'ENOENT' ? 404 : 403, HEADERS).end();
    return;
  }
  const { handle, status } = file;
  const range = byteRange(headers.range, status.size);
  const { start, end } = range ?? { start: 0, end: status.size - 1 };
  const head = {
    ...{ ...HEADERS, 'content-type': 'application/octet-stream', 'content-length': end - start + 1 },
    ...(range && { 'content-range': `bytes ${start}-${end}/${status.size}` }),
  };
  const code = range === undefined ? 200 : 206;
  if (method === 'HEAD' || status.size === 0) {
    await handle.close();
    response.writeHead(code, head).end();
    return;
  }
  const content = handle.createReadStream({ start, end });
  response.writeHead(code, head);
  content.pipe(response);
  content.once('error', () => response.destroy());
  response.once('close', () => content.destroy());
}

function codeOf({ code = 'unknown' }: NodeJS.ErrnoException): string {
  return code;
}

/** The range that a request names, from its first to its last byte; undefined for all, and for ranges that are not there. */
function byteRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : undefined;
}

/** Opens an address in the browser, where there is one. */
function openBrowser(address: string): void {
  const [command, ...args] = browserCommand(address);
  if (command === undefined) return;
  // Without a browser, the printed address is enough.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .once('error', () => {})
    .unref();
}

function browserCommand(address: string): string[] {
  const { platform, env } = process;
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', address] : [];
}
