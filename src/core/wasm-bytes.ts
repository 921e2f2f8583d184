/** The module as bytes, for runtimes that compile. */
export { default } from '../../build/plumecast.wasm';
