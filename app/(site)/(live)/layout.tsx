import type { ReactNode } from 'react';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { VisitorMemory } from '#components/app/VisitorMemory.tsx';

/** Pages that follow the server's state from their first moment. */
export default function LiveLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <VisitorMemory />
      {children}
    </DataProvider>
  );
}
