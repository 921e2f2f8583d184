import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serveCommand } from '../../src/cli/serve-command.js';
import { createHandler } from '../../src/service/handler/create-handler.js';
import { createMetrics } from '../../src/service/handler/metrics.node.js';
import { memoryKeys } from '../../src/service/source/index.js';
import { hasProgram, hasPython, PYTHON } from '../reference/foreign-programs.js';
import { snapshot } from '../service/handler/fake-service.js';

const FOLDER = 'integrations/service';
const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const work = mkdtempSync(join(tmpdir(), 'plumecast-service-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Runs a program and expects it to be content. */
function run(program: string, args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input });
  expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ');
  return stdout + stderr;
}

const FLAGS = serveCommand().options.map(({ long }) => long as string);
const VARIABLES = [
  ...FLAGS.map((flag) => `PLUMECAST_${flag.slice(2).replace(/^no-/, '').toUpperCase().replaceAll('-', '_')}`),
  'PORT',
  'HOST',
];

describe('the Dockerfile, Compose and the unit of systemd', () => {
  it('use variables of the environment that serve reads', () => {
    for (const name of ['Dockerfile', 'compose.yaml', 'plumecast.service']) {
      const used = text(name).match(/\bPLUMECAST_[A-Z_]+(?=[=:])/g) ?? [];
      expect(used.length).toBeGreaterThan(0);
      for (const variable of used) expect(VARIABLES).toContain(variable);
    }
  });

  it('use options that serve has', () => {
    const flags = text('compose.yaml').match(/--[a-z-]+(?=, ")|--[a-z-]+(?=, \d)/g) ?? [];
    expect(flags).toEqual(['--workers', '--rate-limit', '--unknown-key-limit']);
    for (const flag of flags) expect(FLAGS).toContain(flag);
  });

  it('are not root, pin what they are built from, and are stopped with patience', () => {
    expect(text('Dockerfile')).toMatch(/^FROM node:\d+\.\d+\.\d+-\S+$/m);
    expect(text('Dockerfile')).toMatch(/^USER 1000$/m);
    expect(text('Dockerfile')).toMatch(/^HEALTHCHECK /m);
    expect(text('compose.yaml')).toMatch(/image: postgres:\d+\.\d+-\S+/);
    expect(text('plumecast.service')).toMatch(/^User=plumecast$/m);
    // 5 seconds of draining and 10 of shutting down.
    for (const seconds of [
      /TimeoutStopSec=(\d+)/.exec(text('plumecast.service')),
      /stop_grace_period: (\d+)s/.exec(text('compose.yaml')),
    ]) {
      expect(Number(seconds?.[1])).toBeGreaterThan(15);
    }
  });

  it('give the data to the user of the service, and make a store before a server reads it', () => {
    const steps = ['RUN install --directory --owner=1000 --group=1000 /data', 'USER 1000', 'WORKDIR /data'];
    expect(text('Dockerfile').match(/^(RUN install .*|USER .*|WORKDIR .*)$/gm)).toEqual(steps);
    const commands = text('compose.yaml').match(/(?<=^# {3}docker compose ).*/gm) ?? [];
    expect(commands.map((command) => /ingest ingest|up|key create/.exec(command)?.[0])).toEqual([
      'ingest ingest',
      'up',
      'key create',
    ]);
  });

  it.skipIf(!hasPython('yaml'))(
    'Compose is YAML whose services depend on services, and use secrets and volumes, that there are',
    () => {
      const script = 'import sys, json, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
      const { services, volumes, secrets } = JSON.parse(run(PYTHON, ['-c', script], text('compose.yaml')));
      for (const service of Object.values<Record<string, Record<string, string>>>(services)) {
        for (const name of Object.keys(service.depends_on ?? {})) expect(Object.keys(services)).toContain(name);
        for (const name of Object.values(service.secrets ?? {})) expect(Object.keys(secrets)).toContain(name);
        for (const volume of Object.values(service.volumes ?? {}))
          expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
      }
    },
  );

  it.skipIf(!hasProgram('systemd-analyze', '--version'))('systemd-analyze accepts the unit', () => {
    const unit = join(work, 'plumecast.service');
    // The command is not installed here.
    writeFileSync(unit, text('plumecast.service').replace('/usr/local/bin/plumecast', process.execPath));
    expect(run('systemd-analyze', ['verify', unit])).not.toContain('plumecast.service:');
  });
});

describe('the proxies', () => {
  it.skipIf(!hasProgram('nginx', '-v'))('nginx accepts its configuration', () => {
    // A certificate that every system has is not certain.
    const path = join(work, 'nginx.conf');
    writeFileSync(
      path,
      text('nginx.conf')
        .replace(/^\s*ssl_certificate.*$/gm, '')
        .replace('8443 ssl', '8443'),
    );
    expect(run('nginx', ['-t', '-c', path])).toContain('test is successful');
  });

  it.skipIf(!hasProgram('caddy', 'version'))('Caddy accepts its configuration', () => {
    copyFileSync(join(FOLDER, 'Caddyfile'), join(work, 'Caddyfile'));
    expect(run('caddy', ['validate', '--config', join(work, 'Caddyfile'), '--adapter', 'caddyfile'])).toContain(
      'Valid configuration',
    );
  });

  it('write the address of the client themselves', () => {
    expect(text('nginx.conf')).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
    expect(text('Caddyfile')).toContain('header_up X-Forwarded-For {remote_host}');
  });
});

describe('the alerts', async () => {
  const metrics = await createMetrics();
  const handler = createHandler({
    source: { snapshot },
    keys: { ...memoryKeys([]), find: () => undefined, ageSeconds: () => 0 },
  });
  metrics.watch(handler);
  const usage = { keyId: 'a', owner: 'Farms', cost: 2 };
  metrics.onMetric({ endpoint: 'forecast', status: 200, milliseconds: 1, bytes: 2, cached: false, usage });
  const exposed = await metrics.text();

  it('are of metrics that there are', () => {
    const names = new Set(exposed.match(/^plumecast_\w+/gm));
    // Of a server with workers, and of one with a record of issued forecasts.
    const others = ['plumecast_workers_replaced_total', 'plumecast_skill_record_age_seconds'];
    const used = text('alerts.yaml').match(/\bplumecast_\w+/g) ?? [];
    expect(used.length).toBeGreaterThan(8);
    for (const name of used) expect([...names, ...others]).toContain(name);
    expect(exposed).toMatch(/^plumecast_run_age_seconds\{horizon="seasonal"\} \d+/m);
  });

  it.skipIf(!hasProgram('promtool', '--version'))('promtool accepts them, and all metrics', () => {
    expect(run('promtool', ['check', 'rules', join(FOLDER, 'alerts.yaml')])).toContain('SUCCESS');
    run('promtool', ['check', 'metrics'], exposed);
  });
});
