import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import type { ButtonTone } from '#components/ui/buttonStyle.ts';
import { Dialog } from '#components/ui/Dialog.tsx';
import { FIELD, Field, TextField } from '#components/ui/Field.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useMayAct, useRefresh } from './useAdmin.ts';

const SHORTEST_REASON = 3;

type ActionButtonProps = {
  /** Label of the button and title of the dialog. */
  label: string;
  explanation: ReactNode;
  act: (reason: string) => Promise<unknown>;
  /** Returns what to show afterwards; undefined closes the dialog. */
  onDone?: (response: unknown) => ReactNode;
  tone?: ButtonTone;
  /** `m` beside a field of the same height. */
  size?: 's' | 'm';
  disabled?: boolean;
  /** Distinguishes equal buttons of a list. */
  about?: string;
};

/** An admin action: requires a reason for the audit log. Hidden from read-only admins. */
export function ActionButton(props: ActionButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMayAct()) return null;
  return (
    <>
      <Button
        size={props.size ?? 's'}
        tone={props.tone ?? 'outline'}
        disabled={props.disabled}
        aria-label={props.about ? `${props.label}: ${props.about}` : undefined}
        onClick={() => setIsOpen(true)}
      >
        {props.label}
      </Button>
      {isOpen && <ActDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ActDialog({ label, explanation, act, onDone, tone, onClose }: ActDialogProps) {
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [response, setResponse] = useState<ReactNode>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(undefined);
    try {
      // Evaluated outside the call below: an optional call skips its arguments when it is
      // undefined.
      const done = await act(reason.trim());
      const shown = onDone?.(done);
      await refresh();
      if (shown) setResponse(shown);
      else onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  };
  if (response) {
    return (
      <Dialog title={label} onClose={onClose}>
        {response}
      </Dialog>
    );
  }
  return (
    <Dialog title={label} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <div className="text-14 text-ink-2">{explanation}</div>
        <Field label="Reason" hint="Recorded in the audit log, which cannot be changed.">
          {(id) => (
            <textarea
              id={id}
              required
              rows={3}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              className={`${FIELD} h-auto py-2`}
            />
          )}
        </Field>
        {problem && (
          <Notice tone="problem" title="The action failed" live>
            {problem}
          </Notice>
        )}
        <Button
          type="submit"
          tone={tone === 'no' ? 'no' : 'primary'}
          disabled={isBusy || reason.trim().length < SHORTEST_REASON}
        >
          {isBusy && <Spinner />}
          {label}
        </Button>
      </form>
    </Dialog>
  );
}

type ActDialogProps = ActionButtonProps & { onClose: () => void };

export function TickerAction(props: {
  title: string;
  label: string;
  explain: (ticker: string) => string;
  act: (ticker: string, reason: string) => Promise<unknown>;
}) {
  const [typed, setTyped] = useState('');
  const ticker = typed.trim();
  if (!useMayAct()) return null;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-full max-w-sm">
        <TextField
          label={props.title}
          value={typed}
          placeholder="Ticker"
          spellCheck={false}
          onChange={setTyped}
          className="font-mono"
        />
      </div>
      <ActionButton
        label={props.label}
        size="m"
        disabled={ticker === ''}
        explanation={props.explain(ticker)}
        act={(reason) => props.act(ticker, reason)}
      />
    </div>
  );
}
