'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Notice } from '#components/ui/Notice.tsx';
import { SwitchField } from '#components/ui/SwitchField.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { settingsQuery } from '#lib/browser/queries/account.ts';

/** The switch for automatic payouts of settled markets. */
export function AutoRedeem() {
  const { api } = useApp();
  const { session } = useVisitor();
  const queryClient = useQueryClient();
  const query = settingsQuery(api, session?.address ?? '');
  const settings = useQuery({ ...query, enabled: session !== undefined });
  const choose = useMutation({
    mutationFn: (autoRedeem: boolean) => api.putAccountSettings({ autoRedeem }),
    onSuccess: (saved) => queryClient.setQueryData(query.queryKey, saved),
  });
  if (!session) return null;
  return (
    <section className="sheet p-5" aria-labelledby="settings-heading">
      <h2 id="settings-heading" className="mb-3 font-semibold text-17">
        Payouts
      </h2>
      <SwitchField
        isOn={(choose.isPending ? choose.variables : settings.data?.autoRedeem) ?? false}
        disabled={!settings.data || choose.isPending}
        onChange={choose.mutate}
      >
        Redeem winnings automatically
      </SwitchField>
      <p className="text-13 text-ink-3">
        Applies to markets that resolve from now on. Redeem markets that have already resolved on
        the Portfolio page.
      </p>
      {(choose.isError || settings.isError) && (
        <div className="mt-3">
          <Notice tone="problem" live>
            {choose.error?.message ??
              'Could not load this setting. Nothing was changed. Reload the page to try again.'}
          </Notice>
        </div>
      )}
    </section>
  );
}
