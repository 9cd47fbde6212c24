import { useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { CheckField } from '#components/ui/Field.tsx';
import { Hex } from '#components/ui/Hex.tsx';
import type { ProblemOrder } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/browser/admin/adminApi.ts';
import { duration } from '#lib/format/duration.ts';
import { ActionButton } from './ActionButton.tsx';
import { ActionCell, Cell, QueryResult, QueryTable } from './DataTable.tsx';
import { useAdminQuery } from './useAdmin.ts';

export function OrdersPanel() {
  const [isAll, setIsAll] = useState(false);
  const [shown, setShown] = useState<string>();
  const orders = useAdminQuery(['orders', String(isAll)], () => adminApi.orders(isAll));
  return (
    <div className="grid gap-4">
      <CheckField checked={isAll} onChange={setIsAll}>
        Show all open orders
      </CheckField>
      <QueryTable
        query={orders}
        label="Orders"
        head={['Order', 'Market', 'Stage', 'Problem', 'Actions']}
        empty={isAll ? 'No open orders.' : 'No orders need attention.'}
      >
        {(data) =>
          data.orders.map((order) => (
            <OrderLine key={order.id} order={order} onShow={() => setShown(order.id)} />
          ))
        }
      </QueryTable>
      {shown && <StoryDialog id={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

function OrderLine({ order, onShow }: { order: ProblemOrder; onShow: () => void }) {
  return (
    <tr>
      <Cell>
        <Hex value={order.id} name="id" />
      </Cell>
      <Cell>{order.ticker ?? order.kind}</Cell>
      <Cell>
        {order.stage}
        <span className="block text-13 text-ink-3">{order.status}</span>
      </Cell>
      <Cell>
        {order.isDeadLetter && <span className="font-medium text-no">dead letter, </span>}
        {troubleOf(order)}
      </Cell>
      <ActionCell>
        <Button size="s" tone="quiet" aria-label={`Show all of ${order.id}`} onClick={onShow}>
          Show all
        </Button>
        <ActionButton
          label="Retry"
          about={order.id}
          explanation="Retries the order now and resets its failure count. Always safe: every step can be repeated."
          act={(reason) => adminApi.retry(order.id, reason)}
        />
        {order.stage === 'place' && (
          <ActionButton
            label="Refund"
            tone="no"
            about={order.id}
            explanation="Returns the locked funds. Refused if the exchange may already have the order."
            act={(reason) => adminApi.refund(order.id, reason)}
          />
        )}
      </ActionCell>
    </tr>
  );
}

function troubleOf(order: ProblemOrder): string {
  const parts = [
    order.failures > 0 ? `${order.failures} failures` : '',
    order.overdueSeconds > 0 ? `${duration(order.overdueSeconds * 1_000)} overdue` : '',
    (order.pastExpirySeconds ?? 0) > 0
      ? `${duration((order.pastExpirySeconds ?? 0) * 1_000)} past expiry`
      : '',
    order.chainTries > 1 ? `${order.chainTries} on-chain attempts` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(', ') : 'none';
}

function StoryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const story = useAdminQuery(['order', id], () => adminApi.order(id));
  return (
    <Dialog title="Order details" onClose={onClose} className="md:max-w-[860px]">
      <QueryResult query={story}>
        {(data) => (
          <div className="grid gap-5">
            {Object.entries(data.story).map(([part, rows]) => (
              <section key={part} aria-label={part}>
                <h3 className="mb-1.5 font-medium text-14">{part}</h3>
                {rows.length === 0 ? (
                  <p className="text-13 text-ink-3">nothing</p>
                ) : (
                  <pre className="wrap-anywhere whitespace-pre-wrap rounded-md bg-sunken p-3 font-mono text-12">
                    {rows.map((row) => JSON.stringify(row, null, 1)).join('\n')}
                  </pre>
                )}
              </section>
            ))}
          </div>
        )}
      </QueryResult>
    </Dialog>
  );
}
