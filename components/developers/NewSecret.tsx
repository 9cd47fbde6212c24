import { CopyButton } from '#components/ui/CopyButton.tsx';
import { Notice } from '#components/ui/Notice.tsx';

type SecretOnceProps = { secret: string; title: string; children: string };

export function NewSecret({ secret, title, children }: SecretOnceProps) {
  return (
    <Notice
      tone="caution"
      title={title}
      live
      action={
        <span className="flex flex-wrap items-center gap-2">
          <code
            data-testid="secret"
            className="wrap-anywhere rounded-sm bg-surface px-2 py-1.5 font-mono text-13 text-ink"
          >
            {secret}
          </code>
          <CopyButton text={secret} label="Copy" withWord />
        </span>
      }
    >
      {children}
    </Notice>
  );
}
