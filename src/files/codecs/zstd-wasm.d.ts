/** The part of @bokuweb/zstd-wasm that is used here: its own types need those of browsers. */
declare module '@bokuweb/zstd-wasm' {
  export function init(): Promise<void>;
  export function compress(bytes: Uint8Array, level?: number): Uint8Array;
  export function createDCtx(): number;
  export function freeDCtx(context: number): void;
  export function decompressUsingDict(context: number, bytes: Uint8Array, dictionary: Uint8Array): Uint8Array;
}
