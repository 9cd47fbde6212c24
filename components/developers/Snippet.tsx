'use client';

import { CodeBlock } from './CodeBlock.tsx';
import { useExampleKey } from './exampleKey.ts';

/** An example with the visitor's own key, once entered. */
export function Snippet({ label, code }: { label: string; code: string }) {
  const key = useExampleKey();
  return <CodeBlock label={label} code={key === '' ? code : code.replaceAll('$API_KEY', key)} />;
}
