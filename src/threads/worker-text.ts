import text from '../../build/pool-worker.txt';

/** The script of a worker, which the build makes of `serve-tasks.ts`: so no runtime or bundler has to find a file. */
export default text as string;
