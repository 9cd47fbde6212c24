/** One value per object, such as a database or a chain, made at the first call. */
export function memoizeByObject<Owner extends object, Value>(
  make: (owner: Owner) => Value,
): (owner: Owner) => Value {
  const made = new WeakMap<Owner, Value>();
  return (owner) => {
    const known = made.get(owner);
    if (known !== undefined) return known;
    const value = make(owner);
    made.set(owner, value);
    return value;
  };
}
