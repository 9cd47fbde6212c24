import { NothingHere } from '#components/app/NothingHere.tsx';

export default function NotFound() {
  return <NothingHere />;
}
