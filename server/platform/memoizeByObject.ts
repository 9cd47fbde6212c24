/** What there is one of for each database, chain and the like: made when it is first asked for. */
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
