/**
 * npm runs this after an install in a clone, and before it packs: it builds the package if it is not built yet, so that
 * an install from git has `dist`. If the tools are missing, as with `npm ci --omit=dev`, nothing is built.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { missingFiles } from './packed-files.mjs';

const { resolve } = createRequire(import.meta.url);
const TOOLS = ['assemblyscript/package.json', 'esbuild', 'tsup', 'typescript-7'];

if (missingFiles().length > 0) {
  const missing = TOOLS.filter((tool) => !isInstalled(tool));
  if (missing.length > 0) {
    console.error(`plumecast is not built: ${missing.join(', ').replaceAll('/package.json', '')} not installed`);
  } else {
    // Not to stdout, where npm may list the packed files.
    const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    process.exitCode = status ?? 1;
  }
}

function isInstalled(tool) {
  try {
    resolve(tool);
    return true;
  } catch {
    return false;
  }
}
