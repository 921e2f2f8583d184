import manifest from './package.json' with { type: 'json' };

export default {
  // The bundle has what others export, and classes of apache-arrow.
  entryPoints: Object.entries(manifest.exports)
    .filter(([name, target]) => typeof target !== 'string' && name !== './bundle')
    .map(([, { types }]) => types.replace('./dist/types/', 'src/').replace('.d.ts', '.ts')),
  out: 'build/api',
  readme: 'README.md',
  excludeInternal: true,
  treatWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, notDocumented: false },
  // Constants that types are made of, which are shown with them.
  intentionallyNotExported: [
    'BUCKET_HOURS',
    'COLUMN_ROLES',
    'FORMATS',
    'Instance',
    'NUMBER_ARRAYS',
    'NumberArrayConstructor',
    'WasmInstance',
    'WRITERS',
  ],
  disableSources: true,
  // `npm run check:types` finds them.
  skipErrorChecking: true,
};
