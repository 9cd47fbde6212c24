import { shortHex } from '#lib/format/address.ts';
import { CopyButton } from './CopyButton.tsx';

export function Hex({ value, name }: { value: string; name: string }) {
  return (
    // The button's padding extends beyond its icon, so that the icon aligns with the text's edge.
    <span className="-my-1.5 -mr-2 max-md:-my-2 max-md:-mr-3.5 inline-flex items-center gap-0.5 whitespace-nowrap">
      <span className="font-mono text-13" title={value}>
        {shortHex(value)}
      </span>
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  );
}
