import { redirect } from 'next/navigation';

/** The reference has its own frame and content security policy, so the API serves it. */
export default function ReferencePage(): never {
  redirect('/v1/reference');
}
