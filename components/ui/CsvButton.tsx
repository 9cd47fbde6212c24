import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useSite } from '#components/app/SiteProvider.tsx';
import { type ExportQueries, exportCsv } from '#lib/browser/api/exportCsv.ts';
import { freshToken } from '#lib/browser/session/freshToken.ts';
import { Button } from './Button.tsx';
import { Spinner } from './Spinner.tsx';

type CsvButtonProps<Name extends keyof ExportQueries> = { name: Name; query: ExportQueries[Name] };

export function CsvButton<Name extends keyof ExportQueries>({ name, query }: CsvButtonProps<Name>) {
  const { apiKey } = useSite();
  const download = useMutation({
    mutationFn: async () => {
      const file = await exportCsv({ baseUrl: '', apiKey, token: freshToken }, name, query);
      const url = URL.createObjectURL(file);
      const link = document.createElement('a');
      link.href = url;
      link.download = `crossbook-${name}.csv`;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <span className="flex items-center gap-3">
      <Button size="s" disabled={download.isPending} onClick={() => download.mutate()}>
        {download.isPending ? <Spinner /> : <Download aria-hidden className="size-4" />}
        Download CSV
      </Button>
      {download.isError && (
        <span role="alert" className="text-13 text-no">
          {download.error.message}
        </span>
      )}
    </span>
  );
}
