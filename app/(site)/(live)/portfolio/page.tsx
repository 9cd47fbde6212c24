import type { Metadata } from 'next';
import { PortfolioView } from '#components/portfolio/PortfolioView.tsx';
import {
  orderOf,
  PORTFOLIO_GROUPS,
  PORTFOLIO_SHOWS,
  PORTFOLIO_SMALL,
  type PortfolioFilter,
} from '#components/portfolio/portfolioFilter.ts';
import { PageHead } from '#components/ui/PageHead.tsx';
import { POSITION_SORTS } from '#lib/portfolio/positionOrder.ts';
import { oneOf, type PageParams, text } from '../../_data/params.ts';

export const metadata: Metadata = { title: 'Portfolio' };

export default async function PortfolioPage(props: { searchParams: Promise<PageParams> }) {
  const params = await props.searchParams;
  const sort = oneOf(params, 'sort', POSITION_SORTS);
  const filter: PortfolioFilter = {
    sort,
    order: orderOf(sort, text(params, 'order')),
    show: oneOf(params, 'show', PORTFOLIO_SHOWS),
    group: oneOf(params, 'group', PORTFOLIO_GROUPS),
    small: oneOf(params, 'small', PORTFOLIO_SMALL),
  };
  return (
    <>
      <PageHead title="Portfolio" />
      <PortfolioView filter={filter} />
    </>
  );
}
