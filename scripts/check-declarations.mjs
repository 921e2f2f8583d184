/**
 * Compiles programs of users against the packed package, strictly and without `skipLibCheck`: a program that imports every
 * entry point, and those of test/package/programs. Fails where the compiler finds an error in one of them or in the
 * declarations of the package. The entry points that need no apache-arrow are compiled where it is not installed.
 *
 *   node scripts/check-declarations.mjs [all]
 *
 * By the oldest and the newest TypeScript that the package supports; with `all` by those between, too, which are
 * installed in a temporary folder.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Installed here, by version. */
const COMPILERS = new Map([
  ['5.5', resolve('node_modules/typescript-5.5/bin/tsc')],
  ['7.0', resolve('node_modules/typescript-7/bin/tsc')],
]);
const BETWEEN = ['5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3'];

const WITHOUT_ARROW = ['./arrays', './client'];
/** What only programs of pages import: its declarations name what pages have. */
const OF_PAGES = ['./element'];
const MODULES = [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }];
const LIBRARIES = [['es2023'], ['es2023', 'dom']];

/** Before 5.7 typed arrays have no types of their buffers, which the declarations of this dependency of Arrow name. */
const FOREIGN_FAULT = /^\S*node_modules\/flatbuffers\//;
const hasForeignFaults = (version) => ['5.5', '5.6'].includes(version);

const isAll = process.argv[2] === 'all';
const folder = mkdtempSync(join(tmpdir(), 'plumecast-declarations-'));
try {
  if (isAll) installCompilers();
  const projects = [...writeProjects()];
  const results = await runAll(projects);
  const failed = results.filter(({ faults }) => faults.length > 0);
  for (const { name, faults } of failed) console.log([`${name}:`, ...faults].join('\n  '));
  console.log(`${results.length} programs of ${COMPILERS.size} versions of TypeScript, ${failed.length} with errors`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes the projects, and installs the package for them: with apache-arrow and without. */
function* writeProjects() {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  const { name, version, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const doors = Object.keys(exports).filter((door) => exports[door].types !== undefined);
  for (const hasArrow of [true, false]) {
    const root = join(folder, hasArrow ? 'with-arrow' : 'without-arrow');
    const modules = join(root, 'node_modules');
    mkdirSync(join(modules, name), { recursive: true });
    const archive = `${name}-${version}.tgz`;
    const parts = ['package/package.json', 'package/dist/types'];
    execFileSync('tar', ['-xzf', archive, '-C', join(modules, name), '--strip-components', '1', ...parts], {
      cwd: folder,
    });
    if (hasArrow) symlinkSync(resolve('node_modules/apache-arrow'), join(modules, 'apache-arrow'), 'junction');
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    const imported = doors.filter((door) => hasArrow || WITHOUT_ARROW.includes(door));
    const lines = (of) => of.map((door, i) => `export * as door${i} from '${door.replace('.', name)}';\n`).join('');
    writeFileSync(join(root, 'doors.ts'), lines(imported.filter((door) => !OF_PAGES.includes(door))));
    writeFileSync(join(root, 'pages.ts'), lines(imported.filter((door) => OF_PAGES.includes(door))));
    if (hasArrow) cpSync('test/package/programs', join(root, 'programs'), { recursive: true });
    for (const [of, compiler] of COMPILERS) yield* writeConfigurations(root, of, compiler);
  }
}

/** With each way to resolve modules and each library; properties that may be undefined are exact in half of them. */
function* writeConfigurations(root, version, compiler) {
  for (const [m, module] of MODULES.entries()) {
    for (const [l, lib] of LIBRARIES.entries()) {
      // The oldest is slow: in the gate it runs once.
      if (!isAll && version !== '7.0' && m + l > 0) continue;
      for (const exactOptionalPropertyTypes of isAll ? [false, true] : [l === 0]) {
        const name = [
          version,
          root.split(/[\\/]/).at(-1),
          module.module,
          ...lib,
          exactOptionalPropertyTypes && 'exact',
        ];
        const project = join(root, `${name.filter(Boolean).join('-')}.json`);
        const compilerOptions = {
          ...{ ...module, lib, exactOptionalPropertyTypes, types: [], target: 'es2022' },
          ...{ strict: true, skipLibCheck: false, noEmit: true },
        };
        writeFileSync(
          project,
          JSON.stringify({
            compilerOptions,
            include: ['doors.ts', 'programs', ...(lib.includes('dom') ? ['pages.ts'] : [])],
          }),
        );
        yield { version, compiler, project, name: name.filter(Boolean).join(' ') };
      }
    }
  }
}

/** As many at a time as there are processors. */
async function runAll(projects) {
  const results = [];
  const waiting = projects.values();
  const work = async () => {
    for (const { compiler, project, version, name } of waiting) {
      const output = await compile(compiler, project);
      // A line that is indented belongs to the fault before it.
      const faults = output.split(/\n(?=\S)/).filter((line) => line.trim() !== '');
      const own = hasForeignFaults(version) ? faults.filter((fault) => !FOREIGN_FAULT.test(fault)) : faults;
      results.push({ name, faults: own });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

function compile(compiler, project) {
  const child = spawn(process.execPath, [compiler, '--pretty', 'false', '--project', project], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done, failed) => {
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.once('error', failed).once('close', () => done(output));
  });
}

function installCompilers() {
  const prefix = join(tmpdir(), 'plumecast-compilers');
  mkdirSync(prefix, { recursive: true });
  const names = BETWEEN.map((version) => `typescript-${version}@npm:typescript@${version}`);
  const installed = (version) => join(prefix, 'node_modules', `typescript-${version}`, 'bin/tsc');
  try {
    if (!BETWEEN.every((version) => existsSync(installed(version)))) {
      const args = ['install', '--no-save', '--silent', '--no-audit', '--no-fund', '--prefix', prefix, ...names];
      execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
    }
    for (const version of BETWEEN) COMPILERS.set(version.slice(0, 3), installed(version));
  } catch (error) {
    console.log(`skipped: other versions of TypeScript, which cannot be installed (${error.message.split('\n')[0]})`);
  }
}
