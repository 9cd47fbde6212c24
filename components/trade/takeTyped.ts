/**
 * For a field: takes over what somebody typed or chose in it before the page came to life. React
 * leaves that in the field while it hydrates, tells nobody of it, and would wipe it away with the
 * next change.
 * @param shown what the field is to show
 * @returns a ref for the field
 */
export function takeTyped(
  shown: string,
  take: (text: string) => void,
): (field: HTMLInputElement | HTMLSelectElement | null) => void {
  return (field) => {
    if (field && field.value !== shown) take(field.value);
  };
}
