import { defineConfig } from 'tsup';

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
  publicDir: false,
  dts: {
    entry: {
      index: 'src/index.ts',
      core: 'src/core/index.ts',
      period: 'src/period/index.ts',
      variable: 'src/variable/index.ts',
      formats: 'src/formats/index.ts',
      demo: 'src/demo/index.ts',
    },
  },
  external: ['#wasm', './plumecast.wasm', /^node:/],
  loader: { '.wasm': 'binary' },
});
