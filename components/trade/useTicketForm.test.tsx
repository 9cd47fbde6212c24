import { act } from 'react';
import { expect, test } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import { useTicketForm } from './useTicketForm.ts';

const { render } = testRoot();

type Form = ReturnType<typeof useTicketForm>;

function Ticket({ onRender }: { onRender: (form: Form) => void }) {
  onRender(useTicketForm({ side: 'yes', action: 'buy' }, () => 0n));
  return null;
}

async function shown(): Promise<() => Form> {
  let latest: Form | undefined;
  await render(
    <Ticket
      onRender={(form) => {
        latest = form;
      }}
    />,
  );
  return () => {
    if (!latest) throw new Error('The form was not rendered.');
    return latest;
  };
}

test('given a key right after a change of side, the ticket keeps both', async () => {
  const form = await shown();
  await act(async () => {
    // Both come from the same rendering, as when keys are faster than the page.
    const { change, type } = form();
    change({ side: 'no' });
    type('25');
  });
  expect(form().form).toMatchObject({ side: 'no', action: 'buy', text: '25' });
});

test('given a switch to selling, the ticket empties the amount', async () => {
  const form = await shown();
  await act(async () => form().type('25'));
  await act(async () => form().change({ side: 'no' }));
  expect(form().form.text).toBe('25');
  await act(async () => form().change({ action: 'sell' }));
  expect(form().form).toMatchObject({ side: 'no', action: 'sell', text: '' });
});
