'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { termsQuery } from '#lib/browser/queries/account.ts';

export function TermsView() {
  return (
    <SignInPrompt what="the terms">
      <Terms />
    </SignInPrompt>
  );
}

function Terms() {
  const { api } = useApp();
  const { session } = useVisitor();
  const queryClient = useQueryClient();
  const query = termsQuery(api, session?.address ?? '');
  const terms = useQuery(query);
  const accept = useMutation({
    mutationFn: (version: string) => api.acceptTerms(version),
    onSuccess: (state) => queryClient.setQueryData(query.queryKey, state),
  });
  if (terms.isPending) return <div className="skeleton h-32" role="status" aria-label="Loading" />;
  if (!terms.data) {
    return (
      <Notice tone="problem" title="The terms could not be loaded" live>
        {terms.error?.message}
      </Notice>
    );
  }
  const { version, url, acceptedVersion, acceptedAt } = terms.data;
  if (version === null) return <Notice>There are no terms to accept.</Notice>;
  const isAccepted = acceptedVersion === version;
  return (
    <div className="sheet grid gap-4 p-5">
      <p>
        Before you buy, read{' '}
        <a
          href={url ?? undefined}
          target="_blank"
          rel="noreferrer"
          className="font-medium underline underline-offset-4"
        >
          the terms of {version}
        </a>
        . You can sell, redeem and withdraw without accepting them.
      </p>
      {isAccepted && acceptedAt ? (
        <p role="status" className="text-ink-2">
          Accepted by this account on <LocalTime at={acceptedAt} />.
        </p>
      ) : (
        <div>
          <Button tone="primary" onClick={() => accept.mutate(version)} isBusy={accept.isPending}>
            I have read and accept the terms
          </Button>
        </div>
      )}
      <ErrorNotice error={accept.error} />
    </div>
  );
}
