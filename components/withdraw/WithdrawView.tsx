'use client';

import { useQuery } from '@tanstack/react-query';
import { AccountFailed } from '#components/account/AccountFailed.tsx';
import { useApp } from '#components/app/useApp.ts';
import { LoadFailed, PendingPage } from '#components/ui/LoadStates.tsx';
import { useDropDraft } from '#components/ui/useDraft.ts';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/browser/queries/account.ts';
import { withdrawAssets } from '#lib/browser/withdraw/withdrawState.ts';
import { parseMicros } from '#lib/money.ts';
import { positionView } from '#lib/portfolio/positionView.ts';
import { withdrawDraft } from './useWithdrawForm.ts';
import { WithdrawForm } from './WithdrawForm.tsx';

export function WithdrawView() {
  useDropDraft(withdrawDraft);
  return (
    <SignInPrompt what="your withdrawable balance">
      <Withdraw />
    </SignInPrompt>
  );
}

function Withdraw() {
  const { api } = useApp();
  const { account, accountFailed } = useVisitor();
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: account !== undefined,
  });
  // A session that only expired must not remove the form.
  if (accountFailed) return <AccountFailed />;
  if (portfolio.isError && !portfolio.data) {
    return (
      <LoadFailed title="Your positions could not be loaded" retry={portfolio.refetch}>
        Your funds are on chain and not affected.
      </LoadFailed>
    );
  }
  if (!account || !portfolio.data) {
    return <PendingPage />;
  }
  const usdcMicros = parseMicros(account.balances.usdc);
  const assets = withdrawAssets(usdcMicros, portfolio.data.map(positionView));
  return <WithdrawForm account={account} assets={assets} />;
}
