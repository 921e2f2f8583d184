/**
 * Makes clients of a server's OpenAPI document by the generators that people use, compiles them, and calls every endpoint by
 * each: orval, openapi-typescript with openapi-fetch, openapi-python-client, and openapi-generator for TypeScript and Python. A
 * line says which of them cannot be installed, and is not tried; openapi-generator needs Java.
 *
 *   node scripts/check-generated-clients.mjs [NAME...]     only these
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoServer } from './demo-server.mjs';

const NPM = [
  'orval@8.38.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  '@types/node@20.19.43',
];
const PIP = [
  ...['openapi-python-client==0.29.1', 'openapi-generator-cli==7.26.0', 'httpx', 'attrs'],
  ...['urllib3', 'python-dateutil', 'pydantic>=2', 'typing-extensions'],
];
const TSC = [
  '--strict',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--lib',
  'es2022,dom',
  '--types',
  'node',
];
const KEY = 'demo';

const tools = join(tmpdir(), 'plumecast-generators');
const bin = (name) => join(tools, 'node_modules', '.bin', name);
const python = join(tools, 'python', 'bin', 'python');
const generator = join(tools, 'python', 'bin', 'openapi-generator-cli');

const PYTHON_CLIENT_CALLS = `
import importlib, json, re, sys
from weather import AuthenticatedClient
calls, url, key = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
client = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="X-Api-Key")
snake = lambda name: re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
for call in calls:
    module = importlib.import_module(f"weather.api.{call['tag']}.{snake(call['operation'])}")
    response = module.sync_detailed(client=client, **call["ids"], **call["query"])
    assert response.status_code == 200 and response.parsed is not None, (call, response.status_code)
`;

const PYTHON_CALLS = `
import json, re, sys
import openapi_client
calls, key = json.loads(sys.argv[1]), sys.argv[2]
client = openapi_client.ApiClient(openapi_client.Configuration(api_key={"key": key}))
snake = lambda name: re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
for call in calls:
    api = getattr(openapi_client, call["tag"].capitalize() + "Api")(client)
    assert getattr(api, snake(call["operation"]))(**call["ids"], **call["query"]) is not None, call
`;

const GENERATORS = {
  orval,
  'openapi-typescript': openapiTypescript,
  ...{ 'openapi-python-client': pythonClient, typescript, python: pythonGenerator },
};

const chosen = process.argv.slice(2);
const hasNpm = install('packages of npm', join(tools, 'node_modules', 'orval'), installNpm);
const hasPip = install('packages of PyPI', join(tools, 'python', 'complete'), installPip);
const hasJava = spawnSync('java', ['-version']).status === 0;
if (!hasJava) console.log('skipped: clients by openapi-generator (there is no Java)');
const needs = {
  orval: hasNpm,
  'openapi-typescript': hasNpm,
  'openapi-python-client': hasPip,
  typescript: hasNpm && hasPip && hasJava,
  python: hasPip && hasJava,
};

const { folder, stop, url } = await startDemoServer();
try {
  const document = await (await fetch(`${url}/openapi.json`)).json();
  // Clients take the address from there.
  document.servers = [{ url }];
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const calls = callsOf(document);
  for (const [name, generate] of Object.entries(GENERATORS)) {
    if (!needs[name] || (chosen.length > 0 && !chosen.includes(name))) continue;
    const into = join(folder, name);
    mkdirSync(into);
    try {
      generate(file, into, calls);
      console.log(`ok: ${calls.length} endpoints by the client of ${name}`);
    } catch (error) {
      console.error(`failed: the client of ${name}\n${error.stdout ?? ''}${error.stderr ?? error.stack}`);
      process.exitCode = 1;
    }
  }
} finally {
  stop();
}

/** The operations of a document, each with parameters that it can be called with. */
function callsOf({ paths }) {
  return Object.entries(paths).map(([path, { get }]) => {
    const wanted = (get.parameters ?? []).filter(({ required }) => required);
    const hasQuery = (get.parameters ?? []).some((one) => one.in === 'query');
    const values = (place) =>
      Object.fromEntries(wanted.filter((one) => one.in === place).map(({ name, example }) => [name, example]));
    return {
      path,
      operation: get.operationId,
      tag: get.tags[0],
      query: values('query'),
      ids: values('path'),
      hasQuery,
    };
  });
}

function orval(file, into, calls) {
  const config = join(into, 'orval.config.cjs');
  const output = { target: join(into, 'api.ts'), client: 'fetch', baseUrl: addressIn(file) };
  writeFileSync(
    config,
    `module.exports = { weather: { input: ${JSON.stringify(file)}, output: ${JSON.stringify(output)} } };`,
  );
  run(bin('orval'), ['--config', config], into);
  const lines = calls.map(({ operation, query, ids, hasQuery }) => {
    const given = [...Object.values(ids), ...(hasQuery ? [query] : [])].map((one) => JSON.stringify(one));
    return `check('${operation}', await api.${operation}(${[...given, 'options'].join(', ')}));`;
  });
  const program = [
    `import * as api from './api.js';`,
    `const options = { headers: { 'x-api-key': '${KEY}' } };`,
    `function check(name: string, { status }: { status: number }): void { if (status !== 200) throw new Error(\`\${name}: \${status}\`); }`,
    ...lines,
  ];
  compileAndRun(into, program);
}

function openapiTypescript(file, into, calls) {
  run(bin('openapi-typescript'), [file, '--output', join(into, 'schema.d.ts')], into);
  const lines = calls.map(({ path, query, ids }) => {
    const params = {
      ...(Object.keys(query).length > 0 && { query }),
      ...(Object.keys(ids).length > 0 && { path: ids }),
    };
    return `check('${path}', await client.GET('${path}', ${JSON.stringify({ params })}));`;
  });
  compileAndRun(into, [
    `import createClient from 'openapi-fetch';`,
    `import type { paths } from './schema.js';`,
    `const baseUrl = '${addressIn(file)}';`,
    `const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': '${KEY}' } });`,
    `function check(path: string, { response }: { response: Response }): void { if (response.status !== 200) throw new Error(\`\${path}: \${response.status}\`); }`,
    ...lines,
  ]);
}

function typescript(file, into, calls) {
  run(
    generator,
    [
      'generate',
      '-i',
      file,
      '-g',
      'typescript-fetch',
      '-o',
      join(into, 'client'),
      '--additional-properties=importFileExtension=.js',
    ],
    into,
  );
  const lines = calls.map(({ operation, tag, query, ids }) => {
    const given = JSON.stringify({ ...query, ...ids });
    return `await new api.${classOf(tag)}(configuration).${operation}(${given === '{}' ? '' : given});`;
  });
  compileAndRun(into, [
    `import * as api from './client/index.js';`,
    `const configuration = new api.Configuration({ apiKey: '${KEY}' });`,
    ...lines,
  ]);
}

function pythonClient(file, into, calls) {
  const output = run(
    python,
    [
      '-m',
      'openapi_python_client',
      'generate',
      '--path',
      file,
      '--output-path',
      join(into, 'weather'),
      '--meta',
      'none',
    ],
    into,
  );
  if (/will not be generated|cannot parse/.test(output)) throw new Error(output);
  writeFileSync(join(into, 'call.py'), PYTHON_CLIENT_CALLS);
  run(python, ['call.py', JSON.stringify(calls), addressIn(file), KEY], into);
}

function pythonGenerator(file, into, calls) {
  run(generator, ['generate', '-i', file, '-g', 'python', '-o', into], into);
  writeFileSync(join(into, 'call.py'), PYTHON_CALLS);
  run(python, ['call.py', JSON.stringify(calls), KEY], into);
}

function addressIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).servers[0].url;
}

function classOf(tag) {
  return `${tag[0].toUpperCase()}${tag.slice(1)}Api`;
}

/** Compiles a program beside a client, strictly, and runs it. */
function compileAndRun(into, program) {
  writeFileSync(join(into, 'call.ts'), `${program.join('\n')}\n`);
  symlinkSync(join(tools, 'node_modules'), join(into, 'node_modules'), 'junction');
  run(bin('tsc'), [...TSC, 'call.ts'], into);
  run(process.execPath, ['call.js'], into);
}

/** Runs a program; returns what it prints, and throws with it where it fails. */
function run(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw Object.assign(new Error(`${program} ended with ${status}`), { stdout, stderr });
  return stdout + stderr;
}

/** Installs something unless it is there; returns whether it is there then. */
function install(what, path, work) {
  if (existsSync(path)) return true;
  mkdirSync(tools, { recursive: true });
  try {
    work();
    return true;
  } catch (error) {
    console.log(
      `skipped: clients by generators, for which ${what} cannot be installed (${error.message.split('\n')[0]})`,
    );
    return false;
  }
}

function installNpm() {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error', '--prefix', tools, ...NPM];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
}

function installPip() {
  const base = process.env.PLUMECAST_PYTHON ?? 'python3';
  execFileSync(base, ['-m', 'venv', join(tools, 'python')], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PIP], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(join(tools, 'python', 'complete'), '');
}
