import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../error-text.js';
import type { VerificationCard as Card } from './verification-card.js';

/** The figures of verifications, whose code is loaded when one is opened. */
export function VerificationSection(props: Parameters<typeof Card>[0]) {
  const [loaded, setLoaded] = useState<{ readonly VerificationCard: typeof Card }>();
  const [error, setError] = useState<string>();
  useEffect(() => void import('./verification-card.js').then(setLoaded, (cause) => setError(errorText(cause))), []);
  if (error !== undefined) return <p class="note error">{error}</p>;
  return loaded === undefined ? null : <loaded.VerificationCard {...props} />;
}
