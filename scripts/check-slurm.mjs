/**
 * Runs the scripts of integrations/slurm on a real Slurm of one node, which it starts and stops: an array of shards, of
 * which a task is killed and requeued, and the merge that depends on it. The results must have the bytes of one batch.
 * Then the same with a file that cannot be read: its shard and the merge end with 3, and all else is merged. Installs Slurm where that is possible; else it prints why nothing was checked.
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
/** The memory of the node, and of each task, in MiB. */
const NODE_MEMORY = 1500;
const TASK_MEMORY = 600;
/** Exit code 3: done with failures. */
const PARTLY = 3;
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
    const script = `#!/bin/sh\necho "$@" >> "${join(folder, 'commands')}"\nexec ${command} "$@"\n`;
    writeFileSync(join(folder, 'plumecast'), script, { mode: 0o755 });
    await startSlurm(folder, daemons);
    await checkArray(folder);
    await checkBadFile(folder);
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
SelectTypeParameters=CR_CPU_Memory
ReturnToService=2
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${availableParallelism()} RealMemory=${NODE_MEMORY} State=UNKNOWN
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
  const args = ['runs', '--variable', 'precipitation', '--granularity', 'weekly'];
  slurm(folder, process.execPath, join(process.cwd(), 'dist/cli.js'), 'batch', ...args, '--out', 'single', '-q');
  const { array, merge } = submit(folder, out, args);
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
  await until('the merge', () => hasEnded(folder, merge));
  const isSame = areSame(folder, 'single', out);
  if (stateOf(folder, merge) !== 'COMPLETED' || !isSame || restarts !== '1') {
    throw fault(folder, `merge ${stateOf(folder, merge)}, restarts ${restarts}, same bytes: ${isSame}`);
  }
  // What the tasks were given, of one processor and TASK_MEMORY each.
  const shards = readFileSync(join(folder, 'commands'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('--shard'));
  const taken = `--memory ${(TASK_MEMORY * 9) / 10}MiB --workers 1 `;
  if (!shards.every((line) => line.includes(taken)))
    throw fault(folder, `the shards have not ${taken}:\n${shards.join('\n')}`);
  console.log(`ok: Slurm ran ${SHARDS} shards, one killed and requeued, and their merge: the bytes of one batch`);
}

/** A file that cannot be read is a failure of its shard, and does not stop the merge. */
async function checkBadFile(folder) {
  writeFileSync(join(folder, 'runs/bad.csv'), 'no table\n');
  const args = ['runs', '--variable', 'precipitation', '--granularity', 'monthly', '--on-error', 'continue'];
  const { status } = spawnSync(
    process.execPath,
    [join(process.cwd(), 'dist/cli.js'), 'batch', ...args, '--out', 'single-bad', '-q'],
    { cwd: folder, env: slurmEnvironment(folder) },
  );
  const out = 'merged-bad';
  const { array, merge } = submit(folder, out, args);
  await until('the merge of a bad file', () => hasEnded(folder, merge));
  const codes = Array.from({ length: SHARDS }, (_, index) => exitCodeOf(folder, `${array}_${index + 1}`));
  const failed = codes.filter((code) => code !== 0);
  const isSame = areSame(folder, 'single-bad', out);
  const log = readFileSync(join(folder, `slurm-${merge}.out`), 'utf8');
  const isNamed = /^error: bad\.arrow: runs\/bad\.csv: /m.test(log);
  const facts = `batch ${status}, shards ${codes.join(', ')}, merge ${exitCodeOf(folder, merge)}, same bytes: ${isSame}, named: ${isNamed}`;
  const isRight = status === PARTLY && exitCodeOf(folder, merge) === PARTLY && isSame && isNamed;
  if (!isRight || failed.length !== 1 || failed[0] !== PARTLY) throw fault(folder, facts);
  console.log(`ok: Slurm with a file that cannot be read: ${facts}`);
}

/** Submits shards and their merge; the numbers of both jobs. */
function submit(folder, out, args) {
  const script = join(process.cwd(), 'integrations/slurm/submit.sh');
  const printed = slurm(folder, script, String(SHARDS), out, ...args);
  const [, array, merge] = /array (\d+), merge (\d+)/.exec(printed);
  return { array, merge };
}

function hasEnded(folder, job) {
  return ['COMPLETED', 'FAILED', 'CANCELLED'].includes(stateOf(folder, job));
}

function areSame(folder, ...names) {
  const [one, other] = names.map((name) => JSON.stringify(checksums(join(folder, name))));
  return one === other;
}

/** The error of a check that failed, after the output of all jobs. */
function fault(folder, facts) {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.out'));
  for (const name of logs) console.error(`${name}: ${readFileSync(join(folder, name), 'utf8')}`);
  return new Error(`Slurm: ${facts}`);
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

function exitCodeOf(folder, job) {
  return Number(/ExitCode=(\d+):/.exec(slurm(folder, 'scontrol', 'show', 'job', job))?.[1]);
}

function slurmEnvironment(folder) {
  const PATH = `${dirname(process.execPath)}:/usr/sbin:${process.env.PATH}`;
  const own = {
    SLURM_CONF: join(folder, 'slurm.conf'),
    PLUMECAST_COMMAND: join(folder, 'plumecast'),
    SBATCH_OPTIONS: `--cpus-per-task=1 --mem=${TASK_MEMORY}`,
  };
  return { ...process.env, PATH, ...own };
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
