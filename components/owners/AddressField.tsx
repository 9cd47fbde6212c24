import { TextField } from '#components/ui/Field.tsx';

type AddressFieldProps = { label: string; value: string; onChange: (text: string) => void };

/** An address on Base, typed or pasted. */
export function AddressField(props: AddressFieldProps) {
  return (
    <TextField
      {...props}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="0x…"
      className="font-mono text-14"
    />
  );
}
