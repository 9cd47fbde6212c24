import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { SwitchField } from '#components/ui/Field.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { type PushHere, pushQuery, switchOff, switchOn } from '#lib/browser/push/pushSwitch.ts';

export function PushSwitch({ owner }: { owner: string }) {
  const api = useFullClient();
  const queryClient = useQueryClient();
  const query = pushQuery(api, owner);
  const { data: here } = useQuery(query);
  const wordsId = useId();
  const choose = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (here?.publicKey === undefined) return;
      await (isOn ? switchOn(api, here.publicKey) : switchOff(api, here.id));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
  });
  // The page is complete without it, if push is unknown or not offered.
  if (here?.publicKey === undefined) return null;
  const words = choose.isError ? failureWords(choose.error) : wordsOf(here);
  const isOn = choose.isPending ? choose.variables : here.id !== undefined;
  return (
    <div className="px-4 pb-2 text-14">
      <SwitchField
        isOn={isOn}
        onChange={choose.mutate}
        disabled={choose.isPending || here.ability !== 'possible'}
        describedBy={words === undefined ? undefined : wordsId}
      >
        <span className="flex-1">Notify me on this device</span>
        {choose.isPending && <Spinner />}
      </SwitchField>
      <p
        id={wordsId}
        role="status"
        className={choose.isError ? 'pb-1 text-13 text-no' : 'text-13 text-ink-3'}
      >
        {words}
      </p>
    </div>
  );
}

function wordsOf({ ability, id }: PushHere): string | undefined {
  if (ability === 'unsupported') {
    return 'This browser does not support notifications. On an iPhone or iPad, add Crossbook to the home screen and open it there.';
  }
  if (ability === 'denied') {
    return 'Your browser blocks notifications from this site. Allow them in your browser settings, then reload the page.';
  }
  return id === undefined
    ? undefined
    : 'Updates about your orders, withdrawals and markets, even when Crossbook is closed.';
}

function failureWords(error: Error): string {
  // The browser's own error: it could not reach its push service.
  if (error instanceof DOMException) {
    return 'Your browser could not reach its push service. Nothing was changed. Try again later.';
  }
  return `${error.message} Nothing was changed.`;
}
