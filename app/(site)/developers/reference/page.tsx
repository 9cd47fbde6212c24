import { redirect } from 'next/navigation';

/** The reference brings its own frame and content security policy, so it is served by the interface. */
export default function ReferencePage(): never {
  redirect('/v1/reference');
}
