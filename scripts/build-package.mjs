import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';
import { build as bundle } from 'esbuild';
import { build as buildModules } from 'tsup';
import { linkFunctions } from './link-functions.mjs';

/**
 * Builds dist/, in the root of the package: generated sources, then the kernels and the modules that contain them;
 * beside these the type declarations. Returns whether the types are right. `isDebug`: kernels that are not optimized, with the names of functions,
 * and source maps.
 */
export async function buildPackage({ isDebug = false } = {}) {
  const { networkBodies } = await import('../assembly/core/generate-networks.mjs');
  await import('../assembly/generate-jobs.mjs');
  await import('../assembly/table/generate-powers.mjs');
  rmSync('dist', { recursive: true, force: true });

  const types = spawn(process.execPath, ['node_modules/typescript-7/bin/tsc', '--project', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  const typesStatus = new Promise((resolve, reject) => types.once('error', reject).once('close', resolve));

  const { targets } = JSON.parse(readFileSync('asconfig.json', 'utf8'));
  for (const [target, { outFile }] of Object.entries(targets)) {
    const args = [`assembly/${target}/index.ts`, '--config', 'asconfig.json', '--target', target];
    const { error } = await asc.main([...args, ...(isDebug ? ['--debug', '--optimizeLevel', '0'] : [])], {
      stdout: process.stdout,
      stderr: process.stderr,
    });
    if (error) throw error;
    writeFileSync(outFile, linkFunctions(readFileSync(outFile), networkBodies));
  }
  await bundle({
    entryPoints: ['src/threads/serve-tasks.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'poolWorker',
    target: 'es2022',
    outfile: 'build/pool-worker.txt',
    logLevel: 'warning',
  });
  await buildModules({ config: true, ...(isDebug && { sourcemap: true }) });
  const areTypesRight = (await typesStatus) === 0;
  writeForOldCompilers('dist/types');
  return areTypesRight;
}

/**
 * Rewrites typed arrays of declarations so that TypeScript before 5.7, in which they take no type of their buffer, reads
 * them, too: the type that `of` returns is `Uint8Array<ArrayBuffer>`, and plain `Uint8Array` there.
 */
function writeForOldCompilers(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.d.ts'))) {
    const path = `${folder}/${name}`;
    const text = readFileSync(path, 'utf8');
    const plain = text
      .replaceAll(/\b(\w+Array)<ArrayBuffer>/g, "ReturnType<$1Constructor['of']>")
      .replaceAll(/\b(\w+Array)<ArrayBufferLike>/g, '$1');
    if (plain !== text) writeFileSync(path, plain);
  }
}
