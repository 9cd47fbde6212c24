import type { Metadata } from 'next';
import { ChoiceLinks } from '#components/market/FilterLinks.tsx';
import { PortfolioView } from '#components/portfolio/PortfolioView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';
import { POSITION_SORTS } from '#lib/portfolio/positionView.ts';
import { oneOf, type PageParams } from '../../_data/params.ts';

export const metadata: Metadata = { title: 'Portfolio' };

export default async function PortfolioPage(props: { searchParams: Promise<PageParams> }) {
  const sort = oneOf(await props.searchParams, 'sort', POSITION_SORTS);
  return (
    <>
      <PageHead
        title="Portfolio"
        actions={
          <ChoiceLinks
            label="Sort"
            options={POSITION_SORTS}
            current={sort}
            href={(value) => (value === 'value' ? '/portfolio' : `/portfolio?sort=${value}`)}
          />
        }
      />
      <PortfolioView sort={sort} />
    </>
  );
}
