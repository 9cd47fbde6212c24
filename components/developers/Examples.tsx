'use client';

import { useId } from 'react';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { setExampleKey, useExampleKey } from './exampleKey.ts';

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

export function Snippet({ label, code }: { label: string; code: string }) {
  const key = useExampleKey();
  return <CodeBlock label={label} code={key === '' ? code : code.replaceAll('$API_KEY', key)} />;
}

function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <figure className="sheet overflow-hidden">
      <figcaption className="flex items-center justify-between gap-3 border-b px-4 py-1.5 text-13 text-ink-2">
        {label}
        <CopyButton text={code} label={`Copy: ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto px-4 py-3 text-13 leading-6">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
