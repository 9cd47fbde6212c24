import type { ReactNode } from 'react';
import { Button } from '#components/ui/Button.tsx';
import type { ButtonTone } from '#components/ui/buttonStyle.ts';
import { useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';

type AskWalletButtonProps = {
  tone: ButtonTone;
  /** A wallet request is open: further presses do nothing until it ends. */
  isAsking: boolean;
  onAsk: () => void;
  children: ReactNode;
};

/** A button whose action the owner confirms in the wallet; it says so while it waits. */
export function AskWalletButton({ tone, isAsking, onAsk, children }: AskWalletButtonProps) {
  const { confirm } = useOwnerWords();
  return (
    <Button
      tone={tone}
      // A disabled button would lose the focus when it is pressed.
      aria-disabled={isAsking}
      onClick={() => !isAsking && onAsk()}
      isBusy={isAsking}
    >
      {isAsking ? confirm : children}
    </Button>
  );
}
