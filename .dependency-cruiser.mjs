/** Folders of src/ from the lowest to the highest: none imports from a higher one. */
const layers = [
  ['errors'],
  ['assert-shape'],
  ['period', 'variable'],
  [
    'option-checks',
    'file-fault',
    'within-time',
    'json-fields',
    'process-table.node',
    'file-lock.node',
    'temporary-file.node',
  ],
  ['core'],
  ['arrow'],
  ['formats', 'grid', 'demo', 'store', 'daily', 'statistics', 'derive', 'history', 'blend', 'climate', 'pool'],
  ['respond', 'ingest', 'client', 'stream', 'archive'],
  ['input'],
  ['serve', 'batch'],
  ['cli'],
];

const within = (names) => `^src/(${names.join('|')})(/|\\.ts$)`;

const upward = layers.slice(0, -1).map((names, level) => ({
  name: `${names.join(',')}-imports-no-higher-layer`,
  severity: 'error',
  from: { path: within(names) },
  to: { path: within(layers.slice(level + 1).flat()) },
}));

export default {
  forbidden: [
    ...upward,
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'sources-know-no-statistics',
      severity: 'error',
      from: { path: within(['formats', 'grid', 'demo', 'store']) },
      to: { path: within(['statistics', 'derive', 'history', 'blend', 'climate', 'pool']) },
    },
    {
      name: 'statistics-know-no-sources',
      severity: 'error',
      from: { path: within(['statistics', 'derive', 'history', 'blend', 'climate', 'pool']) },
      to: { path: within(['formats', 'grid', 'demo', 'store']) },
    },
    {
      name: 'every-folder-has-its-layer',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: [within(layers.flat()), '^src/(index|arrays)\\.ts$'] },
    },
    {
      name: 'nothing-imports-the-public-face',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/(index|arrays)\\.ts$' },
    },
    {
      name: 'node-only-where-there-is-node',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(cli|batch|input)/', '\\.node\\.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-development-tools-in-src',
      severity: 'error',
      // The command carries this one in itself: see tsup.config.ts.
      from: { path: '^src/' },
      to: {
        pathNot: '@hono/node-server',
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'npm-optional', 'npm-peer', 'type-only'],
      },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^#(wasm|pool-worker|inflate)$', 'plumecast\\.wasm$'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/', '^build/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
