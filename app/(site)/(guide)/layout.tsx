import type { ReactNode } from 'react';
import { GuideNav } from '#components/guide/Guide.tsx';

export default function GuideLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <GuideNav />
      {children}
    </>
  );
}
