const COLOURS = [
  ['paper', 'surface', 'sunken', 'line', 'line-strong'],
  ['ink', 'ink-2', 'ink-3', 'on-ink'],
  ['yes', 'yes-solid', 'yes-soft', 'no', 'no-solid', 'no-soft'],
  ['accent', 'accent-soft', 'caution', 'caution-soft'],
  ['line-a', 'line-b', 'line-c'],
];

const TYPE = [
  { size: 32, weight: 600, use: 'A market’s question' },
  { size: 26, weight: 600, use: 'A page’s title' },
  { size: 17, weight: 600, use: 'A section, a card' },
  { size: 15, weight: 400, use: 'Text' },
  { size: 13, weight: 400, use: 'Secondary text' },
];

export function TokenSamples() {
  return (
    <>
      <div className="grid gap-3">
        {COLOURS.map((row) => (
          <ul key={row[0]} className="flex flex-wrap gap-3">
            {row.map((name) => (
              <li key={name} className="w-28 text-13 text-ink-2">
                <span
                  aria-hidden
                  className="mb-1 block h-12 rounded-md border border-line"
                  style={{ background: `var(--${name})` }}
                />
                {name}
              </li>
            ))}
          </ul>
        ))}
      </div>
      <ul className="grid gap-2">
        {TYPE.map(({ size, weight, use }) => (
          <li key={size} style={{ fontSize: `${size / 16}rem`, fontWeight: weight }}>
            {use}{' '}
            <span className="nums font-normal text-13 text-ink-3">{size} px · 0123456789</span>
          </li>
        ))}
      </ul>
    </>
  );
}
