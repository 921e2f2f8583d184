import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../error-text.js';
import type { MapCard as Card } from './map-card.js';

type CardProps = Parameters<typeof Card>[0];

/** The map of an open grid, whose code is loaded when the reader opens it. */
export function MapSection(props: CardProps) {
  const [isOpen, setOpen] = useState(false);
  const [loaded, setLoaded] = useState<{ readonly MapCard: typeof Card }>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    if (!isOpen || loaded !== undefined) return;
    import('./map-card.js').then(setLoaded, (cause) => setError(errorText(cause)));
  }, [isOpen]);
  return (
    <details class="card map" onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Map: choose a place, see a window</summary>
      {error !== undefined && <p class="words error">{error}</p>}
      {isOpen && loaded !== undefined && <loaded.MapCard {...props} />}
    </details>
  );
}
