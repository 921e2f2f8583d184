import { useRef } from 'preact/hooks';

/** Opens the browser's dialog for files, or for a folder with all that is in it. */
export function FileButton(props: {
  readonly id: string;
  readonly label: string;
  readonly isFolder?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: string;
}) {
  const { id, label, isFolder = false, onFiles, children } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        class="hidden"
        type="file"
        multiple
        {...(isFolder && { webkitdirectory: true })}
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          onFiles(Array.from(event.currentTarget.files ?? []));
          event.currentTarget.value = '';
        }}
      />
      <button type="button" onClick={() => input.current?.click()}>
        {children}
      </button>
    </>
  );
}
