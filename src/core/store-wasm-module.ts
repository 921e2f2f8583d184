/** The module of stores as an import of the runtime, for runtimes that do not compile from bytes. */
export { default } from './plumecast-store.wasm';
