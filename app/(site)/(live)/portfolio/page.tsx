import type { Metadata } from 'next';
import { ChoiceLinks } from '#components/market/FilterLinks.tsx';
import { PortfolioView } from '#components/portfolio/PortfolioView.tsx';
import { PORTFOLIO_SHOWS, portfolioHref } from '#components/portfolio/portfolioFilter.ts';
import { PageHead } from '#components/ui/PageHead.tsx';
import { POSITION_SORTS } from '#lib/portfolio/positionView.ts';
import { oneOf, type PageParams } from '../../_data/params.ts';

export const metadata: Metadata = { title: 'Portfolio' };

export default async function PortfolioPage(props: { searchParams: Promise<PageParams> }) {
  const params = await props.searchParams;
  const filter = {
    sort: oneOf(params, 'sort', POSITION_SORTS),
    show: oneOf(params, 'show', PORTFOLIO_SHOWS),
  };
  return (
    <>
      <PageHead
        title="Portfolio"
        actions={
          filter.show === 'held' && (
            <ChoiceLinks
              label="Sort"
              options={POSITION_SORTS}
              current={filter.sort}
              href={(sort) => portfolioHref(filter, { sort })}
            />
          )
        }
      />
      <PortfolioView {...filter} />
    </>
  );
}
