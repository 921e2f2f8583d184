/**
 * Compiles what openapi-typescript makes of a server's OpenAPI document, with requests of every extension as values of
 * its types of queries, and the answers that the server gave as values of its types of bodies, and of those of the
 * package's own client. Prints a line and does nothing where openapi-typescript cannot be installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startDemoServer } from './demo-server.mjs';

const AT = { lat: 37.3, lon: -79.84 };
/** A point, the same again, and one off the grid. */
const points = '37.3,-79.84;37.3,-79.84;0,0';
const threshold = 'precipitation>20,precipitation<=0.1,temp_min<-5';
const variables = ['precipitation', 'temp_min'];

/** Paths, queries, and the fields of extensions that the answers must have. */
const REQUESTS = [
  ['/v2/forecast', { ...AT, var: variables, horizons: true }, ['horizons']],
  ['/v2/forecast/points', { points, horizons: true }, ['horizons', 'code']],
  [
    '/v2/forecast/statistics',
    { ...AT, granularity: 'weekly', var: variables, threshold },
    ['p_gt_20', 'p_le_0.1', 'p_lt_-5'],
  ],
  [
    '/v2/forecast/statistics',
    { ...AT, granularity: 'monthly', terciles: true, horizons: true },
    ['p_below', 'p_normal', 'p_above', 'reference_period', 'tercile_reference', 'horizons'],
  ],
  [
    '/v2/forecast/statistics/points',
    { points, granularity: 'weekly', statistics: '0,0.025,1', var: variables, threshold, terciles: true },
    ['q00', 'q025', 'q100', 'p_gt_20', 'p_above', 'code'],
  ],
  ['/v2/history', { ...AT, granularity: 'weekly' }, ['meta', 'data']],
  ['/v2/history/points', { points, granularity: 'monthly' }, ['code']],
  ['/v1/forecast/subseasonal', { ...AT, granularity: 'weekly', var: variables }, ['clim_prob_0.00-0.33']],
  ['/v1/history', { ...AT, var: variables }, ['values']],
  ['/v1/climatology', { ...AT, granularity: 'monthly', var: variables }, ['quantile_0.50']],
];

/** What the types must not allow. */
const WRONG = [
  `const nowhere: Query<'/v2/forecast'> = { horizons: true };`,
  `const half: Query<'/v2/history'> = { lat: 37.3 };`,
  `const none: Query<'/v2/history/points'> = { lat: 37.3, lon: -79.84 };`,
  `const both: Query<'/v2/history'> = { lat: 37.3, lon: -79.84, points: '37.3,-79.84' };`,
  `const text: Query<'/v2/forecast/statistics'> = { ...at, terciles: 'true' };`,
  `const list: Query<'/v2/forecast/points'> = { points: [[37.3, -79.84]] };`,
  `const condition: Query<'/v2/forecast/statistics'> = { ...at, threshold: 20 };`,
  `const name: Query<'/v2/forecast/statistics'> = { ...at, thresholds: 'precipitation>20' };`,
  `const elsewhere: Query<'/v2/history'> = { ...at, threshold: 'precipitation>20' };`,
  `const share: Entry = { mean: 1, p_gt_20: 'half' };`,
  `const tercile: Entry = { mean: 1, p_below: true };`,
  `const horizon: Horizon = { horizon: 'tomorrow', start_date: '2026-03-02', end_date: '2026-03-03' };`,
  `const problem: Body<'/v2/history/points'> = { points: [{ code: 'location-not-covered' }] };`,
];

const packages = install();
if (packages === undefined) process.exit(0);
const { folder, stop, url } = await startDemoServer();
try {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text());
  // Before what takes long: the server closes connections that are idle meanwhile.
  writeFileSync(join(folder, 'answers.ts'), await program(url));
  execFileSync(process.execPath, [
    ...[join(packages, 'openapi-typescript', 'bin', 'cli.js'), document],
    ...['--output', join(folder, 'schema.d.ts')],
  ]);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes'];
  const { status } = spawnSync(
    process.execPath,
    [join(packages, 'typescript', 'bin', 'tsc'), ...options, '--module', 'nodenext', 'answers.ts'],
    { cwd: folder, stdio: 'inherit' },
  );
  if (status === 0) console.log(`ok: ${REQUESTS.length} requests and answers are of the types of openapi-typescript`);
  process.exitCode = status ?? 1;
} finally {
  stop();
}

/** The text of a program that compiles where the server's answers are what its document says. */
async function program(url) {
  const lines = [
    `import type { paths } from './schema.js';`,
    `import type * as client from '${resolve('dist/types/client/index.js')}';`,
    `type Path = keyof Own;`,
    `type Query<P extends Path> = paths[P]['get']['parameters']['query'];`,
    `type Body<P extends Path> = paths[P]['get']['responses'][200]['content']['application/json'];`,
    `type Statistics = Body<'/v2/forecast/statistics'>['variables'][string];`,
    `type Entry = Statistics['statistics'][string];`,
    `type Horizon = NonNullable<Statistics['horizons']>[number];`,
    `interface Own {`,
    `  '/v2/forecast': client.ForecastMembers;`,
    `  '/v2/forecast/statistics': client.ForecastStatistics;`,
    `  '/v2/history': client.History;`,
    `  '/v2/forecast/points': client.Points<client.ForecastMembers>;`,
    `  '/v2/forecast/statistics/points': client.Points<client.ForecastStatistics>;`,
    `  '/v2/history/points': client.Points<client.History>;`,
    `  '/v1/forecast/subseasonal': client.V1Forecast;`,
    `  '/v1/history': client.V1History;`,
    `  '/v1/climatology': client.V1Climatology;`,
    `}`,
    `declare const read: <P extends Path>(path: P) => Body<P>;`,
    `const at = ${JSON.stringify(AT)};`,
  ];
  for (const path of new Set(REQUESTS.map(([path]) => path))) {
    lines.push(`{ const own: Own['${path}'] = read('${path}'); }`);
  }
  for (const [path, query, fields] of REQUESTS) {
    const answer = await received(`${url}${path}`, query);
    const missing = fields.filter((field) => !answer.includes(`"${field}":`));
    if (missing.length > 0) throw new Error(`${path} ${JSON.stringify(query)}: no ${missing.join(', ')}`);
    lines.push(
      `{ const query: Query<'${path}'> = ${JSON.stringify(query)};`,
      `const body: Body<'${path}'> = ${answer};`,
      `const own: Own['${path}'] = ${answer}; }`,
    );
  }
  for (const wrong of WRONG) lines.push('// @ts-expect-error', wrong);
  return `${lines.join('\n')}\n`;
}

/** The text of the answer to a request. */
async function received(url, query) {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const response = await fetch(`${url}?${new URLSearchParams(pairs)}`, { headers: { 'x-api-key': 'demo' } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} ${JSON.stringify(query)}: ${text}`);
  return text;
}

/** The folder of the packages; undefined where they cannot be installed. */
function install() {
  const prefix = join(tmpdir(), 'plumecast-openapi-typescript');
  const modules = join(prefix, 'node_modules');
  if (existsSync(join(modules, 'typescript'))) return modules;
  mkdirSync(prefix, { recursive: true });
  try {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', prefix];
    execFileSync('npm', [...args, 'openapi-typescript@7.13.0', 'typescript@5.9.3'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    return modules;
  } catch (error) {
    console.log(`skipped: types by openapi-typescript, which cannot be installed (${error.message.split('\n')[0]})`);
    return undefined;
  }
}
