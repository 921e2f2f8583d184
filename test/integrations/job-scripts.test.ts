import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parseBytes } from '../../src/batch/byte-count.js';
import { threadBudget } from '../../src/batch/thread-budget.js';
import { folderWith } from '../cli/run-command.js';
import { hasPython, PYTHON } from '../reference/foreign-programs.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const integration = (name: string) => fileURLToPath(new URL(`../../integrations/${name}`, import.meta.url));
const [ARRAY, MERGE, SUBMIT] = ['array', 'merge', ''].map((name) =>
  integration(`slurm/${name === '' ? 'submit' : `plumecast-${name}`}.sh`),
);

/** A stand-in for a program: a shell script. Its folder is first in the path of `environment`. */
function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

const environment = (own: NodeJS.ProcessEnv) => ({
  ...{ ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
  ...own,
});

function run(command: string, args: readonly string[], own: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: environment(own),
    encoding: 'utf8',
    cwd: folder,
    timeout: 110_000,
  });
  return { code: status, out: stdout, err: stderr };
}

const TASK = { SLURM_ARRAY_JOB_ID: '7', SLURM_ARRAY_TASK_ID: '2', SLURM_ARRAY_TASK_COUNT: '4' };

// The scripts are for machines with a shell.
describe.skipIf(process.platform === 'win32')('plumecast-array.sh', () => {
  it('computes the shard of its task, with the arguments of the batch', () => {
    const { code, out } = run(ARRAY, ['my runs/', '--out', 'results'], { ...TASK, PLUMECAST_COMMAND: 'printf %s|' });
    expect({ code, out }).toEqual({ code: 0, out: 'batch|my runs/|--out|results|--shard|2/4|--resume|--quiet|' });
  });

  it('computes a shard of PLUMECAST_SHARDS where only some tasks run again', () => {
    const own = { ...TASK, SLURM_ARRAY_TASK_COUNT: '1', PLUMECAST_SHARDS: '4', PLUMECAST_COMMAND: 'echo' };
    expect(run(ARRAY, [], own).out).toBe('batch --shard 2/4 --resume --quiet\n');
  });

  it('computes nothing where an array of some tasks does not say how many shards there are', () => {
    const tasks = { ...TASK, SLURM_ARRAY_TASK_COUNT: '2', SLURM_ARRAY_TASK_MIN: '2', SLURM_ARRAY_TASK_MAX: '5' };
    const { code, out, err } = run(ARRAY, [], { ...tasks, PLUMECAST_COMMAND: 'echo' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('set PLUMECAST_SHARDS to the number of all');
    const all = { ...TASK, SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_MAX: '4', PLUMECAST_COMMAND: 'echo' };
    expect(run(ARRAY, [], all).code).toBe(0);
    expect(run(ARRAY, [], { ...tasks, PLUMECAST_SHARDS: '8', PLUMECAST_COMMAND: 'echo' }).code).toBe(0);
  });

  it('takes workers and memory from its task: all processors, and nine tenths of the memory, in MiB', () => {
    const taken = (own: NodeJS.ProcessEnv, ...args: string[]) =>
      run(ARRAY, args, { ...TASK, PLUMECAST_COMMAND: 'echo', ...own }).out.replace(
        ' --shard 2/4 --resume --quiet\n',
        '',
      );
    const task = { SLURM_CPUS_PER_TASK: '4', SLURM_MEM_PER_NODE: '8000' };
    expect(taken(task)).toBe('batch --memory 7200MiB --workers 4');
    expect(taken({ SLURM_CPUS_PER_TASK: '4', SLURM_CPUS_ON_NODE: '4', SLURM_MEM_PER_CPU: '2000' })).toBe(
      'batch --memory 7200MiB --workers 4',
    );
    expect(taken({ SLURM_CPUS_ON_NODE: '2', SLURM_MEM_PER_NODE: '0' })).toBe('batch --workers 2');
    expect(taken({ SLURM_MEM_PER_CPU: '1000' })).toBe('batch --memory 900MiB');
    expect(taken({})).toBe('batch');
    // What is said in the arguments is meant.
    expect(taken(task, '--memory=3GB', 'x y')).toBe('batch --memory=3GB x y --workers 4');
    expect(taken(task, '--workers', '1')).toBe('batch --workers 1 --memory 7200MiB');
  });

  it.each([
    ['1', '300'],
    ['8', '300'],
    ['8', '1000'],
    ['8', '1200'],
    ['8', '1205'],
    ['64', '9000'],
    ['256', '64000'],
  ])('a task of %s processors and %s MiB has enough memory for its workers', (cpus, memory) => {
    const own = { ...TASK, SLURM_CPUS_PER_TASK: cpus, SLURM_MEM_PER_NODE: memory, PLUMECAST_COMMAND: 'echo' };
    const [, bytes, workers] = /--memory (\S+) --workers (\d+)/.exec(run(ARRAY, [], own).out) ?? [];
    const budget = threadBudget(parseBytes('memory', bytes), Number(workers));
    expect(budget.workers).toBe(Number(workers));
    if (Number(workers) < Number(cpus))
      expect(() => threadBudget(parseBytes('memory', bytes), Number(workers) + 2)).toThrow('is not enough');
  });

  it('is not requeued at the time limit where it has ended with failures of inputs', async () => {
    program('scontrol', `echo "$@" > ${join(folder, 'requeued-3')}`);
    program('ends-partly', `trap 'exit 3' TERM; touch ${join(folder, 'begun-3')}; while :; do sleep 0.05; done`);
    const own = environment({ ...TASK, PLUMECAST_COMMAND: 'ends-partly' });
    const task = spawn(ARRAY, [], { env: own, stdio: 'ignore' });
    const ended = new Promise((done) => task.once('close', done));
    while (!existsSync(join(folder, 'begun-3'))) await sleep(20);
    task.kill('SIGUSR1');
    expect(await ended).toBe(3);
    expect(existsSync(join(folder, 'requeued-3'))).toBe(false);
  });

  it('ends with the exit code of plumecast, and outside of an array with an error', () => {
    program('fails', 'exit 3');
    expect(run(ARRAY, [], { ...TASK, PLUMECAST_COMMAND: 'fails' }).code).toBe(3);
    const { code, err } = run(ARRAY, []);
    expect(code).toBe(1);
    expect(err).toContain('start this script with sbatch --array=1-N');
  });

  it.each([
    ['USR1', 'requeue 7_2\n', 0],
    ['TERM', '', 143],
  ] as const)('passes SIG%s on as SIGTERM, and requeues only before the time limit', async (signal, requeued, code) => {
    const file = (name: string) => join(folder, `${signal}-${name}`);
    program('scontrol', `echo "$@" > ${file('scontrol')}`);
    program(
      'waits',
      `trap 'echo stopped > ${file('stopped')}; exit 143' TERM; touch ${file('begun')}; while :; do sleep 0.05; done`,
    );
    const own = environment({ ...TASK, PLUMECAST_COMMAND: 'waits' });
    const task = spawn(ARRAY, [], { env: own, stdio: 'ignore' });
    const ended = new Promise((done) => task.once('close', done));
    while (!existsSync(file('begun'))) await sleep(20);
    task.kill(`SIG${signal}`);
    expect(await ended).toBe(code);
    expect(readFileSync(file('stopped'), 'utf8')).toBe('stopped\n');
    expect(existsSync(file('scontrol')) ? readFileSync(file('scontrol'), 'utf8') : '').toBe(requeued);
  });
});

describe.skipIf(process.platform === 'win32')('submit.sh', () => {
  it('submits an array, and a merge that runs when all its tasks have ended, whatever their exit codes', () => {
    program('sbatch', `echo "$@" >> ${join(folder, 'submitted')}; echo 41`);
    const args = ['8', 'results', 'runs/', '--variable', 'precipitation'];
    expect(run(SUBMIT, args, { SBATCH_OPTIONS: '--mem=2G --partition=short' })).toEqual({
      ...{ code: 0, err: '', out: 'array 41, merge 41\n' },
    });
    expect(readFileSync(join(folder, 'submitted'), 'utf8').split('\n')).toEqual([
      `--parsable --array=1-8 --mem=2G --partition=short ${ARRAY} runs/ --variable precipitation --out results`,
      `--parsable --dependency=afterany:41 ${MERGE} results`,
      '',
    ]);
  });

  it('explains its arguments', () => {
    expect(run(SUBMIT, ['eight', 'results', 'runs/'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^usage: /),
    });
  });
});

/** A YAML file as Python reads it, which has a library for it; undefined without. */
function readYaml(name: string): ReturnType<typeof JSON.parse> {
  const script = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
  return JSON.parse(run(PYTHON, ['-c', script, integration(name)]).out);
}
const hasYaml = hasPython('yaml');

interface PodFailurePolicy {
  rules: { action: string; onExitCodes?: { containerName: string; operator: string; values: number[] } }[];
}

/** What Kubernetes does after a container has failed: by the first rule of the policy that its exit code meets. */
function outcomeOf({ rules }: PodFailurePolicy, container: string, code: number | null): 'job failed' | 'again' {
  const met = rules.find(
    ({ onExitCodes: on }) =>
      on?.containerName === container && on.values.includes(code as number) === (on.operator === 'In'),
  );
  return met?.action === 'FailJob' ? 'job failed' : 'again';
}

describe.skipIf(!hasYaml)('the manifests for Kubernetes', () => {
  it('are an indexed job whose command computes shard I from index I - 1, and a job that merges', () => {
    const { kind, spec } = readYaml('kubernetes/plumecast-shards.yaml');
    expect([kind, spec.completionMode]).toEqual(['Job', 'Indexed']);
    const [{ command, args, env }] = spec.template.spec.containers;
    expect(env).toEqual([{ name: 'SHARDS', value: String(spec.completions) }]);
    program('plumecast', 'echo "$@"');
    const [shell, ...rest] = [...command, ...args];
    const outputs = [0, 7].map((index) => run(shell, rest, { JOB_COMPLETION_INDEX: String(index), SHARDS: '8' }).out);
    expect(outputs).toEqual([1, 8].map((shard) => `batch ${args.join(' ')} --shard ${shard}/8 --resume --quiet\n`));
    const merge = readYaml('kubernetes/plumecast-merge.yaml');
    expect(merge.spec.template.spec.containers[0].args).toEqual(['merge', args[args.indexOf('--out') + 1]]);
    // Without it, one bad file would end a shard, which the merge would miss.
    expect(args[args.indexOf('--on-error') + 1]).toBe('continue');
  });

  it.each([
    [0, 'succeeded', 'succeeded'],
    [1, 'again', 'again'],
    [2, 'job failed', 'job failed'],
    [3, 'succeeded', 'job failed'],
    [130, 'again', 'again'],
    [137, 'again', 'again'],
    [143, 'again', 'again'],
  ] as const)('after exit code %i a pod of a shard has %s, one of the merge %s', (code, ofShard, ofMerge) => {
    const outcomes = ['shards', 'merge'].map((name) => {
      const { spec } = readYaml(`kubernetes/plumecast-${name}.yaml`);
      const [{ name: container, command, args }] = spec.template.spec.containers;
      program('plumecast', `exit ${code}`);
      const [shell, ...rest] = command === undefined ? ['plumecast', ...args] : [...command, ...args];
      const ended = run(shell, rest, { JOB_COMPLETION_INDEX: '0', SHARDS: '8' }).code;
      if (ended === 0) return 'succeeded';
      expect([spec.template.spec.restartPolicy, spec.backoffLimit > 0]).toEqual(['Never', true]);
      return outcomeOf(spec.podFailurePolicy, container, ended);
    });
    expect(outcomes).toEqual([ofShard, ofMerge]);
  });

  it('pass SIGTERM on to the shard, and end when it has ended', async () => {
    const [{ command, args }] = readYaml('kubernetes/plumecast-shards.yaml').spec.template.spec.containers;
    const file = (name: string) => join(folder, `pod-${name}`);
    const onSignal = `sleep 0.3; echo stopped > ${file('stopped')}; exit 143`;
    program('plumecast', `trap '${onSignal}' TERM; touch ${file('begun')}; while :; do sleep 0.05; done`);
    const [shell, ...rest] = [...command, ...args];
    const own = environment({ JOB_COMPLETION_INDEX: '0', SHARDS: '8' });
    const pod = spawn(shell, rest, { env: own, stdio: 'ignore' });
    const ended = new Promise((done) => pod.once('close', done));
    while (!existsSync(file('begun'))) await sleep(20);
    pod.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(readFileSync(file('stopped'), 'utf8')).toBe('stopped\n');
  });
});
