import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import {
  amountWords,
  valueWords,
  type WithdrawAsset,
} from '#lib/browser/withdraw/withdrawState.ts';

type AssetFieldProps = {
  assets: readonly WithdrawAsset[];
  chosen: WithdrawAsset;
  onChange: (asset: WithdrawAsset) => void;
};

/** A native select shows one cut line per option; these lines wrap, with quantity and value. */
export function AssetField({ assets, chosen, onChange }: AssetFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const choose = (asset: WithdrawAsset) => {
    setIsOpen(false);
    onChange(asset);
    button.current?.focus();
  };
  const worthless = assets.filter(isWorthless);
  const lists = [
    { label: 'Assets', members: assets.filter((asset) => !isWorthless(asset)) },
    { label: 'No value now', members: worthless },
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list from any of its buttons
    <div
      className="grid gap-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        setIsOpen(false);
        button.current?.focus();
      }}
    >
      <span id={`${id}-label`} className="font-medium text-14">
        Asset
      </span>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-labelledby={`${id}-label ${id}-chosen`}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-12 w-full items-center gap-3 rounded-md border border-line bg-surface px-4 py-2 text-left hover:border-line-strong"
      >
        <span id={`${id}-chosen`} className="min-w-0 flex-1">
          <AssetWords asset={chosen} />
        </span>
        <ChevronDown
          aria-hidden
          className={clsx('size-4 shrink-0 transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      <div id={`${id}-list`} hidden={!isOpen} className="sheet max-h-[26rem] overflow-y-auto">
        {lists.map(
          ({ label, members }) =>
            members.length > 0 && (
              <section key={label} aria-label={label} className="[&+section]:border-t">
                {worthless.length > 0 && (
                  <p aria-hidden className="px-4 pt-3 pb-1 text-13 text-ink-3">
                    {label}
                  </p>
                )}
                <ul className="divide-y">
                  {members.map((asset) => (
                    <li key={keyOf(asset)}>
                      <button
                        type="button"
                        aria-pressed={keyOf(asset) === keyOf(chosen)}
                        onClick={() => choose(asset)}
                        className="w-full px-4 py-2.5 text-left hover:bg-sunken focus-visible:-outline-offset-2 aria-pressed:shadow-[inset_3px_0_0_var(--ink)]"
                      >
                        <AssetWords asset={asset} />
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            ),
        )}
      </div>
    </div>
  );
}

/** The outcome, in full, with its quantity and value; then its question, which may be cut. */
export function AssetWords({ asset }: { asset: WithdrawAsset }) {
  if (asset.kind === 'usdc') {
    return (
      <span className="flex flex-wrap justify-between gap-x-4 text-15">
        <span className="font-medium">USDC</span>{' '}
        <span className="nums">{valueWords(asset, asset.availableMicros)}</span>
      </span>
    );
  }
  return (
    <span className="grid">
      <span className="flex flex-wrap justify-between gap-x-4 text-15">
        <span className="wrap-anywhere font-medium">{asset.name.outcome}</span>{' '}
        <span className="nums ml-auto text-right">{valueWords(asset, asset.availableMicros)}</span>
      </span>{' '}
      <span className="flex flex-wrap justify-between gap-x-4 text-13 text-ink-3">
        <span className="line-clamp-2 min-w-0 flex-1 basis-28">{asset.name.question}</span>{' '}
        <span className="nums ml-auto">{amountWords(asset, asset.availableMicros)}</span>
      </span>
    </span>
  );
}

function keyOf(asset: WithdrawAsset): string {
  return asset.kind === 'usdc' ? asset.kind : asset.tokenId;
}

function isWorthless(asset: WithdrawAsset): boolean {
  return asset.kind === 'outcome' && asset.priceMicros === 0n;
}
