import { useDeferredValue, useState } from 'react';
import { TextField } from '#components/ui/Field.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { adminApi } from '#lib/browser/admin/adminApi.ts';
import { Cell, QueryTable } from './DataTable.tsx';
import { useAdminQuery } from './useAdmin.ts';

export function AuditPanel() {
  const [subject, setSubject] = useState('');
  const asked = useDeferredValue(subject.trim());
  const audit = useAdminQuery(['audit', asked], () => adminApi.audit(asked));
  return (
    <div className="grid gap-4">
      <div className="max-w-sm">
        <TextField
          label="Filter by target"
          hint="An order ID, a ticker or an alert kind."
          value={subject}
          placeholder="everything"
          spellCheck={false}
          onChange={setSubject}
          className="font-mono"
        />
      </div>
      <QueryTable
        query={audit}
        label="Audit log"
        head={['Time', 'Who', 'Action', 'Target', 'Reason', 'Before and after']}
        empty="No actions recorded."
      >
        {(data) =>
          data.entries.map((entry) => (
            <tr key={`${entry.at} ${entry.actor} ${entry.action} ${entry.subject}`}>
              <Cell nums>
                <LocalTime at={entry.at} />
              </Cell>
              <Cell>{entry.actor}</Cell>
              <Cell>{entry.action}</Cell>
              <Cell>
                <span className="wrap-anywhere font-mono text-13">{entry.subject}</span>
              </Cell>
              <Cell>{entry.reason}</Cell>
              <Cell>
                <Change before={entry.before} after={entry.after} />
              </Cell>
            </tr>
          ))
        }
      </QueryTable>
    </div>
  );
}

function Change({ before, after }: { before: unknown; after: unknown }) {
  const parts = [before, after].filter((part) => part !== null && part !== undefined);
  if (parts.length === 0) return '–';
  return (
    <details>
      <summary className="text-13">Show</summary>
      <pre className="wrap-anywhere mt-1 max-w-md whitespace-pre-wrap font-mono text-12">
        {parts.map((part) => JSON.stringify(part, null, 1)).join('\n→\n')}
      </pre>
    </details>
  );
}
