import { Notice } from './Notice.tsx';

type ErrorNoticeProps = { error: Error | null | undefined; className?: string };

export function ErrorNotice({ error, className }: ErrorNoticeProps) {
  if (!error) return null;
  const notice = (
    <Notice tone="problem" live>
      {error.message}
    </Notice>
  );
  return className === undefined ? notice : <div className={className}>{notice}</div>;
}
