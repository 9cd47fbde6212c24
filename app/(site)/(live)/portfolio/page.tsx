import type { Metadata } from 'next';
import { PortfolioView } from '#components/portfolio/PortfolioView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Portfolio' };

export default function PortfolioPage() {
  return (
    <>
      <PageHead title="Portfolio" />
      <PortfolioView />
    </>
  );
}
