import { copyFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import manifest from './package.json' with { type: 'json' };

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    core: 'src/core/index.ts',
    period: 'src/period/index.ts',
    variable: 'src/variable/index.ts',
    formats: 'src/formats/index.ts',
    demo: 'src/demo/index.ts',
    cli: 'src/cli/main.ts',
    'wasm-bytes': 'src/core/wasm-bytes.ts',
    'wasm-module': 'src/core/wasm-module.ts',
  },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  clean: true,
  silent: true,
  // '#wasm' stays an import of the package itself, so that whoever loads it applies the conditions of package.json.
  external: ['#wasm', './plumecast.wasm', /^node:/, ...Object.keys(manifest.optionalDependencies)],
  loader: { '.wasm': 'binary' },
  onSuccess: () => copyFile('build/plumecast.wasm', 'dist/plumecast.wasm'),
});
