import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { Notice } from './Notice.tsx';

type RemovableRowProps = {
  Icon: LucideIcon;
  name: string;
  /** After the name, in its line. */
  remark?: ReactNode;
  /** The name in full, where it is shortened. */
  title?: string;
  details: ReactNode;
  isRemovable: boolean;
  removal: {
    label: string;
    /** What it brings, read before it is confirmed. */
    consequence: ReactNode;
    onConfirm: () => void;
    isPending: boolean;
    error: Error | null;
  };
};

/** An item of a list of keys or owners, which is removed after a question. */
export function RemovableRow({ Icon, name, remark, title, ...row }: RemovableRowProps) {
  const [isAsked, setIsAsked] = useState(false);
  const { label, consequence, onConfirm, isPending, error } = row.removal;
  return (
    <li className="grid gap-3 py-3 text-14">
      <div className="flex items-center gap-3">
        <Icon aria-hidden className="size-5 shrink-0 text-ink-2" />
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere font-medium" title={title}>
            {name}
            {remark}
          </p>
          <p className="text-13 text-ink-3">{row.details}</p>
        </div>
        {row.isRemovable && !isAsked && (
          <Button size="s" aria-label={`Remove ${name}`} onClick={() => setIsAsked(true)}>
            Remove
          </Button>
        )}
      </div>
      {isAsked && (
        <div className="grid gap-3">
          <Notice tone="caution" title={`Remove ${name}?`} live>
            {consequence}
          </Notice>
          <div className="flex flex-wrap gap-2 *:flex-1">
            <Button tone="no" onClick={onConfirm} isBusy={isPending}>
              {label}
            </Button>
            {!isPending && <Button onClick={() => setIsAsked(false)}>Keep</Button>}
          </div>
          <ErrorNotice error={error} />
        </div>
      )}
    </li>
  );
}
