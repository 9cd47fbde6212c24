'use client';

import type { ReactNode } from 'react';
import { ARIA_DISABLED_STYLE } from '#components/ui/ariaDisabledStyle.ts';
import { Button, type ButtonTone } from '#components/ui/Button.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';

type AskWalletButtonProps = {
  tone: ButtonTone;
  /** The wallet is asked: nothing more is asked of it until it has answered. */
  isAsking: boolean;
  onAsk: () => void;
  children: ReactNode;
};

/** A button whose press the owner confirms in the wallet, and which says so meanwhile. */
export function AskWalletButton({ tone, isAsking, onAsk, children }: AskWalletButtonProps) {
  return (
    <Button
      tone={tone}
      // Disabled, it would lose the focus when it is pressed.
      aria-disabled={isAsking}
      className={ARIA_DISABLED_STYLE}
      onClick={() => !isAsking && onAsk()}
    >
      {isAsking && <Spinner />}
      {isAsking ? 'Confirm in your wallet' : children}
    </Button>
  );
}
