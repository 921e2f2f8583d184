/**
 * The folders of src/, from the lowest to the highest, and what each may import beside itself. docs/architecture.md draws and explains this list;
 * `errors` and `platform`, which are files, may be imported by all.
 */
const folders = {
  errors: [],
  platform: [],
  period: [],
  variable: [],
  check: ['variable'],
  disk: ['check'],
  core: [],
  client: ['check', 'period'],
  ensemble: ['check', 'core', 'period', 'variable'],
  table: ['check', 'core', 'ensemble', 'period', 'variable'],
  statistics: ['check', 'core', 'ensemble', 'period', 'table', 'variable'],
  threads: ['check', 'core', 'period', 'table', 'statistics'],
  blend: ['check', 'core', 'ensemble', 'period', 'statistics', 'table', 'variable'],
  climate: ['check', 'core', 'ensemble', 'period', 'statistics', 'table', 'variable'],
  condition: ['check', 'core', 'ensemble', 'period', 'statistics', 'table', 'variable'],
  skill: ['check', 'climate', 'condition', 'core', 'ensemble', 'period', 'statistics', 'table', 'variable'],
  demo: ['check', 'period', 'table', 'variable'],
  plot: ['check', 'climate', 'core', 'ensemble', 'period', 'skill', 'statistics', 'table', 'variable'],
  files: ['check', 'climate', 'core', 'disk', 'ensemble', 'period', 'statistics', 'table', 'variable'],
  element: ['check', 'core', 'ensemble', 'files', 'period', 'plot', 'statistics', 'table', 'variable'],
  respond: ['check', 'core', 'files', 'period', 'statistics', 'table', 'variable'],
  service: [
    ...['blend', 'check', 'climate', 'condition', 'core', 'disk', 'ensemble', 'files', 'period', 'respond'],
    ...['skill', 'statistics', 'table', 'variable'],
  ],
  input: [
    ...['blend', 'check', 'climate', 'condition', 'core', 'disk', 'ensemble', 'files', 'period'],
    ...['plot', 'skill', 'statistics', 'table', 'variable'],
  ],
  batch: [
    ...['check', 'climate', 'condition', 'core', 'disk', 'ensemble', 'files', 'input', 'period'],
    ...['skill', 'statistics', 'table', 'variable'],
  ],
  explorer: [
    ...['blend', 'check', 'climate', 'client', 'condition', 'core', 'demo', 'ensemble', 'files', 'input', 'period'],
    ...['plot', 'skill', 'statistics', 'table', 'variable'],
  ],
  worker: ['batch', 'check', 'climate', 'core', 'disk', 'files', 'input', 'table'],
  cli: [
    ...['batch', 'blend', 'check', 'climate', 'condition', 'core', 'demo', 'disk', 'ensemble', 'files', 'input'],
    'period',
    ...['plot', 'service', 'skill', 'statistics', 'table', 'variable', 'worker'],
  ],
};

/** The folders of src/table/, from the lowest to the highest. */
const TABLE_FLOORS = ['arrow', 'columns', 'build', 'rows', 'daily'];

/** The entry points that belong to no folder: they may import all, and nothing imports them. */
const DOORS = '^src/(index|arrays|bundle|calendar|fao56)\\.ts$';

const within = (names) => `^src/(${names.join('|')})(/|\\.ts$)`;

const allowed = Object.entries(folders).map(([folder, others]) => ({
  name: `${folder}-imports-only-what-it-may`,
  severity: 'error',
  from: { path: within([folder]) },
  to: { path: '^src/', pathNot: within(['errors', 'platform', folder, ...others]) },
}));

export default {
  forbidden: [
    ...allowed,
    ...TABLE_FLOORS.slice(0, -1).map((floor, i) => ({
      name: `table-${floor}-imports-only-what-is-below`,
      severity: 'error',
      from: { path: `^src/table/${floor}/` },
      to: { path: `^src/table/(${TABLE_FLOORS.slice(i + 1).join('|')})/` },
    })),
    {
      name: 'the-service-imports-one-way',
      comment: 'handler, endpoints, point, and what they read from: each only what comes after it.',
      severity: 'error',
      from: { path: '^src/service/(?!handler/|(index|node)\\.ts$)' },
      to: { path: '^src/service/handler/' },
    },
    {
      name: 'endpoints-are-imported-by-the-handler-only',
      severity: 'error',
      from: { path: '^src/service/', pathNot: '^src/service/(handler|endpoints)/' },
      to: { path: '^src/service/endpoints/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-folder-is-listed',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: [within(Object.keys(folders)), DOORS] },
    },
    {
      name: 'nothing-imports-the-library-from-within',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/bundle\\.ts$' },
      to: { path: DOORS },
    },
    {
      name: 'node-only-where-there-is-node',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(cli|batch|input|worker)/', '\\.node\\.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-development-tools-in-src',
      severity: 'error',
      // The command, the explorer and pictures carry these in themselves: see tsup.config.ts.
      from: { path: '^src/' },
      to: {
        pathNot: 'node_modules/(preact|unzipit|world-atlas)/',
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'npm-optional', 'npm-peer', 'type-only'],
      },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: {
        couldNotResolve: true,
        pathNot: [
          '^#(wasm|table-wasm|grib-wasm|store-wasm|encoder-wasm|skill-wasm|pool-worker|inflate|openjpeg)$',
          'plumecast(-table|-grib|-store|-encoder|-skill)?\\.wasm$',
        ],
      },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/', '^build/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
