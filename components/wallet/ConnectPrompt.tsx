import { type ReactNode, useDeferredValue, useEffect } from 'react';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { PendingPage } from '#components/ui/LoadStates.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { useStore } from '#lib/browser/storage/store.ts';
import { abandonedRequest } from '#lib/browser/wallet/abandonedRequest.ts';
import { ConnectButton } from './ConnectButton.tsx';
import { useVisitor } from './useSetup.ts';

type ConnectPromptProps = {
  what: string;
  pending?: ReactNode;
  /** The heading level of the prompt; 1 if the children contain the page's own heading. */
  level?: 1 | 2;
  children: ReactNode;
};

export function ConnectPrompt({ what, pending, level, children }: ConnectPromptProps) {
  const { wallet } = useVisitor();
  // Content for a wallet renders in parts, so that the page responds in between.
  const isUnknown = useDeferredValue(wallet.status === 'unknown');
  const isOut = isUnknown || wallet.address === undefined;
  return (
    <>
      <Abandoned />
      {/* The same button element throughout: it must not be replaced during a press. */}
      {isOut && (
        <div className={isUnknown ? 'remembered:hidden' : undefined}>
          <ConnectFirst what={what} level={level} />
        </div>
      )}
      {isUnknown && <div className="hidden remembered:block">{pending ?? <PendingPage />}</div>}
      {!isOut && children}
    </>
  );
}

/** The outcome of a request to a disconnected wallet; the component that sent it is gone. */
function Abandoned() {
  const words = useStore(abandonedRequest, undefined);
  useEffect(() => () => abandonedRequest.set(undefined), []);
  if (!words) return null;
  return (
    <div className="mb-4">
      <Notice tone="caution" live>
        {words}
      </Notice>
    </div>
  );
}

function ConnectFirst({ what, level }: { what: string; level: 1 | 2 | undefined }) {
  return (
    <EmptyState
      {...(level && { level })}
      title={`Connect a wallet to see ${what}`}
      action={<ConnectButton className={buttonStyle('primary')}>Connect wallet</ConnectButton>}
    >
      Your wallet is your login. No password needed.
    </EmptyState>
  );
}
