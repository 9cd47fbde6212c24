/** Whether keys go to the focused element, such as a field or a dialog, and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('dialog[open]:modal') !== null ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
