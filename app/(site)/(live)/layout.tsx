import type { ReactNode } from 'react';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { RestoreVisitor } from '#components/app/RestoreVisitor.tsx';

/** Pages that follow the server's state from the first render. */
export default function LiveLayout({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <RestoreVisitor />
      {children}
    </DataProvider>
  );
}
