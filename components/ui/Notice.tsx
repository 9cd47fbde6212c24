import clsx from 'clsx';
import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';

type NoticeProps = {
  tone?: 'plain' | 'caution' | 'problem';
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Announced when it appears; for results of a user's action. */
  live?: boolean;
};

const TONES = {
  plain: 'bg-sunken text-ink-2',
  caution: 'bg-caution-soft text-caution',
  problem: 'bg-no-soft text-no',
};

export function Notice({ tone = 'plain', title, children, action, live }: NoticeProps) {
  const Icon = tone === 'plain' ? Info : CircleAlert;
  return (
    <div
      role={live ? 'alert' : undefined}
      className={clsx('flex gap-2.5 rounded-md px-3 py-2.5 text-14', TONES[tone])}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="wrap-anywhere min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  );
}
