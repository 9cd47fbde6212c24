import { TEXT_LINK } from '#components/ui/textLink.ts';

/** Where users get help, as a link. */
export function Contact({ contact }: { contact: string }) {
  const isEmail = !contact.startsWith('https:');
  return (
    <a href={isEmail ? `mailto:${contact}` : contact} className={TEXT_LINK}>
      {isEmail ? contact : contact.replace(/^https:\/\//, '')}
    </a>
  );
}
