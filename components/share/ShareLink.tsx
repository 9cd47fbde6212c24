import { Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { CopyButton } from '#components/ui/CopyButton.tsx';

/** An address to copy, or to share by the device's own dialog where there is one. */
export function ShareLink({ url, children }: { url: string; children?: ReactNode }) {
  // The user may close it without a choice, which is not a failure.
  const share = () => void navigator.share({ url }).catch(() => undefined);
  return (
    <div className="grid gap-3">
      <p className="truncate rounded-md bg-sunken px-3 py-2.5 text-13 text-ink-2" title={url}>
        {url.replace(/^https?:\/\//, '')}
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={url} label="Copy link" withWord />
        {'share' in navigator && (
          <Button size="s" tone="outline" onClick={share}>
            <Share2 aria-hidden className="size-4" />
            Share
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
