import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import asc from 'assemblyscript/asc';
import { build as bundle } from 'esbuild';
import { build as buildModules } from 'tsup';

/**
 * Builds dist/, in the root of the package: generated sources, then the kernels and the modules that contain them;
 * beside these the type declarations. Returns whether the types are right.
 */
export async function buildPackage() {
  await import('../assembly/core/generate-networks.mjs');
  await import('../assembly/generate-jobs.mjs');
  await import('../assembly/table/generate-powers.mjs');
  rmSync('dist', { recursive: true, force: true });

  const types = spawn(process.execPath, ['node_modules/typescript-7/bin/tsc', '--project', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  const typesStatus = new Promise((resolve, reject) => types.once('error', reject).once('close', resolve));

  for (const target of ['core', 'table', 'grib']) {
    const { error } = await asc.main([`assembly/${target}/index.ts`, '--config', 'asconfig.json', '--target', target], {
      stdout: process.stdout,
      stderr: process.stderr,
    });
    if (error) throw error;
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
  await buildModules({ config: true });
  return (await typesStatus) === 0;
}
