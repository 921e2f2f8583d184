import content from '../../build/plumecast-table.wasm';

/** The module of tables as base64 text, written by the build. */
export default content as unknown as string;
