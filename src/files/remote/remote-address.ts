import { nameOfPath } from '../../disk/local-path.js';
import { FileError } from '../../errors.js';
import { httpRemote, type RemoteAddress } from './remote-server.js';
import { s3Remote } from './s3-address.js';

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;

/**
 * What an address names: `https://`, `http://`, `s3://BUCKET/KEY`, and `gs://BUCKET/KEY` and `az://ACCOUNT/CONTAINER/KEY`, which
 * are read without keys. Throws FileError for others.
 */
export function remoteAddress(address: string): RemoteAddress {
  const [, scheme = ''] = SCHEME.exec(address) ?? [];
  const kind = scheme.toLowerCase();
  const isHttp = kind === 'http' || kind === 'https';
  if (kind === 's3') {
    const [bucket, ...path] = address.slice(scheme.length + 3).split('/');
    const remote = s3Remote(bucket, path.map(encodeURIComponent).join('/'));
    if (remote !== undefined) return remote;
  }
  const url = isHttp ? address : bucketUrl(kind, address.slice(scheme.length + 3));
  if (url !== undefined && URL.canParse(url)) return httpRemote(new URL(url));
  // With one slash, as a shell or a library leaves it of two, there is no scheme.
  const isOfOtherKind = kind !== '' && !isHttp;
  throw new FileError({
    ...{ subject: isOfOtherKind ? `${scheme}://` : 'address', received: nameOfPath(address) },
    problem: isOfOtherKind && url === undefined ? 'addresses of this kind are not read' : 'is not an address',
    allowed:
      'https://, http://, s3://BUCKET/KEY, gs://BUCKET/KEY or az://ACCOUNT/CONTAINER/KEY, of a file or of a Zarr store; or a file that was downloaded first',
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
