/** Whether keys go to the focused element, such as a field or a dialog, and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('dialog[open]:modal') !== null) return true;
  // A choice keeps the focus after a press, and takes no letters.
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox'].includes(target.type);
  return ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
