/** The module of scores as an import of the runtime, for runtimes that do not compile from bytes. */
export { default } from './plumecast-skill.wasm';
