import { shortHex } from '#lib/format/address.ts';
import { CopyButton } from './CopyButton.tsx';

/** An address or hash, shortened, with the whole of it to copy. */
export function Hex({ value, name }: { value: string; name: string }) {
  return (
    // The button reaches beyond what it shows, so that its picture ends where lines end.
    <span className="-my-1.5 -mr-2 max-md:-my-2 max-md:-mr-3.5 inline-flex items-center gap-0.5 whitespace-nowrap">
      <span className="font-mono text-13" title={value}>
        {shortHex(value)}
      </span>
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  );
}
