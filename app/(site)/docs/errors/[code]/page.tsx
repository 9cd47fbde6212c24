import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DeveloperNav } from '#components/developers/DeveloperNav.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { TEXT_LINK } from '#components/ui/textLink.ts';
import { ERROR_CODES, type ErrorCode } from '#lib/api/errorCodes.ts';
import { ERROR_HELP } from '#lib/api/errorHelp.ts';

type Props = { params: Promise<{ code: string }> };

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { code } = await params;
  return { title: isErrorCode(code) ? ERROR_CODES[code].title : 'Unknown error' };
}

export default async function ErrorCodePage({ params }: Props) {
  const { code } = await params;
  if (!isErrorCode(code)) notFound();
  const { status, title } = ERROR_CODES[code];
  return (
    <>
      <DeveloperNav />
      <article className="grid max-w-2xl gap-4">
        <header>
          <p className="font-mono text-13 text-ink-3">
            {status} {code}
          </p>
          <h1 className="mt-1 font-semibold text-26 tracking-[-0.015em]">{title}</h1>
        </header>
        <p className="text-ink-2">{ERROR_HELP[code]}</p>
        <p>
          <PageLink href="/docs/errors" className={TEXT_LINK}>
            All error codes
          </PageLink>
        </p>
      </article>
    </>
  );
}
