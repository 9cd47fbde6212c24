'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { Button } from '#components/ui/Button.tsx';
import { useHydrated } from '#components/ui/clock.ts';
import { FIELD, Field } from '#components/ui/Field.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { isApiProblem } from '#lib/api/problem.ts';
import type { AdminOverview } from '#lib/api/schemas/admin.ts';
import { adminApi, checkAdminToken } from '#lib/browser/admin/adminApi.ts';
import { setAdminToken, useAdminToken } from '#lib/browser/admin/adminToken.ts';
import { AdminRole, useAdminQuery } from './useAdmin.ts';

type Self = AdminOverview['operator'];

/** Admits admins by their token; shows nothing of the service before that. */
export function AdminGate({ children }: { children: (self: Self) => ReactNode }) {
  return (
    <DataProvider>
      <Gate>{children}</Gate>
    </DataProvider>
  );
}

function Gate({ children }: { children: (self: Self) => ReactNode }) {
  const isHydrated = useHydrated();
  const token = useAdminToken();
  if (!isHydrated) return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  return token === '' ? <SignIn /> : <SignedIn>{children}</SignedIn>;
}

function SignedIn({ children }: { children: (self: Self) => ReactNode }) {
  const overview = useAdminQuery(['overview'], adminApi.overview);
  if (overview.data) {
    const self = overview.data.operator;
    return <AdminRole value={self.role}>{children(self)}</AdminRole>;
  }
  if (!overview.isError) {
    return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  }
  const isRefused = isApiProblem(overview.error) && overview.error.status === 401;
  return isRefused ? (
    <SignIn refused={overview.error.message} />
  ) : (
    <Notice tone="problem" title="The service is not responding" live>
      {overview.error.message}
    </Notice>
  );
}

function SignIn({ refused }: { refused?: string }) {
  const [text, setText] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState(refused);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    try {
      await checkAdminToken(text.trim());
      setAdminToken(text.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setIsBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="sheet mx-auto mt-[8vh] grid max-w-[420px] gap-4 p-6"
    >
      <h1 className="font-semibold text-20">Operations</h1>
      <p className="text-14 text-ink-2">
        For the team that runs this service. The token is kept in this tab only.
      </p>
      <Field label="Admin token" hint="Create one with npm run ops -- operators add.">
        {(id) => (
          <input
            id={id}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="cbo_…"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={`${FIELD} font-mono`}
          />
        )}
      </Field>
      {problem && (
        <Notice tone="problem" live>
          {problem}
        </Notice>
      )}
      <Button type="submit" tone="primary" disabled={isBusy || text.trim() === ''}>
        {isBusy && <Spinner />}
        Sign in
      </Button>
    </form>
  );
}
