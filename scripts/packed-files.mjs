import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** The files that package.json names and that do not exist. */
export function missingFiles() {
  const { bin, exports, imports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const named = new Set([bin, exports, imports].flatMap(targets));
  return [...named].filter((path) => !existsSync(fileURLToPath(new URL(path, root))));
}

function targets(value) {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(targets);
}
