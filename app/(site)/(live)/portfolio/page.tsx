import type { Metadata } from 'next';
import { PageHead } from '#components/ui/PageHead.tsx';
import { PortfolioView } from '#components/portfolio/PortfolioView.tsx';

export const metadata: Metadata = { title: 'Portfolio' };

export default function PortfolioPage() {
  return (
    <>
      <PageHead title="Portfolio" />
      <PortfolioView />
    </>
  );
}
