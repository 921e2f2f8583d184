import { access, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Bundles an entry of this folder with the built package into `build/runtimes/<name>/suite.js` and returns that folder.
 * The bundle lies within the package, so that `plumecast` resolves to it where it is left external.
 */
export async function bundleSuite(name: string, entry: string, options: BuildOptions = {}): Promise<string> {
  await access(join(root, 'dist', 'index.js')).catch(() => {
    throw new Error('dist/ is missing: npm run build');
  });
  const folder = join(root, 'build', 'runtimes', name);
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [join(root, 'test', 'runtimes', entry)],
    outfile: join(folder, 'suite.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    // Without the paths of tsconfig.json, which lead to src/.
    tsconfigRaw: {},
    logLevel: 'error',
    ...options,
  });
  return folder;
}
