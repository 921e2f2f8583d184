/**
 * `npm run dev`: builds, serves the demo store with the explorer and the API reference, and watches the sources. What
 * changes in src/ is bundled anew within a second or two, what changes in assembly/ is compiled; then the server starts
 * anew and the pages that are open reload. It checks no types: `npm run check:types` does.
 *
 *   npm run dev [-- --port 8080]
 *
 * The server is behind a proxy of this process, which adds a script to pages, so that it is that of users.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { createServer, request } from 'node:http';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { build } from 'tsup';

/** What a page needs: the explorer itself, and the command that serves it. */
const WATCHED = ['explorer', 'cli', 'run-all'];
const STORE = 'plumecast-demo';
const SCRIPT = '/plumecast-dev.js';
const EVENTS = '/plumecast-dev-events';
const RELOAD = `new EventSource('${EVENTS}').onmessage = () => location.reload();\n`;

const { values: options } = parseArgs({ options: { port: { type: 'string', default: '8080' } } });
/** Responses to pages that wait for the next change. */
const pages = new Set();
let server;
let address;
let timer;
let isBuilding = true;

runToEnd('scripts/build.mjs');
if (!existsSync(`${STORE}/store.json`)) runToEnd('dist/cli.js', 'demo', STORE);
await watchSources();
watchKernels();
isBuilding = false;
await startServer();
createServer(answer).listen(Number(options.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${options.port}/ (the API reference: /docs; the demo's key: demo); Ctrl-C ends it`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server?.kill();
    process.exit(0);
  });
}

function runToEnd(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Bundles what pages need whenever one of its sources changes, as `tsup.config.ts` says. */
async function watchSources() {
  const config = 'build/dev/tsup.config.mjs';
  await bundle({
    ...{ entryPoints: ['tsup.config.ts'], outfile: config, bundle: true, packages: 'external' },
    ...{ platform: 'node', format: 'esm', logLevel: 'warning' },
  });
  const { default: all } = await import(pathToFileURL(config).href);
  const watched = all.filter(({ entry }) => WATCHED.some((name) => name in entry));
  for (const each of watched) {
    const onSuccess = async () => {
      await each.onSuccess?.();
      changed();
    };
    await build({ ...each, config: false, watch: ['src'], onSuccess });
  }
}

/** Builds all anew when a kernel changes, also what its generators write for src/. */
function watchKernels() {
  let waiting;
  watch('assembly', { recursive: true }, (_, name) => {
    if (isBuilding || name?.includes('generated')) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      isBuilding = true;
      console.log(`${name} changed: building all`);
      spawn(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).once('close', (status) => {
        isBuilding = false;
        if (status === 0) changed();
      });
    }, 100);
  });
}

/** Starts the server anew, once for bundles that are written one after the other, and reloads pages. */
function changed() {
  if (isBuilding) return;
  clearTimeout(timer);
  timer = setTimeout(async () => {
    await startServer();
    console.log(`${new Date().toLocaleTimeString()} built, served anew`);
    for (const page of pages) page.write('data: changed\n\n');
  }, 300);
}

async function startServer() {
  server?.kill();
  const args = ['dist/cli.js', 'serve', '--store', STORE, '--port', '0', '--drain-seconds', '0'];
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: server.stdout });
  address = await new Promise((resolve) => {
    lines.on('line', (line) => {
      const [url] = /http:[^\s']+/.exec(line) ?? [];
      if (url !== undefined) resolve(new URL(url));
    });
    server.once('exit', () => resolve(undefined));
  });
}

/** Answers as the server does; pages have a script besides. */
function answer(incoming, outgoing) {
  if (incoming.url === SCRIPT) return outgoing.setHeader('content-type', 'text/javascript').end(RELOAD);
  if (incoming.url === EVENTS) {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    pages.add(outgoing);
    return outgoing.write(': waiting\n\n') && incoming.once('close', () => pages.delete(outgoing));
  }
  if (address === undefined) return outgoing.writeHead(503).end('The server did not start: see the terminal.\n');
  const { 'accept-encoding': _, 'if-none-match': __, ...headers } = incoming.headers;
  const { hostname, port } = address;
  const forwarded = request(
    { hostname, port, path: incoming.url, method: incoming.method, headers },
    async (response) => {
      const { 'content-length': length, ...others } = response.headers;
      if (!response.headers['content-type']?.startsWith('text/html')) {
        outgoing.writeHead(response.statusCode, response.headers);
        return response.pipe(outgoing);
      }
      outgoing.writeHead(response.statusCode, { ...others, 'cache-control': 'no-store' });
      const text = Buffer.concat(await response.toArray()).toString();
      outgoing.end(text.replace('</body>', `<script src="${SCRIPT}"></script></body>`));
    },
  );
  forwarded.once('error', (error) => {
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end(`${error.message}\n`);
  });
  incoming.pipe(forwarded);
}
