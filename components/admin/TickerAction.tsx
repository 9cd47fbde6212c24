'use client';

import { useState } from 'react';
import { FIELD, Field } from '#components/ui/Field.tsx';
import { ActionButton } from './ActionButton.tsx';
import { useMayAct } from './useAdmin.ts';

/** An admin action on the market whose ticker is typed. */
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
        <Field label={props.title}>
          {(id) => (
            <input
              id={id}
              value={typed}
              placeholder="Ticker"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              className={`${FIELD} font-mono`}
            />
          )}
        </Field>
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
