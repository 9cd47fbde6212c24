import { useState } from 'react';
import { CheckField } from '#components/ui/Field.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { AdminAlert } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/browser/admin/adminApi.ts';
import { ActionButton } from './ActionButton.tsx';
import { ActionCell, Cell, QueryTable } from './DataTable.tsx';
import { useAdminQuery } from './useAdmin.ts';

export function AlertsPanel() {
  const [isAll, setIsAll] = useState(false);
  const alerts = useAdminQuery(['alerts', String(isAll)], () => adminApi.alerts(isAll));
  return (
    <div className="grid gap-4">
      <CheckField checked={isAll} onChange={setIsAll}>
        Include resolved
      </CheckField>
      <QueryTable
        query={alerts}
        label="Alerts"
        head={['Alert', 'Details', 'Since', 'Last seen', 'Actions']}
        empty="No open alerts."
      >
        {(data) =>
          data.alerts.map((alert) => (
            <AlertLine key={`${alert.kind} ${alert.subject} ${alert.raisedAt}`} alert={alert} />
          ))
        }
      </QueryTable>
    </div>
  );
}

function AlertLine({ alert }: { alert: AdminAlert }) {
  const { kind, subject, detail, internalDetail, raisedAt, lastSeenAt, resolvedAt } = alert;
  return (
    <tr>
      <Cell>
        <span className={resolvedAt ? 'text-ink-3' : 'font-medium text-no'}>{kind}</span>
        <span className="wrap-anywhere block font-mono text-12 text-ink-3">{subject}</span>
      </Cell>
      <Cell>
        {detail}
        {internalDetail && (
          <span className="wrap-anywhere block text-13 text-ink-3">{internalDetail}</span>
        )}
      </Cell>
      <Cell nums>
        <LocalTime at={raisedAt} />
      </Cell>
      <Cell nums>
        <LocalTime at={lastSeenAt} />
      </Cell>
      <ActionCell>
        {!resolvedAt && (
          <ActionButton
            label="Resolve"
            about={`${kind} ${subject}`}
            explanation="The alert returns if its cause persists."
            act={(reason) => adminApi.resolveAlert(kind, subject, reason)}
          />
        )}
      </ActionCell>
    </tr>
  );
}
