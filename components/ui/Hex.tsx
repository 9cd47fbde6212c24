import { shortHex } from '#lib/format/address.ts';
import { CopyButton } from './CopyButton.tsx';

/** An address or hash, shortened, with the whole of it to copy. */
export function Hex({ value, name }: { value: string; name: string }) {
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <span className="font-mono text-[13px]" title={value}>
        {shortHex(value)}
      </span>
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  );
}
