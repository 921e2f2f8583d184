import { PackageError } from '../../../errors.js';

/** Decodes a codestream; memory of the library, to be given back by `delete`. */
interface Decoder {
  /** Room for a codestream of so many bytes. */
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  /** What was decoded; nothing, with a width of 0, where it could not be. */
  getFrameInfo(): {
    readonly width: number;
    readonly height: number;
    readonly bitsPerSample: number;
    readonly componentCount: number;
    readonly isSigned: boolean;
  };
  /** Numbers of one byte, or of two with the lowest first; a view of the library's memory. */
  getDecodedBuffer(): Uint8Array;
  delete(): void;
}

/** The part of @cornerstonejs/codec-openjpeg that is used here. */
export interface OpenJpeg {
  readonly J2KDecoder: new () => Decoder;
  /** All of its memory. */
  readonly HEAPU8: Uint8Array;
}

/** Makes an instance of the library. */
export type CreateOpenJpeg = (options: OpenJpegOptions) => Promise<OpenJpeg>;

interface OpenJpegOptions {
  readonly print: (text: string) => void;
  readonly printErr: (text: string) => void;
  readonly quit: (status: number, reason: unknown) => void;
  /** The module, where the library is not to look for it. */
  readonly wasmBinary?: Uint8Array;
}

export const OPENJPEG = '@cornerstonejs/codec-openjpeg';

/** Makes an instance that neither says on the console what it finds wrong, nor ends the process. */
export function createQuietly(create: CreateOpenJpeg): Promise<OpenJpeg> {
  const ignore = () => {};
  const quit = (_: unknown, reason: unknown) => {
    throw reason;
  };
  return create({ print: ignore, printErr: ignore, quit });
}

/** Loads OpenJPEG for what `subject` says. Throws PackageError where it is missing. */
export type LoadOpenJpeg = (subject: string) => Promise<OpenJpeg>;

/**
 * Takes OpenJPEG from its script, which a page loads beforehand: bundlers cannot pack it, as it asks for modules of
 * Node that are not there.
 */
export const loadOpenJpeg: LoadOpenJpeg = async (subject) => {
  const { OpenJPEGWASM: create } = globalThis as { OpenJPEGWASM?: CreateOpenJpeg };
  try {
    if (create === undefined) throw new Error('no script has defined OpenJPEGWASM');
    return await createQuietly(create);
  } catch (cause) {
    throw new PackageError({
      subject,
      problem: `needs the script of ${OPENJPEG}, which is not loaded`,
      allowed: '<script src="..."> with dist/openjpegwasm_decode.js of that package, and the file .wasm beside it',
      cause,
    });
  }
};
