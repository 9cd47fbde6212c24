import { useEffect } from 'react';
import { titleWithCount } from '#lib/format/titleCount.ts';

/** The tab's title while this is shown, for pages whose subject only the browser knows. */
export function useTabTitle(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return;
    const before = titleWithCount(document.title, 0);
    const ours = `${text} · Crossbook`;
    document.title = ours;
    return () => {
      // The next page may have set its own already.
      if (titleWithCount(document.title, 0) === ours) document.title = before;
    };
  }, [text]);
}
