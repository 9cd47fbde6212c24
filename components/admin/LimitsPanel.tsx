import { useState } from 'react';
import { TextField } from '#components/ui/Field.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import type { LimitScope, TradingLimit } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/browser/admin/adminApi.ts';
import { ActionButton } from './ActionButton.tsx';
import { ActionCell, Cell, QueryTable } from './DataTable.tsx';
import { useAdminQuery, useMayAct } from './useAdmin.ts';

export function LimitsPanel() {
  const limits = useAdminQuery(['limits'], adminApi.limits);
  return (
    <div className="grid gap-6">
      <LimitForm />
      <QueryTable
        query={limits}
        label="Limits"
        head={['Subject', 'Per order', 'Per 24 h', 'Position', 'Open orders', 'Set by', 'Actions']}
        empty="No limits set."
      >
        {(data) =>
          data.limits.map((one) => <LimitLine key={`${one.scope} ${one.subject}`} limit={one} />)
        }
      </QueryTable>
    </div>
  );
}

function LimitLine({ limit }: { limit: TradingLimit }) {
  const { scope, subject } = limit;
  return (
    <tr>
      <Cell>
        {scope} <span className="font-mono text-13">{subject === '*' ? 'everybody' : subject}</span>
      </Cell>
      <Cell nums>{limit.maxOrder ?? '–'}</Cell>
      <Cell nums>{limit.maxDay ?? '–'}</Cell>
      <Cell nums>{limit.maxExposure ?? '–'}</Cell>
      <Cell nums>{limit.maxOpenOrders ?? '–'}</Cell>
      <Cell>{limit.setBy}</Cell>
      <ActionCell>
        <ActionButton
          label="Remove"
          about={`${scope} ${subject}`}
          explanation="Its own limit is removed. The limit for all (*) applies, if one is set."
          act={(reason) => adminApi.removeLimit(scope, subject, reason)}
        />
      </ActionCell>
    </tr>
  );
}

const SCOPES = [
  { value: 'key', label: 'API key' },
  { value: 'account', label: 'Account' },
  { value: 'market', label: 'Market' },
] as const satisfies readonly { value: LimitScope; label: string }[];

const HINTS: Record<LimitScope, string> = {
  key: 'API key ID (key_…), or * for all keys.',
  account: 'Smart account address, or * for all accounts.',
  market: 'Ticker, or * for all markets.',
};

const AMOUNTS = [
  { name: 'maxOrder', label: 'Per order, USDC' },
  { name: 'maxDay', label: 'Per 24 hours, USDC' },
  { name: 'maxExposure', label: 'Position, USDC' },
  { name: 'maxOpenOrders', label: 'Open orders' },
] as const;

function LimitForm() {
  const [scope, setScope] = useState<LimitScope>('account');
  const [subject, setSubject] = useState('*');
  const [amounts, setAmounts] = useState<Record<string, string>>({});
  if (!useMayAct()) return null;
  const amount = (name: string) => amounts[name]?.trim() || null;
  const open = amount('maxOpenOrders');
  const input = {
    scope,
    subject: subject.trim(),
    maxOrder: amount('maxOrder'),
    maxDay: amount('maxDay'),
    maxExposure: amount('maxExposure'),
    maxOpenOrders: open === null ? null : Number(open),
  };
  const isEmpty = AMOUNTS.every(({ name }) => amount(name) === null);
  return (
    <div className="sheet grid gap-4 p-4">
      <Segmented legend="Limit for" value={scope} options={SCOPES} onChange={setScope} />
      <TextField
        label="Subject"
        hint={HINTS[scope]}
        value={subject}
        spellCheck={false}
        onChange={setSubject}
        className="font-mono"
      />
      <div className="grid gap-4 md:grid-cols-4">
        {AMOUNTS.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            inputMode="decimal"
            placeholder="no limit"
            value={amounts[name] ?? ''}
            onChange={(text) => setAmounts({ ...amounts, [name]: text })}
            className="nums"
          />
        ))}
      </div>
      <div>
        <ActionButton
          label="Set limit"
          tone="primary"
          disabled={isEmpty || input.subject === ''}
          explanation="Applies to new purchases and to orders not yet sent to the exchange. Leave a field empty for no limit. Selling, redeeming and withdrawing are never limited."
          act={(reason) => adminApi.setLimit(input, reason)}
        />
      </div>
    </div>
  );
}
