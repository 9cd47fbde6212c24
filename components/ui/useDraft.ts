import { useEffect, useState } from 'react';
import type { Draft } from '#lib/browser/storage/draft.ts';

/** A form's state that outlives the form; use one form per owner (`key`). */
export function useDraft<T>(
  draft: Draft<T>,
  owner: string,
  initial: T,
): [T, (change: Partial<T>) => void] {
  const [typed, setTyped] = useState(() => draft.of(owner) ?? initial);
  const change = (part: Partial<T>) => {
    const next = { ...typed, ...part };
    draft.keep(owner, next);
    setTyped(next);
  };
  return [typed, change];
}

/** Deletes the draft on navigation; for the component around the form. */
export function useDropDraft<T>(draft: Draft<T>): void {
  useEffect(() => () => draft.drop(), [draft]);
}
