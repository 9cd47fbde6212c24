'use client';

import { useId } from 'react';
import { setExampleKey, useExampleKey } from './exampleKey.ts';

/** A field for the visitor's key, used by the examples below. */
export function ExampleKeyField() {
  const id = useId();
  const key = useExampleKey();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-14 text-ink">
        Your API key (for the examples on this page)
      </label>
      <input
        id={id}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="cbk_…"
        value={key}
        onChange={(event) => setExampleKey(event.target.value)}
        className="h-11 w-full max-w-xl rounded-md border border-line bg-surface px-3 font-mono text-14 text-ink placeholder:text-ink-3 hover:border-line-strong"
      />
      <p className="text-13 text-ink-3">The key stays in this page and is not sent anywhere.</p>
    </div>
  );
}
