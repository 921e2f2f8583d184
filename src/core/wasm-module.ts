/** The module as the runtime's own import, for runtimes that compile no bytes. */
export { default } from './plumecast.wasm';
