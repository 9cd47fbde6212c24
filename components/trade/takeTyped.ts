/**
 * For the field of an amount: takes over what somebody typed before the page came to life. React
 * leaves that text in the field while it hydrates, tells nobody of it, and would wipe it away with
 * the next change.
 * @param shown what the field is to show
 * @returns a ref for the field
 */
export function takeTyped(
  shown: string,
  take: (text: string) => void,
): (field: HTMLInputElement | null) => void {
  return (field) => {
    if (field && field.value !== shown) take(field.value);
  };
}
