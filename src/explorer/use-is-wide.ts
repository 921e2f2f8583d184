import { useEffect, useState } from 'preact/hooks';

/** Whether the page is as wide as a media query says. */
export function useIsWide(query: string): boolean {
  const [isWide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = () => setWide(media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [query]);
  return isWide;
}
