import type { Metadata } from 'next';
import { ActivityView } from '#components/activity/ActivityView.tsx';
import {
  ACTIVITY_KINDS,
  ACTIVITY_PERIODS,
  ACTIVITY_STATES,
  activityHref,
} from '#components/activity/activityFilter.ts';
import { ChoiceLinks } from '#components/market/FilterLinks.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';
import { oneOf, type PageParams } from '../../_data/params.ts';

export const metadata: Metadata = { title: 'Activity' };

export default async function ActivityPage(props: { searchParams: Promise<PageParams> }) {
  const params = await props.searchParams;
  const filter = {
    kind: oneOf(params, 'kind', ACTIVITY_KINDS),
    status: oneOf(params, 'status', ACTIVITY_STATES),
    days: oneOf(params, 'days', ACTIVITY_PERIODS),
  };
  return (
    <>
      <PageHead title="Activity" />
      <div className="relative mb-4 flex flex-wrap items-center gap-x-5 border-b pb-2">
        <ChoiceLinks
          label="Type"
          options={ACTIVITY_KINDS}
          current={filter.kind}
          href={(kind) => activityHref(filter, { kind })}
        />
        <ChoiceLinks
          label="Status"
          options={ACTIVITY_STATES}
          current={filter.status}
          href={(status) => activityHref(filter, { status })}
        />
        <ChoiceLinks
          label="Period"
          options={ACTIVITY_PERIODS}
          current={filter.days}
          href={(days) => activityHref(filter, { days })}
        />
      </div>
      <ActivityView filter={filter} />
    </>
  );
}
