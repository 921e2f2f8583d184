/**
 * Runs the scripts of integrations/slurm on a real Slurm of one node, which it starts and stops: an array of shards, of
 * which a task is killed and requeued, and the merge that depends on it. The results must have the bytes of one batch.
 * Installs Slurm where that is possible; else it prints why nothing was checked.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SHARDS = 4;
const INPUTS = 24;
const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'scontrol', 'squeue'];
/** No step takes as long on a machine with other work. */
const MAX_MILLISECONDS = 180_000;

const obstacle = findObstacle();
if (obstacle === undefined) await checkSlurm();
else console.log(`skipped: Slurm, as ${obstacle}`);

/** Why Slurm cannot be run here; installs it if need be. */
function findObstacle() {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid() !== 0) return 'its daemons need to be started by root';
  const isThere = () => PROGRAMS.every((name) => spawnSync('which', [name]).status === 0);
  if (isThere()) return undefined;
  if (spawnSync('which', ['apt-get']).status !== 0) return 'it is not installed, and there is no apt-get';
  const apt = (...args) =>
    spawnSync('apt-get', [...args, '-qq'], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status;
  if (apt('update') !== 0 || apt('install', '-y', 'slurm-wlm', 'munge') !== 0) return 'apt-get cannot install it';
  return isThere() ? undefined : 'some of its programs are not in the path';
}

async function checkSlurm() {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-slurm-'));
  const daemons = [];
  try {
    const command = `"${process.execPath}" "${join(process.cwd(), 'dist/cli.js')}"`;
    writeFileSync(join(folder, 'plumecast'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
    await startSlurm(folder, daemons);
    await checkArray(folder);
  } catch (error) {
    for (const name of ['slurmctld.log', 'slurmd.log']) {
      const path = join(folder, name);
      if (existsSync(path)) console.error(`${name}:\n${readFileSync(path, 'utf8').split('\n').slice(-20).join('\n')}`);
    }
    throw error;
  } finally {
    for (const daemon of daemons.reverse()) daemon.kill('SIGKILL');
    await sleep(500);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function startSlurm(folder, daemons) {
  const path = (name) => join(folder, name);
  const [controlPort, nodePort] = [await freePort(), await freePort()];
  for (const name of ['state', 'spool']) mkdirSync(path(name));
  writeFileSync(path('munge.key'), randomBytes(128), { mode: 0o400 });
  const host = hostname().split('.')[0];
  writeFileSync(
    path('slurm.conf'),
    `ClusterName=plumecast
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controlPort}
SlurmdPort=${nodePort}
AuthType=auth/munge
AuthInfo=socket=${path('munge.socket')}
SlurmUser=root
StateSaveLocation=${path('state')}
SlurmdSpoolDir=${path('spool')}
SlurmctldPidFile=${path('slurmctld.pid')}
SlurmdPidFile=${path('slurmd.pid')}
SlurmctldLogFile=${path('slurmctld.log')}
SlurmdLogFile=${path('slurmd.log')}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${availableParallelism()} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`,
  );
  const env = slurmEnvironment(folder);
  const start = (program, ...args) => daemons.push(spawn(program, args, { env, stdio: 'ignore' }));
  const files = ['key-file=munge.key', 'socket=munge.socket', 'pid-file=munge.pid', 'log-file=munge.log'];
  const options = [...files, 'seed-file=munge.seed'].map((option) => option.split('='));
  // --force: the temporary folder is not one of the system's.
  start('munged', '--foreground', '--force', ...options.map(([name, file]) => `--${name}=${path(file)}`));
  await until('munged', () => existsSync(path('munge.socket')));
  start('slurmctld', '-D');
  start('slurmd', '-D', '-N', host);
  await until('slurmd', () => /State=IDLE(?!\*)/.test(slurm(folder, 'scontrol', 'show', 'node')));
}

async function checkArray(folder) {
  writeInputs(folder);
  const out = 'merged';
  const args = ['runs', '--variable', 'precipitation', '--granularity', 'weekly', '--workers', '1'];
  slurm(folder, process.execPath, join(process.cwd(), 'dist/cli.js'), 'batch', ...args, '--out', 'single', '-q');
  const submit = join(process.cwd(), 'integrations/slurm/submit.sh');
  const [, array, merge] = /array (\d+), merge (\d+)/.exec(slurm(folder, submit, String(SHARDS), out, ...args));
  const task = `${array}_2`;
  await until('the second task', () => stateOf(folder, task) === 'RUNNING');
  // The first run of the second shard is killed with its command in the middle of its work.
  const shard = join(folder, out, '.plumecast-shards', `2-of-${SHARDS}`);
  await until('an output of the second shard', () => existsSync(join(shard, '.plumecast-batch/journal.jsonl')));
  slurm(folder, 'scontrol', 'requeue', task);
  if (existsSync(join(shard, 'manifest.json'))) throw new Error('Slurm: the second shard ended before it was killed');
  await until('requeued', () => ['PENDING', 'RUNNING', 'COMPLETED'].includes(stateOf(folder, task)));
  const restarts = /Restarts=(\d+)/.exec(slurm(folder, 'scontrol', 'show', 'job', task))?.[1];
  // A requeued task waits for two minutes otherwise.
  if (stateOf(folder, task) === 'PENDING') slurm(folder, 'scontrol', 'update', `jobid=${task}`, 'starttime=now');
  await until('the merge', () => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(stateOf(folder, merge)));
  const [single, merged] = ['single', out].map((name) => checksums(join(folder, name)));
  const isSame = JSON.stringify(single) === JSON.stringify(merged);
  if (stateOf(folder, merge) !== 'COMPLETED' || !isSame || restarts !== '1') {
    const logs = readdirSync(folder).filter((name) => name.endsWith('.out'));
    for (const name of logs) console.error(`${name}: ${readFileSync(join(folder, name), 'utf8')}`);
    const state = stateOf(folder, merge);
    throw new Error(
      `Slurm: merge ${state}, restarts ${restarts}, same bytes: ${isSame}, ${Object.keys(merged).length} files`,
    );
  }
  console.log(`ok: Slurm ran ${SHARDS} shards, one killed and requeued, and their merge: the bytes of one batch`);
}

/** Sample files that take some time each. */
function writeInputs(folder) {
  const rows = ['date,latitude,longitude,member_1,member_2,member_3'];
  for (let place = 0; place < 300; place++) {
    for (let day = 0; day < 90; day++) {
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
      rows.push(`${date},${place / 4},5,${(day * 7 + place) % 11},${(day * 5 + place) % 13},${(day * 3 + place) % 7}`);
    }
  }
  mkdirSync(join(folder, 'runs'));
  for (let index = 0; index < INPUTS; index++)
    writeFileSync(join(folder, 'runs', `${index}.csv`), `${rows.slice(0, rows.length - index * 90).join('\n')}\n`);
}

function checksums(folder) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }).sort() : [];
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

function stateOf(folder, job) {
  return /JobState=(\w+)/.exec(slurm(folder, 'scontrol', 'show', 'job', job))?.[1];
}

function slurmEnvironment(folder) {
  const PATH = `${dirname(process.execPath)}:/usr/sbin:${process.env.PATH}`;
  return { ...process.env, PATH, SLURM_CONF: join(folder, 'slurm.conf'), PLUMECAST_COMMAND: join(folder, 'plumecast') };
}

/** What a program prints. */
function slurm(folder, program, ...args) {
  const env = slurmEnvironment(folder);
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function until(what, isSo) {
  const end = Date.now() + MAX_MILLISECONDS;
  while (Date.now() < end) {
    try {
      if (isSo()) return;
    } catch {
      // The controller does not answer yet.
    }
    await sleep(200);
  }
  throw new Error(`Slurm: ${what}: not within ${MAX_MILLISECONDS / 1000} seconds`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
