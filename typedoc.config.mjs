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
  validation: { notExported: false, invalidLink: true, notDocumented: false },
  disableSources: true,
  // `npm run check:types` finds them.
  skipErrorChecking: true,
};
