import manifest from './package.json' with { type: 'json' };

export default {
  entryPoints: Object.values(manifest.exports)
    .filter((target) => typeof target !== 'string')
    .map(({ types }) => types.replace('./dist/types/', 'src/').replace('.d.ts', '.ts')),
  out: 'build/api',
  readme: 'README.md',
  excludeInternal: true,
  treatWarningsAsErrors: true,
  validation: { notExported: false, invalidLink: true, notDocumented: false },
  disableSources: true,
};
