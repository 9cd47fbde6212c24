'use client';

import { useLinkStatus } from 'next/link';
import { createPortal } from 'react-dom';
import { LINK_PROGRESS_ID } from './linkProgressId.ts';

export function LinkProgress() {
  const { pending } = useLinkStatus();
  const place = pending ? document.getElementById(LINK_PROGRESS_ID) : null;
  if (!place) return null;
  return createPortal(
    <>
      <span className="sr-only">Loading the page</span>
      <span aria-hidden className="progress-line fixed inset-x-0 top-0 z-50 h-0.5" />
    </>,
    place,
  );
}
