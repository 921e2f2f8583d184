import { run } from './pool-suite.js';

/** Called by `workerd test`. */
export default {
  async test(): Promise<void> {
    console.log(JSON.stringify(await run()));
  },
};
