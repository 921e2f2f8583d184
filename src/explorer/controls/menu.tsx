import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A list of actions that opens on a click. */
export function Menu(props: { readonly label: string; readonly children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  useEffect(() => {
    const outside = (event: Event) => !menu.current?.contains(event.target as Node) && close();
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, []);
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
    >
      <summary>{props.label}</summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what bubbles from its buttons closes it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: buttons turn keys into clicks. */}
      <div onClick={close}>{props.children}</div>
    </details>
  );
}
