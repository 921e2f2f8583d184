import { FileError } from '../../errors.js';
import { httpRemote, type RemoteAddress } from './remote-server.js';

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;

/**
 * What an address names: `https://`, `http://`, `gs://BUCKET/KEY` and `az://ACCOUNT/CONTAINER/KEY`, which are read without
 * keys. Throws FileError for others.
 */
export function remoteAddress(address: string): RemoteAddress {
  const [, scheme = ''] = SCHEME.exec(address) ?? [];
  const kind = scheme.toLowerCase();
  const isHttp = kind === 'http' || kind === 'https';
  const url = isHttp ? address : bucketUrl(kind, address.slice(scheme.length + 3));
  if (url !== undefined && URL.canParse(url)) return httpRemote(new URL(url));
  throw new FileError({
    ...{ subject: isHttp ? 'address' : `${scheme}://`, received: address },
    problem: isHttp || url !== undefined ? 'is not an address' : 'addresses of this kind are not read',
    allowed:
      'https://, http://, gs://BUCKET/KEY or az://ACCOUNT/CONTAINER/KEY, of a file or of a Zarr store; or a file that was downloaded first',
  });
}

/**
 * The address of HTTP of an object in a bucket, as its provider documents it: Google Cloud Storage, "Request endpoints",
 * path-style; Azure Blob Storage, "Resource URI syntax". Undefined for other schemes.
 */
function bucketUrl(scheme: string, rest: string): string | undefined {
  const [first, ...others] = rest.split('/');
  const path = others.map(encodeURIComponent).join('/');
  if (scheme === 'gs') return `https://storage.googleapis.com/${first}/${path}`;
  return scheme === 'az' ? `https://${first}.blob.core.windows.net/${path}` : undefined;
}
