import type { Metadata } from 'next';
import { PortfolioView } from '#components/portfolio/PortfolioView.tsx';

export const metadata: Metadata = { title: 'Portfolio' };

export default function PortfolioPage() {
  return (
    <>
      <h1 className="mb-5 font-semibold text-[26px] tracking-[-0.015em]">Portfolio</h1>
      <PortfolioView />
    </>
  );
}
