'use client';

import { useId } from 'react';
import { AmountInput } from '#components/ui/AmountInput.tsx';
import { Button } from '#components/ui/Button.tsx';
import { amountWords, sameAsset, type WithdrawAsset } from '#lib/browser/withdraw/withdrawState.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';

const FIELD =
  'h-12 w-full min-w-0 rounded-md border border-line bg-surface px-4 hover:border-line-strong';

type AssetFieldProps = {
  assets: readonly WithdrawAsset[];
  chosen: WithdrawAsset;
  onChange: (asset: WithdrawAsset) => void;
};

/** The asset to withdraw: cash, or the tokens of one outcome. */
export function AssetField({ assets, chosen, onChange }: AssetFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="font-medium text-14">
        Asset
      </label>
      <select
        id={id}
        value={assets.findIndex((one) => sameAsset(one, chosen))}
        onChange={(event) => onChange(assets[Number(event.target.value)] ?? chosen)}
        className={FIELD}
      >
        {assets.map((option, at) => (
          <option key={option.kind === 'usdc' ? 'usdc' : option.tokenId} value={at}>
            {option.kind === 'usdc' ? 'USDC' : option.name}
          </option>
        ))}
      </select>
    </div>
  );
}

type AmountFieldProps = { asset: WithdrawAsset; text: string; onChange: (text: string) => void };

/** The amount, with a button for all of it. */
export function AmountField({ asset, text, onChange }: AmountFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-4 text-14">
        <label htmlFor={id} className="font-medium">
          Amount
        </label>
        <span className="nums text-right text-13 text-ink-3">
          {amountWords(asset, asset.availableMicros)} available
        </span>
      </div>
      <div className="flex gap-2">
        <AmountInput id={id} value={text} onChange={onChange} className={FIELD} />
        <Button className="h-12" onClick={() => onChange(typedMicros(asset.availableMicros))}>
          Max
        </Button>
      </div>
    </div>
  );
}
