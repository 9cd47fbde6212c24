import { PageLink } from '#components/ui/PageLink.tsx';

export function SiteFooter({ sandbox }: { sandbox: boolean }) {
  return (
    <footer className="mt-16 border-t max-lg:mb-[calc(var(--bottom-nav-height)+env(safe-area-inset-bottom))]">
      <div className="page-width flex flex-wrap items-center gap-x-6 gap-y-2 py-6 text-13 text-ink-3">
        <p className="mr-auto">
          {sandbox
            ? 'Sandbox: a local chain and exchange with test money.'
            : 'Each contract pays $1.00 if right and nothing if wrong. You can lose your entire stake.'}
        </p>
        <PageLink href="/developers" className="tap py-1 hover:text-ink">
          Developers
        </PageLink>
        <PageLink href="/status" className="tap py-1 hover:text-ink">
          Status
        </PageLink>
      </div>
    </footer>
  );
}
