/** The module of tables as an import of the runtime, for runtimes that do not compile from bytes. */
export { default } from './plumecast-table.wasm';
