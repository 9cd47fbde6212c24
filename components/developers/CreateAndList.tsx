import {
  type QueryKey,
  type UseQueryResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { LoadFailed, PendingPage } from '#components/ui/LoadStates.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { problemMessage } from '#lib/browser/api/problemMessage.ts';
import { NewSecret } from './NewSecret.tsx';

type MakeAndListProps<Answer> = {
  query: UseQueryResult<Answer>;
  what: string;
  newLabel: string;
  secret: { title: string; words: string };
  form: (handlers: { onMade: (secret: string) => void; onBack: () => void }) => ReactNode;
  /** The list; `onSecret` shows the secret of an item whose secret was rotated. */
  children: (response: Answer, onSecret: (secret: string) => void) => ReactNode;
};

export function CreateAndList<Answer>(props: MakeAndListProps<Answer>) {
  const { query, what, newLabel, form, children } = props;
  const [isMaking, setIsMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [hasMade, setHasMade] = useState(false);
  if (query.isPending) return <PendingPage />;
  if (query.data === undefined) {
    return (
      <LoadFailed title={`Your ${what} could not be loaded`} retry={query.refetch}>
        {query.error?.message}
      </LoadFailed>
    );
  }
  const leaveForm = (made?: string) => {
    if (made !== undefined) setSecret(made);
    setIsMaking(false);
    setHasMade(true);
  };
  return (
    <div className="grid gap-5">
      {secret && (
        <NewSecret secret={secret} title={props.secret.title}>
          {props.secret.words}
        </NewSecret>
      )}
      {isMaking ? (
        form({ onMade: leaveForm, onBack: () => leaveForm() })
      ) : (
        <div>
          <Button tone="primary" autoFocus={hasMade} onClick={() => setIsMaking(true)}>
            {newLabel}
          </Button>
        </div>
      )}
      {children(query.data, setSecret)}
    </div>
  );
}

type MakeFormProps = {
  what: string;
  makeLabel: string;
  isComplete: boolean;
  make: () => Promise<{ secret: string }>;
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
        <Button type="submit" tone="primary" disabled={!isComplete} isBusy={create.isPending}>
          {makeLabel}
        </Button>
      </div>
    </form>
  );
}
