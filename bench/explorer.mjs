// How long the explorer takes to redraw, and to show its first charts of the demo store, and the memory that it needs
// for a file of 50 MB, in Chromium; needs `npm run build`.
//
//   node bench/explorer.mjs [STEPS] [CHECKOUT]
//
// CHECKOUT is the repository whose build is timed, by default this one. PLUMECAST_CHROMIUM names the browser.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const own = fileURLToPath(new URL('..', import.meta.url));
const [steps = '100', checkout = own] = process.argv.slice(2);
const { chromium } = createRequire(join(own, 'package.json'))('playwright-core');
const cli = resolve(checkout, 'dist/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'plumecast-explorer-'));
const store = join(folder, 'demo');
spawnSync(process.execPath, [cli, 'demo', store], { stdio: 'ignore' });

const VARIABLES = 'temp_mean,temp_min,temp_max,precipitation,wind_speed';
/** What is dragged: the outer band of all charts, and the threshold of one. */
const SLIDERS = { quantile: '.slider input', threshold: '.threshold-control input[type=range]' };

/** As tests find it. */
const USUAL_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.PLUMECAST_CHROMIUM ?? USUAL_PATHS.find((path) => existsSync(path));
if (executablePath === undefined) {
  console.error(`No Chromium at ${USUAL_PATHS.join(' or ')}: PLUMECAST_CHROMIUM names another.`);
  process.exit(1);
}

const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath,
  viewport: { width: 1280, height: 800 },
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
const servers = [];
try {
  const page = await browser.newPage();
  const metrics = await browser.newCDPSession(page);
  await metrics.send('Performance.enable');
  /** Milliseconds of CPU that the thread of the page has taken. */
  const cpu = async () => {
    const { metrics: list } = await metrics.send('Performance.getMetrics');
    return 1000 * list.find(({ name }) => name === 'ThreadTime').value;
  };

  console.log(
    '31 members by 180 days by 5 variables; milliseconds, median (frame: from the input to the end of its frame)',
  );
  const sample = await serve('explore', '--no-open');
  for (const by of ['daily', 'weekly']) {
    await page.goto('about:blank');
    await page.goto(`${sample}#var=${VARIABLES}&by=${by}&limit=temp_mean>10`);
    await page.locator('article.chart').nth(4).waitFor();
    for (const [name, selector] of Object.entries(SLIDERS)) {
      const frames = [];
      const times = [];
      for (let step = 0; step < Number(steps); step++) {
        const before = await cpu();
        frames.push(await page.evaluate(drag, { selector, step }));
        times.push((await cpu()) - before);
      }
      report(`${by} ${name}`, { frame: frames, CPU: times });
    }
  }

  const address = await serve('serve', '--store', store, '--port', '0');
  const views = [];
  for (let run = 0; run < 11; run++) {
    await page.goto('about:blank');
    await page.goto(address, { waitUntil: 'commit' });
    views.push(await page.evaluate(firstCharts));
  }
  report('first view of the demo store', { 'to its charts': views });

  const large = join(folder, 'large.arrow');
  const megabytes = (await writeLargeFile(large)) / 1e6;
  await page.goto('about:blank');
  await page.goto(await serve('explore', '--no-open', large));
  await page.locator('article.chart').first().waitFor();
  await metrics.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await metrics.send('Runtime.getHeapUsage');
  const used = (usedSize + backingStorageSize) / 1e6;
  const share = (used / megabytes).toFixed(2);
  console.log(
    `${'memory of the page'.padEnd(30)} ${used.toFixed(0)} MB for a file of ${megabytes.toFixed(0)}: ${share}`,
  );
} finally {
  await browser.close();
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** In the page: moves a slider as an input at the beginning of a frame, and gives the time to the end of that frame. */
function drag({ selector, step }) {
  const input = document.querySelector(selector);
  const count = Math.round((input.max - input.min) / input.step);
  return new Promise((done) => {
    requestAnimationFrame(() => {
      const begin = performance.now();
      input.value = Number(input.min) + input.step * ((7 * step + 3) % count);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      setTimeout(() => done(performance.now() - begin));
    });
  });
}

/** In the page: the time from its request to the end of the first frame with lines of members. */
function firstCharts() {
  return new Promise((done) => {
    const look = () => {
      const isDrawn = document.querySelector('article.chart path.members') !== null;
      requestAnimationFrame(isDrawn ? () => setTimeout(() => done(performance.now())) : look);
    };
    look();
  });
}

/** Writes temperatures of 51 members on 365 days at 660 places, 50 MB of Arrow; gives its bytes. */
async function writeLargeFile(path) {
  const [{ demoTable }, { encodeTable }] = await Promise.all(
    ['demo.js', 'files.js'].map((name) => import(pathToFileURL(resolve(checkout, 'dist', name)))),
  );
  const locations = Array.from({ length: 660 }, (_, i) => ({
    latitude: 30 + (i % 25) / 4,
    longitude: -100 + Math.floor(i / 25) / 4,
  }));
  const bytes = await encodeTable(demoTable('temp_mean', { days: 365, members: 51, locations }), 'arrow');
  writeFileSync(path, bytes);
  return bytes.length;
}

/** Starts a server of the command, and gives its address. */
function serve(...args) {
  const server = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  servers.push(server);
  return new Promise((found) => {
    const read = (text) => {
      const [address] = /http:\/\/[^\s]+\//.exec(String(text).replace(/(:\d+)(\s|$)/g, '$1/$2')) ?? [];
      if (address) found(address);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
  });
}

function report(name, columns) {
  const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(1);
  const texts = Object.entries(columns).map(([title, times]) => `${title} ${median(times)}`);
  console.log(`${name.padEnd(30)} ${texts.join(', ')}`);
}
