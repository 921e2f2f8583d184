/** The built package that is recorded: its functions by name, whatever entry points export them, and its command. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Exports that were renamed: the name that the cases use, and the names that it has had since. The first that a
 * package exports is taken, the name of the cases before all others.
 */
const ALIASES = {
  ensembleContentOfTable: ['tableNetcdf'],
  openArrayFile: ['openArrays'],
  openNetcdf3: ['openArrays'],
  openNetcdf4: ['openArrays'],
  readArrowFileInto: ['readArrowInto'],
  resultsOfTable: ['resultCube'],
  statisticsContent: ['statisticsNetcdf'],
  statisticsJsonOfTable: ['statisticsJson'],
  statisticsOfArrowStream: ['streamStatistics'],
  statisticsOfBatches: ['streamStatistics'],
  tablesOfBytes: ['readTables'],
  tablesOfFile: ['readTables'],
  writeNetcdf4: ['writeNetcdf'],
  writeTable: ['encodeTable'],
};

/** Functions that became options or steps of others, by the name that the cases use. */
const BECAME = {
  // Tables are written as they are.
  ensembleContentOfTable: () => (table) => table,
  openZarrFolder: (api) => (path, options) => api.openArrays(api.zarrFolder(path), options),
  resultsOfTable: () => (table) => table,
  statisticsContent: () => (results) => results,
  statisticsOfArrowFile: (api) => (core, path, options) => {
    const tables = api.readTables(core, path, { source: options.source });
    return api.streamStatistics(core, tables, options);
  },
  statisticsAgainst: (api) => (core, table, climatology, options) =>
    api.statistics(core, table, { ...options, climatology }),
  blendedStatistics: (api) => (core, tables, blending, options) => {
    const timeline = api.blend(core, tables, blending);
    const table = api.statistics(core, timeline, options);
    return { table, pairing: timeline.pairing, notes: timeline.notes };
  },
};

/** Opens the package in a folder that has a `dist/`. */
export async function openPackage(folder) {
  const root = resolve(folder);
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const exported = new Map();
  for (const target of Object.values(manifest.exports)) {
    const path = typeof target === 'string' ? target : target.default;
    if (!path.endsWith('.js')) continue;
    const module = await import(pathToFileURL(join(root, path)).href);
    // What Node's doors export does more than what has the same name elsewhere.
    const isNode = path.endsWith('-node.js');
    for (const [name, value] of Object.entries(module)) if (isNode || !exported.has(name)) exported.set(name, value);
  }
  const api = new Proxy({}, { get: (_, name) => exportOf(exported, name) ?? BECAME[name](api) });
  return { version: manifest.version, names: [...exported.keys()].sort(), api, cli: join(root, 'dist/cli.js') };
}

function exportOf(exported, name) {
  for (const candidate of [name, ...(ALIASES[name] ?? [])]) {
    if (exported.has(candidate)) return exported.get(candidate);
  }
  if (name in BECAME) return undefined;
  throw new MissingExport(name);
}

/** No entry point exports a name, nor one of its aliases. */
class MissingExport extends Error {
  name = 'MissingExport';

  constructor(name) {
    super(
      `the package does not export ${name}: add its new name to ALIASES in scripts/record-outputs/built-package.mjs`,
    );
  }
}
