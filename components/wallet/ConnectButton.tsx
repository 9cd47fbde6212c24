'use client';

import type { ReactNode } from 'react';
import { openConnectDialog } from './connectDialog.ts';

type ConnectButtonProps = { children: ReactNode; className: string; formClassName?: string };

/** Opens the wallet dialog. A form action: React replays a press from before hydration. */
export function ConnectButton({ children, className, formClassName }: ConnectButtonProps) {
  return (
    <form action={openConnectDialog} className={formClassName}>
      <button type="submit" className={className}>
        {children}
      </button>
    </form>
  );
}
