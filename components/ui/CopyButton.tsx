'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';

type CopyButtonProps = { text: string; label: string };

export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={copied ? 'Copied' : label}
      title={label}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
        setTimeout(() => setCopied(false), 1_500);
      }}
      className="inline-grid size-8 place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink max-md:size-11"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
