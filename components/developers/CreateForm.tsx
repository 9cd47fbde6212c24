'use client';

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { problemMessage } from '#lib/browser/api/problemMessage.ts';

type MakeFormProps = {
  /** "API key". */
  what: string;
  makeLabel: string;
  isComplete: boolean;
  make: () => Promise<{ secret: string }>;
  /** The query of the list that the new item joins. */
  listKey: QueryKey;
  onMade: (secret: string) => void;
  onBack: () => void;
  children: ReactNode;
};

/** A form that creates an item with a secret: its frame, its errors and its two buttons. */
export function CreateForm(props: MakeFormProps) {
  const { what, makeLabel, isComplete, make, listKey, onMade, onBack, children } = props;
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: make,
    onSuccess: async ({ secret }) => {
      await queryClient.invalidateQueries({ queryKey: listKey });
      onMade(secret);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="sheet grid max-w-xl gap-4 p-5" onSubmit={submit} aria-label={`New ${what}`}>
      {children}
      {create.isError && (
        <Notice tone="problem" live>
          {problemMessage(create.error)}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" tone="primary" disabled={create.isPending || !isComplete}>
          {create.isPending && <Spinner />}
          {makeLabel}
        </Button>
      </div>
    </form>
  );
}
