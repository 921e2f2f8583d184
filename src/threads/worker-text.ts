import text from '../../build/pool-worker.txt';

/**
 * The script of a worker, which the build makes from `serve-tasks.ts`: as a text, so that no runtime or bundler has to
 * find a file.
 */
export default text as string;
