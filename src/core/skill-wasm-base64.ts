import content from '../../build/plumecast-skill.wasm';

/** The module of scores as base64 text, written by the build. */
export default content as unknown as string;
