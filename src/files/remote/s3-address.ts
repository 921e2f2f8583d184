import { withoutCredentials } from '../http-requests.js';
import { environmentVariables } from './environment.js';
import type { RemoteAddress } from './remote-server.js';

/** Names that a host can have in one part. */
const PLAIN_BUCKET = /^[a-z\d][a-z\d-]{1,61}[a-z\d]$/;

/**
 * The address of an object of S3, as AWS documents it ("Virtual hosting of buckets"), or at the server that AWS_ENDPOINT_URL_S3
 * or AWS_ENDPOINT_URL names. Requests are signed where there are keys. Undefined where there is no bucket.
 */
export function s3Remote(bucket: string, path: string): RemoteAddress | undefined {
  if (bucket === '') return undefined;
  const environment = environmentVariables();
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL;
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  const host = region === undefined ? 's3.amazonaws.com' : `s3.${region}.amazonaws.com`;
  let text = PLAIN_BUCKET.test(bucket) ? `https://${bucket}.${host}/${path}` : `https://${host}/${bucket}/${path}`;
  if (endpoint) text = `${endpoint.replace(/\/+$/, '')}/${bucket}/${path}`;
  if (!URL.canParse(text)) return undefined;
  const { url } = withoutCredentials(new URL(text));
  return {
    ...{
      source: `s3://${bucket}/${decodeURIComponent(path)}`.replace(/\/+$/, ''),
      url,
      headers: {},
      elsewhere: 'same',
    },
    sign: async (requested, headers, method) => {
      const { signRequest } = await import('./sign-s3.node.js');
      return signRequest(requested, headers, { bucket, isElsewhere: Boolean(endpoint), environment, method });
    },
  };
}
