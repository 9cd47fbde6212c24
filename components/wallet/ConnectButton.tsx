import type { ReactNode } from 'react';
import { createStore, useStore } from '#lib/browser/storage/store.ts';

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

const opened = createStore(false);

export function openConnectDialog(): void {
  opened.set(true);
}

export function closeConnectDialog(): void {
  opened.set(false);
}

export function useConnectDialogOpen(): boolean {
  return useStore(opened, false);
}
