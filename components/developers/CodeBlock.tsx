import { CopyButton } from '#components/ui/CopyButton.tsx';

/** Code with a copy button. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <figure className="sheet overflow-hidden">
      <figcaption className="flex items-center justify-between gap-3 border-b px-4 py-1.5 text-13 text-ink-2">
        {label}
        <CopyButton text={code} label={`Copy: ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto px-4 py-3 text-13 leading-6">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
