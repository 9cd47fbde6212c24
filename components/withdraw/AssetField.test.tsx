import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '#lib/api/schemas/account.ts';
import type { WithdrawAsset } from '#lib/browser/withdraw/withdrawState.ts';
import { AssetField } from './AssetField.tsx';
import { useWithdrawForm, withdrawDraft } from './useWithdrawForm.ts';

vi.mock('#components/app/useApp.ts', () => ({ useApp: () => ({ api: {} }) }));

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const QUESTION = 'What will the Federal Reserve do with rates in December 2026?';

const account: Account = {
  owner: OWNER,
  smartAccountAddress: '0x00000000000000000000000000000000000000a1',
  deployed: true,
  chainId: 8453,
  balances: { usdc: '25', ownerUsdc: '0', ownerNative: '0' },
  grant: null,
  contracts: {
    usdc: OWNER,
    outcomeToken: OWNER,
    swapVault: OWNER,
    settlement: OWNER,
    accountFactory: OWNER,
  },
};

const outcome = (subject: string, priceMicros: bigint): WithdrawAsset => ({
  kind: 'outcome',
  tokenId: subject,
  name: { outcome: `Yes · ${subject}`, subject, question: QUESTION },
  availableMicros: 49_260_000n,
  priceMicros,
});

const ASSETS: [WithdrawAsset, ...WithdrawAsset[]] = [
  { kind: 'usdc', availableMicros: 25_000_000n },
  outcome('Cut of 25 bps', 470_000n),
  outcome('No change', 0n),
];

let root: Root;
let page: HTMLElement;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <Form />
      </QueryClientProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  withdrawDraft.drop();
  vi.unstubAllGlobals();
});

function Form() {
  const form = useWithdrawForm(account, ASSETS);
  return (
    <>
      <AssetField assets={form.options} chosen={form.asset} onChange={form.chooseAsset} />
      <output>{form.amountText}</output>
      <button type="button" onClick={() => form.setAmountText('12.5')}>
        type
      </button>
    </>
  );
}

const chooser = () => page.querySelector<HTMLButtonElement>('button[aria-expanded]');
const buttonWith = (text: string) =>
  [...page.querySelectorAll('button')].find((button) => button.textContent.includes(text));
const press = async (button: HTMLElement | null | undefined) => {
  if (!button) throw new Error('The button is missing.');
  await act(async () => button.click());
};
const typed = () => page.querySelector('output')?.textContent;

test('given assets of one market, each is named by outcome, quantity and value', async () => {
  await press(chooser());
  const valued = page.querySelector('section[aria-label="Assets"]');
  expect(valued?.textContent).toContain('Yes · Cut of 25 bps');
  expect(valued?.textContent).toContain('49.26 contracts');
  expect(valued?.textContent).toContain('$23.15');
  expect(valued?.textContent).not.toContain('No change');
  expect(page.querySelector('section[aria-label="No value now"]')?.textContent).toContain(
    'Yes · No change',
  );
});

test('given another asset, the amount is cleared and the focus returns', async () => {
  await press(buttonWith('type'));
  expect(typed()).toBe('12.5');
  await press(chooser());
  await press(buttonWith('Cut of 25 bps'));
  expect(typed()).toBe('');
  expect(chooser()?.getAttribute('aria-expanded')).toBe('false');
  expect(chooser()?.textContent).toContain('Yes · Cut of 25 bps');
  expect(document.activeElement).toBe(chooser());
});

test('given the same asset again, the amount stays', async () => {
  await press(buttonWith('type'));
  await press(chooser());
  await press(page.querySelector<HTMLButtonElement>('section button[aria-pressed="true"]'));
  expect(typed()).toBe('12.5');
});
