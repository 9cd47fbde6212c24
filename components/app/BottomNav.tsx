import {
  ArrowLeftRight,
  ChartNoAxesColumn,
  CircleUser,
  type LucideIcon,
  Wallet,
} from 'lucide-react';
import { NavLink } from './NavLink.tsx';

/** The phone's navigation, within reach of the thumb. */
export function BottomNav() {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-4 border-t bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <Item href="/" icon={ChartNoAxesColumn} label="Markets" />
      <Item href="/portfolio" icon={Wallet} label="Portfolio" />
      <Item href="/orders" icon={ArrowLeftRight} label="Orders" />
      <Item href="/account" icon={CircleUser} label="Account" />
    </nav>
  );
}

function Item({ href, icon: Icon, label }: { href: string; icon: LucideIcon; label: string }) {
  return (
    <NavLink
      href={href}
      className="group flex h-(--bottom-nav-height) flex-col items-center justify-center gap-1 text-[min(0.75rem,4.2vw)] text-ink-3 aria-[current]:font-medium aria-[current]:text-ink"
    >
      <Icon aria-hidden className="size-5 stroke-[1.75] group-aria-[current]:stroke-[2.25]" />
      {label}
    </NavLink>
  );
}
