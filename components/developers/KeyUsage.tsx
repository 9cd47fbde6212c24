import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { FigureTable } from '#components/ui/FigureTable.tsx';
import type { ApiKey, ApiKeyUsage } from '#lib/api/schemas/key.ts';
import { apiKeyUsageQuery } from '#lib/browser/queries/developers.ts';
import { contracts } from '#lib/format/money.ts';
import { MICROS } from '#lib/money.ts';
import { usageBars, usageWords } from './usageBars.ts';

export function KeyUsage({ apiKey }: { apiKey: Pick<ApiKey, 'id' | 'name'> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)} className="text-13">
      <summary className="flex h-11 w-fit items-center text-ink-2 hover:text-ink md:h-8">
        Usage<span className="sr-only"> of {apiKey.name}</span>
        <ChevronDown aria-hidden className="ml-1.5 size-3.5 text-ink-3" />
      </summary>
      {isOpen && <Usage apiKey={apiKey} />}
    </details>
  );
}

function Usage({ apiKey }: { apiKey: Pick<ApiKey, 'id' | 'name'> }) {
  const api = useFullClient();
  const usage = useQuery(apiKeyUsageQuery(api, apiKey.id));
  if (usage.data) return <Graph days={usage.data.days} name={apiKey.name} />;
  if (usage.isPending) {
    return <div className="skeleton h-24" role="status" aria-label="Loading" />;
  }
  return (
    <p className="flex flex-wrap items-center gap-3">
      Usage could not be loaded.
      <Button size="s" onClick={() => void usage.refetch()}>
        Try again
      </Button>
    </p>
  );
}

/** Whole numbers in the reader's format. */
const counted = (count: number) => contracts(BigInt(count) * MICROS);

function Graph({ days, name }: { days: ApiKeyUsage['days']; name: string }) {
  const used = days.filter(({ requests }) => requests > 0);
  return (
    <div className="grid max-w-xl gap-2 pt-1 pb-2">
      <p>{usageWords(days, counted)}</p>
      <Bars days={days} />
      {used.length > 0 && (
        <details>
          <summary className="flex h-11 w-fit items-center text-ink-2 hover:text-ink md:h-8">
            View as table
            <ChevronDown aria-hidden className="ml-1.5 size-3.5 text-ink-3" />
          </summary>
          <FigureTable
            columns={['Day (UTC)', 'Requests', 'Errors']}
            caption={`Requests made with ${name}`}
          >
            <tbody>
              {used.toReversed().map(({ day, requests, refused }) => (
                <tr key={day}>
                  <th scope="row" className="border-t text-left font-normal">
                    {day}
                  </th>
                  <Cell>{counted(requests)}</Cell>
                  <Cell>{counted(refused)}</Cell>
                </tr>
              ))}
            </tbody>
          </FigureTable>
        </details>
      )}
    </div>
  );
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="border-t text-right">{children}</td>;
}

/** The text above and the table below contain the same. */
function Bars({ days }: { days: ApiKeyUsage['days'] }) {
  return (
    <div aria-hidden className="grid gap-1">
      <div className="flex h-16 items-end gap-px border-b border-line-strong">
        {usageBars(days).map(({ day, requests, height, refusedHeight }) => (
          <span
            key={day}
            title={`${day}: ${counted(requests)}`}
            className="relative flex h-full flex-1 items-end"
          >
            <span className="w-full rounded-t-[2px] bg-accent" style={{ height: `${height}%` }} />
            <span
              className="absolute bottom-0 w-full bg-caution"
              style={{ height: `${refusedHeight}%` }}
            />
          </span>
        ))}
      </div>
      <div className="nums flex justify-between text-ink-3">
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </div>
    </div>
  );
}
