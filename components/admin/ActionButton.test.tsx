import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import { ActionButton } from './ActionButton.tsx';
import { AdminRole } from './useAdmin.ts';

const page = testRoot();
const { container } = page;

async function render(role: 'watch' | 'act', children: ReactNode): Promise<void> {
  await page.render(
    <QueryClientProvider client={new QueryClient()}>
      <AdminRole value={role}>{children}</AdminRole>
    </QueryClientProvider>,
  );
}

async function press(button: Element | null | undefined): Promise<void> {
  if (!(button instanceof HTMLElement)) throw new Error('no such button');
  await act(async () => button.click());
}

/** Opens the dialog, enters a reason and confirms. */
async function doIt(reason: string): Promise<void> {
  await press(container.querySelector('button'));
  const why = container.querySelector('textarea');
  if (!why) throw new Error('no field for the reason');
  await act(async () => {
    // The element's own setter bypasses the one that React installs to track changes.
    Reflect.set(HTMLTextAreaElement.prototype, 'value', reason, why);
    why.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(container.querySelector('dialog form:not([method]) button[type=submit]'));
}

const button = (props: Partial<Parameters<typeof ActionButton>[0]>) => (
  <ActionButton label="Suspend" explanation="It stops." act={async () => undefined} {...props} />
);

test('a confirmed action runs with the reason and closes the dialog', async () => {
  const done = vi.fn(async () => undefined);
  await render('act', button({ act: done }));
  await doIt('  because  ');
  expect(done).toHaveBeenCalledExactlyOnceWith('because');
  expect(container.querySelector('dialog')).toBeNull();
});

test('a result, if any, is shown after the action', async () => {
  const response = async () => ({ to: '0x1' });
  const onDone = (call: unknown) => <p>{JSON.stringify(call)}</p>;
  await render('act', button({ act: response, onDone }));
  await doIt('because');
  expect(container.querySelector('dialog')?.textContent).toContain('{"to":"0x1"}');
});

test('a failed action shows the error and keeps the dialog open', async () => {
  const refuse = () => Promise.reject(new Error('Trading is not paused.'));
  await render('act', button({ act: refuse }));
  await doIt('because');
  expect(container.querySelector('[role=alert]')?.textContent).toContain('Trading is not paused.');
});

test('given a read-only admin, hides the button', async () => {
  await render('watch', button({}));
  expect(container.querySelector('button')).toBeNull();
});
