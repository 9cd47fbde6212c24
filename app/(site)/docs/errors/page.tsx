import type { Metadata } from 'next';
import { DeveloperNav } from '#components/developers/DeveloperNav.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { ERROR_CODES, type ErrorCode } from '#lib/api/errorCodes.ts';

export const metadata: Metadata = {
  title: 'Error codes',
  description: 'Every error code the API returns, and how to fix it.',
};

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

export default function ErrorCodesPage() {
  return (
    <>
      <DeveloperNav />
      <PageHead title="Error codes" />
      <ul className="sheet max-w-3xl divide-y text-14">
        {CODES.map((code) => (
          <li key={code} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3">
            <span className="tabular-nums text-ink-3">{ERROR_CODES[code].status}</span>
            <PageLink
              href={`/docs/errors/${code}`}
              className="wrap-anywhere font-mono text-13 underline decoration-line-strong underline-offset-4"
            >
              {code}
            </PageLink>
            <span className="text-ink-2 max-sm:basis-full">{ERROR_CODES[code].title}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
