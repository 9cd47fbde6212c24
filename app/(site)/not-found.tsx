import { NotFoundMessage } from '#components/app/NotFoundMessage.tsx';

export default function NotFound() {
  return <NotFoundMessage />;
}
