import { useEffect, useState } from 'preact/hooks';

export type ThemeChoice = 'auto' | 'light' | 'dark';

export interface ThemeState {
  readonly choice: ThemeChoice;
  readonly resolved: 'light' | 'dark';
  readonly choose: (choice: ThemeChoice) => void;
}

/** The theme of the page: the reader's choice, or that of the system. */
export function useTheme(): ThemeState {
  const [choice, choose] = useState<ThemeChoice>('auto');
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const follow = () => setDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const resolved = choice === 'auto' ? (isDark ? 'dark' : 'light') : choice;
  useEffect(() => {
    document.documentElement.dataset.theme = resolved;
  }, [resolved]);
  return { choice, resolved, choose };
}

const DARK = '(prefers-color-scheme: dark)';
