import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { tableFromIPC } from 'apache-arrow';
import type { Page } from 'playwright-core';
import { loadCore, statistics } from 'plumecast';
import { createClient } from 'plumecast/client';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { KEY, memoryService, snapshot } from '../client/memory-service.js';
import { casesOf } from '../full-check.js';
import { root } from '../runtimes/bundle.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, tableOf, useExplorer } from './open-explorer.js';

const run = promisify(execFile);
const POINT = { latitude: 37.25, longitude: -79.75 };

/** A server of one listener; those of a file are closed with it. */
const servers: Server[] = [];
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connect(page: Page, address: string, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByLabel('Address of a plumecast service').fill(address);
  await page.getByLabel('Key').fill(key);
  await page.getByLabel('Latitude').fill(String(POINT.latitude));
  await page.getByLabel('Longitude').fill(String(POINT.longitude));
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
}

/** The text that "Copy as" gives. */
async function copied(page: Page, form: string): Promise<string> {
  await page.getByText('Copy as', { exact: true }).click();
  await page.getByRole('button', { name: form }).click();
  const dialog = page.getByRole('dialog', { name: form });
  const text = (await dialog.locator('pre').textContent()) ?? '';
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await dialog.getByRole('button', { name: 'Close' }).click();
  return text;
}

describe.skipIf(chromiumAbsent !== undefined)('servers and copied text', () => {
  const explorer = useExplorer();
  let service = '';
  let folder = '';
  beforeAll(async () => {
    // Its history begins in 1995.
    service = await serve(getRequestListener(memoryService({}, snapshot(1, 11_300)).handler));
    folder = await mkdtemp(join(tmpdir(), 'plumecast-explorer-'));
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs lines of a shell as they are, with the built command; returns what they print. */
  async function shell(lines: string): Promise<string> {
    const script = `plumecast() { '${process.execPath}' '${join(root, 'dist', 'cli.js')}' "$@"; }\nset -e\n${lines}`;
    const env = { ...process.env, PLUMECAST_KEY: KEY };
    return (await run('bash', ['-c', script], { cwd: folder, env })).stdout;
  }

  /** Runs a module within the package, where `plumecast` is the built one. */
  async function node(code: string): Promise<string> {
    const place = join(root, 'build', 'explorer-copied');
    await mkdir(place, { recursive: true });
    const path = join(place, 'copied.mjs');
    await writeFile(path, code);
    const env = { ...process.env, PLUMECAST_KEY: KEY };
    return (await run(process.execPath, [path], { cwd: folder, env })).stdout;
  }

  /** The means and shares of results in CSV, as the page writes them. */
  function shownOf(csv: string): string[][] {
    const [head, ...rows] = csv
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const share = head.findIndex((name) => name.startsWith('p_'));
    return rows.map((row) => [
      (Number(Number(row[head.indexOf('mean')]).toFixed(2)) + 0).toFixed(2),
      ...(share < 0 ? [] : [`${Math.round(Number(row[share]) * 100)}\u00A0%`]),
    ]);
  }

  it('shows the forecast of a server, keeps its key to itself, and copies what gives the same numbers', async () => {
    const page = await explorer.open('#by=weekly&var=precipitation');
    await connect(page, service, KEY);
    await dataNamed(page, new URL(service).host).waitFor();
    await page.getByRole('checkbox', { name: 'temp mean' }).uncheck();
    const rows = await tableOf(chartOf(page, 'precipitation (mm), weekly sums'));
    const client = createClient({ baseUrl: service, apiKey: KEY });
    const table = tableFromIPC(await client.forecast({ ...POINT, variables: ['precipitation'] }, { as: 'arrow' }));
    const expected = statistics(await loadCore(), table, { granularity: 'weekly' });
    const means = Array.from(expected.getChild('mean') ?? [], (mean) => Number(mean).toFixed(2));
    expect(rows.map(({ mean }) => mean)).toEqual(means);

    const [curl, command, code] = [
      await copied(page, 'curl'),
      await copied(page, 'plumecast command'),
      await copied(page, 'TypeScript'),
    ];
    for (const text of [curl, command, code, decodeURIComponent(page.url())]) expect(text).not.toContain(KEY);
    const { variables } = JSON.parse(await shell(curl));
    expect(
      Object.values<{ mean: number }>(variables.precipitation.statistics).map(({ mean }) => mean.toFixed(2)),
    ).toEqual(means);
    expect(shownOf(await shell(command)).map(([mean]) => mean)).toEqual(means);
    expect(shownOf(await node(code)).map(([mean]) => mean)).toEqual(means);

    await page.getByLabel('normal values').check();
    await page.getByRole('button', { name: 'Add threshold' }).click();
    const chart = chartOf(page, 'precipitation (mm), weekly sums');
    await chart.locator('path.wet-above').waitFor();
    const limit = Number(await page.getByLabel('Threshold in mm').inputValue());
    const shown = (await tableOf(chart)).map((row) => [row[`weekly sum above ${limit} mm`], row.below, row.above]);
    // The first threshold is one that some members exceed, and others do not.
    expect(new Set(shown.map(([share]) => share)).size).toBeGreaterThan(1);
    expect(await chart.textContent()).toContain('Normal values are without the years 1993-1994,');
    const ofCurl = JSON.parse(await shell(await copied(page, 'curl'))).variables.precipitation.statistics;
    const percent = (share: unknown) => `${Math.round(Number(share) * 100)}\u00A0%`;
    const names = [`p_gt_${limit}`, 'p_below', 'p_above'];
    const sharesOf = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => names.map((name) => percent(row[name])));
    expect(sharesOf(Object.values(ofCurl)).map(([share]) => share)).toEqual(shown.map(([share]) => share));
    for (const csv of [
      await shell(await copied(page, 'plumecast command')),
      await node(await copied(page, 'TypeScript')),
    ]) {
      const [head, ...rows] = csv
        .trim()
        .split('\n')
        .map((line) => line.split(','));
      expect(sharesOf(rows.map((row) => Object.fromEntries(head.map((name, c) => [name, row[c]]))))).toEqual(shown);
    }
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).toBe('[{},{},""]');
    await page.waitForFunction(() => location.hash.includes('server='));
    expect(explorer.faults.filter((fault) => !fault.startsWith(service))).toEqual([]);
  });

  it('marks the seams of a forecast, and says from which horizons a window is', async () => {
    const page = await explorer.open('#by=weekly&var=temp_mean');
    await connect(page, service, KEY);
    await dataNamed(page, new URL(service).host).waitFor();
    const chart = chartOf(page, 'temp mean');
    await chart.locator('path.median').waitFor();
    expect(await chart.locator('path.seam').count()).toBe(1);
    expect(await chart.getByText('seasonal →').count()).toBe(1);
    expect(await chart.locator('rect.overlap').count()).toBe(1);
    const words = [];
    await chart.getByRole('slider', { name: 'choose a window' }).focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key);
      words.push((await chart.locator('.words').first().textContent())?.replace(/.*%: .*(?=5 members)/, ''));
    }
    expect(words).toEqual([
      '5 members, 7 days each, from short-term.',
      '5 members, 7 days each, from short-term and seasonal.',
      '5 members, 7 days each, from short-term and seasonal.',
    ]);
    await page.keyboard.press('End');
    expect(await chart.locator('.words').first().textContent()).toMatch(/, from seasonal\.$/);
  });

  it('hatches windows whose lead has had no skill, and says so of each window', async () => {
    const { handler } = memoryService();
    // Weeks 11 to 14: good, no better than the climatology, worse, and of too few forecasts.
    const skill = { '2026-W11': [0.31, 148], '2026-W12': [0, 148], '2026-W13': [-0.052, 120], '2026-W14': [null, 12] };
    const recorded = getRequestListener(async (request) => {
      const response = await handler(request);
      if (request.method !== 'GET' || !new URL(request.url).searchParams.has('skill')) return response;
      const body = await response.json();
      for (const [key, entry] of Object.entries<object>(body.variables.temp_mean?.statistics ?? {})) {
        const [crpss, skill_cases] = skill[key as keyof typeof skill] ?? [null, 0];
        Object.assign(entry, { crpss, rpss: crpss, skill_cases });
      }
      return Response.json(body, { headers: CORS });
    });
    const page = await explorer.open('#by=weekly&var=temp_mean,precipitation');
    const address = await serve(recorded);
    await connect(page, address, KEY);
    await dataNamed(page, new URL(address).host).waitFor();
    const chart = chartOf(page, 'temp mean');
    await chart.locator('path.no-skill').waitFor();
    expect(await chart.locator('p.skill').textContent()).toBe(
      '2 of 5 windows are hatched: no skill against the climatology in 120 to 148 earlier forecasts of the same lead.',
    );
    // Both weeks, which follow each other, of the five on the axis.
    const [area, lines, axis] = await chart.evaluate((node) =>
      ['path.no-skill', 'path.no-skill-line', 'path.axis'].map((name) => {
        const { x, width } = (node.querySelector(name) as SVGGraphicsElement).getBBox();
        return [x, width];
      }),
    );
    const share = (of: number[]) => [(of[0] - axis[0]) / axis[1], of[1] / axis[1]];
    for (const part of [...share(area), ...share(lines)].map((one) => Math.abs(one - 0.4)))
      expect(part).toBeLessThan(0.01);
    const words: string[] = [];
    await chart.getByRole('slider', { name: 'choose a window' }).focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key);
      words.push((await chart.locator('.words').first().textContent()) ?? '');
    }
    for (const [i, sentence] of [
      'No earlier forecasts of this lead were scored.',
      'Skill against the climatology in 148 earlier forecasts of this lead: 0.31.',
      'No skill against the climatology in 148 earlier forecasts of this lead (0.00).',
      'No skill against the climatology in 120 earlier forecasts of this lead (−0.05).',
      'Too few to say how good: 12 earlier forecasts of this lead.',
    ].entries())
      expect(words[i]).toContain(sentence);
    // Nothing is known of the other variable.
    const other = chartOf(page, 'precipitation');
    expect(await other.locator('path.no-skill, p.skill').count()).toBe(0);
  });

  it('shows no chart of the data before under the name of a server', async () => {
    const page = await explorer.open('#by=weekly&var=temp_mean');
    await chartOf(page, 'temp mean').locator('path.median').waitFor();
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(globalThis, { seen });
      new MutationObserver(() => {
        const seams = document.querySelector('article.chart')?.querySelectorAll('path.seam').length;
        seen.add(`${document.querySelector('.data-name')?.textContent}: ${seams ?? 'no chart'}`);
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    await connect(page, service, KEY);
    await dataNamed(page, new URL(service).host).waitFor();
    await chartOf(page, 'temp mean').locator('path.median').waitFor();
    const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
    const ofServer = seen.filter((each) => each.startsWith(new URL(service).host));
    expect(ofServer.at(-1)).toMatch(/: 1$/);
    // The sample has two.
    expect(ofServer.filter((each) => each.endsWith(': 2'))).toEqual([]);
  });

  it('shows the forecast of a server that does not know of horizons, without seams', async () => {
    const { handler } = memoryService();
    const requested: string[] = [];
    const older = getRequestListener(async (request) => {
      const { searchParams, pathname } = new URL(request.url);
      if (request.method !== 'GET' || pathname.endsWith('/statistics')) return handler(request);
      requested.push(String(searchParams.get('horizons')));
      if (!searchParams.has('horizons')) return handler(request);
      // What a service answers to a parameter that it does not know.
      const response = await handler(new Request(request.url.replace('horizons=', 'horizonz='), request));
      return new Response((await response.text()).replaceAll('horizonz', 'horizons'), response);
    });
    const page = await explorer.open('#by=weekly&var=temp_mean');
    const address = await serve(older);
    await connect(page, address, KEY);
    await dataNamed(page, new URL(address).host).waitFor();
    await chartOf(page, 'temp mean').locator('path.median').waitFor();
    expect([requested, await page.locator('path.seam').count()]).toEqual([['true', 'null'], 0]);
  });

  it('connects at once where the server of the page says so', async () => {
    const config = JSON.stringify({ server: service, key: KEY, file: null, point: [37.25, -79.75] });
    const page = await explorer.open('', { 'explorer.json': config });
    await dataNamed(page, new URL(service).host).waitFor();
    await chartOf(page, 'temp mean').waitFor();
    await page.getByLabel('Latitude').fill('60');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    expect(await page.getByLabel('Key').inputValue()).toBe(KEY);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Show this place' }).click();
    await expect.poll(() => page.locator('.card .error').first().textContent()).toContain('60');
  });

  it('opens files that the server of the page names', async () => {
    const config = JSON.stringify({ server: null, key: null, file: 'files/a%20b.arrow', paths: ['my/a b.arrow'] });
    const file = await encodeTable(demoTable('temp_mean', { days: 20, members: 3 }), 'arrow');
    const page = await explorer.open('', { 'explorer.json': config, 'files/a b.arrow': file });
    await dataNamed(page, 'a b.arrow').waitFor();
    expect(await copied(page, 'plumecast command')).toContain("plumecast stats 'my/a b.arrow' --variable temp_mean");
  });

  const faulty: readonly (readonly [what: string, address: () => Promise<string>, words: string])[] = [
    ['refuses the key', async () => service, 'The server does not accept the key.'],
    ['is down', async () => 'http://127.0.0.1:9', 'cannot be reached'],
    ['is none of ours', async () => serve((_, response) => response.writeHead(200, CORS).end('<b>hello</b>')), 'hello'],
    ['fails', async () => serve(failing), 'Status 500'],
    [
      'sends a page',
      async () => serve(answering(200, 'text/html', '<!doctype html><title>Log in</title><script>alert(1)</script>')),
      'What answers there is not a plumecast service. The answer is text/html, not application/vnd.apache.arrow.stream: "<!doctype html>',
    ],
    [
      'knows no such path',
      async () => serve(answering(404, 'text/html', '<h1>Not Found</h1>')),
      'What answers there is not a plumecast service. Status 404',
    ],
    [
      'sends damaged data',
      async () => serve(answering(200, ARROW, Buffer.from([255, 255, 255, 255, 16, 0, 0, 0, 1, 2, 3, 4]))),
      'The answer of the server is damaged or cut: ',
    ],
    ['sends nothing', async () => serve(answering(200, ARROW, '')), 'The server has no forecast of any variable here.'],
    ['ends in the midst of its answer', async () => serve(cutting), 'The answer was cut off, or is damaged'],
    [
      'has too many requests',
      async () => serve(answering(429, PROBLEM, problem(429, 'Too many requests.'), { 'retry-after': '17' })),
      'Too many requests. Try again in 17 s.',
    ],
    [
      'attacks by words',
      async () =>
        serve(answering(400, PROBLEM, problem(400, `<img src=x onerror=alert(1)>\u202E${'word '.repeat(500)}`))),
      '<img src=x onerror=alert(1)>\uFFFDword word',
    ],
  ];

  it.each(casesOf(faulty, [0, 3, 5, 7, 8, 9]))(
    'says so where a server %s, and stays usable',
    async (_, address, words) => {
      const page = await explorer.open();
      await connect(page, await address(), 'wrong');
      await expect.poll(() => page.locator('.note.error').textContent()).toContain(words);
      expect((await page.locator('.note.error').textContent())?.length).toBeLessThan(520);
      expect(await page.locator('.note.error').evaluate((note) => note.querySelectorAll('img, script').length)).toBe(0);
      await page.getByText('Weekly', { exact: true }).click();
      await chartOf(page, 'temp mean (°C), weekly means').waitFor();
    },
  );

  it('keeps the key from the server that another one redirects to, and says so', async () => {
    const keys: unknown[] = [];
    const other = await serve(({ headers }, response) => {
      keys.push(headers['x-api-key']);
      response.writeHead(200, CORS).end();
    });
    const redirecting = await serve(({ method }, response) =>
      response.writeHead(method === 'OPTIONS' ? 204 : 302, { ...CORS, location: other }).end(),
    );
    const page = await explorer.open();
    await connect(page, redirecting, KEY);
    await expect
      .poll(() => page.locator('.note.error').textContent())
      .toContain(`${redirecting} redirects requests, and a browser does not say where to. The key is sent`);
    expect(keys).toEqual([]);
  });

  it('lets the reader end a request that is not answered', async () => {
    const page = await explorer.open();
    await connect(page, await serve(() => {}), 'any');
    await page.getByText('Asking http').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.locator('.note').count()).toBe(0);
    await chartOf(page, 'temp mean').waitFor();
  });

  it('copies commands and code for files that give the numbers on the screen', async () => {
    const tables = {
      'short.arrow': { days: 15, horizon: 'short-term', seed: 2 },
      'long.arrow': { horizon: 'seasonal' },
    };
    for (const [name, options] of Object.entries(tables)) {
      await writeFile(join(folder, name), await encodeTable(demoTable('precipitation', options), 'arrow'));
    }
    const page = await explorer.open('#by=monthly&limit=precipitation>60&unit=mm:in');
    await page.locator('#files').setInputFiles(Object.keys(tables).map((name) => join(folder, name)));
    await dataNamed(page, 'short.arrow, long.arrow').waitFor();
    await page.getByRole('button', { name: 'Add threshold' }).click();
    await page.getByLabel('Threshold in in').fill('2');
    await page.getByLabel('Threshold in in').press('Enter');
    await page.getByLabel('Water').selectOption('mm');
    const rows = await tableOf(chartOf(page, 'precipitation (mm), monthly sums'));
    const expected = rows.map((row) => [row.mean, row['monthly sum above 50.8 mm']]);
    expect(shownOf(await shell(await copied(page, 'plumecast command')))).toEqual(expected);
    expect(shownOf(await node(await copied(page, 'TypeScript')))).toEqual(expected);
    await page.getByText('Copy as', { exact: true }).click();
    await page.getByRole('button', { name: 'curl' }).click();
    expect(await page.locator('.said').textContent()).toContain('these data are on this machine');
    const grid = join(folder, 'grid.nc');
    expect((await plumecastHere('convert', join(folder, 'long.arrow'), grid, '--quiet')).code).toBe(0);
    await page.locator('#files').setInputFiles(grid);
    await dataNamed(page, 'grid.nc').waitFor();
    const ofGrid = await tableOf(chartOf(page, 'precipitation (mm), monthly sums'));
    const text = await copied(page, 'TypeScript');
    expect(text).toContain("await daily('grid.nc', 'precipitation')");
    expect(shownOf(await node(text))).toEqual(ofGrid.map((row) => [row.mean]));
  });

  it('copies code for the sample that gives the numbers on the screen', async () => {
    const page = await explorer.open('#by=monthly&var=precipitation&limit=precipitation>80&normal=on');
    const chart = chartOf(page, 'precipitation');
    await chart.locator('path.wet-above').waitFor();
    const rows = await tableOf(chart);
    const printed = shownOf(await node(await copied(page, 'TypeScript')));
    expect(printed).toEqual(rows.map((row) => [row.mean, row['monthly sum above 80 mm']]));
    const commands = await copied(page, 'plumecast command');
    expect(commands).toContain('plumecast demo plumecast-demo\n');
    expect(commands).toContain('--climatology normal-precipitation.arrow');
  });
});

/** Fails, but allows pages to see that. */
const failing: RequestListener = ({ method }, response) =>
  response.writeHead(method === 'OPTIONS' ? 204 : 500, CORS).end(method === 'OPTIONS' ? undefined : 'no');

const ARROW = 'application/vnd.apache.arrow.stream';
const PROBLEM = 'application/problem+json';

function problem(status: number, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title: 'A problem', status, detail, code: 'a-problem' });
}

/** A listener that gives one answer to all requests. */
function answering(status: number, type: string, body: string | Buffer, headers = {}): RequestListener {
  return ({ method }, response) => {
    if (method === 'OPTIONS') response.writeHead(204, CORS).end();
    else response.writeHead(status, { ...CORS, ...headers, 'content-type': type }).end(body);
  };
}

const cutting: RequestListener = ({ method }, response) => {
  if (method === 'OPTIONS') return void response.writeHead(204, CORS).end();
  response.writeHead(200, { ...CORS, 'content-type': ARROW, 'content-length': 10_000 });
  response.write(Buffer.alloc(100), () => setTimeout(() => response.destroy(), 50));
};

const CORS = {
  ...{ 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
  'access-control-expose-headers': '*',
};
