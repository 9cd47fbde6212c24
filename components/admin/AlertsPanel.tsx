'use client';

import { useState } from 'react';
import { CheckField } from '#components/ui/Field.tsx';
import { Moment } from '#components/ui/Moment.tsx';
import type { AdminAlert } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/operator/operatorApi.ts';
import { ActButton } from './ActButton.tsx';
import { Cell, DataTable } from './DataTable.tsx';
import { Loaded } from './Loaded.tsx';
import { useAdminQuery } from './useAdmin.ts';

/** What needs attention, with what only operators may read. */
export function AlertsPanel() {
  const [isAll, setIsAll] = useState(false);
  const alerts = useAdminQuery(['alerts', String(isAll)], () => adminApi.alerts(isAll));
  return (
    <div className="grid gap-4">
      <CheckField checked={isAll} onChange={setIsAll}>
        Include resolved
      </CheckField>
      <Loaded query={alerts}>
        {(data) => (
          <DataTable
            label="Alerts"
            head={['Alert', 'Details', 'Since', 'Last seen', 'Actions']}
            empty="No open alerts."
          >
            {data.alerts.map((alert) => (
              <AlertLine key={`${alert.kind} ${alert.subject} ${alert.raisedAt}`} alert={alert} />
            ))}
          </DataTable>
        )}
      </Loaded>
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
        <Moment at={raisedAt} />
      </Cell>
      <Cell nums>
        <Moment at={lastSeenAt} />
      </Cell>
      <Cell>
        {!resolvedAt && (
          <div className="flex justify-end">
            <ActButton
              label="Resolve"
              about={`${kind} ${subject}`}
              explanation="The alert returns if its cause persists."
              act={(reason) => adminApi.resolveAlert(kind, subject, reason)}
            />
          </div>
        )}
      </Cell>
    </tr>
  );
}
