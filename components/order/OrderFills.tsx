import { FigureTable } from '#components/ui/FigureTable.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { OrderEvent } from '#lib/api/schemas/order.ts';
import { contractsRounded, dollars } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { TransactionLink } from './TransactionLink.tsx';

/** Each part of an order that was delivered by itself: contracts, amount, fee and transaction. */
export function OrderFills({ events }: { events: readonly OrderEvent[] }) {
  const fills = events.filter(
    ({ baseQuantity, transactionHash }) => baseQuantity !== undefined && transactionHash,
  );
  if (fills.length === 0) return null;
  return (
    <section aria-labelledby="fills">
      <h2 id="fills" className="mb-3 font-semibold text-17">
        Fills
      </h2>
      <FigureTable columns={['Time', 'Contracts', 'Amount', 'Fee', 'Transaction']} caption="Fills">
        <tbody>
          {fills.map((fill) => (
            <tr key={`${fill.at} ${fill.transactionHash}`} className="[&>td]:border-t">
              <td className="text-ink-2">
                <LocalTime at={fill.at} />
              </td>
              <td className="text-right">
                {contractsRounded(parseMicros(fill.baseQuantity ?? '0'))}
              </td>
              <td className="text-right">{dollars(parseMicros(fill.quoteAmount ?? '0'))}</td>
              <td className="text-right">{dollars(parseMicros(fill.feeQuoteAmount ?? '0'))}</td>
              <td className="text-right">
                {fill.transactionHash && <TransactionLink hash={fill.transactionHash} isBrief />}
              </td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </section>
  );
}
