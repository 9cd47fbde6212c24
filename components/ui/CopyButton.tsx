'use client';

import clsx from 'clsx';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { buttonStyle } from './buttonStyle.ts';

type CopyButtonProps = {
  text: string;
  label: string;
  /** Whether the full label is beside the icon, or a shorter text. */
  withWord?: boolean | string;
};

const SHOWN_MS = 1_500;

export function CopyButton({ text, label, withWord = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  const words = copied ? 'Copied' : label;
  return (
    <button
      type="button"
      aria-label={withWord === true ? undefined : words}
      title={withWord === true ? undefined : label}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
        setTimeout(() => setCopied(false), SHOWN_MS);
      }}
      className={clsx(
        withWord
          ? buttonStyle('outline', 's')
          : 'inline-grid size-8 place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink max-md:size-11',
      )}
    >
      <Icon aria-hidden className="size-4" />
      {withWord === true ? words : withWord && (copied ? words : withWord)}
    </button>
  );
}
