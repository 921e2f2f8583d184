/*
 * Types of the platform as public declarations name them: a program that imports plumecast has them from the library DOM
 * of TypeScript or from Node's types. Where it has neither, they are objects, and its compiler finds no unknown name.
 */

type Instance<Name extends string> = typeof globalThis extends { [Key in Name]: { prototype: infer Type } }
  ? Type
  : object;

type WasmInstance<Name extends string> = typeof globalThis extends {
  WebAssembly: { [Key in Name]: { prototype: infer Type } };
}
  ? Type
  : object;

export type PlatformRequest = Instance<'Request'>;
export type PlatformResponse = Instance<'Response'>;
export type PlatformHeaders = Instance<'Headers'>;
export type PlatformAbortSignal = Instance<'AbortSignal'>;
export type WasmModule = WasmInstance<'Module'>;
export type WasmMemory = WasmInstance<'Memory'>;

/** The bytes of a module. */
export type WasmBytes = typeof globalThis extends { WebAssembly: { compile(bytes: infer Bytes): unknown } }
  ? Bytes
  : ArrayBuffer | ArrayBufferView;

/** What `using` releases, where a program's library has `Symbol.dispose`. */
export type PlatformDisposable = SymbolConstructor extends { readonly dispose: infer Key extends symbol }
  ? { [Name in Key]: () => void }
  : object;
