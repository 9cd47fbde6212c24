import { Check, Share2 } from 'lucide-react';
import { useState } from 'react';
import { buttonStyle } from './buttonStyle.ts';
import { SHARE_ICON_BUTTON } from './shareIconButton.ts';

type ShareButtonProps = {
  label: string;
  /** The URL to share; the current page by default. */
  text?: string;
  withWord?: boolean;
};

const SHOWN_MS = 1_500;

function hasDialog(): boolean {
  return 'share' in navigator;
}

/** Shares by the device's own dialog; if there is none, copies the URL. */
export function ShareButton({ label, text, withWord = false }: ShareButtonProps) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Share2;
  const words = copied ? 'Copied' : label;
  const share = async () => {
    if (hasDialog()) {
      const dialog = navigator.share(text === undefined ? { url: location.href } : { text });
      // The user closed it without a choice, which is not a failure.
      await dialog.catch(() => undefined);
      return;
    }
    await navigator.clipboard.writeText(text ?? location.href);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      aria-label={withWord ? undefined : words}
      title={withWord ? undefined : label}
      onClick={share}
      className={withWord ? buttonStyle('outline', 's') : SHARE_ICON_BUTTON}
    >
      <Icon aria-hidden className="size-[17px]" />
      {withWord && words}
    </button>
  );
}
