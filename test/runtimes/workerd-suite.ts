import { runChecks } from './core-suite.js';
import bytes from './plumecast.bin';
import module from './plumecast.wasm';

/** Called by `workerd test`. */
export default {
  async test(): Promise<void> {
    const results = await runChecks({ bytes: new Uint8Array(bytes), module, compiles: false });
    console.log(JSON.stringify(results));
  },
};
